package sandbox

import (
	"context"
	"errors"

	"github.com/dshkit/dshkit/internal/cordis/wire"
	"github.com/dshkit/dshkit/pkg/fiber"
	"github.com/dshkit/dshkit/pkg/jsrun"
)

// collection is where the disposers of one setup go, as they come.
type collection struct {
	add     func(fn jsrun.Value) error
	stopped func() bool
	ended   func(error) // called once, perhaps before collect returns
}

// collect takes what a setup returned, in every form of 8.4.
func (l *life) collect(v jsrun.Value, c collection) {
	b := l.box
	form, err := b.js.call("effectForm", v)
	if err != nil {
		c.ended(err)
		return
	}
	switch b.vm.Text(form) {
	case "disposer":
		c.ended(c.add(v))
	case "nothing":
		c.ended(nil)
	case "promise":
		b.js.follow(v, func(v jsrun.Value) { c.ended(l.one(v, c)) }, c.ended)
	case "iterable":
		c.ended(l.drain(v, c))
	case "async iterable":
		l.drainAsync(v, c)
	default:
		c.ended(b.failure("TypeError", invalidEffectText))
	}
}

// one takes a single disposer, or nothing.
func (l *life) one(v jsrun.Value, c collection) error {
	switch {
	case l.box.vm.IsFunc(v):
		return c.add(v)
	case isNull(v):
		return nil
	}
	return l.box.failure("TypeError", invalidEffectText)
}

// drain takes what an iterable yields, and what it returns.
func (l *life) drain(v jsrun.Value, c collection) error {
	it, err := l.box.js.call("iterate", v)
	for err == nil {
		var v, done jsrun.Value
		if v, done, err = l.step(it); err != nil {
			break
		}
		if err = l.one(v, c); err != nil || done.ToBoolean() {
			break
		}
	}
	return err
}

// step asks an iterator for the next result.
func (l *life) step(it jsrun.Value) (value, done jsrun.Value, err error) {
	next, err := l.box.vm.Get(it, "next")
	if err != nil {
		return nil, nil, err
	}
	result, err := l.box.vm.Apply(next, it)
	if err != nil {
		return nil, nil, err
	}
	return l.result(result)
}

func (l *life) result(v jsrun.Value) (value, done jsrun.Value, err error) {
	if value, err = l.box.vm.Get(v, "value"); err == nil {
		done, err = l.box.vm.Get(v, "done")
	}
	return value, done, err
}

// drainAsync is drain over promises. It stops after the step under way when the
// effect is being undone.
func (l *life) drainAsync(v jsrun.Value, c collection) {
	b := l.box
	it, err := b.js.call("iterateAsync", v)
	if err != nil {
		c.ended(err)
		return
	}
	var step func()
	take := func(v jsrun.Value) {
		value, done, err := l.result(v)
		if err == nil {
			err = l.one(value, c)
		}
		if err != nil || done.ToBoolean() {
			c.ended(err)
			return
		}
		step()
	}
	step = func() {
		if c.stopped() {
			c.ended(nil)
			return
		}
		next, err := b.vm.Get(it, "next")
		if err == nil {
			next, err = b.vm.Apply(next, it)
		}
		if err != nil {
			c.ended(err)
			return
		}
		b.js.follow(next, take, c.ended)
	}
	b.js.follow(b.js.undefined(), func(jsrun.Value) { step() }, c.ended)
}

// effect is ctx.effect: it runs the setup at once and gives a disposer.
func (l *life) effect(label string, setup jsrun.Value) (jsrun.Value, error) {
	e, err := l.root.Open(l.box.onOwner(), label, func(_ context.Context, k *fiber.Collector) error {
		v, err := l.box.vm.Apply(setup, nil)
		if err != nil {
			return err
		}
		return l.open(v, k)
	})
	if err != nil {
		return nil, l.box.exception(err)
	}
	return l.handle(e), nil
}

// open collects for an effect; what does not end at once goes on.
func (l *life) open(v jsrun.Value, k *fiber.Collector) error {
	out := make(chan error, 1)
	l.collect(v, collection{add: l.adder(k), stopped: k.Stopped, ended: func(err error) { out <- err }})
	select {
	case err := <-out:
		return err
	default:
	}
	return fiber.Later(func(ctx context.Context) (any, error) {
		select {
		case err := <-out:
			if err != nil {
				err = &setupError{err}
			}
			return nil, err
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-l.box.run.Done():
			return nil, jsrun.ErrClosed
		}
	})
}

// adder takes disposers for an effect; one that is an effect itself becomes a
// part of it.
func (l *life) adder(k *fiber.Collector) func(jsrun.Value) error {
	return func(fn jsrun.Value) error {
		if child := l.handles.find(fn); child != nil {
			k.Adopt(child)
			return nil
		}
		k.Add(l.disposer(fn))
		return nil
	}
}

