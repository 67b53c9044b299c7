package selfip

import (
	"context"
	"errors"
	"time"

	"github.com/dshkit/dshkit/internal/selfip/state"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/filestore"
	"github.com/dshkit/dshkit/pkg/retro"
)

// sleepJob names the claim on a sleep.
const sleepJob = "sleep"

// Pauses between two sleeps (spec/selfip.md 8), and between two attempts of one
// for which the model failed (29, W23).
const (
	sleepPause = 6 * time.Hour
	retryPause = 30 * time.Minute
)

// Awake says why a sleep did nothing.
type Awake string

// The reasons.
const (
	NotDue     Awake = "not-due"     // the last sleep is less than six hours ago
	NothingNew Awake = "nothing-new" // nothing has changed since the last sleep
	NoEntries  Awake = "no-entries"  // there is nothing to sleep over
	QueueRuns  Awake = "queue-runs"  // a retro is at work
	Asleep     Awake = "asleep"      // another process sleeps for this library
	ReadOnly   Awake = "read-only"   // the settings say that nothing may be learned
)

// SleepDue reports, without a lock and without reading the entries, whether a
// sleep may be due: a hook asks it to know whether a worker is worth starting.
func (m *Memory) SleepDue() bool {
	libs, err := m.targets()
	if err != nil || m.Learns() != nil {
		return false
	}
	lib := libs[0]
	size := int64(0)
	for _, p := range Partitions {
		size += max(lib.source(p.File).Size, 0)
	}
	if size == 0 {
		return false
	}
	s, err := lib.State()
	return err == nil && m.rested(s) && !m.busy(lib, sleepJob)
}

// rested reports whether the pauses are over. A time that lies ahead was noted by
// a clock that went wrong, and nobody waits for it.
func (m *Memory) rested(s state.State) bool {
	now := m.Now()
	over := func(key string, pause time.Duration) bool {
		passed := now.Sub(time.UnixMilli(s.Int(key)))
		return passed < 0 || passed >= pause
	}
	return over(state.SleptAt, sleepPause) && over(state.SleepTriedAt, retryPause)
}

// claimSleep takes the library for this sleep, or says why it may not be taken.
func (m *Memory) claimSleep(ctx context.Context, lib *Library, due bool) (job, Awake, error) {
	if due {
		if why, err := m.sleepless(lib); why != "" || err != nil {
			return job{}, why, err // most calls end here, and need no lock
		}
	}
	j, ok, err := m.begin(ctx, lib, sleepJob)
	switch {
	case err != nil:
		return job{}, "", err
	case !ok:
		return job{}, Asleep, nil
	case !due:
		return j, "", nil
	}
	why, err := m.sleepless(lib) // another may have slept since we looked
	if why != "" || err != nil {
		err = errors.Join(err, j.end(ctx))
	}
	return j, why, err
}

// sleepless tells why no sleep is due. A state file that cannot be understood
// keeps no pauses: nothing is due on its word.
func (m *Memory) sleepless(lib *Library) (Awake, error) {
	s, err := lib.State()
	switch {
	case err != nil:
		return "", fault.New(fault.KindOf(err), codeStateUnusable, lib.Path(stateFileName)).Because(err)
	case !m.rested(s):
		return NotDue, nil
	case m.queueRuns():
		return QueueRuns, nil
	}
	return "", nil
}

// queueRuns reports whether somebody works on a row of the workspace's queue.
func (m *Memory) queueRuns() bool {
	if m.Workspace == nil {
		return false
	}
	data, _ := m.Workspace.read(queueFile)
	q, _ := retro.Parse(data)
	q, _ = q.Abandon(m.gone)
	for _, row := range q {
		if row.Standing(m.Now(), retro.DefaultLimits()) == retro.Claimed {
			return true
		}
	}
	return false
}

// wakeUp notes in the state of the library how the sleep went, and gives it free.
func (m *Memory) wakeUp(ctx context.Context, j job, note func(state.State) state.State) error {
	err := j.lib.dir.With(context.WithoutCancel(ctx), func(tx *filestore.Tx) error {
		if note == nil {
			return nil
		}
		return j.lib.noteState(tx, note)
	})
	return errors.Join(err, j.end(ctx))
}

// errAsleep is the fault of a sleep that was asked for while another one runs.
func errAsleep(lib *Library) error { return fault.New(fault.Busy, codeAsleep, lib.Root) }

// modelless reports whether an error of a question says no more than that no
// model is to be asked.
func modelless(err error) bool { return errors.Is(err, errNoModel) }
