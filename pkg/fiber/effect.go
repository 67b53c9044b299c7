package fiber

import (
	"context"
	"errors"
	"slices"
)

// Effect is something that a Fiber does and that can be undone: what one setup
// made, a listener, a service. The Fiber undoes it when it unloads; Dispose does
// so earlier. It is undone once.
type Effect struct {
	fiber *Fiber
	label string

	// All below is guarded by the tree's lock.

	child   *Fiber  // the Fiber that it stands for
	under   *Effect // the effect that it belongs to, nil: the Fiber
	parts   []part  // what is to be undone, oldest first
	opening bool    // the setup is in flight
	opened  chan struct{}
	openErr error
	closing bool // it is undone, or will be as soon as the setup has ended
	closed  chan struct{}
	shut    bool // closed is closed
	err     error
	jobs    []*job // goroutines to forget when it is given up
	cancel  context.CancelCauseFunc
}

// part is one thing to undo: a disposer, an effect that belongs to this one, or
// something of the kernel's own.
type part struct {
	dispose Disposer
	effect  *Effect
	own     *native
}

// native is what the kernel undoes itself, under the lock: begin returns who has
// to come to rest before end.
type native struct {
	begin func() []*Fiber
	end   func()
	child bool // they are children: end comes after them whoever waits for whom
}

// pending is what is left of a part that has begun to be undone.
type pending struct {
	later  *later
	own    *native
	moving []*Fiber
	group  *group
}

// Effect runs setup at once and keeps the disposer that it returns, which may be
// nil. It is Open for setups that make one disposer.
func (c *Context) Effect(ctx context.Context, label string, setup func(ctx context.Context) (Disposer, error)) (*Effect, error) {
	return c.Open(ctx, label, func(ctx context.Context, k *Collector) error {
		d, err := setup(ctx)
		if err == nil || asLater(err) != nil {
			k.Add(d)
		}
		return err
	})
}

// Open runs setup at once, on this goroutine; what it collects is undone in
// reverse, each ended before the next begins. When setup fails, what it had
// collected is undone and the error returned. When it returns Later it is still
// in flight, and may go on collecting, after Open has returned; an error of then
// is told to Ready, and logged.
//
// An effect that is disposed of while its setup is in flight is undone when the
// setup has ended. On a Fiber that unloads or is disposed of Open fails with
// ErrInactive and runs nothing.
func (c *Context) Open(ctx context.Context, label string, setup func(ctx context.Context, k *Collector) error) (*Effect, error) {
	e, err := c.fiber.register(label, nil)
	if err != nil {
		return nil, err
	}
	inside, fr := c.fiber.enter(ctx, e, nil)
	err = protect(func() error { return setup(inside, &Collector{effect: e}) })
	if l := asLater(err); l != nil {
		e.hire(func() { e.finish(l) })
		fr.leave()
		return e, nil
	}
	fr.leave()
	if err := e.settle(ctx, err); err != nil {
		return nil, err
	}
	return e, nil
}

// register makes an effect of f. With parts it is ready, without them its setup
// is in flight.
func (f *Fiber) register(label string, parts []part) (*Effect, error) {
	f.tree.lock()
	defer f.tree.unlock()
	return f.registered(label, parts)
}

// registered is register under the lock.
func (f *Fiber) registered(label string, parts []part) (*Effect, error) {
	if f.disposed || f.state == Unloading {
		return nil, ErrInactive
	}
	e := &Effect{
		fiber: f, label: label, parts: parts,
		opened: make(chan struct{}), closed: make(chan struct{}),
		cancel: func(error) {},
	}
	if parts == nil {
		e.opening = true
	} else {
		close(e.opened)
	}
	f.effects = append(f.effects, e)
	return e, nil
}

// Collector takes what a setup makes, as it makes it.
type Collector struct{ effect *Effect }

// Add keeps a disposer; nil is none.
func (k *Collector) Add(d Disposer) {
	if d == nil {
		return
	}
	k.keep(part{dispose: d})
}

// Adopt makes another effect of the same Fiber a part of this one: it is undone
// with it, in its place, and no longer by the Fiber.
func (k *Collector) Adopt(child *Effect) {
	t := k.effect.fiber.tree
	t.lock()
	if child.fiber != k.effect.fiber || child.under != nil || child.within(k.effect) {
		t.unlock()
		k.Add(child.Dispose)
		return
	}
	if !child.shut {
		child.under = k.effect
		child.fiber.effects = without(child.fiber.effects, child)
	}
	t.unlock()
	k.keep(part{effect: child})
}

// keep adds a part. One that comes too late, after the effect was undone or
// given up, is undone at once.
func (k *Collector) keep(p part) {
	e := k.effect
	e.fiber.tree.lock()
	late := e.shut || !e.opening
	if !late {
		e.parts = append(e.parts, p)
	}
	e.fiber.tree.unlock()
	if late {
		e.hire(func() {
			ctx, fr := e.fiber.enter(context.Background(), e, nil)
			defer fr.leave()
			left, err := e.drop(ctx, p)
			if left != nil {
				_, err = outcome(ctx, left.later)
			}
			e.fiber.tree.log(e.fiber, e.label, err)
		})
	}
}

// Stopped says that the effect is being disposed of, so that a setup with
// several steps need not go on.
func (k *Collector) Stopped() bool {
	t := k.effect.fiber.tree
	t.lock()
	defer t.unlock()
	return k.effect.closing
}

// Label is what the effect was called when it was made.
func (e *Effect) Label() string { return e.label }

