package fiber_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"github.com/dshkit/dshkit/pkg/fiber"
)

// burden is something that a plugin has many of.
type burden struct {
	name string
	take func(c *fiber.Context, i int) (*fiber.Effect, error)
}

var burdens = []burden{
	{"effects", func(c *fiber.Context, _ int) (*fiber.Effect, error) {
		return c.Effect(context.Background(), "e", func(context.Context) (fiber.Disposer, error) {
			return func(context.Context) error { return nil }, nil
		})
	}},
	{"listeners", func(c *fiber.Context, _ int) (*fiber.Effect, error) {
		return c.On("x", deaf, fiber.ListenOptions{})
	}},
	{"prepended", func(c *fiber.Context, _ int) (*fiber.Effect, error) {
		return c.On("x", deaf, fiber.ListenOptions{Prepend: true})
	}},
	{"services", func(c *fiber.Context, i int) (*fiber.Effect, error) {
		return c.Provide("s"+strconv.Itoa(i), i)
	}},
	{"plugins", func(c *fiber.Context, _ int) (*fiber.Effect, error) {
		_, err := c.Plugin(fiber.Plugin{Name: "p", Apply: nothing})
		return nil, err
	}},
	{"users of a service", func(c *fiber.Context, i int) (*fiber.Effect, error) {
		if i == 0 {
			return c.Provide("s", i)
		}
		_, err := c.Plugin(fiber.Plugin{Name: "p", Inject: []string{"s"}, Apply: nothing})
		return nil, err
	}},
	{"services and users", func(c *fiber.Context, i int) (*fiber.Effect, error) {
		name := "s" + strconv.Itoa(i)
		if _, err := c.Plugin(fiber.Plugin{Name: "p", Inject: []string{name}, Apply: nothing}); err != nil {
			return nil, err
		}
		return c.Provide(name, i)
	}},
}

func deaf(context.Context, ...any) (any, error) { return nil, nil }

// loaded is a tree with one plugin that has n of them.
func (b burden) loaded(t testing.TB, n int) (root *fiber.Context, f *fiber.Fiber, effects []*fiber.Effect) {
	t.Helper()
	root = fiber.New(fiber.Config{Patience: forever})
	f, err := root.Plugin(fiber.Plugin{Name: "heavy", Apply: func(_ context.Context, c *fiber.Context) error {
		for i := range n {
			e, err := b.take(c, i)
			if err != nil {
				return err
			}
			effects = append(effects, e)
		}
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	if err := root.Quiet(context.Background()); err != nil {
		t.Fatal(err)
	}
	return root, f, effects
}

// TestGrowth: ten times as much of one thing takes about ten times the memory from
// loading to stopping, what was let go meanwhile included; of lists that are copied
// at each change it would be a hundred times.
func TestGrowth(t *testing.T) {
	for _, burden := range burdens {
		spent := func(n int) uint64 {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			root, f, _ := burden.loaded(t, n)
			if err := errors.Join(f.Dispose(deadline(t)), root.Fiber().Dispose(deadline(t))); err != nil {
				t.Fatal(err)
			}
			runtime.ReadMemStats(&after)
			return after.TotalAlloc - before.TotalAlloc
		}
		spent(10) // what is made once
		if few, many := spent(300), spent(3000); many > 25*few {
			t.Errorf("%s: 300 take %d bytes, 3000 take %d", burden.name, few, many)
		}
	}
}

// TestListenersKeepTheirOrder holds listeners that come, go and are prepended
// against a plain list; a dispatch has the listeners of its start.
func TestListenersKeepTheirOrder(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		ctx := context.Background()
		root := fiber.New(fiber.Config{Patience: forever})
		defer func() { _ = root.Fiber().Dispose(ctx) }()
		var model, heard []int
		effects, act := map[int]*fiber.Effect{}, func() {}
		add := func(prepend bool) {
			n := len(effects)
			effects[n], _ = root.On("x", func(context.Context, ...any) (any, error) {
				heard = append(heard, n)
				act()
				return nil, nil
			}, fiber.ListenOptions{Prepend: prepend})
			if prepend {
				model = slices.Insert(model, 0, n)
			} else {
				model = append(model, n)
			}
		}
		remove := func(n int) {
			_ = effects[n].Dispose(ctx)
			model = slices.DeleteFunc(model, func(other int) bool { return other == n })
		}
		emit := func(rt *rapid.T) {
			want := slices.Clone(model)
			heard = nil
			if err := root.Emit(ctx, "x"); err != nil || !slices.Equal(want, heard) {
				rt.Fatalf("heard %v, %v, want %v", heard, err, want)
			}
		}
		rt.Repeat(map[string]func(*rapid.T){
			"add":     func(*rapid.T) { add(false) },
			"prepend": func(*rapid.T) { add(true) },
			"remove": func(rt *rapid.T) {
				if len(effects) > 0 {
					remove(rapid.IntRange(0, len(effects)-1).Draw(rt, "n"))
				}
			},
			"emit": emit,
			"emit and change": func(rt *rapid.T) {
				act = func() { act = func() {}; add(true); remove(rapid.IntRange(0, len(effects)-1).Draw(rt, "n")) }
				emit(rt)
				act = func() {}
			},
		})
	})
}

// BenchmarkGrowth loads and stops a plugin that has many of one thing. What one of
// them costs is to stay nearly the same, however many there are.
func BenchmarkGrowth(b *testing.B) {
	for _, burden := range burdens {
		for _, n := range []int{1000, 10000} {
			b.Run(fmt.Sprintf("%s/%d", burden.name, n), func(b *testing.B) {
				for b.Loop() {
					root, f, _ := burden.loaded(b, n)
					if err := f.Dispose(context.Background()); err != nil {
						b.Fatal(err)
					}
					_ = root.Fiber().Dispose(context.Background())
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/each")
			})
		}
	}
}
