package selfip

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/dshkit/dshkit/internal/selfip/catalog"
	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/internal/selfip/gate"
	"github.com/dshkit/dshkit/pkg/fault"
)

// Listing is a library with some of its entries.
type Listing struct {
	Library Label
	Path    string
	Entries []Entry
	Damage  []Damage
}

// List returns the entries that keep is true of, of every library that is read,
// in the order of the files.
func (m *Memory) List(keep func(entry.Entry) bool) ([]Listing, error) {
	var out []Listing
	for _, lib := range m.readable() {
		listing := Listing{Library: lib.Label, Path: lib.Root}
		err := lib.over(m.Now(), func(c *corpus) {
			listing.Entries, listing.Damage = nil, c.view.damage()
			for f := range c.all() {
				if keep(f.entry) {
					listing.Entries = append(listing.Entries, c.report(f))
				}
			}
		})
		if err != nil {
			return nil, err
		}
		out = append(out, listing)
	}
	return out, nil
}

// all yields every entry of the corpus, withdrawn ones too. An archived twin of
// a live entry that has been yielded is left out.
func (c *corpus) all() func(yield func(found) bool) {
	return func(yield func(found) bool) {
		seen := map[uint64]bool{}
		for i := range c.sources {
			for _, r := range c.rowsFrom(i, 0) {
				archived := i >= len(Partitions)
				if archived && seen[r.Key] {
					continue
				}
				seen[r.Key] = seen[r.Key] || !r.Has(catalog.Withdrawn)
				e, ok := c.read(ref(r))
				if ok && !yield(found{row: r, archived: archived, entry: e}) {
					return
				}
			}
		}
	}
}

// report shows an entry. It passes the gate, for a person may have written
// anything into the file.
func (c *corpus) report(f found) Entry {
	return c.lib.reported(f.entry, c.sources[f.row.Source].Name)
}

// reported is an entry of a file as it may be shown to a person.
func (l *Library) reported(e entry.Entry, file string) Entry {
	e, v := gate.Entry(e)
	blocked := v.Poison != nil && !l.released(e.Text)
	return Entry{ID: e.ID(), Kind: e.Kind, Text: e.Text, Library: l.Label, File: file, Entry: e, Blocked: blocked}
}

// Standing says how an entry stands now.
type Standing string

// The standings.
const (
	Live      Standing = "live"
	Expired   Standing = "expired"   // still shown, with a mark
	Withdrawn Standing = "withdrawn" // kept, never shown
	Blocked   Standing = "blocked"   // a detector fires on it: never shown
	Archived  Standing = "archived"  // found by search, not chosen for injection
)

// Provenance is an entry with where it comes from and how it stands.
type Provenance struct {
	Entry
	Path     string // of its file
	Weight   entry.Weight
	Standing Standing
	History  []Logged // the changes that touched it, oldest first
}

// Why returns the entries that s means, withdrawn ones too, with their history.
func (m *Memory) Why(s string) ([]Provenance, error) {
	n := newNeedle(s)
	rows, _, err := m.Log()
	if err != nil {
		return nil, err
	}
	var out []Provenance
	for _, lib := range m.readable() {
		var own []Provenance
		err := lib.over(m.Now(), func(c *corpus) {
			var hits []found
			for f := range c.all() {
				if n.matches(f.entry) {
					hits = append(hits, f)
				}
			}
			own = nil
			for _, f := range onlyID(n, hits) {
				own = append(own, c.provenance(f, rows))
			}
		})
		if err != nil {
			return nil, err
		}
		out = append(out, own...)
	}
	if len(out) == 0 {
		return nil, fault.New(fault.NotFound, codeNoEntry, s)
	}
	return out, nil
}

func (c *corpus) provenance(f found, rows []Logged) Provenance {
	p := Provenance{Entry: c.report(f), Path: c.lib.Path(c.sources[f.row.Source].Name)}
	var expired bool
	p.Weight, expired = f.entry.Weigh(c.now)
	switch {
	case !f.entry.Live():
		p.Standing = Withdrawn
	case c.lib.judge(f.entry)&catalog.Blocked != 0:
		p.Standing = Blocked
	case f.archived:
		p.Standing = Archived
	case expired:
		p.Standing = Expired
	default:
		p.Standing = Live
	}
	for _, row := range rows {
		if row.Library == c.lib.Label && slices.ContainsFunc(row.Changes, func(j JournalChange) bool {
			return strings.EqualFold(j.Entry, p.ID)
		}) {
			p.History = append(p.History, row)
		}
	}
	return p
}

// sortByTime puts journal rows in the order of their stamps.
func sortByTime(rows []Logged) {
	slices.SortStableFunc(rows, func(a, b Logged) int {
		at, _ := entry.ParseTime(a.Time, time.UTC)
		bt, _ := entry.ParseTime(b.Time, time.UTC)
		return cmp.Compare(at.UnixNano(), bt.UnixNano())
	})
}
