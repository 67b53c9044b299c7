package fiber

import "context"

// wait waits for ch, which is going to be closed when the target has come to
// rest. It begins nothing that cannot end: ErrInside says that the target waits,
// or would, for the code that ctx is in. It is called under the lock, and
// returns without it.
func (t *tree) wait(ctx context.Context, target *Fiber, ch <-chan struct{}) error {
	for _, fr := range frames(ctx) {
		if t.reaches(target, fr.fiber) {
			t.unlock()
			return ErrInside
		}
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
	seen := map[*Fiber]bool{}
	var walk func(f *Fiber) bool
	walk = func(f *Fiber) bool {
		if f == to {
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
	return walk(from)
}

// blocks says whether the undoing of e waits for the code that ctx is in. It is
// called under the lock.
func (t *tree) blocks(ctx context.Context, e *Effect) bool {
	for _, fr := range frames(ctx) {
		for other := range t.waits[e.fiber] {
			if fr.fiber != e.fiber && t.reaches(other, fr.fiber) {
				return true
			}
		}
	}
	return false
}
