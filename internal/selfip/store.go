package selfip

import (
	"strconv"

	"github.com/dshkit/dshkit/internal/selfip/catalog"
	"github.com/dshkit/dshkit/internal/selfip/entry"
)

// store adds an entry, or refreshes the entry that says the same already. It
// returns the id and whether it was known.
func (c *change) store(e entry.Entry) (id string, known bool) {
	p := partitionOf(e.Kind)
	if old, at, ok := c.addedTwin(e); ok {
		merged := refresh(old, e)
		c.replaceAdded(at, merged)
		return merged.ID(), true
	}
	if row, old, ok := c.twin(p, e); ok {
		merged := refresh(old, e)
		c.rewrite(row, merged)
		return merged.ID(), true
	}
	if old, ok := c.archivedTwin(e); ok {
		merged := refresh(old, e)
		c.add(merged) // a live line outranks its archived twin
		return merged.ID(), true
	}
	c.add(e)
	return e.ID(), false
}

// keyOf is the key of an entry, remembered for the next question about it.
func (c *change) keyOf(e entry.Entry) string {
	if last := &c.lastKey; last.kind != e.Kind || last.text != e.Text || last.key == "" {
		last.kind, last.text, last.key = e.Kind, e.Text, e.Key()
	}
	return c.lastKey.key
}

// twin finds the live entry of the partition that says the same as e.
func (c *change) twin(p int, e entry.Entry) (catalog.Row, entry.Entry, bool) {
	full := c.keyOf(e)
	for _, r := range c.view.find(p, catalog.KeyOf(full)) {
		if r.Has(catalog.Withdrawn) {
			continue
		}
		if old := c.current(r); old.Live() && old.Key() == full {
			return r, old, true
		}
	}
	return catalog.Row{}, entry.Entry{}, false
}

// addedTwin finds an entry that this change adds already.
func (c *change) addedTwin(e entry.Entry) (entry.Entry, addition, bool) {
	at, ok := c.addedKeys[c.keyOf(e)]
	if !ok {
		return entry.Entry{}, at, false
	}
	old, _ := entry.ParseLine(c.added[at.partition][at.line])
	return old, at, true
}

// refresh merges what a repetition brings into the known entry: the higher
// importance, the later time, the greater count of uses, the better trust.
func refresh(old, e entry.Entry) entry.Entry {
	if e.BaseImportance() > old.BaseImportance() {
		old = old.With("imp", strconv.Itoa(e.BaseImportance()))
	}
	if uses := max(old.Uses(), e.Uses()); uses > 0 { // an import of our own export counts nothing twice
		old = old.With("uses", strconv.Itoa(uses))
	}
	if e.Trust() < old.Trust() {
		old = old.With("src", e.Get("src")).With("origin", e.Get("origin"))
	}
	for _, key := range []string{"ttl", "vfy"} {
		if value := e.Get(key); value != "" {
			old = old.With(key, value)
		}
	}
	if entry.Later(e.Stamp, old.Stamp) {
		old.Stamp = e.Stamp
	}
	return old
}
