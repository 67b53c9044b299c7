package selfip

import (
	"context"
	"errors"
	"slices"

	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/internal/selfip/gate"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/text"
)

// Entry is an entry as reports show it.
type Entry struct {
	ID      string
	Kind    entry.Kind
	Text    string
	Library Label
	File    string // relative to the library
	Entry   entry.Entry
	Blocked bool // a detector fires on it: for a person alone; told by lists
}

// stored is an entry in the partition of its kind, as reports show it. One that
// was known has the id of the known one.
func (l *Library) stored(id string, e entry.Entry) Entry {
	return Entry{ID: id, Kind: e.Kind, Text: e.Text, Library: l.Label, File: Partitions[partitionOf(e.Kind)].File, Entry: e}
}

// report is an entry that was found, as reports show it.
func (l *Library) report(f found) Entry {
	e, _ := gate.Entry(f.entry)
	out := Entry{ID: e.ID(), Kind: e.Kind, Text: e.Text, Library: l.Label, Entry: e}
	if !f.archived {
		out.File = Partitions[f.row.Source].File
	}
	return out
}

// reports shows entries, each once: one that came back from the archive has left
// a line there.
func (l *Library) reports(hits []found) []Entry {
	var out []Entry
	seen := map[uint64]bool{}
	for _, h := range hits {
		if h.archived && seen[h.row.Key] {
			continue
		}
		seen[h.row.Key] = true
		out = append(out, l.report(h))
	}
	return out
}

// Changed reports entries that a use case has changed.
type Changed struct {
	Entries []Entry
	Changes []string // ids of the journal rows, for undo
}

// Forget withdraws every entry that s means, in all libraries that are read.
// Nothing is deleted: Restore brings it back (spec/selfip.md 18).
func (m *Memory) Forget(ctx context.Context, s string, by Author) (Changed, error) {
	n := newNeedle(s)
	out, err := m.changeAll(ctx, "forget", by, func(c *change) ([]found, error) {
		hits, err := c.matching(n, entry.Entry.Live)
		for _, f := range hits {
			c.put(f, withdrawn(f.entry, "user", c))
		}
		return hits, err
	})
	if err == nil && len(out.Entries) == 0 {
		return out, fault.New(fault.NotFound, codeNoEntry, s)
	}
	return out, err
}

// Restore brings back every withdrawn entry that s means. What was withdrawn
// more than once comes back once, and not at all when it is known again.
func (m *Memory) Restore(ctx context.Context, s string, by Author) (Changed, error) {
	n := newNeedle(s)
	out, err := m.changeAll(ctx, "restore", by, func(c *change) ([]found, error) {
		hits, err := c.matching(n, func(e entry.Entry) bool { return !e.Live() })
		if err != nil {
			return nil, err
		}
		hits = c.revivable(hits)
		for _, f := range hits {
			c.put(f, f.entry.With("invalid", "").With("why", ""))
		}
		return hits, err
	})
	if err == nil && len(out.Entries) == 0 {
		return out, fault.New(fault.NotFound, codeNotWithdrawn, s)
	}
	return out, err
}

// revivable leaves of withdrawn entries that say the same the last one, a line of
// a partition rather than one of the archive, and none that a live entry says.
func (c *change) revivable(hits []found) []found {
	var out []found
	taken := map[string]bool{}
	for _, archived := range []bool{false, true} {
		for i := len(hits) - 1; i >= 0; i-- {
			h := hits[i]
			if key := h.entry.Key(); h.archived == archived && !taken[key] {
				taken[key] = true
				if !c.known(h.entry) {
					out = append(out, h)
				}
			}
		}
	}
	slices.Reverse(out)
	return out
}

// known reports whether a live entry says the same as e.
func (c *change) known(e entry.Entry) bool {
	if _, _, ok := c.twin(partitionOf(e.Kind), e); ok {
		return true
	}
	_, ok := c.archivedTwin(e)
	return ok
}

// changeAll runs f on every library that is read. A library that cannot be
// written does not keep the others from being changed; its error is reported
// when nothing was changed anywhere.
func (m *Memory) changeAll(ctx context.Context, op string, by Author, f func(*change) ([]found, error)) (Changed, error) {
	libs := m.readable()
	if len(libs) == 0 {
		_, err := m.workspace()
		return Changed{}, err
	}
	var out Changed
	var failed []error
	for _, lib := range libs {
		var hits []found
		done, err := lib.update(ctx, m, op, by, func(c *change) (err error) {
			hits, err = f(c)
			return err
		})
		if err != nil {
			failed = append(failed, err)
			continue
		}
		out.Entries = append(out.Entries, lib.reports(hits)...)
		if len(hits) > 0 {
			out.Changes = append(out.Changes, done.id)
		}
	}
	if len(out.Entries) > 0 {
		return out, nil
	}
	return out, errors.Join(failed...)
}

// whyLength bounds the reason of a withdrawal, in UTF-16 code units.
const whyLength = 60

// withdrawn marks an entry invalid from now on, with the reason.
func withdrawn(e entry.Entry, reason string, c *change) entry.Entry {
	stamp := entry.Stamp(c.now)
	return e.With("invalid", stamp).With("why", text.Head(reason+"@"+stamp, whyLength))
}

// overturned returns the live entries that s means and that do not say newText.
func (c *change) overturned(s, newText string) ([]found, error) {
	return c.matching(newNeedle(s), func(e entry.Entry) bool {
		return e.Live() && text.Fold(e.Text) != text.Fold(newText)
	})
}

// supersede withdraws the live entries that s means in favour of a new text.
// An entry that says the new text already is not withdrawn.
func (c *change) supersede(s, newText string) ([]Entry, error) {
	hits, err := c.overturned(s, newText)
	if err != nil {
		return nil, err
	}
	if len(hits) == 0 {
		return nil, fault.New(fault.NotFound, codeNoEntry, s)
	}
	var out []Entry
	for _, f := range hits {
		c.put(f, withdrawn(f.entry, "superseded", c))
		out = append(out, c.lib.report(f))
	}
	return out, nil
}