// Ready waits until the setup has ended and returns its error.
func (e *Effect) Ready(ctx context.Context) error {
	t := e.fiber.tree
	t.lock()
	if e.opening && inside(ctx, e) {
		t.unlock()
		return ErrInside
	}
	t.unlock()
	yield(ctx)
	select {
	case <-e.opened:
		return e.openErr
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Dispose undoes the effect, on this goroutine as far as nothing is waited for,
// and returns when it is undone, with what its disposers failed with. A call
// while it is being undone joins, a later one does nothing. Called by its own
// setup or disposer it marks the effect and returns.
func (e *Effect) Dispose(ctx context.Context) error {
	rest, err := e.Begin(ctx)
	if rest == nil {
		return err
	}
	return rest(ctx)
}

// Begin is Dispose that does not wait: it does what can be done at once. If that
// was all, rest is nil; else rest waits for the outcome.
func (e *Effect) Begin(ctx context.Context) (rest func(ctx context.Context) error, err error) {
	switch started, ended := e.claim(); {
	case ended:
		return nil, nil
	case !started:
		return e.join, nil
	}
	inside, fr := e.fiber.enter(ctx, e, nil)
	defer fr.leave()
	if done, err := e.undo(inside); done {
		return nil, err
	}
	return e.join, nil
}

// claim decides who undoes the effect: started is true for the one caller that
// has to, ended when there is nothing left to do or to wait for.
func (e *Effect) claim() (started, ended bool) {
	e.fiber.tree.lock()
	defer e.fiber.tree.unlock()
	if e.closing || e.shut {
		return false, e.shut
	}
	e.closing = true
	return !e.opening, false
}

// join waits until the effect is undone.
func (e *Effect) join(ctx context.Context) error {
	t := e.fiber.tree
	t.lock()
	if !e.shut {
		if err := t.join(ctx, e); err != nil {
			return outside(err)
		}
		t.lock()
	}
	defer t.unlock()
	return e.err
}

// inside says whether ctx is in the setup or a disposer of e, or of what belongs
// to e. It is called under the lock.
func inside(ctx context.Context, e *Effect) bool {
	return slices.ContainsFunc(frames(ctx), func(fr *frame) bool {
		return fr.effect != nil && fr.effect.within(e)
	})
}

// within says whether e is the other one or belongs to it.
func (e *Effect) within(other *Effect) bool {
	for ; e != nil; e = e.under {
		if e == other {
			return true
		}
	}
	return false
}

// settle records how the setup ended, and undoes what it made if it failed or
// is not wanted any more.
func (e *Effect) settle(ctx context.Context, err error) error {
	t := e.fiber.tree
	t.lock()
	e.open(err)
	undo := (err != nil || e.closing) && !e.shut
	e.closing = e.closing || undo
	t.unlock()
	if !undo {
		return err
	}
	inside, fr := e.fiber.enter(ctx, e, nil)
	defer fr.leave()
	if done, failed := e.undo(inside); err != nil {
		e.mourn(done, failed)
	}
	return err
}

// open records that the setup has ended, or is not waited for any more. The lock
// is held.
func (e *Effect) open(err error) {
	if e.opening {
		e.opening, e.openErr = false, err
		close(e.opened)
	}
}

// mourn logs what the undoing of a failed setup failed with: nobody has a handle
// of it.
func (e *Effect) mourn(done bool, err error) {
	if done {
		e.fiber.tree.log(e.fiber, e.label, err)
		return
	}
	e.hire(func() {
		<-e.closed
		e.fiber.tree.log(e.fiber, e.label, e.err)
	})
}

// finish waits for a setup that goes on, and settles it.
func (e *Effect) finish(l *later) {
	ctx, fr := e.fiber.enter(context.Background(), e, nil)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	e.onGiveUp(cancel)
	value, err := outcome(ctx, l)
	switch d := value.(type) {
	case Disposer:
		(&Collector{e}).Add(d)
	case func(context.Context) error:
		(&Collector{e}).Add(d)
	}
	fr.leave()
	_ = e.settle(context.Background(), err)
	e.fiber.tree.log(e.fiber, e.label, err)
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
	f.effects = without(f.effects, e)
	if f.draining && len(f.effects) == 0 {
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

// hire runs f on a goroutine that is forgotten when the effect is given up.
func (e *Effect) hire(f func()) {
	t := e.fiber.tree
	t.lock()
	j := t.employed()
	e.jobs = append(e.jobs, j)
	t.unlock()
	go func() {
		defer j.done()
		f()
	}()
}

// without removes one effect and keeps the order.
func without(list []*Effect, e *Effect) []*Effect {
	if i := slices.Index(list, e); i >= 0 {
		return slices.Delete(list, i, i+1)
	}
	return list
}

// EffectInfo shows one live effect and those that belong to it.
type EffectInfo struct {
	Label    string
	Children []EffectInfo
}

// Effects shows the live effects of the Fiber, oldest first.
func (f *Fiber) Effects() []EffectInfo {
	f.tree.lock()
	defer f.tree.unlock()
	var list []EffectInfo
	for _, e := range f.effects {
		list = append(list, e.info())
	}
	return list
}

// info is called under the lock.
func (e *Effect) info() EffectInfo {
	info := EffectInfo{Label: e.label}
	for _, p := range e.parts {
		if p.effect != nil && !p.effect.shut {
			info.Children = append(info.Children, p.effect.info())
		}
	}
	return info
}
