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
	"github.com/google/go-cmp/cmp"
)

// hears registers a listener that takes itself down and answers.
func (d *diary) hears(t *testing.T, c *fiber.Context, name string, value any, err error) *fiber.Effect {
	t.Helper()
	e, on := c.On("ev", func(_ context.Context, args ...any) (any, error) {
		d.add("%s%v", name, args)
		return value, err
	}, fiber.ListenOptions{})
	if on != nil {
		t.Fatal(on)
	}
	return e
}

// slowly is Later for a value.
func slowly(value any, err error) error {
	return fiber.Later(func(context.Context) (any, error) {
		time.Sleep(time.Second)
		return value, err
	})
}

func TestDispatch(t *testing.T) {
	bad, worse := errors.New("bad"), errors.New("worse")
	type answer struct {
		value any
		err   error
	}
	tests := map[string]struct {
		answers []answer
		heard   map[string][]string // by verb
		value   map[string]any
		err     map[string]error
		took    map[string]time.Duration
	}{
		"nothing bails": {
			answers: []answer{{nil, nil}, {false, nil}},
			heard: map[string][]string{
				"emit": {"1[x]", "2[x]"}, "parallel": {"1[x]", "2[x]"}, "serial": {"1[x]", "2[x]"}, "bail": {"1[x]", "2[x]"},
			},
		},
		"zero and the empty string bail": {
			answers: []answer{{0, nil}, {"", nil}},
			heard: map[string][]string{
				"emit": {"1[x]", "2[x]"}, "parallel": {"1[x]", "2[x]"}, "serial": {"1[x]"}, "bail": {"1[x]"},
			},
			value: map[string]any{"serial": 0, "bail": 0},
		},
		"CR-K22 errors": {
			answers: []answer{{nil, bad}, {1, worse}},
			heard: map[string][]string{
				"emit": {"1[x]"}, "parallel": {"1[x]", "2[x]"}, "serial": {"1[x]"}, "bail": {"1[x]"},
			},
			err: map[string]error{"emit": bad, "parallel": errors.Join(bad, worse), "serial": bad, "bail": bad},
		},
		"what takes a while": {
			answers: []answer{{nil, slowly(nil, nil)}, {nil, slowly("late", nil)}, {nil, slowly(nil, bad)}},
			heard: map[string][]string{
				"emit": {"1[x]", "2[x]", "3[x]", `log root: on "ev": bad`}, "parallel": {"1[x]", "2[x]", "3[x]"},
				"serial": {"1[x]", "2[x]"}, "bail": {"1[x]"},
			},
			value: map[string]any{"serial": "late", "bail": "rest"},
			err:   map[string]error{"parallel": errors.Join(bad)},
			took:  map[string]time.Duration{"parallel": time.Second, "serial": 2 * time.Second},
		},
	}
	for name, test := range tests {
		for verb, call := range verbs {
			t.Run(name+" "+verb, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					var d diary
					root := tree(t, &d)
					for i, a := range test.answers {
						d.hears(t, root, fmt.Sprint(i+1), a.value, a.err)
					}
					began := time.Now()
					value, err := call(deadline(t), root)
					took := time.Since(began)
					if _, ok := value.(fiber.Rest); ok {
						value = "rest"
					}
					if diff := cmp.Diff(test.value[verb], value); diff != "" {
						t.Error(diff)
					}
					if fmt.Sprint(err) != fmt.Sprint(test.err[verb]) || took != test.took[verb] {
						t.Errorf("%v after %v, want %v after %v", err, took, test.err[verb], test.took[verb])
					}
					time.Sleep(time.Minute) // of the bubble
					d.want(t, test.heard[verb]...)
				})
			})
		}
	}
}

// verbs are the ways to dispatch.
var verbs = map[string]func(ctx context.Context, c *fiber.Context) (any, error){
	"emit":     func(ctx context.Context, c *fiber.Context) (any, error) { return nil, c.Emit(ctx, "ev", "x") },
	"parallel": func(ctx context.Context, c *fiber.Context) (any, error) { return nil, c.Parallel(ctx, "ev", "x") },
	"serial":   func(ctx context.Context, c *fiber.Context) (any, error) { return c.Serial(ctx, "ev", "x") },
	"bail":     func(ctx context.Context, c *fiber.Context) (any, error) { return c.Bail(ctx, "ev", "x") },
}

// CR-K23.
func TestWaterfall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		root := tree(t, &diary{})
		add := func(_ context.Context, args ...any) (any, error) {
			n, err := args[1].(fiber.Next)(t.Context())
			if err != nil {
				return nil, err
			}
			return n.(int) + args[0].(int), nil
		}
		inner := func(context.Context) (any, error) { return 2, nil }
		for range 2 {
			_, _ = root.On("w", add, fiber.ListenOptions{})
		}
		if got, err := root.Waterfall(t.Context(), "w", inner, 1); got != 4 || err != nil {
			t.Errorf("two adders: %v, %v, want 4", got, err)
		}
		_, _ = root.On("w", func(context.Context, ...any) (any, error) { return 1, nil }, fiber.ListenOptions{})
		_, _ = root.On("w", func(context.Context, ...any) (any, error) { panic("called") }, fiber.ListenOptions{})
		if got, err := root.Waterfall(t.Context(), "w", inner, 1); got != 3 || err != nil {
			t.Errorf("one that ignores next: %v, %v, want 3", got, err)
		}
	})
}

