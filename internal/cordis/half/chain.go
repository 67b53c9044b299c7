package half

import (
	"container/list"
	"context"
)

// maxDepth is how many calls of one chain may wait within each other.
const maxDepth = 64

// chain is a line of calls that wait for each other, whichever halves it leads
// through. A half knows it by a number: the half where it began by the one that
// the half gave it, all others by one of the Circle's.
type chain struct {
	number uint64
	origin *attached // nil: the host
	at     uint64    // its number at the origin
}

// in is the number by which h knows the chain.
func (c *chain) in(h *attached) uint64 {
	if c.origin == h {
		return c.at
	}
	return c.number
}

// place is where a ctx stands in its chain.
type place struct {
	chain  *chain
	depth  int     // calls above this one
	waiter *waiter // the loop that waits until what the ctx is for has ended; nil: none
}

type placeKey struct{}

func (p place) in(ctx context.Context) context.Context {
	return context.WithValue(ctx, placeKey{}, p)
}

// placeOf is where ctx stands; one that stands nowhere begins a chain.
func (c *Circle) placeOf(ctx context.Context) place {
	if p, ok := ctx.Value(placeKey{}).(place); ok {
		return p
	}
	return place{chain: &chain{number: c.number()}}
}

// flight is a call into a half that has no answer yet.
type flight struct {
	number uint64 // of the chain, in the half
	phase  string
	ctx    context.Context // for what the half asks on behalf of the call
	cancel context.CancelCauseFunc

	place, inChain *list.Element
}

// depart notes a call. What the half asks for on its behalf ends when the caller
// gives up, not when the call returns: it may have started something.
func (h *attached) depart(ctx context.Context, p place, phase string) *flight {
	f := &flight{number: p.chain.in(h), phase: phase}
	f.ctx, f.cancel = context.WithCancelCause(context.WithoutCancel(p.in(ctx)))
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.byChain[f.number] == nil {
		h.byChain[f.number] = list.New()
	}
	f.place, f.inChain = h.flights.PushBack(f), h.byChain[f.number].PushBack(f)
	return f
}

// arrive ends it.
func (h *attached) arrive(f *flight) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.flights.Remove(f.place)
	if all := h.byChain[f.number]; all != nil {
		all.Remove(f.inChain)
		if all.Len() == 0 {
			delete(h.byChain, f.number)
		}
	}
}

// phase is what the half did last.
func (h *attached) phase() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	if last := h.flights.Back(); last != nil {
		return last.Value.(*flight).phase
	}
	return "the background (a timer, a promise)"
}

// asking is the ctx for what the half asks for under a number: that of the
// innermost call of the chain. Without one the half began by itself, or what it
// had begun outlived the call.
func (h *attached) asking(number uint64) context.Context {
	h.mu.Lock()
	defer h.mu.Unlock()
	if all := h.byChain[number]; all != nil {
		return all.Back().Value.(*flight).ctx
	}
	c := &chain{number: h.circle.number(), origin: h, at: number}
	return place{chain: c}.in(context.Background())
}
