package fiber_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/dshkit/dshkit/pkg/fiber"
	"github.com/google/go-cmp/cmp"
)

// 8.3: during the provider's own Apply nobody sees the service, itself by Use.
func TestVisibility(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var d diary
		root := tree(t, &d)
		look := func(c *fiber.Context, name string) {
			value, ok := c.Get(name)
			used, err := c.Use(name)
			var access *fiber.AccessError
			if errors.As(err, &access) {
				d.add("get %v %v, use refused (declared: %v)", value, ok, access.Declared)
				return
			}
			d.add("get %v %v, use %v", value, ok, used)
		}
		p := mount(t, root, fiber.Plugin{Name: "p", Apply: func(_ context.Context, c *fiber.Context) error {
			if _, err := c.Provide("a", nil); err != nil {
				return err
			}
			look(c, "a")
			return nil
		}})
		d.want(t, "get <nil> false, use <nil>")
		look(root, "a")
		d.want(t, "get <nil> true, use refused (declared: false)")

		f := mount(t, root, fiber.Plugin{Name: "f", Inject: []string{"a"}, Apply: func(ctx context.Context, c *fiber.Context) error {
			_, err := c.Effect(ctx, "e", func(context.Context) (fiber.Disposer, error) {
				// what was injected works until the Fiber has unloaded
				return func(context.Context) error { look(c, "a"); return nil }, nil
			})
			return err
		}})
		child := mount(t, f.Context(), fiber.Plugin{Name: "child", Apply: func(_ context.Context, c *fiber.Context) error {
			look(c, "a") // what the parent injects
			return nil
		}})
		state(t, child, fiber.Active)
		_ = p.Dispose(deadline(t))
		look(f.Context(), "a")
		d.want(t, "get <nil> true, use <nil>", "get <nil> false, use <nil>", "get <nil> false, use refused (declared: true)")
	})
}

// A key that names another provider loads anew.
func TestProviderChanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var d diary
		root := tree(t, &d)
		first, _ := root.Provide("a", "first")
		f := mount(t, root, fiber.Plugin{Name: "f", Inject: []string{"a"}, Apply: func(ctx context.Context, c *fiber.Context) error {
			a, err := c.Use("a")
			d.add("apply with %v", a)
			d.effect(t, ctx, c, "f")
			return err
		}})
		if _, err := f.Context().Effect(t.Context(), "slow", func(context.Context) (fiber.Disposer, error) {
			return func(context.Context) error { return slowly(nil, nil) }, nil
		}); err != nil {
			t.Fatal(err)
		}
		_, _ = first.Begin(t.Context())
		state(t, f, fiber.Unloading)
		mount(t, root, fiber.Plugin{Name: "p", Apply: func(_ context.Context, c *fiber.Context) error {
			_, err := c.Provide("a", "second")
			return err
		}})
		if err := f.Await(deadline(t)); err != nil {
			t.Fatal(err)
		}
		d.want(t, "apply with first", "undo f", "apply with second")
	})
}

// Case 105: who waits says for what, who could provide it and why that one does
// not.
func TestWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		root := tree(t, &diary{})
		broken := errors.New("no such file")
		names := map[*fiber.Fiber]string{nil: ""}
		add := func(p fiber.Plugin) *fiber.Fiber {
			f := mount(t, root, p)
			names[f] = f.Name()
			return f
		}
		add(fiber.Plugin{Name: "failed", Provides: []string{"evidence"}, Apply: func(context.Context, *fiber.Context) error { return broken }})
		strategy := add(fiber.Plugin{Name: "strategy", Inject: []string{"evidence", "nobody", "past", "x"}, Apply: nothing})
		add(fiber.Plugin{Name: "ring 1", Inject: []string{"y"}, Provides: []string{"x"}, Apply: nothing})
		ring := add(fiber.Plugin{Name: "ring 2", Inject: []string{"x"}, Provides: []string{"y"}, Apply: nothing})
		past := add(fiber.Plugin{Name: "past", Inject: []string{"z"}, Apply: func(_ context.Context, c *fiber.Context) error {
			_, err := c.Provide("past", 1)
			return err
		}})
		z, _ := root.Provide("z", 1)
		_ = past.Await(deadline(t))
		_ = z.Dispose(deadline(t))
		independent := add(fiber.Plugin{Name: "independent", Apply: nothing})

		state(t, independent, fiber.Active)
		type wait struct {
			Service, Provider string
			Err               error
		}
		var got []wait
		for _, f := range []*fiber.Fiber{strategy, ring} {
			for _, w := range f.Waiting() {
				got = append(got, wait{w.Service, names[w.Provider], w.Err})
			}
		}
		want := []wait{
			{"evidence", "failed", broken},
			{"nobody", "", nil},
			{"past", "past", nil},
			{"x", "ring 1", nil},
			{"x", "ring 1", nil},
		}
		if diff := cmp.Diff(want, got, cmp.Comparer(func(a, b error) bool { return errors.Is(a, b) })); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff([]string{"evidence", "nobody", "past", "x"}, strategy.WaitingFor()); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff([]string{}, independent.WaitingFor()); diff != "" {
			t.Error(diff)
		}
	})
}
