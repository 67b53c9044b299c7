package sandbox

import (
	"context"

	"github.com/dshkit/dshkit/internal/cordis/wire"
	"github.com/dshkit/dshkit/pkg/jsrun"
)

// take is called with what the host asks for, in order, and must not block.
func (b *box) take(r *wire.Request) {
	switch r.Verb {
	case wire.VerbStart:
		serveWith(b, r, "evaluation", b.start)
	case wire.VerbLoad:
		b.serve(r, "apply", func() { b.load(r) })
	case wire.VerbBeginUnload:
		b.serve(r, "unload", func() { b.beginUnload(r) })
	case wire.VerbEndUnload:
		b.serve(r, "unload", func() { b.endUnload(r) })
	case wire.VerbInvoke:
		serveWith(b, r, "a handler", b.invoke)
	case wire.VerbExecute:
		serveWith(b, r, "a tool", b.execute)
	case wire.VerbFire:
		serveWith(b, r, "a listener", b.fired)
	case wire.VerbCall:
		serveWith(b, r, "a service", b.called)
	case wire.VerbAwait:
		serveWith(b, r, "a promise", b.awaited)
	case wire.VerbAbort:
		serveWith(b, r, "a signal", func(_ *wire.Request, a wire.Abort) { b.aborted(a) })
	default:
		r.Reply(nil, &wire.Fault{Code: wire.CodeNoMethod, Message: "a sandbox has no verb " + string(r.Verb)})
	}
}

// serveWith reads the body and serves the request on the owner's goroutine.
func serveWith[T any](b *box, r *wire.Request, phase string, f func(*wire.Request, T)) {
	var body T
	if err := r.Decode(&body); err != nil {
		r.Reply(nil, err)
		return
	}
	b.serve(r, phase, func() {
		if r.Context().Err() != nil && r.Verb != wire.VerbAbort {
			r.Reply(nil, context.Cause(r.Context()))
			return
		}
		f(r, body)
	})
}

// serve serves a request on the owner's goroutine. What plugin code throws where
// nobody expects it, as a proxy can, is the answer: no caller waits for nothing.
func (b *box) serve(r *wire.Request, phase string, f func()) {
	b.desk.put(r.Chain, phase, func(vm *jsrun.VM) {
		if err := vm.Try(f); err != nil {
			r.Reply(nil, b.thrown(err))
		}
	})
}

// give replies with a value of the runtime, or an error.
func (b *box) give(r *wire.Request, v jsrun.Value, err error) {
	var out any
	if err == nil {
		out, err = b.export(v)
	}
	if err != nil {
		r.Reply(nil, b.thrown(err))
		return
	}
	r.Reply(wire.Value{Value: out}, nil)
}

// called calls a function that others hold.
func (b *box) called(r *wire.Request, c wire.CallFunc) {
	f, ok := b.own(c.Func.Handle)
	if !ok || !b.vm.IsFunc(f.thing) {
		r.Reply(nil, &wire.Fault{Code: wire.CodeNoMethod, Message: goneText})
		return
	}
	v, err := b.call(f, c.Args)
	b.give(r, v, err)
}

func (b *box) call(f held, list []any) (jsrun.Value, error) {
	args, err := importer{box: b}.values(list)
	if err != nil {
		return nil, err
	}
	this := b.js.undefined()
	if f.this != nil {
		this = f.this
	}
	return b.vm.Apply(f.thing, this, args...)
}

// awaited replies when a promise that others hold has settled. It is let go then.
func (b *box) awaited(r *wire.Request, a wire.AwaitPromise) {
	p, ok := b.own(a.Promise.Handle)
	if !ok {
		r.Reply(nil, &wire.Fault{Code: wire.CodeNoMethod, Message: goneText})
		return
	}
	b.js.follow(p.thing, func(v jsrun.Value) {
		b.holdings.drop(a.Promise.ID)
		b.give(r, v, nil)
	}, func(err error) {
		b.holdings.drop(a.Promise.ID)
		b.give(r, nil, err)
	})
}
