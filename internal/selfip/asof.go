package selfip

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/dshkit/dshkit/internal/selfip/entry"
)

// AsOf returns the entries that were believed at an instant, of every library
// that is read: what stands in the files now, with every change since then taken
// back. The journal knows those changes with their lines; of an entry that it
// does not name, because a person or another program wrote it, the stamps
// decide: it was there from its stamp on, and until its withdrawal.
func (m *Memory) AsOf(at time.Time, keep func(entry.Entry) bool) ([]Listing, error) {
	var out []Listing
	for _, lib := range m.readable() {
		rows, _, err := lib.journal()
		if err != nil {
			return nil, err
		}
		past := pastOf(rows, at)
		listing := Listing{Library: lib.Label, Path: lib.Root}
		err = lib.over(m.Now(), func(c *corpus) {
			listing.Entries, listing.Damage = nil, c.view.damage()
			listing.Entries = c.asOf(past, at, keep)
		})
		if err != nil {
			return nil, err
		}
		out = append(out, listing)
	}
	return out, nil
}

// past is what the journal tells of an instant, by the keys of entries, for an
// imported id may have had several texts. A change that names an id alone, as a
// large import does, counts for the entries of that id which no other names.
type past struct {
	then  map[string]was       // of what has been changed since; an empty line: it was not there
	first map[string]time.Time // when an entry first turned up
	fresh map[string]bool      // ids that turned up since, without their lines
	keys  map[string][]string  // of an id, those that have been changed since
}

type was struct{ line, file string }

func pastOf(rows []Journal, at time.Time) past {
	p := past{then: map[string]was{}, first: map[string]time.Time{}, fresh: map[string]bool{}, keys: map[string][]string{}}
	for i := len(rows) - 1; i >= 0; i-- {
		when, ok := entry.ParseTime(rows[i].Time, time.UTC)
		if !ok {
			continue
		}
		for n := len(rows[i].Changes) - 1; n >= 0; n-- {
			if j := rows[i].Changes[n]; j.File != decisionsFile {
				p.note(j, when, when.After(at))
			}
		}
	}
	return p
}

// note takes in a change that is earlier than those before.
func (p *past) note(j JournalChange, when time.Time, since bool) {
	id := strings.ToLower(j.Entry)
	e, ok := entry.ParseLine(cmp.Or(j.Before, j.After))
	if !ok {
		p.first["id "+id] = when
		if since {
			p.fresh[id] = true
			for _, key := range p.keys[id] { // what has been changed later came with this
				p.then[key] = was{}
			}
		}
		return
	}
	if since {
		p.then[e.Key()] = was{j.Before, j.File}
		p.keys[id] = append(p.keys[id], e.Key())
	}
	p.first[e.Key()] = when
}

// born is when an entry first turned up in the journal.
func (p *past) born(e entry.Entry) (time.Time, bool) {
	at, known := p.first[e.Key()]
	if !known {
		at, known = p.first["id "+strings.ToLower(e.ID())]
	}
	return at, known
}

// asOf goes over the entries of now, and puts in the place of each what it was.
func (c *corpus) asOf(p past, at time.Time, keep func(entry.Entry) bool) []Entry {
	var out []Entry
	told := map[string]bool{}
	add := func(e entry.Entry, file string) {
		if e := c.lib.reported(e, file); keep(e.Entry) {
			out = append(out, e)
		}
	}
	for f := range c.all() {
		key, file := f.entry.Key(), c.sources[f.row.Source].Name
		then, changed := p.then[key]
		switch {
		case !changed:
			if e, ok := c.standing(p, f.entry, at); ok {
				add(e, file)
			}
		case then.line != "" && !told[key]:
			e, _ := entry.ParseLine(then.line)
			add(e, file)
		case then.line == "" && c.goneBefore(f.entry, at):
			add(f.entry, file) // it was withdrawn then, and has been stored again since
		}
		told[key] = told[key] || changed
	}
	for _, key := range slices.Sorted(maps.Keys(p.then)) {
		if then := p.then[key]; then.line != "" && !told[key] { // its line is gone from the files
			e, _ := entry.ParseLine(then.line)
			add(e, then.file)
		}
	}
	return out
}

// goneBefore reports whether an entry had been withdrawn by an instant.
func (c *corpus) goneBefore(e entry.Entry, at time.Time) bool {
	gone, ok := entry.ParseTime(e.Get("invalid"), c.now.Location())
	return ok && !gone.After(at)
}

// standing is an entry that has not been changed since an instant, as it stood
// then; ok is false when it was not there yet.
func (c *corpus) standing(p past, e entry.Entry, at time.Time) (entry.Entry, bool) {
	born, known := p.born(e)
	if !known {
		if born, known = e.Time(c.now.Location()); !known {
			return e, true // nobody knows; it may have been
		}
	}
	if born.After(at) || p.fresh[strings.ToLower(e.ID())] && !c.goneBefore(e, at) {
		return e, false
	}
	if gone, ok := entry.ParseTime(e.Get("invalid"), c.now.Location()); ok && gone.After(at) {
		e = e.With("invalid", "").With("why", "")
	}
	return e, true
}
