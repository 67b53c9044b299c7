package selfip

import (
	"context"
	"errors"
	"iter"
	"path"
	"strings"

	"github.com/dshkit/dshkit/internal/selfip/gate"
	"github.com/dshkit/dshkit/internal/selfip/snapshot"
	"github.com/dshkit/dshkit/internal/selfip/state"
	"github.com/dshkit/dshkit/pkg/filestore"
	"github.com/dshkit/dshkit/pkg/retro"
	"github.com/dshkit/dshkit/pkg/transcript"
)

// Transcripts opens the log that a harness keeps of a session. The error of one
// that is not there matches fs.ErrNotExist.
type Transcripts func(harness, path string) (Transcript, error)

// Transcript is the log that a harness keeps of a session.
type Transcript struct {
	Records iter.Seq2[transcript.Record, error]
	Skipped func() []string // what could not be read, told when Records has ended
}

// Ran reports what a run of the queue did.
type Ran struct {
	Learned   []Learned
	Failed    []retro.Item // rows that stay for another attempt
	Dead      []retro.Item // rows that became dead letters
	Done      int          // rows whose retrospective was finished before
	Waiting   int          // rows that pause, or that others work on
	Recovered int          // sessions that were killed and taken up now
	PutOff    error        // why the run ended before the queue did: the model does not answer
}

// Learned is what the retrospective of one session came to.
type Learned struct {
	Key       string
	Session   string
	Kind      string  // error-retro, session-retro or manual-retro
	By        string  // the model, as provider/model, or local
	Instead   error   // why the built-in engine stood in for the model; nil: it did not
	Entries   []Entry // stored or refreshed
	Waiting   []Entry // candidates: they wait for the user's word
	Unwanted  int     // what the user rejected before, or what is too much to wait
	Aside     int     // conclusions that a detector fired on
	Withdrawn int     // entries that a model says do not hold any more
	Playbooks []string
	Proposal  string // its id
	Handoff   bool
	Unclear   bool     // the model's answer had no section that could be recognised
	Dropped   []string // sections that were not whole
	Left      []string // what was seen and not kept, and why
}

// took counts what became of a conclusion.
func (l *Learned) took(got placed, e Entry) {
	switch {
	case got.waits:
		l.Waiting = append(l.Waiting, e)
	case got.unwanted:
		l.Unwanted++
	default:
		l.Entries = append(l.Entries, e)
	}
}

// localEngine marks what the built-in engine wrote.
const localEngine = "local"

// RunQueue works on the queue until nothing is due: it takes up killed sessions,
// claims a batch under the lock, learns from it without the lock, and settles
// under the lock. Killed at any moment it loses nothing; two runs at once never
// work on the same row.
func (m *Memory) RunQueue(ctx context.Context, open Transcripts) (Ran, error) {
	var out Ran
	lib, err := m.workspace()
	if err != nil {
		return out, err
	}
	if m.Learns() != nil { // what waits is there when the mode is another
		q, err := m.Queue()
		out.Waiting = len(q.Waiting)
		m.upkeep()
		lib.addUp(ctx)
		return out, err
	}
	if out.Recovered, _, err = m.Recover(ctx, Heard{}); err != nil {
		return out, err
	}
	if err := m.dueErrors(ctx, lib, &out); err != nil {
		return out, err
	}
	stopped := ctx.Done()
	for !isClosed(stopped) {
		owner := m.owner()
		batch, err := m.claim(ctx, lib, owner, &out)
		if err != nil {
			return out, err
		}
		if len(batch) > 0 {
			if err := m.workAll(ctx, lib, owner, batch, open, &out); err != nil {
				return out, err
			}
		}
		if len(batch) == 0 || out.PutOff != nil && !isClosed(stopped) {
			m.upkeep()
			lib.addUp(ctx)
			_, err := m.SyncSkills(ctx)
			return out, err
		}
	}
	return out, context.Cause(ctx)
}

// workAll works on a batch. A question that was not answered ends the run, and
// so does the user.
func (m *Memory) workAll(ctx context.Context, lib *Library, owner string, batch []retro.Item, open Transcripts, out *Ran) error {
	for _, row := range batch {
		err := m.work(ctx, lib, owner, row, SessionRetro, open, out)
		var u *unanswered
		switch {
		case errors.As(err, &u):
			out.PutOff = u.err
			return nil
		case err != nil:
			return err
		}
	}
	return nil
}

// owner is a new token for a claim. It names our process, so that others see when
// that is killed.
func (m *Memory) owner() string {
	token := m.NewID("w")
	if m.Self == nil {
		return token
	}
	return token + ownerMark + m.Self()
}

// ownerMark stands in a claim between its token and the process that made it.
const ownerMark = "/"

