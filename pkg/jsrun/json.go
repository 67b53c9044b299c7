package jsrun

import (
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/dop251/goja"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// deepest is how deep a conversion follows: more than any validator allows, and
// far from what would hurt the stack.
const deepest = 60

// FromJSON builds the value afresh out of this runtime's own plain objects.
func (vm *VM) FromJSON(v any) Value { return vm.build(v, false) }

// Frozen is FromJSON with every object and array frozen.
func (vm *VM) Frozen(v any) Value { return vm.build(v, true) }

func (vm *VM) build(v any, frozen bool) Value {
	switch v := v.(type) {
	case nil:
		return goja.Null()
	case bool:
		return vm.rt.ToValue(v)
	case float64:
		return vm.rt.ToValue(v)
	case string:
		return vm.str(v)
	case []any:
		return vm.buildArray(v, frozen)
	case *jsonvalue.Object:
		return vm.buildObject(v, frozen)
	}
	return goja.Undefined() // a Foreign or a Hole by itself
}

func (vm *VM) buildArray(list []any, frozen bool) Value {
	items := make([]any, len(list))
	var holes []int
	for i, v := range list {
		if _, ok := v.(jsonvalue.Hole); ok {
			holes = append(holes, i)
		}
		items[i] = vm.build(v, frozen)
	}
	a := vm.rt.NewArray(items...)
	for _, i := range holes {
		_ = a.Delete(strconv.Itoa(i))
	}
	return vm.freeze(a, frozen)
}

// buildObject sets the members before the object has a prototype: nothing that
// a script did to Object.prototype is met, and __proto__ is a name like others.
func (vm *VM) buildObject(o *jsonvalue.Object, frozen bool) Value {
	if o == nil {
		return goja.Null()
	}
	out := vm.rt.CreateObject(nil)
	thaw := !frozen // some member may still be changed
	for key, member := range o.All() {
		v := vm.build(member, frozen)
		switch {
		case !frozen:
			vm.setMember(out, key, v)
		case utf8.ValidString(key):
			_ = out.DefineDataProperty(key, v, goja.FLAG_FALSE, goja.FLAG_FALSE, goja.FLAG_TRUE)
		default:
			vm.setMember(out, key, v)
			thaw = true
		}
	}
	if !o.Bare() {
		_ = out.SetPrototype(vm.base.object)
	}
	if frozen && !thaw { // its members are; this is less work than to freeze it
		vm.base.seal(goja.FunctionCall{Arguments: []Value{out}})
		return out
	}
	return vm.freeze(out, frozen)
}

func (vm *VM) setMember(o *goja.Object, key string, v Value) {
	if utf8.ValidString(key) {
		_ = o.Set(key, v)
		return
	}
	vm.base.reflectSet(goja.FunctionCall{Arguments: []Value{o, vm.str(key), v}})
}

func (vm *VM) freeze(o *goja.Object, frozen bool) Value {
	if frozen {
		vm.base.freeze(goja.FunctionCall{Arguments: []Value{o}})
	}
	return o
}

// str is a text of package jsonvalue (WTF-8) as a value.
func (vm *VM) str(s string) Value {
	if utf8.ValidString(s) {
		return vm.rt.ToValue(s)
	}
	return goja.StringFromUTF16(jsonvalue.ToUTF16(s))
}

// wtf8 is the text of a string value; a lone surrogate keeps its three bytes.
func wtf8(s goja.String) string {
	text := s.String()
	if !strings.Contains(text, "\uFFFD") {
		return text
	}
	units := make([]uint16, s.Length())
	for i := range units {
		units[i] = s.CharAt(i)
	}
	return jsonvalue.FromUTF16(units)
}

// Text is a string value as package jsonvalue has it; of another value, what
// String(v) prints.
func (vm *VM) Text(v Value) string {
	if s, ok := v.(goja.String); ok {
		return wtf8(s)
	}
	return vm.text(v)
}

// ToJSON copies a value as package jsonvalue has it. It never refuses: what JSON
// cannot hold becomes a jsonvalue.Foreign in its place. An error is what a
// getter threw.
func (vm *VM) ToJSON(v Value) (out any, err error) {
	w := walker{vm: vm}
	err = vm.try(func() { out = w.value(v) })
	if err != nil {
		return nil, err
	}
	return out, nil
}

// walker copies one value.
type walker struct {
	vm   *VM
	path []*goja.Object // the ancestors
	seen int            // values, to look at the watchdog now and then
}

func (w *walker) value(v Value) any {
	if w.seen++; w.seen&1023 == 0 {
		w.vm.checkPassed()
	}
	switch v := v.(type) {
	case nil:
		return jsonvalue.Foreign{Kind: jsonvalue.Undefined, Text: "undefined"}
	case goja.String:
		return wtf8(v)
	case *goja.Object:
		return w.object(v)
	case *goja.Symbol:
		return jsonvalue.Foreign{Kind: jsonvalue.Symbol, Text: w.vm.text(v)}
	}
	switch x := v.Export().(type) {
	case int64:
		return float64(x)
	case float64:
		return x
	case bool:
		return x
	case *big.Int:
		return jsonvalue.Foreign{Kind: jsonvalue.BigInt, Text: x.String()}
	}
	if goja.IsNull(v) {
		return nil
	}
	return jsonvalue.Foreign{Kind: jsonvalue.Undefined, Text: "undefined"}
}

func (w *walker) object(o *goja.Object) any {
	class := o.ClassName()
	if strings.HasSuffix(class, "Function") {
		return w.foreign(jsonvalue.Function, o)
	}
	if class == "Array" {
		return w.inside(o, func() any { return w.elements(o, w.value) })
	}
	proto := o.Prototype()
	if proto == nil || proto == w.vm.base.object {
		return w.inside(o, func() any { return w.members(o, proto == nil) })
	}
	if isList(o) {
		return w.inside(o, func() any { return w.elements(o, w.value) })
	}
	return w.foreign(jsonvalue.Exotic, o)
}

// inside looks into an object that is not one of its own ancestors.
func (w *walker) inside(o *goja.Object, look func() any) any {
	if slices.Contains(w.path, o) {
		return w.foreign(jsonvalue.Cycle, o)
	}
	if len(w.path) >= deepest {
		return w.foreign(jsonvalue.Deep, o)
	}
	w.path = append(w.path, o)
	defer func() { w.path = w.path[:len(w.path)-1] }()
	return look()
}

func (w *walker) foreign(kind jsonvalue.Kind, o *goja.Object) any {
	return jsonvalue.Foreign{Kind: kind, Text: w.vm.text(o)}
}

func (w *walker) elements(o *goja.Object, convert func(Value) any) any {
	n := max(0, int(o.Get("length").ToInteger())) // a Proxy says what it likes
	out := make([]any, 0, min(n, 1024))
	for i := range n {
		v := o.Get(strconv.Itoa(i))
		if v == nil {
			if w.seen++; w.seen&1023 == 0 {
				w.vm.checkPassed()
			}
			out = append(out, jsonvalue.Hole{})
			continue
		}
		out = append(out, convert(v))
	}
	return out
}

// members reads the members of one object as Object.entries does.
func (w *walker) members(o *goja.Object, bare bool) any {
	out := w.read(o, w.vm.keysOf(o), nil, func(_ string, v Value) any { return w.value(v) })
	if bare {
		out.SetBare()
	}
	return out
}

// checkPassed ends a conversion when the watchdog has spoken: no JavaScript
// runs in it that could be interrupted.
func (vm *VM) checkPassed() {
	if err := vm.watch.said(); err != nil {
		panic(err)
	}
}

// asString is ToString of the language; the engine's leaves numbers as they are.
func asString(v Value) goja.String {
	v = v.ToString()
	if s, ok := v.(goja.String); ok {
		return s
	}
	if sym, ok := v.(*goja.Symbol); ok {
		_ = sym.ToFloat() // throws, as for any symbol
	}
	return goja.StringFromUTF16(utf16.Encode([]rune(v.String())))
}

// spelled is asString as package jsonvalue has texts.
func spelled(v Value) string {
	v = v.ToString()
	if s, ok := v.(goja.String); ok {
		return wtf8(s)
	}
	return wtf8(asString(v))
}
