package timer_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/pkg/fiber"
	"github.com/dshkit/dshkit/pkg/fiber/timer"
)

const ms = time.Millisecond

// clock is time that passes when it is told to.
type clock struct {
	mu      sync.Mutex
	now     time.Time
	pending []*call
}

type call struct {
	at      time.Time
	f       func()
	stopped bool
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) AfterFunc(d time.Duration, f func()) func() {
	c.mu.Lock()
	defer c.mu.Unlock()
	one := &call{at: c.now.Add(d), f: f}
	c.pending = append(c.pending, one)
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		one.stopped = true
	}
}

// next takes the earliest call that is due.
func (c *clock) next(until time.Time) *call {
	c.mu.Lock()
	defer c.mu.Unlock()
	best := -1
	for i, one := range c.pending {
		if !one.stopped && !one.at.After(until) && (best < 0 || one.at.Before(c.pending[best].at)) {
			best = i
		}
	}
	if best < 0 {
		c.now = until
		return nil
	}
	one := c.pending[best]
	c.pending = append(c.pending[:best:best], c.pending[best+1:]...)
	c.now = one.at
	return one
}

func (c *clock) pass(d time.Duration) {
	until := c.Now().Add(d)
	for one := c.next(until); one != nil; one = c.next(until) {
		one.f()
	}
}

// scene is a plugin with timers.
type scene struct {
	*clock
	t      *testing.T
	timers *timer.Timers
	c      *fiber.Context
	lines  []string
}

