package fiber

import (
	"context"
	"slices"
)

// Effect is something that a Fiber does and that can be undone: what one setup
// made, a listener, a service. The Fiber undoes it when it unloads; Dispose does
// so earlier. It is undone once.
type Effect struct {
	fiber *Fiber
	label string

	// All below is guarded by the tree's lock.

	seat    *seat[*Effect] // among those of the Fiber
	child   *Fiber         // the Fiber that it stands for
	under   *Effect        // the effect that it belongs to, nil: the Fiber
	parts   []part         // what is to be undone, oldest first
	opening bool           // the setup is in flight
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
	e.seat = f.effects.push(e)
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
		child.seat.leave()
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
	for _, e := range f.effects.list() {
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
