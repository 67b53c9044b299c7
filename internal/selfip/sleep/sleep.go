// Package sleep is what consolidation works out while nobody works
// (spec/selfip.md 22): which entries say the same, which lessons recur, which
// entries contradict each other, what the next session should know first, what
// is due for review; what a model is shown of a library, and what its answer may
// change. It also holds the three files of notes that come of it.
//
// It invents nothing: every line of the built-in engine quotes entries, and of a
// model's answer nothing is taken that the entries shown to it do not bear. It is
// pure and deterministic, and takes time linear in the library. What one sleep
// has done, the next finds done.
package sleep

import (
	"time"

	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/internal/selfip/similar"
)

// Item is a live entry that may be shown.
type Item struct {
	entry.Entry
	Partition int // entries of two partitions are never merged
}

// Material is what one sleep works on, in the order of the files.
type Material struct {
	Items []Item
	now   time.Time
	forms []similar.Form
	marks [][]string
}

// New looks at the entries of a library at now.
func New(items []Item, now time.Time) *Material {
	m := &Material{Items: items, now: now, forms: make([]similar.Form, len(items)), marks: make([][]string, len(items))}
	for i, it := range items {
		m.forms[i] = similar.FormOf(it.Text)
		m.marks[i] = m.forms[i].Marks()
	}
	return m
}

// time is the instant of an entry; one that cannot be read, or that lies ahead,
// is older than all others: a clock that was wrong decides nothing.
func (m *Material) time(i int) time.Time {
	at, ok := m.Items[i].Time(m.now.Location())
	if !ok || at.After(m.now) {
		return time.Time{}
	}
	return at
}
