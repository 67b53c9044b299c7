package selfip

import (
	"strings"

	"github.com/dshkit/dshkit/internal/selfip/entry"
)

// Glued is a line of a memory file that holds two entries. Memory files end
// without a line end (spec/selfip.md 4.3), so that what somebody appends with a
// shell lands on the last entry.
type Glued struct {
	File string // absolute
	Line int    // from 1
}

// Glued finds the lines of a library that hold two entries. They are told of and
// not split: where a text ends is for a person to say.
func (l *Library) Glued() (list []Glued) {
	for _, p := range Partitions {
		data, err := l.read(p.File)
		if err != nil {
			continue // whoever reads the entries tells of it
		}
		n := 0
		for line := range strings.Lines(string(data)) {
			n++
			if isGlued(line) {
				list = append(list, Glued{l.Path(p.File), n})
			}
		}
	}
	return list
}

// isGlued reports whether another bullet begins right behind the metadata of an
// entry.
func isGlued(line string) bool {
	head, _, found := strings.Cut(line, "}- ")
	if !found {
		return false
	}
	e, ok := entry.ParseLine(head + "}")
	return ok && e.Kind != "" && (e.Get("origin") != "" || e.Get("ttl") != "")
}
