package selfip

import (
	"iter"
	"time"

	"github.com/dshkit/dshkit/internal/selfip/entry"
)

// known is what the libraries hold already, for an engine that leaves out what it
// need not say. A line that a killed try of the same session has stored without a
// row in the journal is no such thing: it is said again, and the journal told of
// it.
type known struct {
	memory  *Memory
	since   time.Time // of the session
	journal map[*Library]map[string]bool
	orphans bool // there were such lines
}

func (m *Memory) knownFor(d *material) *known {
	return &known{memory: m, since: d.account.session.Start, journal: map[*Library]map[string]bool{}}
}

// entries yields the live entries of the libraries that are read.
func (k *known) entries() iter.Seq[entry.Entry] {
	return func(yield func(entry.Entry) bool) {
		now := k.memory.Now()
		for _, lib := range k.memory.readable() {
			for e, err := range lib.entries(now) {
				switch {
				case err != nil || !e.Live():
				case k.isOrphan(lib, e):
					k.orphans = true
				case !yield(e):
					return
				}
			}
		}
	}
}

// isOrphan asks the journal about the few lines that the engine has written since
// the session began.
func (k *known) isOrphan(lib *Library, e entry.Entry) bool {
	if e.Get("origin") != "retro" || e.Get("by") != localEngine {
		return false
	}
	if at, ok := e.Time(k.memory.Now().Location()); !ok || at.Before(k.since) {
		return false
	}
	if k.journal[lib] == nil {
		k.journal[lib] = lib.journaled()
	}
	return !k.journal[lib][e.With("uses", "").String()]
}

// journaled returns the lines that the journal of a library tells of, as it left
// them. That they have been found by a search since is no change.
func (l *Library) journaled() map[string]bool {
	lines := map[string]bool{}
	rows, _, _ := l.journal() // one that cannot be read tells of nothing
	for _, row := range rows {
		for _, j := range row.Changes {
			if e, ok := entry.ParseLine(j.After); ok {
				lines[e.With("uses", "").String()] = true
			}
		}
	}
	return lines
}
