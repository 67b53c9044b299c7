package selfip

import (
	"slices"

	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/internal/selfip/learn"
	"github.com/dshkit/dshkit/pkg/fault"
)

// candidatesFile holds what waits for the user's word, and what was decided.
const candidatesFile = proposalDir + "/candidates.jsonl"

// draft is an entry that has passed the gate and is to be stored.
type draft struct {
	entry    entry.Entry
	replaces []string // ids or texts of entries that it overturns
	evidence []learn.Quote
	strict   bool // what it overturns must be there, else NotFound
}

// nonEmpty is a list of s, of nothing when s is empty.
func nonEmpty(s string) []string {
	if s == "" {
		return nil
	}
	return []string{s}
}

// placed is what became of a draft.
type placed struct {
	id       string
	known    bool    // the library said the same already
	waits    bool    // it is a candidate: the user decides
	unwanted bool    // the user rejected the same before, or too much waits already
	replaced []Entry // the entries that were withdrawn in its favour
}

// stored reports whether the draft is an entry of the library now.
func (p placed) stored() bool { return !p.waits && !p.unwanted }

// place stores a draft: at once, or, in mode ask and when it is not the user's
// own, as a candidate (design/product.md 5). What a draft overturns is withdrawn
// with it, and not before. One that is overturned already is no fault.
func (c *change) place(d draft) (placed, error) {
	if c.asks {
		return c.propose(d)
	}
	var out placed
	for _, s := range d.replaces {
		old, err := c.supersede(s, d.entry.Text)
		if err != nil && (d.strict || fault.KindOf(err) != fault.NotFound) {
			return out, err
		}
		out.replaced = append(out.replaced, old...)
	}
	out.id, out.known = c.store(d.entry)
	c.explain(out.id, d.evidence)
	return out, nil
}

// propose makes a draft a candidate, unless the library says the same, or the
// same waits or was rejected.
func (c *change) propose(d draft) (placed, error) {
	out := placed{id: d.entry.ID()}
	if out.known = c.known(d.entry); out.known {
		return out, nil
	}
	rows, err := c.candidates.read(c)
	if err != nil {
		return out, err
	}
	if old, ok := saying(rows, d.entry); ok && old.Status != Accepted {
		out.id, out.waits, out.unwanted = old.ID, old.Status == Waiting, old.Status == Rejected
		return out, nil
	}
	if c.candidates.waiting() >= maxWaiting {
		out.unwanted = true
		return out, nil
	}
	ids, err := c.meant(d)
	if err != nil {
		return out, err
	}
	out.waits = true
	c.candidates.set(c, candidateRow{Candidate: Candidate{
		ID: out.id, Time: entry.Stamp(c.now), Op: c.op, By: c.by.Origin, Session: c.by.Session, Line: d.entry.String(),
		Replaces: ids, Evidence: c.quotes(d.evidence),
	}}, Waiting)
	return out, nil
}

// meant returns the ids of the live entries that a draft would overturn.
func (c *change) meant(d draft) ([]string, error) {
	var ids []string
	for _, s := range d.replaces {
		hits, err := c.overturned(s, d.entry.Text)
		if err != nil {
			return nil, err
		}
		if len(hits) == 0 && d.strict {
			return nil, fault.New(fault.NotFound, codeNoEntry, s)
		}
		for _, f := range hits {
			if id := f.entry.ID(); !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	return ids, nil
}

// candidates is the list of a library under its lock.
type candidates struct {
	rows    []candidateRow
	loaded  bool
	touched bool
}

func (l *candidates) read(c *change) ([]candidateRow, error) {
	if l.loaded {
		return l.rows, nil
	}
	data, err := c.tx.Read(candidatesFile)
	if ignoreMissing(err) != nil {
		return nil, err
	}
	l.rows, _ = parseCandidates(data)
	l.loaded = true
	return l.rows, nil
}

func (l *candidates) waiting() int {
	n := 0
	for _, r := range l.rows {
		if r.ID != "" && r.Status == Waiting {
			n++
		}
	}
	return n
}

// find returns the place of a candidate, -1 when there is none.
func (l *candidates) find(id string) int {
	return slices.IndexFunc(l.rows, func(r candidateRow) bool { return r.ID != "" && r.ID == id })
}

// set gives a candidate a status and notes it in the log of the change. A new
// one takes the place of one of the same id that was decided.
func (l *candidates) set(c *change, r candidateRow, s Status) {
	before := r.Status
	if s == Waiting && before == "" {
		l.rows = slices.DeleteFunc(l.rows, func(old candidateRow) bool { return old.ID == r.ID })
	}
	r.Status, r.raw, l.touched = s, nil, true
	if i := l.find(r.ID); i >= 0 {
		l.rows[i] = r
	} else {
		l.rows = append(l.rows, r)
	}
	c.log = append(c.log, JournalChange{File: candidatesFile, Entry: r.ID, Before: logged(before), After: logged(s)})
}

// logged is a status as the journal has it: what was dropped is not there.
func logged(s Status) string {
	if s == Dropped {
		return ""
	}
	return string(s)
}

// unsettle takes back what a change did to a candidate.
func (c *change) unsettle(j JournalChange) error {
	if _, err := c.candidates.read(c); err != nil {
		return err
	}
	i := c.candidates.find(j.Entry)
	if i < 0 || logged(c.candidates.rows[i].Status) != j.After {
		return fault.New(fault.Conflict, codeUndoConflict, j.Entry)
	}
	r := c.candidates.rows[i]
	s := Status(j.Before)
	if s == "" {
		s = Dropped
	}
	if s == Waiting {
		r.At, r.Note = "", ""
	}
	c.candidates.set(c, r, s)
	return nil
}

// writeCandidates brings the list to disk.
func (c *change) writeCandidates() error {
	if !c.candidates.touched {
		return nil
	}
	return c.tx.Replace(candidatesFile, formatCandidates(c.candidates.rows))
}
