package fiber_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/dshkit/dshkit/pkg/fiber"
	"github.com/google/go-cmp/cmp"
)

// after is Later for what takes a while.
func after(d *diary, wait time.Duration, line string) error {
	return fiber.Later(func(ctx context.Context) (any, error) {
		select {
		case <-time.After(wait):
			d.add("%s", line)
			return nil, nil
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	})
}

func TestEffect(t *testing.T) {
	errBad := errors.New("bad")
	tests := map[string]struct {
		setup func(d *diary, c *fiber.Context) func(context.Context, *fiber.Collector) error
		early time.Duration // when the effect is disposed of
		err   error         // what Open or Ready fails with
		want  []string
	}{
		"CR-K2: a setup that fails is rolled back, newest first": {
			setup: func(d *diary, _ *fiber.Context) func(context.Context, *fiber.Collector) error {
				return func(_ context.Context, k *fiber.Collector) error {
					k.Add(d.undo("1"))
					k.Add(nil)
					k.Add(d.undo("2"))
					return errBad
				}
			},
			err:  errBad,
			want: []string{"undo 2", "undo 1"},
		},
		"CR-K17: parts in reverse, each ended before the next": {
			setup: func(d *diary, _ *fiber.Context) func(context.Context, *fiber.Collector) error {
				return func(_ context.Context, k *fiber.Collector) error {
					k.Add(d.undo("1"))
					k.Add(func(context.Context) error { d.add("undo 2"); return after(d, time.Second, "undone 2") })
					k.Add(d.undo("3"))
					return nil
				}
			},
			want: []string{"undo 3", "undo 2", "undone 2", "undo 1"},
		},
		"CR-N1: a disposer that fails stops no other one of the effect": {
			setup: func(d *diary, _ *fiber.Context) func(context.Context, *fiber.Collector) error {
				return func(_ context.Context, k *fiber.Collector) error {
					k.Add(d.undo("1"))
					k.Add(func(context.Context) error { panic(errBad) })
					k.Add(func(context.Context) error { return errBad })
					return nil
				}
			},
			want: []string{"undo 1", "dispose: bad\npanic: bad"},
		},
		"CR-K18: an async setup disposed of early ends first": {
			setup: func(d *diary, _ *fiber.Context) func(context.Context, *fiber.Collector) error {
				return func(context.Context, *fiber.Collector) error {
					return fiber.Later(func(context.Context) (any, error) {
						time.Sleep(100 * time.Millisecond) // of the bubble
						d.add("made")
						return d.undo("late"), nil
					})
				}
			},
			early: 50 * time.Millisecond,
			want:  []string{"made", "undo late"},
		},
		"CR-K19: steps end when the effect is disposed of": {
			setup: steps, early: 150 * time.Millisecond,
			want: []string{"step 1", "step 2", "undo 2", "undo 1"},
		},
		"CR-K19: all steps": {
			setup: steps, early: time.Second,
			want: []string{"step 1", "step 2", "step 3", "undo 3", "undo 2", "undo 1"},
		},
		"CR-K20: an async setup that fails is rolled back and told": {
			setup: func(d *diary, _ *fiber.Context) func(context.Context, *fiber.Collector) error {
				return func(_ context.Context, k *fiber.Collector) error {
					k.Add(d.undo("1"))
					return fiber.Later(func(context.Context) (any, error) { return nil, errBad })
				}
			},
			early: time.Second,
			err:   errBad,
			want:  []string{"undo 1", "log root: it: bad"},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var d diary
				root := tree(t, &d)
				e, err := root.Open(t.Context(), "it", test.setup(&d, root))
				if err == nil {
					time.Sleep(test.early)
					dispose(t, &d, e)
					err = e.Ready(deadline(t))
				}
				if !errors.Is(err, test.err) {
					t.Errorf("err = %v, want %v", err, test.err)
				}
				d.want(t, test.want...)
				if got := root.Fiber().Effects(); len(got) > 0 {
					t.Errorf("left behind: %v", got)
				}
			})
		})
	}
}

