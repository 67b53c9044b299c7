package fiber

import (
	"context"
	"maps"
	"slices"
)

// wait waits for ch, which is going to be closed when the target has come to
// rest. It begins nothing that cannot end: ErrInside says that the target waits,
// or would, for the code that ctx is in. It is called under the lock, and
// returns without it.
func (t *tree) wait(ctx context.Context, target *Fiber, ch <-chan struct{}) error {
	if inside := fibers(frames(ctx)); len(inside) > 0 && t.leads(inside, target) {
		t.unlock()
		return ErrInside
	}
	return t.sleep(ctx, target, ch)
}

// join is wait for the end of an effect.
func (t *tree) join(ctx context.Context, e *Effect) error {
	if inside(ctx, e) || t.blocks(ctx, e) {
		t.unlock()
		return ErrInside
	}
	return t.sleep(ctx, e.fiber, e.closed)
}

// sleep waits for ch and notes meanwhile who waits for whom. Who waits passes
// its turn. It is called under the lock, and returns without it.
func (t *tree) sleep(ctx context.Context, target *Fiber, ch <-chan struct{}) error {
	stack := frames(ctx)
	note := func(n int) {
		for _, fr := range stack {
			if fr.fiber != target {
				t.waiting(fr.fiber, target, n)
			}
		}
	}
	note(1)
	t.unlock()
	yield(ctx)
	var err error
	select {
	case <-ch:
	case <-ctx.Done():
		err = context.Cause(ctx)
	}
	t.lock()
	note(-1)
	t.unlock()
	return err
}

// waiting notes that code of one Fiber waits for another, n times more.
func (t *tree) waiting(from, to *Fiber, n int) {
	m := t.waits[from]
	if m == nil {
		m = map[*Fiber]int{}
		t.waits[from] = m
	}
	if m[to] += n; m[to] == 0 {
		delete(m, to)
	}
	if len(m) == 0 {
		delete(t.waits, from)
	}
}

// reaches says whether from waits for to: a Fiber waits for its children, and
// for whom its code waits.
func (t *tree) reaches(from, to *Fiber) bool {
	return t.leads(map[*Fiber]bool{to: true}, from)
}

// leads says whether one of several Fibers waits for one of the targets, or is
// one. It looks at each once.
func (t *tree) leads(targets map[*Fiber]bool, from ...*Fiber) bool {
	seen := map[*Fiber]bool{}
	var walk func(f *Fiber) bool
	walk = func(f *Fiber) bool {
		if targets[f] {
			return true
		}
		if seen[f] {
			return false
		}
		seen[f] = true
		for child := range f.children {
			if walk(child) {
				return true
			}
		}
		for other := range t.waits[f] {
			if walk(other) {
				return true
			}
		}
		return false
	}
	return slices.ContainsFunc(from, walk)
}

// blocks says whether the undoing of e waits for the code that ctx is in. It is
// called under the lock.
func (t *tree) blocks(ctx context.Context, e *Effect) bool {
	targets := fibers(frames(ctx))
	delete(targets, e.fiber)
	return len(targets) > 0 && t.leads(targets, slices.Collect(maps.Keys(t.waits[e.fiber]))...)
}

// fibers are those whose code the frames are of.
func fibers(stack []*frame) map[*Fiber]bool {
	set := map[*Fiber]bool{}
	for _, fr := range stack {
		set[fr.fiber] = true
	}
	return set
}
