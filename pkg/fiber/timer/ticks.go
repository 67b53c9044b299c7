package timer

import (
	"context"
	"sync"
	"time"

	"github.com/dshkit/dshkit/pkg/fiber"
)

// Ticks is the iterator form of Interval.
type Ticks struct {
	alarm  *alarm
	effect *fiber.Effect

	mu      sync.Mutex
	waiting []func(done bool, err error)
	over    bool
	err     error
}

// Ticks starts an interval that is asked for its ticks. A tick that nobody waits
// for is dropped.
func (t *Timers) Ticks(ctx context.Context, c *fiber.Context, d time.Duration) (*Ticks, error) {
	k := &Ticks{alarm: t.alarm()}
	e, err := k.alarm.effect(ctx, c, "interval", func() { k.finish(ErrDisposed) })
	if err != nil {
		return nil, err
	}
	k.effect = e
	k.alarm.every(d, k.tick)
	return k, nil
}

// Next calls f once: at the next tick with done false, or at the end with done
// true, or with the error that the ticks ended with.
func (k *Ticks) Next(f func(done bool, err error)) {
	k.mu.Lock()
	over, err := k.over, k.err
	if !over {
		k.waiting = append(k.waiting, f)
	}
	k.mu.Unlock()
	if over {
		f(err == nil, err)
	}
}

// Return ends the ticks; who waits is told that they are done.
func (k *Ticks) Return() { k.stop(nil) }

// Throw ends the ticks; who waits is told the error.
func (k *Ticks) Throw(err error) { k.stop(err) }

func (k *Ticks) stop(err error) {
	if k.alarm.end() {
		remove(k.effect)
	}
	k.finish(err)
}

func (k *Ticks) tick() {
	k.mu.Lock()
	waiting := k.waiting
	k.waiting = nil
	k.mu.Unlock()
	for _, f := range waiting {
		f(false, nil)
	}
}

// finish tells those who wait, once. Only the end of the Fiber is told to those
// who ask later: an error that was thrown in has been told.
func (k *Ticks) finish(err error) {
	k.mu.Lock()
	if k.over {
		k.mu.Unlock()
		return
	}
	k.over = true
	if err == ErrDisposed {
		k.err = err
	}
	waiting := k.waiting
	k.waiting = nil
	k.mu.Unlock()
	for _, f := range waiting {
		f(err == nil, err)
	}
}
