// Package timer gives plugins timers that end with them (spec/cordis.md 9): every
// timer is an effect of the Context that it was made for.
//
// When time passes and on which goroutine a callback runs is the Scheduler's
// matter; the package starts no goroutine. A callback that is stopped before it is
// due never runs.
package timer

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/dshkit/dshkit/pkg/fiber"
)

// ErrDisposed is what waiting ends with when the Fiber unloads first.
var ErrDisposed = errors.New("the context of this timer has been disposed of")

// Scheduler is time as the owner of the timers sees it.
type Scheduler interface {
	// Now is a clock that does not go back.
	Now() time.Time
	// AfterFunc calls f once when d has passed. What stop keeps from running must
	// not run later.
	AfterFunc(d time.Duration, f func()) (stop func())
}

// Timers make timers by one Scheduler.
type Timers struct {
	clock Scheduler
	live  atomic.Int64
}

// New returns timers that go by the clock.
func New(clock Scheduler) *Timers { return &Timers{clock: clock} }

// Live is how many timers there are that have not ended.
func (t *Timers) Live() int { return int(t.live.Load()) }

// alarm is one pending call of the Scheduler at most.
type alarm struct {
	timers *Timers

	mu    sync.Mutex
	stop  func()
	turn  int // counts settings: an older one that comes late is nobody's
	ended bool
}

func (t *Timers) alarm() *alarm { return &alarm{timers: t} }

// set arranges for f after d, instead of what was arranged before.
func (a *alarm) set(d time.Duration, f func()) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.ended {
		return
	}
	if a.stop != nil {
		a.stop()
	}
	a.turn++
	turn := a.turn
	a.stop = a.timers.clock.AfterFunc(d, func() {
		if a.due(turn) {
			f()
		}
	})
}

// due says whether the setting still counts, and takes it.
func (a *alarm) due(turn int) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.ended || a.turn != turn || a.stop == nil {
		return false
	}
	a.stop = nil
	return true
}

// end stops what is arranged, for good. It says whether this call did.
func (a *alarm) end() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.ended {
		return false
	}
	a.ended = true
	a.timers.live.Add(-1)
	if a.stop != nil {
		a.stop()
		a.stop = nil
	}
	return true
}

// effect makes the effect that an alarm belongs to; undone runs when it ends
// before its time.
func (a *alarm) effect(ctx context.Context, c *fiber.Context, label string, undone func()) (*fiber.Effect, error) {
	return c.Effect(ctx, label, func(context.Context) (fiber.Disposer, error) {
		a.timers.live.Add(1)
		return func(context.Context) error {
			if a.end() && undone != nil {
				undone()
			}
			return nil
		}, nil
	})
}

// Timeout calls f once, after d. By then the effect is gone.
func (t *Timers) Timeout(ctx context.Context, c *fiber.Context, d time.Duration, f func()) (*fiber.Effect, error) {
	return t.once(ctx, c, "timeout", d, f, nil)
}

// After calls done once: with nil when d has passed, with ErrDisposed when the
// Fiber unloads first. It is the promise form of Timeout.
func (t *Timers) After(ctx context.Context, c *fiber.Context, d time.Duration, done func(error)) error {
	_, err := t.once(ctx, c, "timeout", d, func() { done(nil) }, func() { done(ErrDisposed) })
	return err
}

// Wait waits for d. It ends early with ErrDisposed when the Fiber unloads, and
// with the cause of ctx.
func (t *Timers) Wait(ctx context.Context, c *fiber.Context, d time.Duration) error {
	done := make(chan error, 1)
	e, err := t.once(ctx, c, "timeout", d, func() { done <- nil }, func() { done <- ErrDisposed })
	if err != nil {
		return err
	}
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		_, _ = e.Begin(context.WithoutCancel(ctx))
		return context.Cause(ctx)
	}
}

func (t *Timers) once(ctx context.Context, c *fiber.Context, label string, d time.Duration, f, undone func()) (*fiber.Effect, error) {
	a := t.alarm()
	e, err := a.effect(ctx, c, label, undone)
	if err != nil {
		return nil, err
	}
	a.set(d, func() {
		if a.end() {
			remove(e)
			f()
		}
	})
	return e, nil
}

// remove takes an effect that has ended out of its Fiber.
func remove(e *fiber.Effect) { _, _ = e.Begin(context.Background()) }

// Interval calls f every d, until the effect is disposed of.
func (t *Timers) Interval(ctx context.Context, c *fiber.Context, d time.Duration, f func()) (*fiber.Effect, error) {
	a := t.alarm()
	e, err := a.effect(ctx, c, "interval", nil)
	if err != nil {
		return nil, err
	}
	a.every(d, f)
	return e, nil
}

// every sets the alarm anew before each call, so that f may end it.
func (a *alarm) every(d time.Duration, f func()) {
	a.set(d, func() {
		a.every(d, f)
		f()
	})
}
