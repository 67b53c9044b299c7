package sandbox

import (
	"slices"

	"github.com/dshkit/dshkit/internal/cordis/wire"
	"github.com/dshkit/dshkit/pkg/fiber"
	"github.com/dshkit/dshkit/pkg/jsrun"
)

// listener is a function that hears an event. One that was removed may still be
// called by a dispatch that had begun (24#7), so the last ones are kept.
type listener struct {
	life   *life
	fn     jsrun.Value
	once   bool
	fired  bool
	effect *fiber.Effect
}

// maxRemoved is how many removed listeners are kept.
const maxRemoved = 256

// listen is ctx.on and ctx.once.
func (l *life) listen(verb string, once bool, args []jsrun.Value) (jsrun.Value, error) {
	b := l.box
	name, ok := b.asText(b.arg(args, 0))
	if !ok || name == "" {
		return nil, b.failure("TypeError", wantsNameText(verb))
	}
	fn := b.arg(args, 1)
	if !b.vm.IsFunc(fn) {
		return nil, b.failure("TypeError", wantsFunctionText(verb))
	}
	prepend, err := l.prepends(b.arg(args, 2))
	if err != nil {
		return nil, err
	}
	id := b.newID()
	heard := &listener{life: l, fn: fn, once: once}
	b.listeners[id] = heard
	e, err := l.register(registration{
		label: verb + " " + name, make: wire.VerbOn, undo: wire.VerbOff, id: id,
		body:   wire.On{ID: id, Event: name, Prepend: prepend, Once: once},
		forget: func() { b.removed(id) },
		gone:   func() bool { return once && heard.fired },
	})
	if err != nil {
		return nil, err
	}
	heard.effect = e
	return l.disposeOf(e), nil
}

// prepends reads the options of a listener: true, or { prepend }.
func (l *life) prepends(v jsrun.Value) (bool, error) {
	if _, ok := v.(*jsrun.Object); !ok {
		return v.ToBoolean(), nil
	}
	prepend, err := l.box.vm.Get(v, "prepend")
	if err != nil {
		return false, err
	}
	return prepend.ToBoolean(), nil
}

// removed keeps a removed listener for a while.
func (b *box) removed(id uint64) {
	b.gone = append(b.gone, id)
	if len(b.gone) > maxRemoved {
		delete(b.listeners, b.gone[0])
		b.gone = slices.Delete(b.gone, 0, 1)
	}
}

// fired calls a listener. What an asynchronous one fails with is told here; its
// promise goes to the host, which may wait for it. In a waterfall the host has to
// wait, as the listener may still call its next.
func (b *box) fired(r *wire.Request, f wire.Fire) {
	v, err := b.fire(f)
	switch {
	case err != nil || !isPromise(v):
	case f.Next == 0:
		b.js.follow(v, func(jsrun.Value) {}, func(err error) { b.report(wire.Report{Kind: failureListener}, err) })
	case !b.desk.blocked():
		b.js.follow(v, func(v jsrun.Value) { b.give(r, v, nil) }, func(err error) { b.give(r, nil, err) })
		return
	}
	b.give(r, v, err)
}

func (b *box) fire(f wire.Fire) (jsrun.Value, error) {
	heard := b.listeners[f.Listener]
	if heard == nil || (heard.once && heard.fired) {
		return b.js.undefined(), nil
	}
	heard.fire()
	args, err := importer{box: b}.values(f.Args)
	if err != nil {
		return nil, err
	}
	if f.Next != 0 {
		args = append(args, b.function("next", func([]jsrun.Value) (jsrun.Value, error) {
			return b.ask(wire.VerbNext, wire.ID{ID: f.Next}, importer{box: b})
		}))
	}
	return b.vm.Apply(heard.fn, nil, args...)
}

// fire notes a call. One that is called once is no effect any more: the host has
// removed it, as the listener's registration here is now.
func (h *listener) fire() {
	h.fired = true
	if h.once && h.effect != nil {
		_, _ = h.effect.Begin(h.life.box.onOwner())
	}
}

// provide is ctx.provide.
func (l *life) provide(args []jsrun.Value) (jsrun.Value, error) {
	b := l.box
	name, ok := b.asText(b.arg(args, 0))
	if !ok || name == "" {
		return nil, b.failure("TypeError", wantsNameText("provide"))
	}
	value, err := b.export(b.arg(args, 1))
	if err != nil {
		return nil, err
	}
	id := b.newID()
	e, err := l.register(registration{
		label: "provide " + name, make: wire.VerbProvide, undo: wire.VerbWithdraw, id: id,
		body:    wire.Provide{ID: id, Name: name, Value: value},
		forget:  func() {},
		service: name,
	})
	if err != nil {
		return nil, err
	}
	return l.handle(e), nil
}
