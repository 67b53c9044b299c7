package sandbox

import (
	"runtime"

	"github.com/dshkit/dshkit/internal/cordis/wire"
	"github.com/dshkit/dshkit/pkg/jsrun"
)

// request asks the host and waits, on the owner's goroutine: what belongs to the
// same chain is done meanwhile. An error is one to be thrown.
func (b *box) request(verb wire.Verb, body, reply any) error {
	chain := chainOf(b.vm)
	pending, err := b.peer.Begin(b.ctx, chain, verb, body)
	if err != nil {
		return b.exception(err)
	}
	f, err := block(b.vm, b.desk, chain, pending.Reply, b.limits.Sync)
	if err != nil {
		pending.Cancel()
		return b.exception(err)
	}
	if err := pending.Read(f, reply); err != nil {
		return b.exception(err)
	}
	return nil
}

// ask is request for something that gives a value.
func (b *box) ask(verb wire.Verb, body any, m importer) (jsrun.Value, error) {
	var reply wire.Value
	if err := b.request(verb, body, &reply); err != nil {
		return nil, err
	}
	return m.value(reply.Value)
}

// later is ask that gives a promise at once. The lease, if any, is kept meanwhile.
func (b *box) later(verb wire.Verb, body any, m importer, lease *wire.Lease) jsrun.Value {
	p := b.js.promise()
	chain := chainOf(b.vm)
	pending, err := b.peer.Begin(b.ctx, chain, verb, body)
	if err != nil {
		p.reject(b.raise(err))
		return p.value
	}
	b.task(func() {
		defer runtime.KeepAlive(lease)
		var f wire.Frame
		select {
		case f = <-pending.Reply:
		case <-b.ctx.Done():
			return
		case <-b.peer.Done():
			return
		}
		b.desk.put(chain, "the answer of a service", func(*jsrun.VM) { b.settle(p, pending, f, m) })
	})
	return p.value
}

func (b *box) settle(p promise, pending *wire.Pending, f wire.Frame, m importer) {
	var reply wire.Value
	err := pending.Read(f, &reply)
	if err == nil {
		var v jsrun.Value
		if v, err = m.value(reply.Value); err == nil {
			p.resolve(v)
			return
		}
	}
	p.reject(b.raise(err))
}

// tell says something to the host that needs no answer.
func (b *box) tell(verb wire.Verb, body any) { _ = b.peer.Tell(b.ctx, verb, body) }
