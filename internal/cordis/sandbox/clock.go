package sandbox

import (
	"sync/atomic"
	"time"

	"github.com/dshkit/dshkit/pkg/fiber/timer"
	"github.com/dshkit/dshkit/pkg/jsrun"
)

// clock is the time of a half's timers: what is due is done on the owner's
// goroutine, as a chain of its own.
type clock struct {
	box   *box
	outer timer.Scheduler // nil: the timers of the runtime
	now   func() time.Time
}

// Now is the time that throttling goes by.
func (c *clock) Now() time.Time {
	switch {
	case c.outer != nil:
		return c.outer.Now()
	case c.now != nil:
		return c.now()
	}
	return time.Time{}
}

// AfterFunc calls f when d has passed. It is called on the owner's goroutine, stop
// on any.
func (c *clock) AfterFunc(d time.Duration, f func()) (stop func()) {
	var stopped atomic.Bool
	due := func() {
		c.box.desk.put(0, "a timer", func(*jsrun.VM) {
			if !stopped.Load() {
				f()
			}
		})
	}
	end := c.start(d, due)
	return func() {
		if !stopped.Swap(true) {
			end()
		}
	}
}

func (c *clock) start(d time.Duration, due func()) (end func()) {
	if c.outer != nil {
		return c.outer.AfterFunc(d, due)
	}
	b := c.box
	id := b.js.sure("setTimeout", b.function("due", func([]jsrun.Value) (jsrun.Value, error) {
		due()
		return nil, nil
	}), b.vm.FromJSON(float64(d.Milliseconds())))
	return func() {
		b.desk.put(0, "a timer", func(*jsrun.VM) { b.js.sure("clearTimeout", id) })
	}
}