// Once is once, also for dispatches at the same time and from within.
func TestOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var d diary
		root := tree(t, &d)
		_, _ = root.Once("ev", func(ctx context.Context, _ ...any) (any, error) {
			d.add("heard, %d left", len(root.Fiber().Effects()))
			return nil, root.Emit(ctx, "ev")
		}, fiber.ListenOptions{})
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() { _ = root.Emit(t.Context(), "ev") })
		}
		all.Wait()
		d.want(t, "heard, 0 left")
	})
}

// Once is once, also for a dispatch that began before another heard it.
func TestOnceBehindAnother(t *testing.T) {
	var d diary
	root := tree(t, &d)
	within := false
	_, _ = root.On("ev", func(ctx context.Context, _ ...any) (any, error) {
		if within {
			return nil, nil
		}
		within = true
		return nil, root.Emit(ctx, "ev")
	}, fiber.ListenOptions{})
	_, _ = root.Once("ev", func(context.Context, ...any) (any, error) {
		d.add("heard")
		return nil, nil
	}, fiber.ListenOptions{})
	if err := root.Emit(t.Context(), "ev"); err != nil {
		t.Fatal(err)
	}
	d.want(t, "heard")
}

// Case 99: what a listener makes belongs to the Fiber that listens.
func TestEffectsOfAListener(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var d diary
		root := tree(t, &d)
		f := mount(t, root, fiber.Plugin{Name: "p", Apply: func(_ context.Context, c *fiber.Context) error {
			n := 0
			_, err := c.On("ev", func(ctx context.Context, _ ...any) (any, error) {
				n++
				d.effect(t, ctx, c, fmt.Sprint(n))
				return nil, nil
			}, fiber.ListenOptions{})
			return err
		}})
		other := mount(t, root, fiber.Plugin{Name: "other", Apply: func(ctx context.Context, c *fiber.Context) error {
			_, err := c.Open(ctx, "emits", func(ctx context.Context, _ *fiber.Collector) error {
				for range 10 {
					if err := c.Emit(ctx, "ev"); err != nil {
						return err
					}
				}
				return nil
			})
			return err
		}})
		_ = other.Dispose(deadline(t))
		d.want(t)
		_ = f.Dispose(deadline(t))
		var want []string
		for i := 10; i > 0; i-- {
			want = append(want, fmt.Sprint("undo ", i))
		}
		d.want(t, want...)
		_ = root.Emit(t.Context(), "ev")
		d.want(t)
	})
}

// CR-N7 and 8.5: the list of a dispatch is that of its start; prepended listeners
// come first; Only reaches whom it names, and global ones.
func TestListeners(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var d diary
		root := tree(t, &d)
		a := mount(t, root, fiber.Plugin{Name: "a", Apply: nothing}).Context()
		b := mount(t, root, fiber.Plugin{Name: "b", Apply: nothing}).Context()
		say := func(c *fiber.Context, name string, o fiber.ListenOptions) *fiber.Effect {
			e, err := c.On("ev", func(context.Context, ...any) (any, error) { d.add("%s", name); return nil, nil }, o)
			if err != nil {
				t.Fatal(err)
			}
			return e
		}
		first := say(a, "a", fiber.ListenOptions{})
		say(b, "b", fiber.ListenOptions{})
		say(b, "b global", fiber.ListenOptions{Global: true})
		say(b, "b before", fiber.ListenOptions{Prepend: true})
		_, _ = root.Once("ev", func(ctx context.Context, _ ...any) (any, error) {
			d.add("changes")
			say(a, "late", fiber.ListenOptions{})
			return nil, first.Dispose(ctx)
		}, fiber.ListenOptions{Prepend: true})
		_ = root.Emit(t.Context(), "ev")
		d.want(t, "changes", "b before", "a", "b", "b global")
		_ = root.Only(func(c *fiber.Context) bool { return c == a }).Emit(t.Context(), "ev")
		d.want(t, "b global", "late")
	})
}

// Who waits for listeners gives up with its ctx, and they are told.
func TestParallelWithADeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var d diary
		root := tree(t, &d)
		_, _ = root.On("ev", func(context.Context, ...any) (any, error) { return nil, after(&d, time.Minute, "ended") }, fiber.ListenOptions{})
		enough := errors.New("enough")
		ctx, cancel := context.WithTimeoutCause(t.Context(), time.Second, enough)
		defer cancel()
		if err := root.Parallel(ctx, "ev"); !errors.Is(err, enough) {
			t.Errorf("Parallel = %v", err)
		}
		if err := root.Quiet(deadline(t)); err != nil {
			t.Error(err)
		}
		d.want(t)
	})
}
