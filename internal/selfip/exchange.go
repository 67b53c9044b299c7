package selfip

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/dshkit/dshkit/internal/selfip/catalog"
	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/internal/selfip/exchange"
	"github.com/dshkit/dshkit/internal/selfip/gate"
)

// Imported reports what an import did with its lines.
type Imported struct {
	Added, Repeated, Replaced int
	Quarantined               []Aside
	Redacted                  int // entries from which credentials were taken out
	Change                    string
	Library                   Label
	Archived                  int // entries that went to the archive for lack of room
}

// Aside is a line that went to quarantine.
type Aside struct {
	Line     int
	Detector int
	File     string // absolute
}

// Import stores lines in the library that the scope says, each through the
// gate, all in one change. A line whose id is known replaces the entry of that
// id when its text differs.
func (m *Memory) Import(ctx context.Context, lines []exchange.Line) (Imported, error) {
	targets, err := m.targets()
	if err != nil {
		return Imported{}, err
	}
	lib := targets[0]
	out := Imported{Library: lib.Label}
	done, err := lib.update(ctx, m, "import", Author{Origin: "import"}, func(c *change) error {
		byID := c.byID()
		c.brief = len(lines) > briefLines
		for i, line := range lines {
			if err := c.importLine(line, cmp.Or(line.Number, i+1), byID, &out); err != nil {
				return err
			}
		}
		return nil
	})
	out.Change, out.Archived = done.id, done.archived
	return out, err
}

// briefLines is from how many lines on an import is journaled by ids alone: the
// lines would double the library.
const briefLines = 100

func (c *change) importLine(line exchange.Line, number int, byID map[string][]found, out *Imported) error {
	v := gate.Note(line.Text)
	if v.Poison != nil {
		name, err := c.aside(v, line.Source)
		out.Quarantined = append(out.Quarantined, Aside{Line: number, Detector: v.Poison.Number, File: c.lib.Path(name)})
		return err
	}
	secret := len(v.Redactions) > 0 || gate.HasSecret(string(line.ID))
	if secret {
		out.Redacted++
	}
	if !gate.SafeID(string(line.ID)) {
		line.ID = "" // the entry gets one of its own
	}
	e := c.importEntry(line, v)
	if c.imported(e, line.Exported) {
		out.Repeated++
		return nil
	}
	for _, f := range byID[string(line.ID)] {
		if f.entry.Live() && f.entry.Key() != e.Key() {
			c.put(f, withdrawn(f.entry, "superseded", c))
			out.Replaced++
		}
	}
	if _, known := c.store(e); known {
		out.Repeated++
	} else {
		out.Added++
	}
	return nil
}

// imported reports whether an import of e would tell nothing new: it is in the
// archive, or withdrawn here as there. What we exported ourselves and have
// withdrawn since is no news either.
func (c *change) imported(e entry.Entry, exported bool) bool {
	if _, ok := c.archivedTwin(e); ok {
		return true
	}
	if e.Live() && !exported {
		return false
	}
	full := c.keyOf(e)
	key := catalog.KeyOf(full)
	return slices.ContainsFunc(c.view.rows(partitionOf(e.Kind)), func(r catalog.Row) bool {
		return r.Key == key && c.current(r).Key() == full
	})
}

// importEntry builds an entry of an imported line. What the line claims of who
// wrote it is not believed beyond where the knowledge is from.
func (c *change) importEntry(line exchange.Line, v gate.Verdict) entry.Entry {
	e := entry.Entry{Stamp: line.Time, Kind: line.Kind, Text: v.Text}
	if _, ok := e.Time(c.now.Location()); !ok {
		e.Stamp = entry.Stamp(c.now)
	}
	set := func(key, value string) {
		if value != "" && value != "0" {
			e.Meta = append(e.Meta, entry.Pair{Key: key, Value: value})
		}
	}
	set("id", string(line.ID))
	set("origin", "import")
	if line.Source == "web" || line.Source == "doc" || line.Source == "tool" {
		set("src", line.Source)
	}
	if line.Importance != 0 {
		set("imp", strconv.Itoa(min(max(line.Importance, 1), gate.MaxImportance)))
	}
	ttl := line.TTL
	if ttl <= 0 {
		ttl = v.TTL
	}
	set("ttl", strconv.Itoa(min(ttl, gate.MaxReview)))
	for _, at := range []entry.Pair{{Key: "vfy", Value: line.Verified}, {Key: "invalid", Value: line.Invalid}} {
		if _, ok := entry.ParseTime(at.Value, c.now.Location()); ok {
			set(at.Key, at.Value)
		}
	}
	// Also when it is zero: a counter that is there is counted up in place.
	e.Meta = append(e.Meta, entry.Pair{Key: "uses", Value: strconv.Itoa(min(max(line.Uses, 0), gate.MaxUses))})
	return e
}

// byID returns the entries that have been imported with an id of their own.
func (c *change) byID() map[string][]found {
	known := map[string][]found{}
	for _, r := range c.view.all() {
		if e := c.view.entry(r); e.Get("id") != "" {
			known[e.Get("id")] = append(known[e.Get("id")], found{row: r, entry: e})
		}
	}
	if a, err := c.openArchive(); a != nil && err == nil {
		for _, r := range a.rows() {
			if e := a.entry(r); e.Get("id") != "" {
				known[e.Get("id")] = append(known[e.Get("id")], found{row: r, archived: true, entry: e})
			}
		}
	}
	return known
}

// Export calls yield with every entry of the libraries that are read, the
// withdrawn ones too when all is set. It stops at the first error of yield.
func (m *Memory) Export(all bool, yield func(exchange.Line) error) error {
	for _, lib := range m.readable() {
		for e, err := range lib.entries(m.Now()) {
			if err != nil {
				return err
			}
			if !all && !e.Live() {
				continue
			}
			if err := yield(lib.exchange(e)); err != nil {
				return err
			}
		}
	}
	return nil
}

func (l *Library) exchange(e entry.Entry) exchange.Line {
	e, v := gate.Entry(e) // a person may have written anything into the file
	line := exchange.Line{
		ID: exchange.ID(e.ID()), Time: e.Stamp, Kind: e.Kind, Text: e.Text, Source: e.Get("src"),
		Uses: e.Uses(), Verified: e.Get("vfy"), Invalid: e.Get("invalid"), Library: string(l.Label),
		Blocked: v.Poison != nil && !l.released(e.Text),
	}
	line.Importance, _ = e.Int("imp")
	line.TTL, _ = e.Int("ttl")
	return line
}

// entries yields every entry of the library, withdrawn ones too, the archive
// last. An archived twin of a live line is left out.
func (l *Library) entries(now time.Time) func(yield func(entry.Entry, error) bool) {
	return func(yield func(entry.Entry, error) bool) {
		v := l.live(now)
		defer v.close()
		seen := map[uint64]bool{}
		for _, r := range v.all() {
			seen[r.Key] = seen[r.Key] || !r.Has(catalog.Withdrawn)
			if !yield(v.entry(r), nil) {
				return
			}
		}
		a, err := l.archived(now)
		if err != nil {
			yield(entry.Entry{}, err)
			return
		}
		if a == nil {
			return
		}
		defer a.close()
		for _, r := range a.rows() {
			if !seen[r.Key] && !yield(a.entry(r), nil) {
				return
			}
		}
	}
}
