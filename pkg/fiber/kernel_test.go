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

// CR-K1: a restart waits for the setup that is in flight and for its cleanup, and
// a restart meanwhile joins it.
func TestRestartWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var d diary
		root := tree(t, &d)
		f := mount(t, root, fiber.Plugin{Name: "f", Apply: func(ctx context.Context, c *fiber.Context) error {
			d.add("apply")
			_, err := c.Effect(ctx, "e", func(context.Context) (fiber.Disposer, error) {
				return nil, fiber.Later(func(context.Context) (any, error) {
					time.Sleep(time.Second)
					d.add("made")
					return fiber.Disposer(func(context.Context) error { return after(&d, time.Second, "undone") }), nil
				})
			})
			return err
		}})
		ended := make(chan error)
		go func() { ended <- f.Restart(deadline(t)) }()
		time.Sleep(1500 * time.Millisecond)
		state(t, f, fiber.Unloading)
		d.want(t, "apply", "made")
		if err := f.Restart(deadline(t)); err != nil {
			t.Error(err)
		}
		if err := <-ended; err != nil {
			t.Error(err)
		}
		state(t, f, fiber.Active)
		d.want(t, "undone", "apply")
	})
}

// CR-K7: what a plugin injects is what it named when it was mounted, and all of it
// is waited for.
func TestInjectIsThatOfTheMounting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		root := tree(t, &diary{})
		inject := []string{"a", "b"}
		f, err := root.Plugin(fiber.Plugin{Name: "f", Inject: inject, Apply: nothing})
		if err != nil {
			t.Fatal(err)
		}
		inject[1] = "a"
		mount(t, root, provider("a"))
		state(t, f, fiber.Pending)
		if diff := cmp.Diff([]string{"b"}, f.WaitingFor()); diff != "" {
			t.Error(diff)
		}
		mount(t, root, provider("b"))
		synctest.Wait()
		state(t, f, fiber.Active)
	})
}

// CR-K8, CR-K25: a child that cannot be mounted leaves nothing behind, neither when
// it is no plugin nor when its parent is gone.
func TestChildIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		root := tree(t, &diary{})
		parent := mount(t, root, fiber.Plugin{Name: "parent", Apply: nothing})
		if f, err := parent.Context().Plugin(fiber.Plugin{Name: "none"}); err == nil || f != nil {
			t.Errorf("a plugin without Apply was mounted: %v, %v", f, err)
		}
		if got := parent.Effects(); len(got) > 0 {
			t.Errorf("left behind: %v", got)
		}
		if err := parent.Dispose(deadline(t)); err != nil {
			t.Fatal(err)
		}
		if f, err := parent.Context().Plugin(fiber.Plugin{Name: "late", Apply: nothing}); !errors.Is(err, fiber.ErrInactive) || f != nil {
			t.Errorf("Plugin of a Fiber that is disposed of = %v, %v", f, err)
		}
		if got := root.Fiber().Effects(); len(got) > 0 {
			t.Errorf("left behind: %v", got)
		}
	})
}

// CR-K14: a plugin that is mounted twice fails once; the other one hears.
func TestMountedTwice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var d diary
		root := tree(t, &d)
		plugin := func(config string) fiber.Plugin {
			return fiber.Plugin{Name: "twice", Apply: func(_ context.Context, c *fiber.Context) error {
				if config == "bad" {
					return errors.New("bad config")
				}
				_, err := c.On("ev", func(context.Context, ...any) (any, error) { d.add("%s hears", config); return nil, nil }, fiber.ListenOptions{})
				return err
			}}
		}
		bad, good := mount(t, root, plugin("bad")), mount(t, root, plugin("good"))
		state(t, bad, fiber.Failed)
		state(t, good, fiber.Active)
		if err := root.Emit(t.Context(), "ev"); err != nil {
			t.Error(err)
		}
		d.want(t, "log twice: apply: bad config", "good hears")
	})
}

// CR-K24: who injects a service waits until its provider's asynchronous start has
// ended. CR-K13: and is pending again when the provider has gone.
func TestInjectWaitsForAsyncStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var d diary
		root := tree(t, &d)
		provider, _ := root.Plugin(fiber.Plugin{Name: "provider", Apply: func(_ context.Context, c *fiber.Context) error {
			if _, err := c.Provide("a", 1); err != nil {
				return err
			}
			return after(&d, time.Second, "ready")
		}})
		consumer, _ := root.Plugin(fiber.Plugin{Name: "consumer", Inject: []string{"a"}, Apply: func(ctx context.Context, c *fiber.Context) error {
			d.effect(t, ctx, c, "consumer")
			d.add("apply")
			return nil
		}})
		time.Sleep(500 * time.Millisecond)
		state(t, provider, fiber.Loading)
		state(t, consumer, fiber.Pending)
		time.Sleep(time.Second)
		state(t, consumer, fiber.Active)
		if err := provider.Dispose(deadline(t)); err != nil {
			t.Fatal(err)
		}
		state(t, consumer, fiber.Pending)
		d.want(t, "ready", "apply", "undo consumer")
	})
}

// CR-N8: dependents unload in the order in which they were mounted, not the users
// of users first; what their provider made after the service is undone before it.
func TestOrderOfWithdrawal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var d diary
		root := tree(t, &d)
		uses := func(name string, inject ...string) fiber.Plugin {
			return fiber.Plugin{Name: name, Inject: inject, Apply: func(ctx context.Context, c *fiber.Context) error {
				if _, err := c.Provide(name, 1); err != nil {
					return err
				}
				d.effect(t, ctx, c, name)
				return nil
			}}
		}
		first := mount(t, root, uses("first", "base"))
		mount(t, root, uses("second", "base", "first"))
		base := mount(t, root, uses("base"))
		synctest.Wait()
		state(t, first, fiber.Active)
		if err := base.Dispose(deadline(t)); err != nil {
			t.Fatal(err)
		}
		d.want(t, "undo base", "undo first", "undo second")
	})
}