// handle is the disposer that plugin code is given for an effect. Awaited, it
// waits for the setup.
func (l *life) handle(e *fiber.Effect) jsrun.Value {
	dispose := l.disposeOf(e)
	l.box.js.sure("hide", dispose, l.box.vm.FromJSON("then"), l.box.function("then", func(args []jsrun.Value) (jsrun.Value, error) {
		ready := l.box.js.promise()
		l.box.await(chainOf(l.box.vm), e.Ready, func(err error) {
			if err != nil {
				ready.reject(l.box.raise(err))
				return
			}
			ready.resolve(l.disposeOf(e))
		})
		then, err := l.box.vm.Get(ready.value, "then")
		if err != nil {
			return nil, err
		}
		return l.box.vm.Apply(then, ready.value, args...)
	}))
	return dispose
}

// disposeOf undoes an effect: a second call does nothing (24#2).
func (l *life) disposeOf(e *fiber.Effect) jsrun.Value {
	called := false
	fn := l.box.function("dispose", func([]jsrun.Value) (jsrun.Value, error) {
		if called {
			return nil, nil
		}
		called = true
		rest, err := e.Begin(l.box.onOwner())
		if rest == nil {
			return nil, l.joined(err)
		}
		p := l.box.js.promise()
		l.box.await(chainOf(l.box.vm), rest, func(err error) {
			if err != nil {
				p.reject(l.box.raise(l.joined(err)))
				return
			}
			p.resolve(l.box.js.undefined())
		})
		return p.value, nil
	})
	l.handles.add(fn, e)
	return fn
}

// await waits on a goroutine of its own and goes on with the owner.
func (b *box) await(chain uint64, wait func(context.Context) error, then func(error)) {
	b.task(func() {
		err := wait(b.ctx)
		b.desk.put(chain, "an effect", func(*jsrun.VM) { then(err) })
	})
}

// joined is what disposers failed with as one exception: all that ran are told.
func (l *life) joined(err error) error {
	if err == nil {
		return nil
	}
	list := parts(err)
	if len(list) == 1 {
		return l.box.exception(list[0])
	}
	values := make([]jsrun.Value, len(list))
	for i, one := range list {
		values[i] = l.box.raise(one)
	}
	return l.box.vm.Throw(l.box.vm.NewAggregate(values, "several disposers failed"))
}

// registration is an effect that stands for something in the host: made by one
// request and undone by another.
type registration struct {
	label      string
	make, undo wire.Verb
	id         uint64
	body       any
	forget     func()
	service    string      // of a service: undone, it may wait for others
	gone       func() bool // the host has undone it itself
}

// register makes it, or throws what the host says.
func (l *life) register(r registration) (*fiber.Effect, error) {
	e, err := l.root.Effect(l.box.onOwner(), r.label, func(context.Context) (fiber.Disposer, error) {
		if err := l.box.request(r.make, r.body, &wire.Empty{}); err != nil {
			return nil, err
		}
		return func(ctx context.Context) error { return l.withdraw(ctx, r) }, nil
	})
	if err != nil {
		r.forget()
		return nil, l.box.exception(err)
	}
	return e, nil
}

// withdraw undoes it. Called by hand it waits for the host, so that it is gone
// when the call returns, unless that may take long.
func (l *life) withdraw(ctx context.Context, r registration) error {
	b := l.box
	if r.gone != nil && r.gone() {
		if isOwner(ctx) {
			r.forget()
		}
		return nil
	}
	if isOwner(ctx) && r.service == "" {
		defer r.forget()
		return b.request(r.undo, wire.ID{ID: r.id}, &wire.Empty{})
	}
	chain := l.chain.Load()
	if isOwner(ctx) {
		chain = chainOf(b.vm)
		b.leaving[r.service]++ // gone at once, for this half
		forget := r.forget
		r.forget = func() {
			b.leaving[r.service]--
			forget()
		}
	}
	pending, err := b.peer.Begin(b.ctx, chain, r.undo, wire.ID{ID: r.id})
	if err != nil {
		return gone(err)
	}
	return fiber.Later(func(ctx context.Context) (any, error) {
		select {
		case f := <-pending.Reply:
			b.desk.put(chain, "an unload", func(*jsrun.VM) { r.forget() })
			return nil, pending.Read(f, &wire.Empty{})
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-b.peer.Done():
			return nil, jsrun.ErrClosed
		}
	})
}

// gone is the error of a link that has ended, which the box tells elsewhere.
func gone(err error) error {
	if errors.Is(err, wire.ErrClosed) || errors.Is(err, context.Canceled) {
		return jsrun.ErrClosed
	}
	return err
}