// steps is a setup of three steps, each of a tenth of a second.
func steps(d *diary, _ *fiber.Context) func(context.Context, *fiber.Collector) error {
	return func(_ context.Context, k *fiber.Collector) error {
		return fiber.Later(func(context.Context) (any, error) {
			for _, name := range []string{"1", "2", "3"} {
				if k.Stopped() {
					break
				}
				time.Sleep(100 * time.Millisecond)
				d.add("step %s", name)
				k.Add(d.undo(name))
			}
			return nil, nil
		})
	}
}

// dispose disposes of an effect twice: the second call does nothing.
func dispose(t *testing.T, d *diary, e *fiber.Effect) {
	t.Helper()
	if err := e.Dispose(deadline(t)); err != nil {
		d.add("dispose: %v", err)
	}
	if err := e.Dispose(deadline(t)); err != nil {
		t.Errorf("second dispose = %v", err)
	}
}

func TestEffectOfAnUnloadingFiber(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var d diary
		root := tree(t, &d)
		f := mount(t, root, fiber.Plugin{Name: "p", Apply: func(ctx context.Context, c *fiber.Context) error {
			_, err := c.Effect(ctx, "late", func(context.Context) (fiber.Disposer, error) {
				return func(ctx context.Context) error { late(t, &d, ctx, c); return nil }, nil
			})
			return err
		}})
		if err := f.Restart(deadline(t)); err != nil { // CR-K5
			t.Fatal(err)
		}
		state(t, f, fiber.Active)
		_ = f.Dispose(deadline(t))
		late(t, &d, t.Context(), f.Context()) // case 97
		refused := []string{"effect refused", "on refused", "once refused", "provide refused", "plugin refused"}
		d.want(t, append(append(refused, refused...), refused...)...)
		if got := root.Fiber().Effects(); len(got) > 0 {
			t.Errorf("left behind: %v", got)
		}
	})
}

// late tries every verb that registers something.
func late(t *testing.T, d *diary, ctx context.Context, c *fiber.Context) {
	t.Helper()
	hear := func(context.Context, ...any) (any, error) { return nil, nil }
	verbs := []struct {
		name string
		call func() error
	}{
		{"effect", func() error {
			_, err := c.Effect(ctx, "x", func(context.Context) (fiber.Disposer, error) { d.add("run"); return nil, nil })
			return err
		}},
		{"on", func() error { _, err := c.On("x", hear, fiber.ListenOptions{}); return err }},
		{"once", func() error { _, err := c.Once("x", hear, fiber.ListenOptions{}); return err }},
		{"provide", func() error { _, err := c.Provide("x", 1); return err }},
		{"plugin", func() error { _, err := c.Plugin(fiber.Plugin{Apply: nothing}); return err }},
	}
	for _, v := range verbs {
		if err := v.call(); !errors.Is(err, fiber.ErrInactive) {
			t.Errorf("late %s = %v, want ErrInactive", v.name, err)
		}
		d.add("%s refused", v.name)
	}
}

// CR-K9, CR-K15, case 101: five disposers, of which one fails, one fails later and
// one hangs.
func TestDisposersFail(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var d diary
		root := configured(t, &d, fiber.Config{DisposeTimeout: 3 * time.Second})
		ends := map[string]error{
			"d2": fiber.Later(func(context.Context) (any, error) { return nil, errors.New("d2 failed") }),
			"d1": fiber.Later(func(ctx context.Context) (any, error) { <-ctx.Done(); return nil, nil }),
			"d4": errors.New("d4 failed"),
		}
		f := mount(t, root, fiber.Plugin{Name: "p", Apply: func(ctx context.Context, c *fiber.Context) error {
			for _, name := range []string{"d1", "d2", "d3", "d4", "d5"} {
				_, err := c.Effect(ctx, name, func(context.Context) (fiber.Disposer, error) {
					return func(context.Context) error { d.add("%s", name); return ends[name] }, nil
				})
				if err != nil {
					return err
				}
			}
			return nil
		}})
		began := time.Now()
		for range 2 {
			if err := f.Dispose(deadline(t)); err != nil {
				t.Fatal(err)
			}
		}
		if took := time.Since(began); took != 3*time.Second {
			t.Errorf("took %v", took)
		}
		state(t, f, fiber.Disposed)
		d.want(t, "d5", "d4", "d3", "d2", "d1",
			"log p: d4: d4 failed", "log p: d2: d2 failed", "log p: d1: d1: not undone within 3s, given up")
		var hang *fiber.HangError
		if faults := f.Faults(); len(faults) != 3 || !errors.As(faults[2], &hang) || hang.Label != "d1" {
			t.Errorf("faults = %v", faults)
		}
	})
}

