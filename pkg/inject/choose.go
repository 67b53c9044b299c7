// Package inject chooses text for a prompt under a budget of characters: which
// entries of a list by weight (Choose), which parts of a whole by priority
// (Fit). It never exceeds the budget, never cuts inside an entry, and reports
// what it left out. It knows neither entries nor libraries; lengths are UTF-16
// code units (pkg/text). Everything is a pure function of its arguments.
package inject

import "slices"

// Item is one text to choose from. Its place in the list is its age: of two
// with equal scores the later one wins.
type Item struct {
	Cost  int     // units that it takes up, separator included
	Score float64 // higher is better
	Weak  bool    // may take at most half of the room while others wait
}

// Choose picks items by weight (spec/selfip.md 10.2): highest score first, at
// most limit of them, quota units in all (0: no bound). An item that does not
// fit is passed over, a shorter one after it may still come in; the first is
// taken whatever it costs. It returns the indices of the chosen in list order
// and how many were left out.
//
// skip is a last look: it is called for each item that is about to be taken, and
// one it answers true for takes no room and counts neither as chosen nor as left
// out. It may be nil.
func Choose(items []Item, limit, quota int, skip func(i int) bool) (chosen []int, left int) {
	c := chooser{items: items, limit: limit, quota: quota, skip: skip, left: len(items)}
	all := make([]int32, len(items))
	for i := range all {
		all[i] = int32(i)
	}
	late := c.walk(all, true)
	c.walk(late, false)
	slices.Sort(c.chosen)
	return c.chosen, c.left
}

type chooser struct {
	items        []Item
	limit, quota int
	skip         func(i int) bool

	chosen     []int
	spent      int // units, all and those of weak items
	weakSpent  int
	weakChosen int
	left       int
}

// walk takes from a pool what fits, best first. With restrained, weak items
// beyond their share are set aside and returned.
func (c *chooser) walk(pool []int32, restrained bool) (late []int32) {
	h := heap{c.items, pool}
	h.init()
	for len(h.pool) > 0 && len(c.chosen) < c.limit {
		i := h.pop()
		switch it := c.items[i]; {
		case !c.fits(it.Cost):
			h.keep(c.fits)
		case restrained && it.Weak && c.crowds(it.Cost):
			late = append(late, i)
		case c.skip != nil && c.skip(int(i)):
			c.left--
		default:
			c.take(int(i))
		}
	}
	return late
}

// fits reports whether an item of this cost finds room. The first always does.
func (c *chooser) fits(cost int) bool {
	return c.quota <= 0 || len(c.chosen) == 0 || c.spent+cost <= c.quota
}

// crowds reports whether a weak item of this cost would go beyond the share of
// the weak.
func (c *chooser) crowds(cost int) bool {
	if len(c.chosen) == 0 {
		return false
	}
	return c.weakChosen >= (c.limit+1)/2 || c.quota > 0 && c.weakSpent+cost > c.quota/2
}

func (c *chooser) take(i int) {
	it := c.items[i]
	c.chosen = append(c.chosen, i)
	c.spent += it.Cost
	c.left--
	if it.Weak {
		c.weakSpent += it.Cost
		c.weakChosen++
	}
}

// heap is a binary heap of indices, the best item on top. A choice takes a few
// items of many, so the list is never sorted as a whole.
type heap struct {
	items []Item
	pool  []int32
}

func (h *heap) init() {
	for i := len(h.pool)/2 - 1; i >= 0; i-- {
		h.down(i)
	}
}

func (h *heap) pop() int32 {
	top, last := h.pool[0], len(h.pool)-1
	h.pool[0] = h.pool[last]
	h.pool = h.pool[:last]
	h.down(0)
	return top
}

// keep drops the items that fits refuses. Once something was refused, all that
// cost as much would be, so one pass spares a visit to each.
func (h *heap) keep(fits func(cost int) bool) {
	kept := h.pool[:0]
	for _, i := range h.pool {
		if fits(h.items[i].Cost) {
			kept = append(kept, i)
		}
	}
	h.pool = kept
	h.init()
}

func (h *heap) down(at int) {
	for {
		child := 2*at + 1
		if child >= len(h.pool) {
			return
		}
		if right := child + 1; right < len(h.pool) && h.better(h.pool[right], h.pool[child]) {
			child = right
		}
		if !h.better(h.pool[child], h.pool[at]) {
			return
		}
		h.pool[at], h.pool[child] = h.pool[child], h.pool[at]
		at = child
	}
}

func (h *heap) better(a, b int32) bool {
	if sa, sb := h.items[a].Score, h.items[b].Score; sa != sb {
		return sa > sb
	}
	return a > b
}
