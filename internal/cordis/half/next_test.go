package half_test

import (
	"context"
	"testing"

	"github.com/dshkit/dshkit/internal/cordis/half"
	"github.com/dshkit/dshkit/internal/cordis/wire"
)

// next asks for the rest of a waterfall.
func (b *box) next(id uint64) (any, error) {
	var v wire.Value
	err := b.peer.Call(context.Background(), b.begun.Add(2), wire.VerbNext, wire.ID{ID: id}, &v)
	return v.Value, err
}

// An asynchronous listener whose loop is blocked by the one who fires it gives a
// promise, and may call its next when the loop is free again. Any other one has
// had its turn.
func TestNextAfterAPromise(t *testing.T) {
	promise := wire.Promise{Handle: wire.Handle{Home: "run", ID: 7}}
	var id uint64
	for _, c := range []struct {
		gives any
		next  bool
	}{{promise, true}, {"a value", false}} {
		h, b := newBox(t, half.Settings{}, "run", newHub(), map[string]func(*calling, any) (any, error){
			"fire": func(_ *calling, next any) (any, error) { id = next.(uint64); return c.gives, nil },
		})
		got, err := h.Fire(t.Context(), 1, nil, func(context.Context) (any, error) { return "the rest", nil })
		if err != nil || got != c.gives {
			t.Errorf("fire: %v, %v", got, err)
		}
		if got, err := b.next(id); (err == nil) != c.next || c.next && got != "the rest" {
			t.Errorf("next after %v: %v, %v", c.gives, got, err)
		}
	}
	h, b := newBox(t, half.Settings{}, "run", newHub(), map[string]func(*calling, any) (any, error){
		"fire": func(_ *calling, next any) (any, error) { id = next.(uint64); return promise, nil },
	})
	const many = 1000
	var first uint64
	for i := range many {
		if _, err := h.Fire(t.Context(), 1, nil, func(context.Context) (any, error) { return nil, nil }); err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			first = id
		}
	}
	_, gone := b.next(first)
	_, err := b.next(id)
	if gone == nil || err != nil {
		t.Errorf("of many the first: %v, the last: %v", gone, err)
	}
}
