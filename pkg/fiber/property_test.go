package fiber_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/dshkit/dshkit/pkg/fiber"
	"pgregory.net/rapid"
)

// crowd is what many goroutines do to one tree, and what it has come to.
type crowd struct {
	root   *fiber.Context
	mu     sync.Mutex
	fibers []*fiber.Fiber
	live   map[*activation]bool
	below  map[*fiber.Fiber]bool // where something was mounted from outside
	wrong  []string
}

// activation is one run of an Apply.
type activation struct {
	made   int
	undone []int
}

// member is a plugin that a crowd mounts.
type member struct {
	inject   []string
	provides string
	fails    bool
	slow     time.Duration // how long Apply takes, the last effect's undoing too
	blocks   bool          // it takes its time itself, and does not leave it for later
	child    *member
	act      *deed // what it does itself, in Apply
	undoes   *deed // and when it is undone
}

func members(depth int) *rapid.Generator[*member] {
	return rapid.Custom(func(t *rapid.T) *member {
		m := &member{
			inject:   rapid.SliceOfNDistinct(services, 0, 2, rapid.ID).Draw(t, "inject"),
			provides: rapid.SampledFrom([]string{"", "", "a", "b", "c"}).Draw(t, "provides"),
			fails:    rapid.IntRange(0, 7).Draw(t, "fails") == 0,
			slow:     rapid.SampledFrom([]time.Duration{0, 0, 1, 5}).Draw(t, "slow") * time.Millisecond,
			blocks:   rapid.Bool().Draw(t, "blocks"),
		}
		acts := rapid.SampledFrom([]string{"", "", "", "dispose", "discard", "await"})
		if verb := acts.Draw(t, "acts"); verb != "" {
			m.act = &deed{verb: verb, n: rapid.IntRange(0, 100).Draw(t, "n")}
		}
		if verb := acts.Draw(t, "undoes"); verb != "" {
			m.undoes = &deed{verb: verb, n: rapid.IntRange(0, 100).Draw(t, "n")}
		}
		if depth > 0 && rapid.Bool().Draw(t, "parent") {
			m.child = members(depth-1).Draw(t, "child")
		}
		return m
	})
}

// say takes down what must not be.
func (w *crowd) say(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.wrong = append(w.wrong, fmt.Sprintf(format, args...))
}

// takes is an end that takes the member's time.
func (m *member) takes(err error) error {
	if m.slow == 0 {
		return err
	}
	if m.blocks {
		time.Sleep(m.slow)
		return err
	}
	return fiber.Later(func(context.Context) (any, error) { time.Sleep(m.slow); return nil, err })
}

// mount mounts a member below c.
func (w *crowd) mount(c *fiber.Context, m *member) {
	f, err := c.Plugin(fiber.Plugin{Name: "m", Inject: m.inject, Apply: func(ctx context.Context, c *fiber.Context) error {
		return w.apply(ctx, c, m)
	}})
	if err != nil {
		if !errors.Is(err, fiber.ErrInactive) {
			w.say("plugin: %v", err)
		}
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.fibers = append(w.fibers, f)
}

// apply makes effects before, between and after the rest.
func (w *crowd) apply(ctx context.Context, c *fiber.Context, m *member) error {
	a := &activation{}
	w.effect(ctx, c, a, nil)
	if m.provides != "" {
		_, err := c.Provide(m.provides, 1)
		var taken *fiber.TakenError
		if err != nil && !errors.Is(err, fiber.ErrInactive) && !errors.As(err, &taken) {
			w.say("provide: %v", err)
		}
	}
	w.effect(ctx, c, a, nil)
	_, _ = c.On("ev", func(ctx context.Context, _ ...any) (any, error) {
		w.effect(ctx, c, &activation{}, nil)
		return nil, nil
	}, fiber.ListenOptions{})
	if m.child != nil {
		w.mount(c, m.child)
	}
	if m.act != nil {
		w.do(ctx, *m.act)
	}
	w.effect(ctx, c, a, m)
	if m.fails {
		return m.takes(errors.New("failed"))
	}
	return m.takes(nil)
}

// effect makes an effect of an activation; the slow one takes its time to undo.
func (w *crowd) effect(ctx context.Context, c *fiber.Context, a *activation, slow *member) {
	_, err := c.Effect(ctx, "e", func(context.Context) (fiber.Disposer, error) {
		w.mu.Lock()
		defer w.mu.Unlock()
		a.made++
		n := a.made
		w.live[a] = true
		return func(ctx context.Context) error {
			w.mu.Lock()
			a.undone = append(a.undone, n)
			w.mu.Unlock()
			if slow == nil {
				return nil
			}
			if slow.undoes != nil {
				w.do(ctx, *slow.undoes)
			}
			return slow.takes(nil)
		}, nil
	})
	if err != nil && !errors.Is(err, fiber.ErrInactive) {
		w.say("effect: %v", err)
	}
}

// pick is some fiber that was mounted, or nil.
func (w *crowd) pick(n int) *fiber.Fiber {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.fibers) == 0 {
		return nil
	}
	return w.fibers[n%len(w.fibers)]
}

// deed is one thing that somebody does.
type deed struct {
	verb    string
	n       int
	service string
	member  *member
}

