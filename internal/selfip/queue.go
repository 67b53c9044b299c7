package selfip

import (
	"context"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/internal/selfip/snapshot"
	"github.com/dshkit/dshkit/internal/selfip/state"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/filestore"
	"github.com/dshkit/dshkit/pkg/retro"
)

// badRowsFile keeps rows of the queue that could not be read, as they were.
const badRowsFile = "logs/pending-bad.md"

// queue reads the queue for a change of it: rows that cannot be read move to a
// side file, so that a rewrite never loses them (spec/selfip.md 29, W49).
func (l *Library) queue(tx *filestore.Tx, now time.Time) (retro.Queue, error) {
	data, err := tx.Read(queueFile)
	if err != nil {
		return nil, ignoreMissing(err)
	}
	q, bad := retro.Parse(data)
	if len(bad) == 0 {
		return q, nil
	}
	if err := tx.Append(badRowsFile, retro.FormatBad(bad, now)); err != nil {
		return nil, err
	}
	return q, l.writeQueue(tx, q)
}

func (l *Library) writeQueue(tx *filestore.Tx, q retro.Queue) error {
	return tx.Replace(queueFile, q.Format())
}

func (l *Library) enqueue(tx *filestore.Tx, now time.Time, row retro.Item) error {
	q, err := l.queue(tx, now)
	if err != nil {
		return err
	}
	return l.writeQueue(tx, q.Add(row))
}

// recover queues the snapshots that wait for it (spec/selfip.md 23.3).
func (l *Library) recover(tx *filestore.Tx, m *Memory, starting Heard) (taken, left int, err error) {
	files, err := l.snapshots(tx, m, starting)
	if err != nil {
		return 0, 0, err
	}
	take, skipped, prune := snapshot.Recover(files, recoveryLimit)
	now := m.Now()
	for _, name := range prune {
		if err := tx.Remove(name, filestore.NoSync); ignoreMissing(err) != nil {
			return 0, len(skipped), err
		}
	}
	for _, name := range take {
		old, err := tx.Read(name)
		if err != nil {
			return taken, len(skipped), err
		}
		row := l.recoveredRow(name, string(old))
		row.T = entry.Stamp(now)
		if err := l.enqueue(tx, now, row); err != nil {
			return taken, len(skipped), err
		}
		marked := snapshot.MarkRecovered(string(old), now)
		if err := tx.Replace(name, []byte(marked), filestore.NoSync); err != nil {
			return taken, len(skipped), err
		}
		if err := l.noteQueued(row.Session, now); err != nil {
			return taken, len(skipped), err
		}
		taken++
	}
	return taken, len(skipped), l.tellSkipped(tx, now, skipped)
}

// noteQueued notes in the events of a session that its row waits, if there are
// events.
func (l *Library) noteQueued(session string, now time.Time) error {
	name := eventFile(session)
	if session == "" || l.source(name).Size < 0 {
		return nil
	}
	return l.dir.AppendLog(name, event{Time: now, Op: opQueued}.line())
}

// skippedFile names the snapshots that a recovery left for the next one
// (spec/selfip.md 3.11).
const skippedFile = "logs/recovery-skipped.md"

func (l *Library) tellSkipped(tx *filestore.Tx, now time.Time, names []string) error {
	if len(names) == 0 {
		return nil
	}
	row := "- [" + entry.Stamp(now) + "] " + strings.Join(names, ", ") + "\n"
	if err := tx.Append(skippedFile, []byte(row), filestore.NoSync); err != nil {
		return err
	}
	return l.count(tx, state.Skipped, len(names))
}

// recoveredRow is the row for a snapshot, with what the session's events still
// tell of it.
func (l *Library) recoveredRow(name, content string) retro.Item {
	row := retro.Item{File: name, Errors: -1, ToolErrors: -1, Recovered: true}
	if s, _ := snapshot.Parse(content); s.ID != "" {
		row.Session = s.ID
		if a, err := l.account(s.ID); err == nil {
			row.Harness, row.Transcript = a.harness, a.transcript
		}
	}
	return row
}