func newScene(t *testing.T) *scene {
	t.Helper()
	s := &scene{clock: &clock{}, t: t}
	s.timers = timer.New(s.clock)
	root := fiber.New(fiber.Config{Patience: -1})
	t.Cleanup(func() { _ = root.Fiber().Dispose(context.Background()) })
	f, err := root.Plugin(fiber.Plugin{Name: "p", Apply: func(_ context.Context, c *fiber.Context) error { return nil }})
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Await(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.c = f.Context()
	return s
}

// note takes down what happens, with the time since the start.
func (s *scene) note(what string) {
	s.lines = append(s.lines, fmt.Sprintf("%d %s", s.Now().Sub(time.Time{}).Milliseconds(), what))
}

func (s *scene) want(lines ...string) {
	s.t.Helper()
	if diff := cmp.Diff(lines, s.lines); diff != "" {
		s.t.Errorf("what happened (-want +got)\n%s", diff)
	}
	s.lines = nil
}

func (s *scene) unload() {
	s.t.Helper()
	if err := s.c.Fiber().Dispose(context.Background()); err != nil {
		s.t.Fatal(err)
	}
}

func must[T any](t *testing.T) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// CR-T1
func TestTimeout(t *testing.T) {
	s := newScene(t)
	effects := func() int { return len(s.c.Fiber().Effects()) }
	must[*fiber.Effect](t)(s.timers.Timeout(t.Context(), s.c, 1000*ms, func() { s.note(fmt.Sprintf("fired, %d effects", effects())) }))
	stopped := must[*fiber.Effect](t)(s.timers.Timeout(t.Context(), s.c, 500*ms, func() { s.note("stopped one fired") }))
	if n := effects(); n != 2 {
		t.Errorf("%d effects", n)
	}
	if err := stopped.Dispose(t.Context()); err != nil {
		t.Error(err)
	}
	s.pass(999 * ms)
	s.want()
	s.pass(5000 * ms)
	s.want("1000 fired, 0 effects")
}

// CR-T1
func TestAfter(t *testing.T) {
	s := newScene(t)
	note := func(name string) func(error) { return func(err error) { s.note(fmt.Sprint(name, " ", err)) } }
	for name, d := range map[string]time.Duration{"early": 100 * ms, "late": 9000 * ms} {
		if err := s.timers.After(t.Context(), s.c, d, note(name)); err != nil {
			t.Fatal(err)
		}
	}
	s.pass(200 * ms)
	s.want("100 early <nil>")
	s.unload()
	s.pass(9999 * ms)
	s.want("200 late " + timer.ErrDisposed.Error())
	if _, err := s.timers.Timeout(t.Context(), s.c, ms, func() {}); !errors.Is(err, fiber.ErrInactive) {
		t.Errorf("a timer of a fiber that is gone: %v", err)
	}
}

func TestWait(t *testing.T) {
	s := newScene(t)
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("enough")
	cancel(cause)
	if err := s.timers.Wait(ctx, s.c, ms); !errors.Is(err, cause) {
		t.Errorf("a ctx that has ended: %v", err)
	}
	if n := len(s.c.Fiber().Effects()); n != 0 {
		t.Errorf("%d effects are left", n)
	}
}

// CR-T2
func TestInterval(t *testing.T) {
	s := newScene(t)
	e := must[*fiber.Effect](t)(s.timers.Interval(t.Context(), s.c, 1000*ms, func() { s.note("tick") }))
	s.pass(2000 * ms)
	s.want("1000 tick", "2000 tick")
	if err := e.Dispose(t.Context()); err != nil {
		t.Error(err)
	}
	s.pass(5000 * ms)
	s.want()
	var own *fiber.Effect
	own = must[*fiber.Effect](t)(s.timers.Interval(t.Context(), s.c, 10*ms, func() { s.note("own"); _, _ = own.Begin(context.Background()) }))
	s.pass(100 * ms)
	s.want("7010 own")
}

// CR-T3
func TestTicks(t *testing.T) {
	s := newScene(t)
	start := func() *timer.Ticks { return must[*timer.Ticks](t)(s.timers.Ticks(t.Context(), s.c, 1000*ms)) }
	next := func(k *timer.Ticks) { k.Next(func(done bool, err error) { s.note(fmt.Sprint(done, " ", err)) }) }

	k := start()
	s.pass(2500 * ms) // two ticks without a waiter are dropped
	next(k)
	s.pass(400 * ms)
	s.want()
	s.pass(100 * ms)
	s.want("3000 false <nil>")
	next(k)
	k.Return()
	next(k)
	s.want("3000 true <nil>", "3000 true <nil>")
	if n := len(s.c.Fiber().Effects()); n != 0 {
		t.Errorf("%d effects are left", n)
	}

	k = start()
	next(k)
	k.Throw(errors.New("thrown in"))
	next(k)
	s.want("3000 false thrown in", "3000 true <nil>")

	k = start()
	next(k)
	s.unload()
	next(k)
	s.want("3000 false "+timer.ErrDisposed.Error(), "3000 false "+timer.ErrDisposed.Error())
	s.pass(9000 * ms)
	s.want()
}

// CR-T4
func TestThrottle(t *testing.T) {
	s := newScene(t)
	make := func(noTrailing bool) *timer.Limited[string] {
		return must[*timer.Limited[string]](t)(timer.Throttle(t.Context(), s.timers, s.c, 1000*ms, noTrailing, s.note))
	}
	l := make(false)
	l.Call("a")
	s.want("0 a")
	s.pass(600 * ms)
	l.Call("b")
	s.want()
	s.pass(600 * ms)
	s.want("1000 b")
	l.Call("c")
	s.want()
	s.pass(5000 * ms)
	s.want("2000 c")

	l = make(false)
	l.Call("d")
	s.pass(500 * ms)
	l.Call("e")
	l.Call("f")
	s.pass(500 * ms)
	s.want("6200 d", "7200 f")

	l = make(true)
	l.Call("g")
	s.pass(500 * ms)
	l.Call("h")
	s.pass(500 * ms)
	l.Call("i")
	s.pass(5000 * ms)
	s.want("7200 g", "8200 i")
}

// CR-T5
func TestThrottleDisposed(t *testing.T) {
	s := newScene(t)
	l := must[*timer.Limited[string]](t)(timer.Throttle(t.Context(), s.timers, s.c, 1000*ms, false, s.note))
	if err := l.Dispose(t.Context()); err != nil {
		t.Fatal(err)
	}
	l.Call("a")
	l.Call("b")
	s.pass(5000 * ms)
	s.want("0 a")
	l.Call("c")
	s.want("5000 c")

	l = must[*timer.Limited[string]](t)(timer.Throttle(t.Context(), s.timers, s.c, 1000*ms, false, s.note))
	l.Call("d")
	l.Call("e")
	if err := l.Dispose(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.pass(2000 * ms)
	l.Call("f")
	s.want("5000 d", "7000 f")
}

// CR-T6
func TestDebounce(t *testing.T) {
	s := newScene(t)
	l := must[*timer.Limited[string]](t)(timer.Debounce(t.Context(), s.timers, s.c, 1000*ms, s.note))
	for _, arg := range []string{"a", "b", "c"} {
		l.Call(arg)
		s.pass(400 * ms)
	}
	s.pass(5000 * ms)
	s.want("1800 c")
	l.Call("d")
	if err := l.Dispose(t.Context()); err != nil {
		t.Fatal(err)
	}
	l.Call("e")
	s.pass(5000 * ms)
	s.want()
}
