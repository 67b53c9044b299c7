package selfip

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/internal/selfip/gate"
	"github.com/dshkit/dshkit/internal/selfip/sleep"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/text"
)

// Hypothesis is a hypothesis with the library that it is about.
type Hypothesis struct {
	sleep.Hypothesis
	Library Label
}

// Hypotheses lists the hypotheses of the libraries that are read, decided ones
// too. One that a detector fires on is not among them.
func (m *Memory) Hypotheses() ([]Hypothesis, error) {
	var out []Hypothesis
	for _, lib := range m.readable() {
		s, err := lib.sheet(hypothesesFile)
		if err != nil {
			return nil, err
		}
		for _, h := range s.Hypotheses() {
			v := gate.Note(h.Text)
			if v.Poison != nil || v.Text == "" || !gate.SafeID(h.ID) {
				continue
			}
			h.Text, h.Note = v.Text, gate.Note(h.Note).Text
			out = append(out, Hypothesis{h, lib.Label})
		}
	}
	return out, nil
}

// DecidedHypothesis reports what came of a decision.
type DecidedHypothesis struct {
	Hypothesis
	Stored    *Entry  // the fact that it became, or the entry that holds
	Withdrawn []Entry // what does not hold any more
	Change    string  // id of the journal row, for undo
}

// DecideHypothesis confirms or refutes an open hypothesis. Of a contradiction
// that is confirmed, the older entry is withdrawn and the newer counts as
// verified now; any other becomes a fact, in the name of the author: what an agent
// confirms is no word of the user (W8). One that is refuted is not shown any more,
// and not asked again; no entry is changed. The error is of kind Refused for an
// agent where the user decides what is kept.
func (m *Memory) DecideHypothesis(ctx context.Context, id string, holds bool, note string, by Author) (DecidedHypothesis, error) {
	if err := m.decides(by); err != nil {
		return DecidedHypothesis{}, err
	}
	list, err := m.Hypotheses()
	if err != nil {
		return DecidedHypothesis{}, err
	}
	at := slices.IndexFunc(list, func(h Hypothesis) bool { return strings.EqualFold(h.ID, id) })
	if at < 0 {
		return DecidedHypothesis{}, fault.New(fault.NotFound, codeNoHypothesis, id)
	}
	out := DecidedHypothesis{Hypothesis: list[at]}
	for _, lib := range m.readable() {
		if lib.Label == out.Library {
			done, err := lib.update(ctx, m, "decide", by, func(c *change) error { return c.decideHypothesis(&out, holds, note, by) })
			out.Change = done.id
			return out, err
		}
	}
	return out, fault.New(fault.NotFound, codeNoHypothesis, id)
}

func (c *change) decideHypothesis(out *DecidedHypothesis, holds bool, note string, by Author) error {
	s, err := c.sheet(hypothesesFile)
	if err != nil {
		return err
	}
	state := sleep.Refuted
	if holds {
		state = sleep.Confirmed
	}
	note = text.Head(gate.Note(note).Text, noteLength)
	next, was, ok := s.Decide(out.ID, state, note, entry.Stamp(c.now))
	switch {
	case !ok:
		return fault.New(fault.NotFound, codeNoHypothesis, out.ID)
	case was.State != sleep.Open:
		return fault.New(fault.Conflict, codeIsDecided, out.ID, string(was.State))
	}
	out.State, out.Note = state, note
	if holds {
		if err := c.hold(out, was, by); err != nil {
			return err
		}
	}
	return c.setSheet(hypothesesFile, next)
}

// hold brings about what a confirmed hypothesis says.
func (c *change) hold(out *DecidedHypothesis, h sleep.Hypothesis, by Author) error {
	if h.By == localEngine && len(h.Evidence) == 2 {
		return c.overturn(out, h.Evidence[0], h.Evidence[1])
	}
	v := gate.Note(h.Text)
	stamp := entry.Stamp(c.now)
	e := entry.Entry{Stamp: stamp, Kind: entry.Fact, Text: v.Text}
	if by.isUser() {
		e = e.With("src", "user").With("origin", "command").With("imp", strconv.Itoa(commandImportance))
	} else { // it is as little verified as it was
		e = e.With("origin", "sleep").With("by", h.By)
	}
	e = e.With("ttl", strconv.Itoa(v.TTL)).With("vfy", stamp)
	id, _ := c.store(e)
	stored := c.lib.stored(id, e)
	out.Stored = &stored
	return nil
}

// overturn withdraws the older of two entries and verifies the newer. When the
// newer is gone, there is nothing in whose favour the older could go.
func (c *change) overturn(out *DecidedHypothesis, newer, older string) error {
	holds, err := c.named(newer)
	if err != nil || len(holds) == 0 {
		return err
	}
	falls, err := c.named(older)
	if err != nil {
		return err
	}
	for _, f := range falls {
		c.put(f, withdrawn(f.entry, "superseded", c))
		out.Withdrawn = append(out.Withdrawn, c.lib.report(f))
	}
	for _, f := range holds {
		f.entry = f.entry.With("vfy", entry.Stamp(c.now))
		c.put(f, f.entry)
		shown := c.lib.report(f)
		out.Stored = &shown
	}
	return nil
}

// named returns the live entries with an id.
func (c *change) named(id string) ([]found, error) {
	return c.matching(needle{id: strings.ToLower(id), text: "\x00"}, entry.Entry.Live)
}
