package selfip

import (
	"bytes"
	"hash/fnv"
	"strconv"
	"strings"

	"github.com/dshkit/dshkit/pkg/text"
)

// shown reads what a session has been given; nothing is known of a new one.
func (m *Memory) shown(session string) shown {
	if m.Workspace == nil {
		return shown{}
	}
	data, _ := m.Workspace.dir.Read(stateFile(session)) // what cannot be read is as good as none
	s := parseShown(string(data))
	s.onDisk = data
	return s
}

// keepShown notes what a session has been given, if that is not noted already.
func (m *Memory) keepShown(session string, s shown) {
	if m.Workspace == nil {
		return
	}
	if data := s.format(); !bytes.Equal(data, s.onDisk) {
		_ = m.Workspace.dir.Overwrite(stateFile(session), data) // see shown: it can be lost
	}
}

// format writes the state as lines of a key and a value, the first of which is
// the sum of the others: the file is written in place, so a reader must be able
// to tell a mixture (docs/formats/session-events.md).
func (s shown) format() []byte {
	var b strings.Builder
	line := func(key, value string) { b.WriteString(key + " " + value + "\n") }
	line("block", s.Block)
	line("library", s.Library)
	line("chars", strconv.Itoa(s.Chars))
	line("blocks", strconv.Itoa(s.Blocks))
	line("at", strconv.FormatInt(s.At, 10))
	line("entries", strings.Join(s.Entries, " "))
	for _, said := range s.Said {
		line("said", text.OneLine(said))
	}
	return []byte("sum " + sumOf(b.String()) + "\n" + b.String())
}

// parseShown reads what format writes, and nothing from anything else.
func parseShown(data string) shown {
	var s shown
	sum, rest, _ := strings.Cut(data, "\n")
	if sum != "sum "+sumOf(rest) {
		return s
	}
	for line := range strings.Lines(rest) {
		key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		switch key {
		case "block":
			s.Block = value
		case "library":
			s.Library = value
		case "chars":
			s.Chars, _ = strconv.Atoi(value)
		case "blocks":
			s.Blocks, _ = strconv.Atoi(value)
		case "at":
			s.At, _ = strconv.ParseInt(value, 10, 64)
		case "entries":
			s.Entries = strings.Fields(value)
		case "said":
			s.Said = append(s.Said, value)
		}
	}
	return s
}

// sumOf identifies a text.
func sumOf(s string) string {
	h := fnv.New64a()
	_, _ = h.Write([]byte(s))
	return strconv.FormatUint(h.Sum64(), 16)
}