// A blocking disposer that hangs holds up its own effect only, and what is left
// of that goes on once it is given up.
func TestBlockingDisposerHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var d diary
		root := configured(t, &d, fiber.Config{DisposeTimeout: time.Second, Patience: time.Millisecond})
		f := mount(t, root, fiber.Plugin{Name: "p", Apply: func(ctx context.Context, c *fiber.Context) error {
			d.effect(t, ctx, c, "other")
			_, err := c.Open(ctx, "it", func(_ context.Context, k *fiber.Collector) error {
				k.Add(d.undo("1"))
				k.Add(func(ctx context.Context) error {
					d.add("hang")
					<-ctx.Done()
					d.add("told: %v", context.Cause(ctx))
					return nil
				})
				return nil
			})
			return err
		}})
		if err := f.Dispose(deadline(t)); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		lines := d.take()
		if diff := cmp.Diff([]string{"hang", "undo other"}, lines[:2]); diff != "" {
			t.Error(diff)
		}
		want := map[string]int{
			"hang": 1, "undo other": 1, "undo 1": 1, "told: it: not undone within 1s, given up": 1,
			"log p: it: it: not undone within 1s, given up": 1,
		}
		if diff := cmp.Diff(want, counted(lines)); diff != "" {
			t.Error(diff)
		}
	})
}

func counted(lines []string) map[string]int {
	n := map[string]int{}
	for _, line := range lines {
		n[line]++
	}
	return n
}

// Case 100: what a plugin undoes by itself is not the plugin.
func TestUndoByHand(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var d diary
		root := tree(t, &d)
		var own *fiber.Effect
		f := mount(t, root, fiber.Plugin{Name: "p", Apply: func(ctx context.Context, c *fiber.Context) error {
			own = d.effect(t, ctx, c, "own")
			d.effect(t, ctx, c, "stays")
			return nil
		}})
		dispose(t, &d, own)
		d.want(t, "undo own")
		state(t, f, fiber.Active)
		if diff := cmp.Diff([]fiber.EffectInfo{{Label: "stays"}}, f.Effects()); diff != "" {
			t.Error(diff)
		}
		_ = f.Dispose(deadline(t))
		d.want(t, "undo stays")
	})
}

// An effect that is adopted belongs to the other one, and is shown below it.
func TestAdopt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var d diary
		root := tree(t, &d)
		outer, err := root.Open(t.Context(), "outer", func(ctx context.Context, k *fiber.Collector) error {
			k.Adopt(d.effect(t, ctx, root, "in"))
			service, err := root.Provide("s", 1)
			if err != nil {
				return err
			}
			k.Adopt(service)
			gone := d.effect(t, ctx, root, "gone")
			_ = gone.Dispose(ctx)
			k.Adopt(gone)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		want := []fiber.EffectInfo{{Label: "outer", Children: []fiber.EffectInfo{{Label: "in"}, {Label: "provide s"}}}}
		if diff := cmp.Diff(want, root.Fiber().Effects()); diff != "" {
			t.Error(diff)
		}
		dispose(t, &d, outer)
		d.want(t, "undo gone", "undo in")
		if _, ok := root.Get("s"); ok {
			t.Error("the service is still there")
		}
	})
}
