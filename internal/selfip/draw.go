package selfip

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/dshkit/dshkit/internal/selfip/contract"
	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/internal/selfip/learn"
	"github.com/dshkit/dshkit/internal/selfip/phrase"
	"github.com/dshkit/dshkit/internal/selfip/similar"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/filestore"
	"github.com/dshkit/dshkit/pkg/retro"
	"github.com/dshkit/dshkit/pkg/transcript"
)

// answerTokens is the limit of a model's answer (spec/selfip.md 8).
const (
	answerTokens = 3000
	answerChars  = 8000
)

// material is what a retrospective looks at: the session as the engine reads it
// and as a model is shown it.
type material struct {
	kind    string
	account account
	row     retro.Item
	engine  *learn.Engine
	record  contract.Record
	left    []string // what could not be read
	foreign int      // records of other folders

	everywhere bool // the folder does not matter: the user has named the log
}

func (m *Memory) newMaterial(kind string, a account, row retro.Item) *material {
	d := &material{kind: kind, account: a, row: row, engine: learn.New(m.Settings.Language, a.dir)}
	for _, f := range a.session.SubagentFails {
		d.record.Delegated(f.Provider, f.Reason)
	}
	return d
}

// add takes a record in, once for both.
func (d *material) add(r transcript.Record) {
	d.engine.Add(r)
	d.record.Add(r)
}

// question is what a model is asked about the material.
func (m *Memory) question(d *material) Question {
	language, brief := m.Settings.Language, m.brief(d.account)
	q := Question{Kind: d.kind, System: contract.System(language), MaxTokens: answerTokens, MaxChars: answerChars}
	switch d.kind {
	case ErrorRetro:
		q.User = contract.ErrorText(language, brief, &d.record)
	case ManualRetro:
		q.User = contract.ManualText(language, brief, &d.record)
	default:
		row := contract.Row{T: d.row.T, Errors: d.row.Errors, ToolErrors: d.row.ToolErrors}
		q.User = contract.SessionText(language, brief, row, &d.record)
	}
	return q
}

// unanswered is the error of a question that stays to be asked.
type unanswered struct {
	err  error
	sent bool          // the model was asked: the attempt counts
	wait time.Duration // until a further question makes sense
}

func (u *unanswered) Error() string { return u.err.Error() }
func (u *unanswered) Unwrap() error { return u.err }

// draw draws conclusions from material: with the model when one may be asked,
// else with the built-in engine. The engine stands in at once when the model
// cannot be used as it is set up or its budget is spent, and for the rest when
// must says that there is no further attempt; why it does is told. hold, when it
// is not nil, is handed the answer before anything else is done with it.
func (m *Memory) draw(ctx context.Context, lib *Library, d *material, must bool, hold func(heldAnswer) error) (out drawn, instead, err error) {
	if !m.Asks(d.kind) {
		return m.conclude(d), nil, nil
	}
	a, err := m.ask(ctx, lib, m.question(d))
	var got drawn
	if err == nil {
		h := heldAnswer{Kind: d.kind, T: entry.Stamp(m.Now()), By: a.By(), Cut: a.Cut, Text: a.Text}
		if got, err = m.drawnFrom(h, d.account.session.ID); err == nil {
			if hold != nil && !got.empty() {
				err = hold(h)
			}
			return got, nil, err
		}
	}
	switch {
	case ctx.Err() != nil:
		return drawn{}, nil, &unanswered{err: context.Cause(ctx)}
	case must || fault.KindOf(err) == fault.Refused || errors.Is(err, errNoModel):
		return m.conclude(d), err, nil
	case fault.KindOf(err) == fault.Busy:
		return drawn{}, nil, &unanswered{err: err, wait: pauseOf(err)}
	}
	return drawn{}, nil, &unanswered{err: err, sent: true, wait: pauseOf(err)}
}

// pauseOf is how long to wait after a failed call.
func pauseOf(err error) time.Duration {
	var p *Pause
	if errors.As(err, &p) {
		return min(max(p.For, shortestPause), longestPause)
	}
	if fault.KindOf(err) == fault.Busy {
		return usualPause
	}
	return retro.DefaultLimits().Backoff
}

// conclude is what the built-in engine makes of material. In the middle of a
// session it leaves no hand-off.
func (m *Memory) conclude(d *material) drawn {
	k := m.knownFor(d)
	out := drawnByEngine(d.engine.Conclude(k.entries()))
	out.again = k.orphans
	out.kind, out.session, out.at = d.kind, d.account.session.ID, m.Now()
	if d.kind == ErrorRetro {
		out.handoff = ""
	}
	return out
}

// drawnFrom takes a held answer apart. One that was cut and of which nothing
// whole is left is no answer (W28, case 63).
func (m *Memory) drawnFrom(h heldAnswer, session string) (drawn, error) {
	out := drawnFromAnswer(h.Text, h.Cut)
	out.kind, out.by, out.session = h.Kind, h.By, session
	out.at, _ = entry.ParseTime(h.T, m.Now().Location())
	if h.Cut && out.empty() {
		return out, fault.New(fault.Failed, codeModelCut)
	}
	m.recognise(&out)
	return out, nil
}

// recognise finds the lines that say in other words what the libraries hold: in
// the library that is written they stand for a confirmation of the known line, in
// another one they are left out.
func (m *Memory) recognise(d *drawn) {
	lines := map[string][]*learn.Conclusion{}
	for i := range d.lines {
		for j := range d.lines[i].list {
			c := &d.lines[i].list[j]
			if key := sayingOf(c.Kind, c.Text); key != "" {
				lines[key] = append(lines[key], c)
			}
		}
	}
	targets, err := m.targets()
	if len(lines) == 0 || err != nil {
		return
	}
	known := 0
	for _, lib := range m.readable() {
		for e, err := range lib.entries(m.Now()) {
			if err != nil || !e.Live() {
				continue
			}
			key := sayingOf(e.Kind, e.Text)
			for _, c := range lines[key] {
				if lib == targets[0] {
					c.Text = e.Text
				} else if c.Text != "" {
					c.Text = ""
					known++
				}
			}
		}
	}
	if known > 0 {
		d.left = append(d.left, fmt.Sprintf(phrase.For(m.Settings.Language).Learn.LeftKnown, known))
	}
}

// sayingOf is equal for texts of a kind that say the same, "" for one that says
// nothing.
func sayingOf(kind entry.Kind, s string) string {
	f := similar.FormOf(s)
	if f.Len() == 0 {
		return ""
	}
	return string(kind) + "\x00" + f.Key()
}

// holdFor returns what writes an answer down for a row.
func (m *Memory) holdFor(ctx context.Context, lib *Library, row retro.Item, was seen) func(heldAnswer) error {
	return func(h heldAnswer) error {
		h.Key, h.Evidence = row.Key(), was.sum()
		return lib.dir.With(context.WithoutCancel(ctx), func(tx *filestore.Tx) error { return lib.hold(tx, h) })
	}
}
