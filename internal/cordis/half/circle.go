package half

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/dshkit/dshkit/internal/cordis/wire"
)

// Circle is all the halves of one host: those that may wait for each other. It
// knows whose loop waits for whom, and refuses the call that would close a ring
// of them. It is safe for concurrent use.
type Circle struct {
	last atomic.Uint64 // chain that was numbered

	mu      sync.Mutex
	waiting map[*attached][]*waiter // what blocks a loop; the last has to return first
	signals map[wire.Handle][]*follower
}

// NewCircle makes an empty one.
func NewCircle() *Circle {
	return &Circle{waiting: map[*attached][]*waiter{}, signals: map[wire.Handle][]*follower{}}
}

// number gives a chain an odd number, as the host's are.
func (c *Circle) number() uint64 { return c.last.Add(1)*2 - 1 }

// waiter is a call that blocks the loop of a half until it returns.
type waiter struct {
	half    *attached
	chain   *chain
	parent  *waiter     // on whose behalf the loop ran
	targets []*attached // where what it waits for is at present
}

// block notes that a loop waits.
func (c *Circle) block(h *attached, p place) *waiter {
	w := &waiter{half: h, chain: p.chain, parent: p.waiter}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.waiting[h] = append(c.waiting[h], w)
	return w
}

// release notes that it goes on.
func (c *Circle) release(w *waiter) {
	c.mu.Lock()
	defer c.mu.Unlock()
	left := slices.DeleteFunc(c.waiting[w.half], func(o *waiter) bool { return o == w })
	if len(left) == 0 {
		delete(c.waiting, w.half)
		return
	}
	c.waiting[w.half] = left
}

// enter notes that what w waits for goes into a half, unless that would never
// return.
func (c *Circle) enter(w *waiter, to *attached) error {
	if w == nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if top := c.top(to); top != nil && !admits(top, w) && c.leads(top, w, map[*waiter]bool{}) {
		return ErrDeadlock
	}
	w.targets = append(w.targets, to)
	return nil
}

// leave undoes enter.
func (c *Circle) leave(w *waiter, to *attached) {
	if w == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if i := slices.Index(w.targets, to); i >= 0 {
		w.targets = slices.Delete(w.targets, i, i+1)
	}
}

// top is what the loop of a half waits for, or nil.
func (c *Circle) top(h *attached) *waiter {
	all := c.waiting[h]
	if len(all) == 0 {
		return nil
	}
	return all[len(all)-1]
}

// admits says whether a loop that waits in top lets in what comes from w: it does
// when both are of one chain.
func admits(top, w *waiter) bool {
	return top.chain.in(top.half) == w.chain.in(top.half)
}

// leads says whether from can return only after to has.
func (c *Circle) leads(from, to *waiter, seen map[*waiter]bool) bool {
	if from == to {
		return true
	}
	if seen[from] {
		return false
	}
	seen[from] = true
	for _, target := range from.targets {
		// What blocks the target holds up from when it is of another chain, or when
		// it is from's own call that is being served there.
		top := c.top(target)
		if top != nil && (!admits(top, from) || top.below(from)) && c.leads(top, to, seen) {
			return true
		}
	}
	return false
}

// below says whether the loop ran on behalf of above when it began to wait.
func (w *waiter) below(above *waiter) bool {
	for ; w != nil; w = w.parent {
		if w == above {
			return true
		}
	}
	return false
}
