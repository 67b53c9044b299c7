package selfip

import (
	"context"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/dshkit/dshkit/internal/selfip/snapshot"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/filestore"
	"github.com/dshkit/dshkit/pkg/retro"
)

// Retro looks back on a session at once, because the user asked for it
// (spec/selfip.md 21.1): on one that runs, on one that waits in the queue, which
// leaves it then, or on one whose log is still there. session names it; empty
// means the one that was heard of last. open opens the log that a harness keeps.
func (m *Memory) Retro(ctx context.Context, session string, open Transcripts) (Learned, error) {
	lib, err := m.workspace()
	if err != nil {
		return Learned{}, err
	}
	if err := m.Learns(); err != nil {
		return Learned{}, err
	}
	if session == "" {
		if session = lib.lastHeard(); session == "" {
			return Learned{}, fault.New(fault.NotFound, codeNoneHeard)
		}
	}
	row, owner, err := m.takeRow(ctx, lib, session)
	switch {
	case err != nil:
		return Learned{}, err
	case owner != "":
		return m.retroOfRow(ctx, lib, owner, row, open)
	}
	a, err := lib.account(session)
	if err != nil {
		return Learned{}, err
	}
	if !a.empty() {
		return m.retroOfRunning(ctx, lib, a, open)
	}
	return m.retroOfLog(ctx, lib, session, open)
}

// RetroOf looks back on the log of a session that the user names as a file. name
// stands for the session.
func (m *Memory) RetroOf(ctx context.Context, name string, log Transcript) (Learned, error) {
	lib, err := m.workspace()
	if err != nil {
		return Learned{}, err
	}
	if err := m.Learns(); err != nil {
		return Learned{}, err
	}
	d := m.newMaterial(ManualRetro, account{session: snapshot.Session{ID: name}}, retro.Item{})
	d.everywhere = true
	if err := m.readLog(d, log); err != nil {
		return Learned{}, err
	}
	if d.record.Empty() {
		return Learned{}, fault.New(fault.Damaged, codeEmptyLog, name)
	}
	return m.learnNow(ctx, lib, d)
}

// takeRow claims the row of a session. owner is empty when there is none; when
// another process works on it, that is a fault of kind Busy.
func (m *Memory) takeRow(ctx context.Context, lib *Library, session string) (row retro.Item, owner string, err error) {
	if lib.source(queueFile).Size <= 0 {
		return row, "", nil
	}
	err = lib.dir.With(ctx, func(tx *filestore.Tx) error {
		q, err := lib.queue(tx, m.Now())
		if err != nil {
			return err
		}
		q, _ = q.Abandon(m.gone)
		i := slices.IndexFunc(q, func(i retro.Item) bool { return i.Session == session })
		if i < 0 {
			return nil
		}
		token := m.owner()
		next, taken, ok := q.Take(m.Now(), token, q[i].Key(), retro.DefaultLimits())
		if !ok {
			return fault.New(fault.Busy, codeRowTaken, session)
		}
		row, owner = taken, token
		return lib.writeQueue(tx, next)
	})
	return row, owner, err
}

// retroOfRow works on a row that waits in the queue.
func (m *Memory) retroOfRow(ctx context.Context, lib *Library, owner string, row retro.Item, open Transcripts) (Learned, error) {
	row.Attempts = retro.DefaultLimits().MaxAttempts // the user waits: the engine stands in for a model that fails
	got, err := m.learn(ctx, lib, owner, row, ManualRetro, open)
	if err == nil {
		return got, m.offerNew(ctx, got)
	}
	settled := lib.settle(context.WithoutCancel(ctx), m.Now(), func(q retro.Queue) retro.Queue {
		q, _ = q.Postpone(owner, []string{row.Key()}, m.Now(), 0, retro.DefaultLimits())
		return q
	})
	if settled != nil {
		return Learned{}, settled
	}
	return Learned{}, err
}

// retroOfRunning looks back on a session that goes on: from the harness's own log
// when that is there, for it knows more than the hooks.
func (m *Memory) retroOfRunning(ctx context.Context, lib *Library, a account, open Transcripts) (Learned, error) {
	if err := lib.noteRetro(a.session.ID, ManualRetro, m.Now()); err != nil {
		return Learned{}, err
	}
	a.retros++
	d := m.newMaterial(ManualRetro, a, retro.Item{Session: a.session.ID, Harness: a.harness, Transcript: a.transcript})
	if err := m.evidence(lib, d, open); err != nil {
		return Learned{}, err
	}
	return m.learnNow(ctx, lib, d)
}

// retroOfLog looks back on a session of which only its log is left.
func (m *Memory) retroOfLog(ctx context.Context, lib *Library, session string, open Transcripts) (Learned, error) {
	name := lib.logOfSession(session)
	if name == "" {
		return Learned{}, fault.New(fault.NotFound, codeNoRetroSession, session)
	}
	d := m.newMaterial(ManualRetro, account{session: snapshot.Session{ID: session}}, retro.Item{Session: session, File: name})
	if err := m.evidence(lib, d, open); err != nil {
		return Learned{}, err
	}
	return m.learnNow(ctx, lib, d)
}

// logOfSession finds the log or the snapshot of a session, the newest first, ""
// when there is none.
func (l *Library) logOfSession(session string) string {
	names, _ := l.dir.List(logDir)
	slices.Sort(names)
	for _, name := range slices.Backward(names) {
		if !strings.HasPrefix(name, "session-") {
			continue
		}
		data, err := l.read(path.Join(logDir, name))
		if err != nil {
			continue
		}
		if s, _ := snapshot.Parse(string(data)); s.ID == session {
			return path.Join(logDir, name)
		}
	}
	if name := snapshot.PartialName(session); l.source(name).Size > 0 {
		return name
	}
	return ""
}

// lastHeard is the session that a harness told of last, "" when none is known.
func (l *Library) lastHeard() string {
	names, _ := l.dir.List(sessionDir)
	var id string
	var at time.Time
	for _, name := range names {
		if !strings.HasSuffix(name, ".jsonl") {
			continue
		}
		if a, err := l.orphan(path.Join(sessionDir, name)); err == nil && a.last.After(at) {
			id, at = a.session.ID, a.last
		}
	}
	return id
}
