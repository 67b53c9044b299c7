package selfip

import (
	"context"
	"time"

	"github.com/dshkit/dshkit/internal/selfip/snapshot"
	"github.com/dshkit/dshkit/pkg/filestore"
	"github.com/dshkit/dshkit/pkg/retro"
)

// seen is what there was of a session when the work on its row began: the
// session may go on meanwhile, and what is said then has not been learned from.
type seen struct {
	text    string // of the evidence file
	records int    // of the session's events
}

func (l *Library) seen(row retro.Item) seen {
	var s seen
	if name, ok := row.Path(); ok {
		data, _ := l.read(name) // what cannot be read now fails in the work itself
		s.text = string(data)
	}
	if a, err := l.account(row.Session); err == nil {
		s.records = len(a.records)
	}
	return s
}

// settle changes the queue under the lock.
func (l *Library) settle(ctx context.Context, now time.Time, change func(retro.Queue) retro.Queue) error {
	return l.dir.With(ctx, func(tx *filestore.Tx) error {
		q, err := l.queue(tx, now)
		if err != nil {
			return err
		}
		return l.writeQueue(tx, change(q))
	})
}

// markDone marks the evidence, unless it has changed since, and lets go of what
// only a running session needs.
func (l *Library) markDone(tx *filestore.Tx, m *Memory, row retro.Item, was seen) error {
	if err := l.markEvidence(tx, m, row, was.text); err != nil {
		return err
	}
	a, err := l.account(row.Session)
	if err != nil || row.Session == "" || len(a.records) != was.records || m.runs(a, "") {
		return nil // the session goes on
	}
	if err := l.pruneSnapshot(tx, row.Session); err != nil {
		return err
	}
	return l.drop(tx, m.Now(), a)
}

func (l *Library) markEvidence(tx *filestore.Tx, m *Memory, row retro.Item, was string) error {
	name, ok := row.Path()
	if !ok {
		return nil
	}
	data, err := tx.Read(name)
	if err != nil || string(data) != was {
		return ignoreMissing(err)
	}
	return tx.Replace(name, []byte(snapshot.MarkRetroDone(string(data), m.Now())))
}

// learnedFrom reports whether nothing has happened in a session since its
// snapshot was learned from.
func (l *Library) learnedFrom(a account) bool {
	data, err := l.read(snapshot.PartialName(a.session.ID))
	return err == nil && !a.dirty && snapshot.StateOf(string(data)) == snapshot.Done
}

// pruneSnapshot removes the snapshot of a session whose log says the same and
// has been learned from.
func (l *Library) pruneSnapshot(tx *filestore.Tx, session string) error {
	name := snapshot.PartialName(session)
	content, err := tx.Read(name)
	if err != nil {
		return ignoreMissing(err)
	}
	if snapshot.StateOf(string(content)) != snapshot.Finalized || l.logState(string(content)) != snapshot.Done {
		return nil
	}
	return tx.Remove(name, filestore.NoSync)
}
