package selfip

import (
	"context"
	"path"
	"strings"
	"time"

	"github.com/dshkit/dshkit/pkg/filestore"
	"github.com/dshkit/dshkit/pkg/retro"
)

// lateBy is how long after its time a retro of an error counts as forgotten: the
// worker that waited for it was killed.
const lateBy = 30 * time.Second

// AskErrorRetro notes that an error asks for a retro of its session, after a
// pause: of the first error of several alone, three in a session, each a minute
// after the one before (spec/selfip.md 21.1). An error too soon after a retro is
// put off, not dropped (W44). start says that a worker should begin to wait: for
// each such retro one does, whichever process heard the error.
func (m *Memory) AskErrorRetro(session string) (start bool, err error) {
	lib, err := m.workspace()
	if err != nil || m.Learns() != nil {
		return false, err
	}
	a, err := lib.account(session)
	if err != nil || a.ended {
		return false, err
	}
	now := m.Now()
	due, ok := retro.DefaultErrorLimits().Due(now, a.lastRetro, a.errorRetros)
	switch {
	case !ok:
		return false, nil
	case !a.due.IsZero(): // somebody waits already
		return now.Sub(a.due) > lateBy, nil
	}
	e := event{Time: now, Op: opDue, Due: due}
	return true, lib.dir.AppendLog(eventFile(session), e.line(), filestore.NoSync)
}

// Wait waits for a time to pass, or for ctx to end, whose cause it returns then.
type Wait func(ctx context.Context, d time.Duration) error

// longestWait is the longest that the retro of an error is put off. What is due
// later was noted by a clock that was set back.
const longestWait = 2 * time.Minute

// ErrorRetro waits for the retro that an error of a session has asked for, and does
// it. It does nothing, and says so, when none waits: another process has done it,
// or the session has ended, for the retro of its end looks at all of it.
func (m *Memory) ErrorRetro(ctx context.Context, session string, wait Wait) (got Learned, done bool, err error) {
	lib, err := m.workspace()
	if err != nil {
		return Learned{}, false, err
	}
	for {
		a, err := lib.account(session)
		if err != nil || a.due.IsZero() || !a.mayRetro() {
			return Learned{}, false, err
		}
		d := a.untilRetro(m.Now())
		if d == 0 {
			break
		}
		if err := wait(ctx, d); err != nil {
			return Learned{}, false, err
		}
	}
	return m.errorRetro(ctx, lib, session)
}

// untilRetro is how long the retro of an error still has to wait at now: for its
// time, and for a minute after the one before, which may have begun since its time
// was noted.
func (a account) untilRetro(now time.Time) time.Duration {
	at := a.due
	if next := a.lastRetro.Add(retro.DefaultErrorLimits().Interval); a.errorRetros > 0 && !a.lastRetro.After(now) && next.After(at) {
		at = next
	}
	if d := at.Sub(now); d > 0 && d <= longestWait {
		return d
	}
	return 0
}

// errorRetro takes the retro of an error up, under the lock, and does it without.
// Killed in between, it is not done again: the retro of the session's end looks at
// all that this one would have.
func (m *Memory) errorRetro(ctx context.Context, lib *Library, session string) (got Learned, done bool, err error) {
	a, ok, err := m.takeErrorRetro(ctx, lib, session)
	if err != nil || !ok {
		return Learned{}, false, err
	}
	got, err = m.learnRunning(ctx, lib, a, ErrorRetro)
	return got, err == nil, err
}

// mayRetro reports whether the session has not had all the retros of errors that it
// gets.
func (a account) mayRetro() bool { return a.errorRetros < retro.DefaultErrorLimits().MaxSession }

// takeErrorRetro notes that the retro of an error begins, if it still waits.
func (m *Memory) takeErrorRetro(ctx context.Context, lib *Library, session string) (a account, ok bool, err error) {
	err = lib.dir.With(ctx, func(*filestore.Tx) error {
		if a, err = lib.account(session); err != nil || a.due.IsZero() || a.ended || !a.mayRetro() || a.untilRetro(m.Now()) > 0 {
			return err
		}
		ok = true
		return lib.noteRetro(session, ErrorRetro, m.Now())
	})
	a.retros, a.errorRetros = a.retros+1, a.errorRetros+1
	return a, ok, err
}

// noteRetro notes in the events of a session that a retro of it begins.
func (l *Library) noteRetro(session, kind string, now time.Time) error {
	return l.dir.AppendLog(eventFile(session), event{Time: now, Op: opRetro, Reason: kind}.line(), filestore.NoSync)
}

// learnRunning looks back on a session that goes on, from what hooks have heard of
// it. There is no further attempt, so the built-in engine stands in for a model
// that does not answer.
func (m *Memory) learnRunning(ctx context.Context, lib *Library, a account, kind string) (Learned, error) {
	d := m.newMaterial(kind, a, retro.Item{})
	for _, r := range a.records {
		d.add(r)
	}
	return m.learnNow(ctx, lib, d)
}

// learnNow draws conclusions from material that no row of the queue stands for.
func (m *Memory) learnNow(ctx context.Context, lib *Library, d *material) (Learned, error) {
	out := Learned{Key: d.account.session.ID, Session: d.account.session.ID, Kind: d.kind}
	got, instead, err := m.draw(ctx, lib, d, true, nil)
	if err != nil {
		return Learned{}, err
	}
	out.Instead, out.Left = instead, d.left
	got.session = d.account.session.ID
	err = m.storeDrawn(context.WithoutCancel(ctx), lib, got, &out, func(tx *filestore.Tx) error {
		return lib.countDrawn(tx, got)
	})
	if err != nil {
		return Learned{}, err
	}
	return out, m.offerNew(ctx, out)
}

// offerNew brings the skills up to date when playbooks were written.
func (m *Memory) offerNew(ctx context.Context, l Learned) error {
	if len(l.Playbooks) == 0 {
		return nil
	}
	_, err := m.SyncSkills(ctx)
	return err
}

// dueErrors does the retros of errors whose time has come and whose worker was
// killed, or was never started because the settings say so.
func (m *Memory) dueErrors(ctx context.Context, lib *Library, out *Ran) error {
	names, err := lib.dir.List(sessionDir)
	if err != nil {
		return ignoreMissing(err)
	}
	for _, name := range names {
		if !strings.HasSuffix(name, ".jsonl") {
			continue
		}
		a, err := lib.orphan(path.Join(sessionDir, name))
		if err != nil || a.due.IsZero() || a.ended || a.untilRetro(m.Now()) > 0 {
			continue
		}
		got, done, err := m.errorRetro(ctx, lib, a.session.ID)
		if err != nil {
			return err
		}
		if done {
			out.Learned = append(out.Learned, got)
		}
	}
	return nil
}