// snapshots lists the snapshots of the library with what is known of each.
func (l *Library) snapshots(tx *filestore.Tx, m *Memory, starting Heard) ([]snapshot.File, error) {
	names, err := tx.List(logDir)
	if err != nil {
		return nil, err
	}
	q, err := l.queue(tx, m.Now())
	if err != nil {
		return nil, err
	}
	dead, err := l.dead()
	if err != nil {
		return nil, err
	}
	var files []snapshot.File
	for _, base := range names {
		name := path.Join(logDir, base)
		if !strings.HasPrefix(base, "partial-") || name == snapshot.PartialName(starting.Session) {
			continue
		}
		content, err := tx.Read(name)
		if err != nil {
			continue // it cannot be judged now; the next recovery looks again
		}
		info, _ := l.dir.Stat(name)
		s, _ := snapshot.Parse(string(content))
		a, _ := l.account(s.ID)
		files = append(files, snapshot.File{
			Name: name, State: snapshot.StateOf(string(content)), ModTime: time.Unix(0, info.ModTime),
			Queued: named(q, base, s.ID), Dead: named(dead, base, s.ID), Live: m.runs(a, starting.Process),
			Log: l.logState(string(content)),
		})
	}
	return files, nil
}

// logState is how far the log has come that stands for a finished snapshot.
func (l *Library) logState(content string) snapshot.State {
	name := snapshot.LogOf(content)
	if !strings.HasPrefix(name, logDir+"/session-") {
		return snapshot.None
	}
	data, err := l.read(name)
	if err != nil || data == nil {
		return snapshot.None
	}
	return snapshot.StateOf(string(data))
}

func (l *Library) dead() (retro.Queue, error) {
	data, err := l.read(deadFile)
	dead, _ := retro.Parse(data)
	return dead, err
}

// rows returns what waits and what is dead.
func (l *Library) rows(tx *filestore.Tx, now time.Time) (retro.Queue, error) {
	q, err := l.queue(tx, now)
	if err != nil {
		return nil, err
	}
	dead, err := l.dead()
	return slices.Concat(q, dead), err
}

// named reports whether a row is about a snapshot: it names the file, or it is
// that of the session's log.
func named(q retro.Queue, base, session string) bool {
	return slices.ContainsFunc(q, func(row retro.Item) bool {
		return base != "" && row.Key() == base || session != "" && row.Session == session
	})
}

// Queued is the queue as it stands.
type Queued struct {
	Waiting retro.Queue
	Dead    retro.Queue
	Bad     int // rows that cannot be read
}

// Queue reads the queue and the dead letters of the workspace.
func (m *Memory) Queue() (Queued, error) {
	lib, err := m.workspace()
	if err != nil {
		return Queued{}, err
	}
	waiting, err := lib.read(queueFile)
	if err != nil {
		return Queued{}, err
	}
	dead, err := lib.read(deadFile)
	if err != nil {
		return Queued{}, err
	}
	side, err := lib.read(badRowsFile)
	if err != nil {
		return Queued{}, err
	}
	out := Queued{Bad: strings.Count(string(side), "\n")}
	var bad []retro.BadLine
	out.Waiting, bad = retro.Parse(waiting)
	out.Bad += len(bad)
	out.Dead, _ = retro.Parse(dead)
	return out, nil
}

// Retry brings dead letters back to the queue, with their attempts forgotten: the
// one with the given key, or all when key is empty.
func (m *Memory) Retry(ctx context.Context, key string) (revived []retro.Item, err error) {
	lib, err := m.workspace()
	if err != nil {
		return nil, err
	}
	err = lib.dir.With(ctx, func(tx *filestore.Tx) error {
		q, err := lib.queue(tx, m.Now())
		if err != nil {
			return err
		}
		rows, err := lib.read(deadFile)
		if err != nil {
			return err
		}
		dead, _ := retro.Parse(rows)
		keys := []string{key}
		if key == "" {
			keys = retro.Keys(dead)
		}
		for _, key := range keys {
			rest, item, ok := retro.Revive(dead, key)
			if ok {
				dead, q, revived = rest, q.Add(item), append(revived, item)
			}
		}
		switch {
		case len(revived) > 0:
		case key == "":
			return nil // nothing to do
		default:
			return fault.New(fault.NotFound, codeNoRow, key)
		}
		if err := lib.writeQueue(tx, q); err != nil {
			return err
		}
		return tx.Replace(deadFile, dead.Format())
	})
	return revived, err
}

// Drop takes rows out of the queue for good: the one with the given key.
func (m *Memory) Drop(ctx context.Context, key string) (dropped []retro.Item, err error) {
	lib, err := m.workspace()
	if err != nil {
		return nil, err
	}
	err = lib.dir.With(ctx, func(tx *filestore.Tx) error {
		q, err := lib.queue(tx, m.Now())
		if err != nil {
			return err
		}
		q, dropped = q.Drop([]string{key})
		if len(dropped) == 0 {
			return fault.New(fault.NotFound, codeNoRow, key)
		}
		return lib.writeQueue(tx, q)
	})
	return dropped, err
}
