package selfip

import (
	"context"
	"fmt"

	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/internal/selfip/gate"
	"github.com/dshkit/dshkit/internal/selfip/phrase"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/text"
)

// Decided is a candidate after the user's word.
type Decided struct {
	Candidate
	Library  Label
	Entry    Entry   // as it was stored, or would have been
	Replaced []Entry // what was withdrawn in its favour
	Aside    bool    // a detector fires on it: it went to quarantine
	Change   string  // id of the journal row, for undo
}

// shown is a candidate as a person or an agent may see it.
func (c Candidate) shown(lib *Library) Decided {
	e, v, ok := c.Entry()
	c.Note = text.OneLine(gate.Note(c.Note).Text)
	for i, q := range c.Evidence {
		c.Evidence[i].Text = text.OneLine(gate.Block(q.Text).Text)
	}
	out := Decided{Candidate: c, Library: lib.Label, Aside: !ok || v.Poison != nil}
	if ok && v.Poison == nil {
		out.Entry = lib.stored(c.ID, e)
	}
	return out
}

// Candidates lists the candidates that wait, with all the decided ones too, in
// the libraries that are written; oldest first. bad counts lines that cannot be
// read.
func (m *Memory) Candidates(all bool) (list []Decided, bad int, err error) {
	libs, err := m.targets()
	if err != nil {
		return nil, 0, err
	}
	for _, lib := range libs {
		data, err := lib.read(candidatesFile)
		if err != nil {
			return nil, 0, err
		}
		rows, n := parseCandidates(data)
		bad += n
		for _, r := range rows {
			if r.ID != "" && (r.Status == Waiting || all && r.Status != Dropped) {
				list = append(list, r.shown(lib))
			}
		}
	}
	return list, bad, nil
}

// waiting is how many candidates wait for the user's word.
func (l *Library) waiting() int {
	data, _ := l.read(candidatesFile) // of a file that cannot be read nothing is known
	rows, _ := parseCandidates(data)
	list := candidates{rows: rows}
	return list.waiting()
}

// DecideCandidates stores the candidates with these ids, or rejects them: all of
// them or none. One that was rejected can be accepted after all. A rejection is
// remembered, so that the same is not proposed again, and with a note it becomes
// a lesson. Only the user decides.
func (m *Memory) DecideCandidates(ctx context.Context, ids []string, accept bool, note string, by Author) ([]Decided, error) {
	if !by.isUser() {
		return nil, fault.New(fault.Refused, codeUsersWord)
	}
	known, _, err := m.Candidates(true)
	if err != nil {
		return nil, err
	}
	places := map[Label][]string{}
	for _, id := range ids {
		lib, ok := decidable(known, id, accept)
		if !ok {
			return nil, fault.New(fault.NotFound, codeNoCandidate, id)
		}
		places[lib] = append(places[lib], id)
	}
	libs, err := m.targets()
	if err != nil {
		return nil, err
	}
	var out []Decided
	for _, lib := range libs {
		if own := places[lib.Label]; len(own) > 0 {
			got, err := lib.decideCandidates(ctx, m, own, accept, text.Head(gate.Note(note).Text, noteLength), by)
			out = append(out, got...)
			if err != nil {
				return out, err
			}
		}
	}
	return out, nil
}

// decidable finds the library of a candidate that can be decided this way.
func decidable(known []Decided, id string, accept bool) (Label, bool) {
	for _, d := range known {
		if d.ID == id && (d.Status == Waiting || accept && d.Status == Rejected) {
			return d.Library, true
		}
	}
	return "", false
}

func (l *Library) decideCandidates(ctx context.Context, m *Memory, ids []string, accept bool, note string, by Author) ([]Decided, error) {
	var out []Decided
	done, err := l.update(ctx, m, "decide", by, func(c *change) error {
		if _, err := c.candidates.read(c); err != nil {
			return err
		}
		for _, id := range ids {
			i := c.candidates.find(id)
			if i < 0 {
				return fault.New(fault.NotFound, codeNoCandidate, id) // gone since we looked
			}
			d, err := c.rule(c.candidates.rows[i], accept, note, m.Settings.Language)
			if err != nil {
				return err
			}
			out = append(out, d)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for i := range out {
		out[i].Change = done.id
	}
	return out, nil
}

// rule does with one candidate as the user says.
func (c *change) rule(r candidateRow, accept bool, note, language string) (Decided, error) {
	e, v, ok := r.Entry()
	d := r.shown(c.lib)
	r.At, r.Note = entry.Stamp(c.now), note
	status := Rejected
	switch {
	case ok && v.Poison != nil: // somebody has changed the file
		if _, err := c.aside(v, e.Get("src")); err != nil {
			return d, err
		}
	case accept && ok:
		got, err := c.place(draft{entry: e.With("vfy", r.At), replaces: r.Replaces})
		if err != nil {
			return d, err
		}
		status, d.Replaced = Accepted, got.replaced
		c.attach(got.id, r.Evidence)
	case ok && note != "":
		c.store(unwanted(language, e.Text, note, r.At))
	}
	c.candidates.set(c, r, status)
	d.Status, d.At, d.Note = status, r.At, note
	return d, nil
}

// attach notes in the journal what an entry of this change was drawn from.
func (c *change) attach(id string, evidence []Quote) {
	for i := len(c.log) - 1; i >= 0; i-- {
		if c.log[i].Entry == id && c.log[i].File != candidatesFile {
			c.log[i].Evidence = append(c.log[i].Evidence, evidence...)
			return
		}
	}
}

// unwantedLength bounds the text that such a lesson quotes, in UTF-16 code units.
const unwantedLength = 160

// unwantedImportance keeps such lessons behind those of the work, which a few
// rejections at once would push out of what a session is given.
const unwantedImportance = "3"

// unwanted is the lesson of a candidate that the user did not want, and why.
func unwanted(language, said, note, stamp string) entry.Entry {
	lesson := fmt.Sprintf(phrase.For(language).Proposal.Unwanted, text.Head(said, unwantedLength), note)
	return entry.Entry{Stamp: stamp, Kind: entry.Lesson, Text: lesson}.With("src", "user").With("origin", "command").With("imp", unwantedImportance)
}
