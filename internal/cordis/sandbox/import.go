package sandbox

import (
	"runtime"

	"github.com/dshkit/dshkit/internal/cordis/wire"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
	"github.com/dshkit/dshkit/pkg/jsrun"
)

// importer makes of what has crossed values of this runtime. With a service it
// is also the guard (7.4): a Context is refused, wherever it comes up.
type importer struct {
	box     *box
	service string
}

// value is a value of this runtime. The error is an exception.
func (m importer) value(v any) (jsrun.Value, error) {
	switch v := v.(type) {
	case wire.Undefined:
		return m.box.js.undefined(), nil
	case wire.Context:
		return nil, m.box.reject("context-return", contextReturnText(m.service))
	case *wire.Thrown:
		return m.box.raise(v), nil
	case wire.Bytes:
		return m.box.js.bytes(string(v))
	case wire.Func:
		return m.function(v), nil
	case wire.Promise:
		return m.promise(v), nil
	case wire.Iterator:
		return m.iterator(v), nil
	case wire.Signal:
		return m.box.importSignal(v), nil
	case wire.Object:
		return m.object(v)
	case []any:
		return m.array(v)
	case *jsonvalue.Object:
		return m.record(v)
	}
	return m.box.vm.FromJSON(v), nil
}

// values imports arguments.
func (m importer) values(list []any) ([]jsrun.Value, error) {
	out := make([]jsrun.Value, len(list))
	for i, v := range list {
		var err error
		if out[i], err = m.value(v); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// isJSON says that no leaf of package wire is in a value.
func isJSON(v any) bool {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			if !isJSON(item) {
				return false
			}
		}
	case *jsonvalue.Object:
		for _, member := range v.All() {
			if !isJSON(member) {
				return false
			}
		}
	case nil, bool, float64, string, jsonvalue.Hole:
	default:
		return false
	}
	return true
}

func (m importer) array(list []any) (jsrun.Value, error) {
	if isJSON(list) {
		return m.box.vm.FromJSON(list), nil
	}
	out := m.box.vm.FromJSON([]any{})
	for i, item := range list {
		if _, hole := item.(jsonvalue.Hole); hole {
			continue
		}
		v, err := m.value(item)
		if err != nil {
			return nil, err
		}
		m.box.js.sure("put", out, m.box.vm.FromJSON(float64(i)), v)
	}
	m.box.js.sure("lengthen", out, m.box.vm.FromJSON(float64(len(list))))
	return out, nil
}

func (m importer) record(o *jsonvalue.Object) (jsrun.Value, error) {
	if isJSON(o) {
		return m.box.vm.FromJSON(o), nil
	}
	out := jsrun.Value(m.box.vm.New())
	if o.Bare() {
		out = m.box.js.sure("bareObject")
	}
	for key, member := range o.All() {
		if err := m.member(out, wire.Member{Name: key, Value: member}); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (m importer) object(o wire.Object) (jsrun.Value, error) {
	var out jsrun.Value = m.box.vm.New()
	if o.Call != nil {
		out = m.function(*o.Call)
	}
	var above jsrun.Value // the prototype chain, in one object
	for _, member := range o.Members {
		at := out
		if member.Inherited && o.Call == nil {
			if above == nil {
				above = m.box.vm.New()
			}
			at = above
		}
		if err := m.member(at, member); err != nil {
			return nil, err
		}
	}
	if above != nil {
		m.box.js.sure("inherit", out, above)
	}
	return out, nil
}

// member defines a member. A Context in it is refused when it is read, so that
// the rest of a service can be used.
func (m importer) member(out jsrun.Value, member wire.Member) error {
	name := m.box.vm.FromJSON(member.Name)
	if getter := member.Getter; getter != nil {
		m.box.js.sure("getter", out, name, m.function(*getter), m.box.vm.FromJSON(!member.Hidden))
		return nil
	}
	if _, leak := member.Value.(wire.Context); leak {
		m.box.js.sure("getter", out, name, m.box.function("get "+member.Name, func([]jsrun.Value) (jsrun.Value, error) {
			return m.value(wire.Context{})
		}), m.box.vm.FromJSON(!member.Hidden))
		return nil
	}
	v, err := m.value(member.Value)
	if err != nil {
		return err
	}
	if member.Hidden {
		m.box.js.sure("hide", out, name, v)
		return nil
	}
	m.box.js.sure("put", out, name, v)
	return nil
}

// function is a function that lives elsewhere.
func (m importer) function(f wire.Func) jsrun.Value {
	if own, ok := m.box.own(f.Handle); ok && own.this == nil {
		return own.thing
	}
	life := m.box.life
	return m.box.function(f.Name, func(args []jsrun.Value) (jsrun.Value, error) {
		list, err := m.box.exportAll(args)
		if err != nil {
			return nil, err
		}
		if f.Effect {
			return m.effect(life, f, list)
		}
		return m.call(f, list)
	})
}

// call calls a function that lives elsewhere. Its lease stays here, as long as the
// call lasts.
func (m importer) call(f wire.Func, args []any) (jsrun.Value, error) {
	lease := f.Lease
	f.Lease = nil
	if f.Async {
		return m.box.later(wire.VerbCall, wire.CallFunc{Func: f, Args: args}, m, lease), nil
	}
	defer runtime.KeepAlive(lease)
	return m.box.ask(wire.VerbCall, wire.CallFunc{Func: f, Args: args}, m)
}

// effect calls a function whose result is a disposer: an effect of this Fiber
// (10.3).
func (m importer) effect(life *life, f wire.Func, args []any) (jsrun.Value, error) {
	if now := m.box.life; now != nil {
		life = now
	}
	if life == nil {
		return nil, m.box.inactive()
	}
	return life.effect(f.Name, m.box.function(f.Name, func([]jsrun.Value) (jsrun.Value, error) {
		return m.call(f, args)
	}))
}

// own is something of this half that has come back.
func (b *box) own(h wire.Handle) (held, bool) {
	if h.Home != wire.Home(b.source.RunID) {
		return held{}, false
	}
	return b.holdings.find(h.ID)
}

func (m importer) promise(p wire.Promise) jsrun.Value {
	if own, ok := m.box.own(p.Handle); ok {
		return own.thing
	}
	return m.box.later(wire.VerbAwait, wire.AwaitPromise{Promise: p}, m, nil)
}

func (m importer) iterator(it wire.Iterator) jsrun.Value {
	next := m.function(asynchronous(it.Next))
	end := m.box.function("return", func(args []jsrun.Value) (jsrun.Value, error) {
		if it.Return == (wire.Func{}) {
			return m.box.js.call("ended", m.box.arg(args, 0))
		}
		return m.box.vm.Apply(m.function(asynchronous(it.Return)), nil, args...)
	})
	return m.box.js.sure("asyncIterate", next, end)
}

func asynchronous(f wire.Func) wire.Func {
	f.Async = true
	return f
}
