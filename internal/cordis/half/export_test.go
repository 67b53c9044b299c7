package half

import "slices"

// Waits says whether a call that blocks one half is at another.
func (c *Circle) Waits(from, at Half) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.ContainsFunc(c.waiting[from.(*attached)], func(w *waiter) bool {
		return slices.Contains(w.targets, at.(*attached))
	})
}
