package selfip

import (
	"context"
	"path"
	"strings"
	"time"

	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/internal/selfip/snapshot"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/filestore"
	"github.com/dshkit/dshkit/pkg/retro"
	"github.com/dshkit/dshkit/pkg/transcript"
)

// Heard is one thing a harness told us about a session. Its texts come from
// outside.
type Heard struct {
	Harness    string
	Session    string
	Dir        string // where the session works
	Transcript string // where the harness keeps its own log; may be empty
	Agent      string // a delegated session that this is about; its parent is Session
	Process    string // of the harness, as Memory.Alive knows it; may be empty
	Reason     string
	Record     transcript.Record // what was said or done; may be empty
}

// Hear writes a record of a session down. It takes no lock: one append to the
// session's own file, safe when the process is killed right after it.
func (m *Memory) Hear(h Heard) error {
	h.Record.Time = m.Now()
	record := safeRecord(h.Record)
	return m.note(h, opRecord, &record, filestore.NoSync)
}

// Begin notes that a session starts, or goes on.
func (m *Memory) Begin(h Heard) error { return m.note(h, opStart, nil, filestore.NoSync) }

// DelegatedEnd notes that a delegated session ended other than well.
func (m *Memory) DelegatedEnd(h Heard) error { return m.note(h, opSubagent, nil, filestore.NoSync) }

func (m *Memory) note(h Heard, op string, record *transcript.Record, opt filestore.WriteOption) error {
	if m.Learns() != nil {
		return nil
	}
	lib, err := m.workspace()
	if err != nil {
		return err
	}
	e := event{
		Time: m.Now(), Op: op, Harness: h.Harness, Session: h.Session, Dir: h.Dir, Transcript: h.Transcript,
		Reason: h.Reason, Agent: h.Agent, Process: h.Process, Record: record,
	}
	return lib.dir.AppendLog(eventFile(h.Session), e.line(), opt)
}

// Flush brings the snapshot of a running session up to date when something has
// happened since the last one, so that another start can recover what a killed
// session leaves behind (spec/selfip.md 24.3).
func (m *Memory) Flush(ctx context.Context, session string) error {
	lib, err := m.workspace()
	if err != nil {
		return err
	}
	if m.Learns() != nil {
		return nil
	}
	a, err := lib.account(session)
	if err != nil || !a.dirty || a.ended {
		return err
	}
	return lib.dir.With(ctx, func(tx *filestore.Tx) error { return lib.flush(tx, m, a) })
}

func (l *Library) flush(tx *filestore.Tx, m *Memory, a account) error {
	if err := l.furnish(tx); err != nil {
		return err
	}
	text := a.session.Snapshot(m.Now())
	if err := tx.Replace(snapshot.PartialName(a.session.ID), []byte(text), filestore.NoSync); err != nil {
		return err
	}
	e := event{Time: m.Now(), Op: opSnapshot}
	return l.dir.AppendLog(eventFile(a.session.ID), e.line())
}

// account reads what is known of a session.
func (l *Library) account(session string) (account, error) {
	data, err := l.read(eventFile(session))
	a := accountOf(session, parseEvents(data))
	a.size = len(data)
	return a, err
}

// Finish ends a session: its log and its row in the queue are written and
// synced. A session in which nothing happened leaves nothing behind. It reports
// whether the session waits for its retrospective now.
func (m *Memory) Finish(ctx context.Context, h Heard) (queued bool, err error) {
	lib, err := m.workspace()
	if err != nil {
		return false, err
	}
	if m.Learns() != nil {
		return false, nil // what was noted before is taken up when the mode is another
	}
	if err := m.note(h, opEnd, nil, filestore.Durable); err != nil {
		return false, err
	}
	err = lib.dir.With(ctx, func(tx *filestore.Tx) error {
		a, err := lib.account(h.Session)
		if err != nil {
			return err
		}
		queued = !a.empty() && !a.queued
		return lib.finish(tx, m, a)
	})
	return queued && err == nil, err
}

