package fiber

import (
	"context"
	"errors"
)

// pending is what is left of a part that has begun to be undone.
type pending struct {
	later  *later
	own    *native
	moving []*Fiber
	group  *group
}

// outcome waits for what is left, and for what that leaves.
func outcome(ctx context.Context, l *later) (value any, err error) {
	for l != nil {
		err = protect(func() (err error) {
			value, err = l.wait(ctx)
			return err
		})
		l = asLater(err)
	}
	return value, err
}

// undo disposes of the parts, newest first, each ended before the next begins.
// It goes as far as it can without waiting; what is left goes on by itself, and
// done is false.
func (e *Effect) undo(ctx context.Context) (done bool, err error) {
	var errs []error
	left := e.proceed(ctx, &errs)
	if left == nil {
		return true, e.end(errors.Join(errs...))
	}
	e.hire(func() { e.rest(left, errs) })
	return false, nil
}

// proceed drops parts until one is pending, or none is left.
func (e *Effect) proceed(ctx context.Context, errs *[]error) *pending {
	for p, ok := e.last(); ok; p, ok = e.last() {
		left, err := e.drop(ctx, p)
		if left != nil {
			return left
		}
		*errs = append(*errs, err)
	}
	return nil
}

// rest is what undo left: it waits for what is pending and proceeds.
func (e *Effect) rest(left *pending, errs []error) {
	base, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	e.onGiveUp(cancel)
	for left != nil {
		turn, err := e.arrive(base, left)
		errs = append(errs, err)
		ctx, fr := e.fiber.enter(base, e, turn)
		if left = e.proceed(ctx, &errs); left == nil {
			_ = e.end(errors.Join(errs...))
		}
		fr.leave()
	}
}

// follow returns what is left when those have begun to move. Who waits for this
// effect's Fiber is not waited for, unless it is a child. The lock is held.
func (e *Effect) follow(own *native, moving []*Fiber) *pending {
	t := e.fiber.tree
	left := &pending{own: own, group: &group{turn: make(chan *turn, 1)}}
	for _, f := range moving {
		if f.flight != nil && (own.child || !t.reaches(f, e.fiber)) {
			left.moving = append(left.moving, f)
			t.waiting(e.fiber, f, 1)
			f.flight.follow(left.group)
		}
	}
	if len(left.moving) == 0 {
		return nil
	}
	return left
}

// arrive waits for what is pending. It returns the turn in which the last of the
// Fibers came to rest: who follows a transition goes on in line, so that the
// order is certain. After a disposer there is none.
func (e *Effect) arrive(base context.Context, left *pending) (*turn, error) {
	if left.later != nil {
		ctx, fr := e.fiber.enter(base, e, nil)
		defer fr.leave()
		_, err := outcome(ctx, left.later)
		return nil, err
	}
	turn := <-left.group.turn
	turn.wait()
	t := e.fiber.tree
	t.lock()
	defer t.unlock()
	for _, f := range left.moving {
		t.waiting(e.fiber, f, -1)
	}
	left.own.end()
	return turn, nil
}

// last takes out the newest part.
func (e *Effect) last() (p part, ok bool) {
	e.fiber.tree.lock()
	defer e.fiber.tree.unlock()
	n := len(e.parts)
	if n == 0 {
		return part{}, false
	}
	p, e.parts = e.parts[n-1], e.parts[:n-1]
	return p, true
}

// drop begins to undo one part.
func (e *Effect) drop(ctx context.Context, p part) (left *pending, err error) {
	switch {
	case p.own != nil:
		e.fiber.tree.lock()
		defer e.fiber.tree.unlock()
		if left := e.follow(p.own, p.own.begin()); left != nil {
			return left, nil
		}
		p.own.end()
		return nil, nil
	case p.effect != nil:
		rest, err := p.effect.Begin(ctx)
		if rest == nil {
			return nil, err
		}
		return &pending{later: &later{func(ctx context.Context) (any, error) { return nil, rest(ctx) }}}, nil
	}
	err = protect(func() error { return p.dispose(ctx) })
	if l := asLater(err); l != nil {
		return &pending{later: l}, nil
	}
	return nil, err
}

// end records that the effect is undone.
func (e *Effect) end(err error) error {
	e.fiber.tree.lock()
	defer e.fiber.tree.unlock()
	e.close(err)
	return err
}

// close is end under the lock; the first outcome counts.
func (e *Effect) close(err error) {
	if e.shut {
		return
	}
	e.shut, e.err, e.parts = true, err, nil
	close(e.closed)
	f := e.fiber
	e.seat.leave()
	if f.draining && f.effects.len == 0 {
		f.draining, f.exit = false, f.tree.turns.join()
	}
}

// giveUp ends the wait for an effect that takes too long. It returns what is
// still to be undone of it, or that it has ended after all.
func (e *Effect) giveUp(err error) (parts []part, late bool) {
	t := e.fiber.tree
	t.lock()
	if e.shut {
		t.unlock()
		return nil, true
	}
	jobs, cancel := e.jobs, e.cancel
	parts = e.parts
	e.jobs = nil
	e.closing = true
	e.fiber.draining = false // what is left of it comes first
	e.open(err)
	e.close(err)
	t.unlock()
	cancel(err)
	for _, j := range jobs {
		j.done()
	}
	return parts, false
}

// outcome says whether the effect is undone, and what its disposers failed with.
func (e *Effect) outcome() (ended bool, err error) {
	e.fiber.tree.lock()
	defer e.fiber.tree.unlock()
	return e.shut, e.err
}

// onGiveUp says what is to end when the effect is given up.
func (e *Effect) onGiveUp(cancel context.CancelCauseFunc) {
	e.fiber.tree.lock()
	defer e.fiber.tree.unlock()
	if e.cancel = cancel; e.shut {
		cancel(e.err)
	}
}
