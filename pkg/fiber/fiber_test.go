package fiber_test

import (
	"context"
	"errors"
	"testing"

	"github.com/dshkit/dshkit/pkg/fiber"
	"github.com/google/go-cmp/cmp"
)

func TestGating(t *testing.T) {
	var d diary
	root := tree(t, &d)
	consumer := mount(t, root, fiber.Plugin{
		Name: "consumer", Inject: []string{"a", "b", "a"},
		Apply: func(ctx context.Context, c *fiber.Context) error {
			a, _ := c.Get("a")
			d.add("apply with %v", a)
			d.effect(t, ctx, c, "consumer")
			return nil
		},
	})
	state(t, consumer, fiber.Pending)
	if diff := cmp.Diff([]string{"a", "b"}, consumer.WaitingFor()); diff != "" {
		t.Fatal(diff)
	}

	mount(t, root, provider("a"))
	state(t, consumer, fiber.Pending)
	b := mount(t, root, provider("b"))
	if err := consumer.Await(deadline(t)); err != nil {
		t.Fatal(err)
	}
	state(t, consumer, fiber.Active)
	d.want(t, "apply with a value")

	// the provider has gone only when who used it has parked
	if err := b.Dispose(deadline(t)); err != nil {
		t.Fatal(err)
	}
	d.want(t, "undo consumer")
	state(t, consumer, fiber.Pending)
	state(t, b, fiber.Disposed)
	if diff := cmp.Diff([]string{"b"}, consumer.WaitingFor()); diff != "" {
		t.Fatal(diff)
	}

	mount(t, root, provider("b"))
	_ = consumer.Await(deadline(t))
	d.want(t, "apply with a value")
}

func TestOwnerIsNamed(t *testing.T) {
	root := tree(t, &diary{})
	owner := mount(t, root, provider("a"))
	_, err := root.Provide("a", 1)
	var taken *fiber.TakenError
	if !errors.As(err, &taken) || taken.Owner != owner || taken.Service != "a" {
		t.Fatalf("provide = %v, want a TakenError of %s", err, owner.Name())
	}
}

func TestUnloadOrder(t *testing.T) {
	var d diary
	root := tree(t, &d)
	f := mount(t, root, fiber.Plugin{Name: "p", Apply: func(ctx context.Context, c *fiber.Context) error {
		for _, name := range []string{"1", "2", "3"} {
			d.effect(t, ctx, c, name)
		}
		return nil
	}})
	if err := f.Dispose(deadline(t)); err != nil {
		t.Fatal(err)
	}
	d.want(t, "undo 3", "undo 2", "undo 1")
	_, err := f.Context().Effect(t.Context(), "late", func(context.Context) (fiber.Disposer, error) { return nil, nil })
	if !errors.Is(err, fiber.ErrInactive) {
		t.Fatalf("late effect = %v, want ErrInactive", err)
	}
}