// finish writes the final log and the row, marks the snapshot, and forgets what
// the running session was shown.
func (l *Library) finish(tx *filestore.Tx, m *Memory, a account) error {
	if a.empty() {
		return l.drop(tx, m.Now(), a)
	}
	if a.queued {
		return nil
	}
	if err := l.furnish(tx); err != nil {
		return err
	}
	now := m.Now()
	name, kept := l.logOf(a)
	if kept == snapshot.Done {
		return l.drop(tx, m.Now(), a) // learned from; what said so was killed
	}
	if err := tx.Replace(name, []byte(a.session.Log(a.end))); err != nil {
		return err
	}
	row := retro.Item{
		T: entry.Stamp(now), File: name, Errors: len(a.session.Errors), ToolErrors: a.session.ToolErrors,
		Session: a.session.ID, Harness: a.harness, Transcript: a.transcript,
	}
	if err := l.enqueue(tx, now, row); err != nil {
		return err
	}
	if err := l.markSnapshot(tx, a.session.ID, func(old string) string {
		return snapshot.MarkFinalized(old, now, name)
	}); err != nil {
		return err
	}
	e := event{Time: now, Op: opQueued}
	return l.dir.AppendLog(eventFile(a.session.ID), e.line())
}

// logOf names the log of an ended session and tells how far that has come
// already, None when it does not exist. The name depends on the end alone: an end
// that is killed before it has noted the row is finished once more, and must not
// become a second row. Two sessions of one instant do not share a log.
func (l *Library) logOf(a account) (name string, kept snapshot.State) {
	for at := a.end; ; at = at.Add(time.Millisecond) {
		name := snapshot.LogName(at, a.session.ID)
		data, err := l.dir.Read(name)
		if err != nil {
			return name, snapshot.None
		}
		content := string(data)
		if s, _ := snapshot.Parse(content); s.ID != a.session.ID {
			continue
		}
		if !strings.HasPrefix(content, a.session.Log(a.end)) {
			return name, snapshot.None // more has been heard since
		}
		return name, snapshot.StateOf(content)
	}
}

// drop removes the files of a session that is not needed any more. When more has
// been heard of it since its account was read, it goes on.
func (l *Library) drop(tx *filestore.Tx, now time.Time, a account) error {
	removed, err := tx.RemoveLog(eventFile(a.session.ID), int64(a.size), filestore.NoSync)
	if ignoreMissing(err) != nil || err == nil && !removed {
		return err
	}
	if err := l.tallyShown(tx, now, a.session.ID); err != nil {
		return err
	}
	return ignoreMissing(tx.Remove(stateFile(a.session.ID), filestore.NoSync))
}

// markSnapshot changes the snapshot of a session if there is one.
func (l *Library) markSnapshot(tx *filestore.Tx, session string, mark func(old string) string) error {
	name := snapshot.PartialName(session)
	old, err := tx.Read(name)
	if err != nil {
		return ignoreMissing(err)
	}
	return tx.Replace(name, []byte(mark(string(old))), filestore.NoSync)
}

// recoveryLimit is how many sessions one recovery takes up (spec/selfip.md 8).
const recoveryLimit = 10

// Recover finds sessions whose harness was killed: those that left events or a
// snapshot behind and no final log. Each gets a row in the queue. The session
// that is starting (starting.Session, in the process starting.Process) is left
// alone, and so are those that run elsewhere; if it is the first of all, the
// library gets the files that explain it. What is over the limit waits for the
// next time. It reports how many were taken up and how many were left.
func (m *Memory) Recover(ctx context.Context, starting Heard) (taken, left int, err error) {
	except := starting.Session
	lib, err := m.workspace()
	if err != nil {
		return 0, 0, err
	}
	if m.Learns() != nil {
		return 0, 0, nil
	}
	first := except != "" && !lib.furnished()
	if !first && !lib.anythingToRecover(except) {
		return 0, 0, nil
	}
	err = lib.dir.With(ctx, func(tx *filestore.Tx) error {
		if err := lib.furnish(tx); err != nil {
			return err
		}
		if err := lib.snapshotOrphans(tx, m, starting); err != nil {
			return err
		}
		taken, left, err = lib.recover(tx, m, starting)
		return err
	})
	return taken, left, err
}

