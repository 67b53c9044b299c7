package half_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/dshkit/dshkit/internal/cordis/half"
	"github.com/dshkit/dshkit/internal/cordis/wire"
)

// TestNoCallHangs: whatever halves call each other at the same time, by whatever
// ways, each call ends, with an answer or as a deadlock.
func TestNoCallHangs(t *testing.T) {
	const halves = 4
	rapid.Check(t, func(rt *rapid.T) {
		way := rapid.SliceOfN(rapid.IntRange(0, halves-1), 1, 6)
		ways := rapid.SliceOfN(way, 2, 8).Draw(rt, "ways")
		hub, circle := newHub(), half.NewCircle()
		var boxes []*box
		for i := range halves {
			run := fmt.Sprint(i)
			h, b := newBox(t, half.Settings{Circle: circle}, run, hub, serving{"walk": walk})
			defer h.Close()
			hub.add(run, h)
			boxes = append(boxes, b)
		}
		done := make(chan error, len(ways))
		for _, way := range ways {
			go func() { done <- boxes[way[0]].travel(way[1:]) }()
		}
		for range ways {
			err := within(t, fmt.Sprintf("one of %v", ways), done)
			if fault, ok := errors.AsType[*wire.Fault](err); err != nil && (!ok || fault.Code != wire.CodeDeadlock) {
				rt.Fatalf("%v: %v", ways, err)
			}
		}
	})
}

// walk goes on to the next half of the way.
func walk(c *calling, args any) (any, error) {
	way := args.([]any)
	if len(way) == 0 {
		return "there", nil
	}
	return c.call(way[0].(string), "walk", way[1:]...)
}

// travel begins a way from a half, as its timer would.
func (b *box) travel(way []int) error {
	args := []any{}
	for _, i := range way {
		args = append(args, fmt.Sprint(i))
	}
	chain := b.begun.Add(2)
	b.enter(chain)
	defer b.leave()
	_, err := walk(&calling{b, context.Background(), chain}, args)
	return err
}