var deeds = rapid.Custom(func(t *rapid.T) deed {
	d := deed{
		verb: rapid.SampledFrom([]string{
			"mount", "mount", "below", "dispose", "discard", "restart", "await", "provide", "emit", "pause",
		}).Draw(t, "verb"),
		n:       rapid.IntRange(0, 100).Draw(t, "n"),
		service: services.Draw(t, "service"),
	}
	if d.verb == "mount" || d.verb == "below" {
		d.member = members(2).Draw(t, "member")
	}
	return d
})

// do does a deed; who provides withdraws again after a while.
func (w *crowd) do(ctx context.Context, d deed) {
	f := w.pick(d.n)
	if f == nil {
		f = w.root.Fiber()
		if d.verb == "dispose" || d.verb == "discard" || d.verb == "restart" {
			d.verb = "pause"
		}
	}
	var err error
	switch d.verb {
	case "mount":
		w.mount(w.root, d.member)
	case "below":
		w.mu.Lock()
		w.below[f] = true
		w.mu.Unlock()
		w.mount(f.Context(), d.member)
	case "dispose":
		err = f.Dispose(ctx)
	case "discard":
		f.Discard()
	case "restart":
		_ = f.Restart(ctx)
	case "await":
		_ = f.Await(ctx)
	case "emit":
		err = w.root.Emit(ctx, "ev")
	case "pause":
		time.Sleep(time.Duration(d.n) * time.Microsecond)
	case "provide":
		e, taken := w.root.Provide(d.service, 1)
		if taken != nil {
			return
		}
		time.Sleep(time.Duration(d.n) * time.Microsecond)
		if d.n%3 > 0 {
			err = e.Dispose(ctx)
		}
	}
	if err != nil && !errors.Is(err, fiber.ErrInactive) { // the ctx of who acts may end
		w.say("%s: %v", d.verb, err)
	}
}

// check holds when nothing moves: who lacks nothing is loaded, who lacks
// something is not.
func (w *crowd) check() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, f := range w.fibers {
		missing := f.WaitingFor()
		switch s := f.State(); {
		case s == fiber.Active && len(missing) > 0:
			return fmt.Errorf("%d is active and lacks %v", f.ID(), missing)
		case s == fiber.Pending && len(missing) == 0:
			return fmt.Errorf("%d lacks nothing and is pending", f.ID())
		case s == fiber.Loading || s == fiber.Unloading:
			return fmt.Errorf("%d is %v although nothing moves", f.ID(), s)
		case s != fiber.Active && len(f.Effects()) > 0 && (s == fiber.Disposed || !w.below[f]):
			return fmt.Errorf("%d is %v and has effects: %v", f.ID(), s, f.Effects())
		}
	}
	return nil
}

// ended holds when all was disposed of: every effect was undone once, newest
// first, and nothing is left.
func (w *crowd) ended() error {
	for a := range w.live {
		if len(a.undone) != a.made {
			return fmt.Errorf("%d effects made, undone %v", a.made, a.undone)
		}
		for i, n := range a.undone {
			if n != a.made-i {
				return fmt.Errorf("%d effects made, undone in the order %v", a.made, a.undone)
			}
		}
	}
	for _, f := range w.fibers {
		if s := f.State(); s != fiber.Disposed {
			return fmt.Errorf("%d is %v at the end", f.ID(), s)
		}
	}
	if left := w.root.Fiber().Effects(); len(left) > 0 {
		return fmt.Errorf("left behind: %v", left)
	}
	for _, name := range []string{"a", "b", "c"} {
		if _, ok := w.root.Get(name); ok {
			return fmt.Errorf("service %s is left behind", name)
		}
	}
	if len(w.wrong) > 0 {
		return fmt.Errorf("%v", w.wrong)
	}
	return nil
}

// TestCrowd lets several goroutines do random things to one tree at the same
// time. Each round ends when nothing moves any more. The bubble sees to it that
// no goroutine is left, and that a wait without an end is found at once.
func TestCrowd(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		rounds := rapid.SliceOfN(rapid.SliceOfN(rapid.SliceOfN(deeds, 0, 8), 1, 4), 1, 4).Draw(rt, "rounds")
		patience := rapid.SampledFrom([]time.Duration{0, time.Millisecond, time.Hour}).Draw(rt, "patience")
		var err error
		synctest.Test(t, func(*testing.T) {
			w := &crowd{live: map[*activation]bool{}, below: map[*fiber.Fiber]bool{}, root: fiber.New(fiber.Config{Patience: patience})}
			err = w.run(rounds)
		})
		if err != nil {
			rt.Fatal(err)
		}
	})
}

// run lets the goroutines of each round work, and looks at what has become.
func (w *crowd) run(rounds [][][]deed) error {
	ctx, cancel := context.WithTimeout(context.Background(), 1000*time.Hour)
	defer cancel()
	var err error
	for _, work := range rounds {
		var all sync.WaitGroup
		for _, list := range work {
			all.Go(func() {
				for _, d := range list {
					w.do(ctx, d)
				}
			})
		}
		all.Wait()
		if rest := w.root.Quiet(ctx); rest != nil {
			return fmt.Errorf("it does not come to rest: %w", rest)
		}
		err = errors.Join(err, w.check())
	}
	if end := w.root.Fiber().Dispose(ctx); end != nil {
		return fmt.Errorf("the tree does not end: %w", end)
	}
	return errors.Join(err, w.ended())
}