// anythingToRecover tells without a lock whether a recovery could find
// something: most starts have nothing to do.
func (l *Library) anythingToRecover(except string) bool {
	own := path.Base(eventFile(except))
	names, _ := l.dir.List(sessionDir)
	for _, name := range names {
		if strings.HasSuffix(name, ".jsonl") && name != own {
			return true
		}
	}
	logs, _ := l.dir.List(logDir)
	for _, name := range logs {
		if strings.HasPrefix(name, "partial-") && path.Join(logDir, name) != snapshot.PartialName(except) {
			return true
		}
	}
	return false
}

// Bounds of the belief that a session still runs: a harness that lives may be
// silent for a working day, one of which nobody knows for some minutes.
const (
	silentFor  = 6 * time.Hour
	unknownFor = 10 * time.Minute
)

// runs reports whether a session may still go on in another process than
// asking. A harness has one session at a time in a workspace: when it starts
// another, the one before is over.
func (m *Memory) runs(a account, asking string) bool {
	silence := m.Now().Sub(a.last)
	switch {
	case a.ended || a.last.IsZero():
		return false
	case a.process == "" || m.Alive == nil:
		return asking == "" && silence < unknownFor
	}
	return a.process != asking && silence < silentFor && m.Alive(a.process)
}

// snapshotOrphans writes a snapshot for every session whose events are not all
// in one. A session that had ended is finished instead, and one whose row has
// left the queue is not needed any more.
func (l *Library) snapshotOrphans(tx *filestore.Tx, m *Memory, starting Heard) error {
	names, err := tx.List(sessionDir)
	if err != nil {
		return err
	}
	rows, err := l.rows(tx, m.Now())
	if err != nil {
		return err
	}
	for _, name := range names {
		if !strings.HasSuffix(name, ".jsonl") || name == path.Base(eventFile(starting.Session)) {
			continue
		}
		a, err := l.orphan(path.Join(sessionDir, name))
		switch {
		case err != nil || m.runs(a, starting.Process):
			continue // of this one nothing can be told now
		case !named(rows, "", a.session.ID) && (a.queued || l.learnedFrom(a)):
			err = l.drop(tx, m.Now(), a)
		case a.ended || a.empty():
			err = l.finish(tx, m, a)
		case a.dirty && !a.queued:
			err = l.flush(tx, m, a)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// orphan reads the events of a session whose id only its events tell.
func (l *Library) orphan(name string) (account, error) {
	data, err := l.read(name)
	if err != nil {
		return account{}, err
	}
	events := parseEvents(data)
	id := strings.TrimSuffix(path.Base(name), ".jsonl")
	for _, e := range events {
		if e.Session != "" {
			id = e.Session
			break
		}
	}
	a := accountOf(id, events)
	a.size = len(data)
	return a, nil
}

// Sessions lists the sessions of the workspace that hooks have told of and that
// have not been learned from yet.
func (m *Memory) Sessions() []Running {
	if m.Workspace == nil {
		return nil
	}
	return m.Workspace.running(m)
}

// SessionLog returns what is known of a session that has not been learned from
// yet, in the form of its log.
func (m *Memory) SessionLog(session string) (string, error) {
	lib, err := m.workspace()
	if err != nil {
		return "", err
	}
	a, err := lib.account(session)
	if err != nil {
		return "", err
	}
	if a.session.Start.IsZero() {
		return "", fault.New(fault.NotFound, codeNoSession, session)
	}
	return a.session.Snapshot(m.Now()), nil
}
