package service

import (
	"context"
	"errors"

	"github.com/dshkit/dshkit/internal/cordis/wire"
)

// call is one call of a method.
type call struct {
	ctx      context.Context
	caller   Caller
	title    string
	args     []any
	services *Services
	held     *run
	bad      error // the first thing that is wrong with the arguments
}

// begin makes the ctx of the call: it ends with the caller's, with the
// activation, and with a signal among the arguments.
func (c *call) begin(ctx context.Context) (end func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	c.ctx = ctx
	stopRun := context.AfterFunc(c.held.ctx, func() { cancel(errReleased) })
	stopSignal := func() {}
	if signal, ok := c.signal(); ok {
		stopSignal = c.watch(signal, func() { cancel(errAborted) })
	}
	return func() {
		stopSignal()
		stopRun()
		cancel(nil)
	}
}

// signal is the one among the arguments: an argument itself, or a member of one.
func (c *call) signal() (wire.Signal, bool) {
	for _, arg := range c.args {
		if s, ok := arg.(wire.Signal); ok {
			return s, true
		}
		if s, ok := member(arg, "signal").(wire.Signal); ok {
			return s, true
		}
	}
	return wire.Signal{}, false
}

// watch calls aborted when the signal is.
func (c *call) watch(s wire.Signal, aborted func()) (stop func()) {
	if s.Aborted {
		aborted()
		return func() {}
	}
	if c.caller.Watch == nil {
		return func() {}
	}
	return c.caller.Watch(s, aborted)
}

// cause is why a call failed: that it was ended, if it was.
func (c *call) cause(err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		if cause := context.Cause(c.ctx); cause != nil {
			return cause
		}
	}
	return err
}

// function gives the caller a function of its own.
func (c *call) function(name string, async bool, run handler, end func()) (wire.Func, error) {
	h, err := c.services.held.add(c.held, &thing{title: c.title + " " + name, run: run, end: end})
	if err != nil {
		if end != nil {
			end()
		}
		return wire.Func{}, err
	}
	return wire.Func{Handle: h, Name: name, Async: async}, nil
}

// forget drops handles of the caller's that nobody needs any longer.
func (c *call) forget(ids ...uint64) {
	for _, id := range ids {
		c.services.held.drop(c.caller.RunID, id)
	}
}

// promise gives the caller a promise of its own.
func (c *call) promise(done <-chan struct{}, value func() any) (wire.Promise, error) {
	h, err := c.services.held.add(c.held, &thing{title: c.title, done: done, value: value})
	return wire.Promise{Handle: h}, err
}

// disposer gives the caller the function that undoes a registration. undo may be
// called again; its ctx is that of the call which disposes.
func (c *call) disposer(undo func(ctx context.Context)) (any, error) {
	var f wire.Func
	f, err := c.function("dispose", false, func(d *call) (any, error) {
		undo(d.ctx)
		d.forget(f.ID)
		return wire.Undefined{}, nil
	}, func() { undo(context.Background()) })
	if err != nil {
		return nil, err
	}
	return f, nil
}

// ask calls a function that some caller handed in, and waits for what it gives.
func ask(ctx context.Context, peer Peer, f wire.Func, args ...any) (any, error) {
	if peer == nil {
		return nil, errNoFunction
	}
	value, err := peer.Call(ctx, f, args)
	if err != nil {
		return nil, err
	}
	if p, ok := value.(wire.Promise); ok {
		return peer.Await(ctx, p)
	}
	return value, nil
}
