package sandbox

import (
	"slices"

	"github.com/dshkit/dshkit/internal/cordis/wire"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
	"github.com/dshkit/dshkit/pkg/jsrun"
)

// maxNesting is how deep a value may nest that leaves the half.
const maxNesting = 1000

// exporter copies a value for others: plain data as it is, all else as handles.
type exporter struct {
	box   *box
	above []*jsrun.Object
}

// export makes of a value what crosses. The error is an exception.
func (b *box) export(v jsrun.Value) (any, error) {
	return (&exporter{box: b}).value(v)
}

// exportAll exports arguments.
func (b *box) exportAll(list []jsrun.Value) ([]any, error) {
	out := make([]any, len(list))
	for i, v := range list {
		var err error
		if out[i], err = b.export(v); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (x *exporter) value(v jsrun.Value) (any, error) {
	o, ok := v.(*jsrun.Object)
	if !ok {
		return x.scalar(v)
	}
	if len(x.above) > maxNesting {
		return nil, x.box.failure("TypeError", tooDeepText)
	}
	kind, err := x.box.js.call("kind", o)
	if err != nil {
		return nil, err
	}
	x.above = append(x.above, o)
	defer func() { x.above = x.above[:len(x.above)-1] }()
	switch x.box.vm.Text(kind) {
	case "context":
		return wire.Context{}, nil
	case "function":
		return x.function(o)
	case "array":
		return x.array(o)
	case "promise":
		return x.box.lend(o)
	case "error":
		return x.box.thrown(x.box.vm.Throw(o)), nil
	case "bytes":
		return wire.Bytes(append([]byte{}, bytesOf(o)...)), nil
	case "signal":
		return x.box.exportSignal(o)
	case "iterator":
		return x.iterator(o)
	case "instance":
		return x.object(o, true)
	}
	return x.plain(o, x.box.vm.Text(kind) == "bare")
}

// scalar is anything but an object.
func (x *exporter) scalar(v jsrun.Value) (any, error) {
	if isSymbol(v) {
		return nil, x.box.failure("TypeError", cannotCrossText("a symbol"))
	}
	switch exported := v.Export().(type) {
	case nil:
		if isUndefined(v) {
			return wire.Undefined{}, nil
		}
		return nil, nil
	case bool:
		return exported, nil
	case string:
		return x.box.vm.Text(v), nil
	case int64:
		return float64(exported), nil
	case float64:
		return exported, nil
	}
	return nil, x.box.failure("TypeError", cannotCrossText(describe(x.box.typeOf(v))))
}

func (x *exporter) array(o *jsrun.Object) (any, error) {
	if x.isCycle(o) {
		return nil, x.box.failure("TypeError", cycleText)
	}
	out := make([]any, x.box.js.length(o))
	for i := range out {
		v, err := x.box.js.call("element", o, x.box.vm.FromJSON(float64(i)))
		if err != nil {
			return nil, err
		}
		if v == x.box.js.hole {
			out[i] = jsonvalue.Hole{}
			continue
		}
		if out[i], err = x.value(v); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// isCycle says whether an object is its own ancestor; the last one is itself.
func (x *exporter) isCycle(o *jsrun.Object) bool {
	return slices.Contains(x.above[:len(x.above)-1], o)
}

// plain is an object that is data, unless a member is none.
func (x *exporter) plain(o *jsrun.Object, bare bool) (any, error) {
	whole, err := x.object(o, false)
	if err != nil {
		return nil, err
	}
	record := &jsonvalue.Object{}
	if bare {
		record.SetBare()
	}
	for _, m := range whole.Members {
		if !isData(m) {
			return whole, nil
		}
		record.Set(m.Name, m.Value)
	}
	return record, nil
}

func isData(m wire.Member) bool {
	switch m.Value.(type) {
	case wire.Func, wire.Object, wire.Context:
		return false
	}
	return m.Getter == nil
}

// object is an object that is more than data.
func (x *exporter) object(o *jsrun.Object, chain bool) (wire.Object, error) {
	if x.isCycle(o) {
		return wire.Object{}, x.box.failure("TypeError", cycleText)
	}
	list, err := x.box.js.call("members", o, x.box.vm.FromJSON(chain))
	if err != nil {
		return wire.Object{}, err
	}
	var out wire.Object
	for i := range x.box.js.length(list) {
		m, ok, err := x.member(o, x.box.js.item(list, i))
		if err != nil {
			return wire.Object{}, err
		}
		if ok {
			out.Members = append(out.Members, m)
		}
	}
	return out, nil
}

// member is one member; what leads back to an ancestor is read when asked for.
func (x *exporter) member(o *jsrun.Object, five jsrun.Value) (m wire.Member, ok bool, err error) {
	m.Name = x.box.vm.Text(x.box.js.item(five, 0))
	value, getter := x.box.js.item(five, 1), x.box.js.item(five, 2)
	m.Inherited, m.Hidden = x.box.js.item(five, 3).ToBoolean(), x.box.js.item(five, 4).ToBoolean()
	if inner, ok := value.(*jsrun.Object); ok && x.leadsBack(inner) {
		getter = x.box.function("get "+m.Name, func([]jsrun.Value) (jsrun.Value, error) { return inner, nil })
	}
	if !isUndefined(getter) {
		f, err := x.method(getter.(*jsrun.Object), o, m.Name)
		m.Getter = &f
		return m, err == nil, err
	}
	if f, ok := value.(*jsrun.Object); ok && x.box.vm.IsFunc(f) && x.box.js.kind(f) == "function" {
		m.Value, err = x.memberFunction(f, o, m.Name)
		return m, err == nil, err
	}
	m.Value, err = x.value(value)
	return m, err == nil, err
}

func (x *exporter) leadsBack(o *jsrun.Object) bool { return slices.Contains(x.above, o) }

// memberFunction keeps the receiver of a method.
func (x *exporter) memberFunction(f, this *jsrun.Object, name string) (any, error) {
	method, err := x.method(f, this, name)
	if err != nil {
		return nil, err
	}
	return x.withMembers(f, method)
}

func (x *exporter) method(f, this *jsrun.Object, name string) (wire.Func, error) {
	h, lease, err := x.box.handle(f, this)
	return wire.Func{Handle: h, Name: name, Async: x.box.js.truth("isAsync", f), Lease: lease}, err
}

// function is a function on its own.
func (x *exporter) function(o *jsrun.Object) (any, error) {
	name, err := x.box.vm.Get(o, "name")
	if err != nil {
		return nil, err
	}
	f, err := x.method(o, nil, x.box.vm.Text(name))
	if err != nil {
		return nil, err
	}
	return x.withMembers(o, f)
}

// withMembers makes an object of a function that has members of its own.
func (x *exporter) withMembers(o *jsrun.Object, f wire.Func) (any, error) {
	if x.isCycle(o) {
		return f, nil
	}
	members, err := x.object(o, true)
	if err != nil || len(members.Members) == 0 {
		return f, err
	}
	members.Call = &f
	return members, nil
}

// iterator opens an async iterator.
func (x *exporter) iterator(o *jsrun.Object) (any, error) {
	it, err := x.box.js.call("iterateAsync", o)
	if err != nil {
		return nil, err
	}
	inner, ok := it.(*jsrun.Object)
	if !ok {
		return nil, x.box.failure("TypeError", cannotCrossText("an iterator that is no object"))
	}
	var out wire.Iterator
	if out.Next, err = x.step(inner, "next"); err != nil {
		return nil, err
	}
	out.Return, err = x.step(inner, "return")
	return out, err
}

// step is a method of an iterator; none is the zero Func.
func (x *exporter) step(o *jsrun.Object, name string) (wire.Func, error) {
	v, err := x.box.vm.Get(o, name)
	if err != nil {
		return wire.Func{}, err
	}
	fn, ok := v.(*jsrun.Object)
	if !ok || !x.box.vm.IsFunc(fn) {
		return wire.Func{}, nil
	}
	f, err := x.method(fn, o, name)
	return asynchronous(f), err
}