// gone reports whether the process that made a claim is known to be gone.
func (m *Memory) gone(owner string) bool {
	_, process, _ := strings.Cut(owner, ownerMark)
	return process != "" && m.Alive != nil && !m.Alive(process)
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// claim takes the next batch. Dead letters are written before the queue: killed
// in between, a row is in both places and lost from neither.
func (m *Memory) claim(ctx context.Context, lib *Library, owner string, out *Ran) (batch []retro.Item, err error) {
	if lib.source(queueFile).Size <= 0 && !lib.holdsAnswers() {
		return nil, nil // an empty queue needs no lock, and a workspace without one no folder
	}
	err = lib.dir.With(ctx, func(tx *filestore.Tx) error {
		q, err := lib.queue(tx, m.Now())
		if err != nil {
			return err
		}
		if len(q) == 0 {
			return lib.sweepAnswers(tx, m.Now())
		}
		q, _ = q.Abandon(m.gone)
		next, taken, report := q.Claim(m.Now(), owner, retro.DefaultLimits(), lib.evidenceOf)
		batch = taken
		out.Done += len(report.Done)
		out.Dead = append(out.Dead, report.Dead...)
		out.Waiting = report.Waiting + report.Claimed
		if err := lib.bury(tx, report.Dead); err != nil {
			return err
		}
		if err := lib.writeQueue(tx, next); err != nil {
			return err
		}
		return lib.sweepAnswers(tx, m.Now())
	})
	return batch, err
}

// bury writes dead letters and counts them.
func (l *Library) bury(tx *filestore.Tx, rows []retro.Item) error {
	if len(rows) == 0 {
		return nil
	}
	data, err := tx.Read(deadFile)
	if ignoreMissing(err) != nil {
		return err
	}
	dead, _ := retro.Parse(data)
	if err := tx.Replace(deadFile, retro.Bury(dead, rows).Format()); err != nil {
		return err
	}
	return l.count(tx, state.PendingDead, len(rows))
}

// evidenceOf tells what a row points at.
func (l *Library) evidenceOf(row retro.Item) retro.Evidence {
	name, ok := row.Path()
	if !ok {
		return retro.Missing
	}
	data, err := l.read(name)
	switch {
	case err != nil:
		return retro.Unreadable
	case data == nil:
		return retro.Missing
	case snapshot.StateOf(string(data)) == snapshot.Done:
		return retro.Done
	case strings.HasPrefix(path.Base(name), "partial-") && snapshot.StateOf(string(data)) == snapshot.Finalized:
		return retro.Done // the log of the session has a row of its own
	}
	return retro.Ready
}

// work learns from one row and settles it. An error of the row itself is
// written to the row; the error returned is one of the queue's own files, or
// an unanswered question, which ends the run.
func (m *Memory) work(ctx context.Context, lib *Library, owner string, row retro.Item, kind string, open Transcripts, out *Ran) error {
	learned, err := m.learn(ctx, lib, owner, row, kind, open)
	var u *unanswered
	switch {
	case err == nil:
		out.Learned = append(out.Learned, learned)
		return nil
	case errors.As(err, &u):
		if u.sent {
			out.Failed = append(out.Failed, row)
		}
		return errors.Join(err, lib.putOff(ctx, m, owner, row, u))
	}
	out.Failed = append(out.Failed, row)
	return lib.settle(ctx, m.Now(), func(q retro.Queue) retro.Queue {
		q, _ = q.Fail(owner, []string{row.Key()}, m.reason(err))
		return q
	})
}

// reason is an error as a row of the queue has it.
func (m *Memory) reason(err error) string {
	said := err.Error()
	if m.Say != nil {
		said = m.Say(err)
	}
	return gate.Note(said).Text
}

// putOff gives back a row whose question was not answered, and with it all that
// wait: a service that says no now would say it to each of them (case 68). Only
// the row that was sent has had an attempt.
func (l *Library) putOff(ctx context.Context, m *Memory, owner string, row retro.Item, u *unanswered) error {
	now := m.Now()
	return l.settle(context.WithoutCancel(ctx), now, func(q retro.Queue) retro.Queue {
		if u.sent {
			q, _ = q.Fail(owner, []string{row.Key()}, m.reason(u.err))
		}
		q, _ = q.Postpone(owner, retro.Keys(q), now, u.wait, retro.DefaultLimits())
		return q
	})
}

// learn draws conclusions from the evidence of a row and stores them, each
// through the gate, and lets go of the row in the same breath. An answer that a
// killed worker left is stored first.
func (m *Memory) learn(ctx context.Context, lib *Library, owner string, row retro.Item, kind string, open Transcripts) (Learned, error) {
	was := lib.seen(row)
	known, err := lib.account(row.Session)
	if err != nil {
		return Learned{}, err
	}
	out := Learned{Key: row.Key(), Session: row.Session, Kind: kind}
	if h, ok := lib.heldFor(row.Key()); ok {
		d, err := m.drawnFrom(h, row.Session)
		if err == nil {
			d.again = true
			return out, m.finishRow(ctx, lib, owner, row, d, was, h.Evidence == was.sum(), &out)
		}
	}
	d := m.newMaterial(kind, known, row)
	if err := m.evidence(lib, d, open); err != nil {
		return Learned{}, err
	}
	must := row.Attempts >= retro.DefaultLimits().MaxAttempts
	got, instead, err := m.draw(ctx, lib, d, must, m.holdFor(ctx, lib, row, was))
	if err != nil {
		return Learned{}, err
	}
	out.Instead, out.Left = instead, d.left
	return out, m.finishRow(ctx, lib, owner, row, got, was, true, &out)
}

// finishRow stores what was drawn from a row, marks the evidence and takes the row
// out of the queue, under one lock. When the session has gone on since it was
// drawn, whole says no, and the row stays for the rest.
func (m *Memory) finishRow(ctx context.Context, lib *Library, owner string, row retro.Item, d drawn, was seen, whole bool, out *Learned) error {
	d.session = row.Session
	return m.storeDrawn(context.WithoutCancel(ctx), lib, d, out, func(tx *filestore.Tx) error {
		if whole {
			if err := lib.markDone(tx, m, row, was); err != nil {
				return err
			}
		}
		if err := lib.countDrawn(tx, d); err != nil {
			return err
		}
		q, err := lib.queue(tx, m.Now())
		if err != nil {
			return err
		}
		if whole {
			q, _ = q.Settle(owner, []string{row.Key()})
		} else {
			q, _ = q.Postpone(owner, []string{row.Key()}, m.Now(), 0, retro.DefaultLimits())
		}
		if err := lib.writeQueue(tx, q); err != nil {
			return err
		}
		return lib.letGo(tx, row.Key())
	})
}
