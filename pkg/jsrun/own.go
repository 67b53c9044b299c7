package jsrun

import (
	"reflect"

	"github.com/dop251/goja"
)

// Class is what an object is to JSON.
type Class int

// The classes.
const (
	Exotic Class = iota // neither plain nor an array: a Date, an instance, a boxed text
	Plain               // of the prototype Object.prototype, or of none
	List                // an array of the prototype Array.prototype
	Func                // it can be called
)

// Try runs f, in which methods of Object may throw; what they throw comes back as
// *Error.
func (vm *VM) Try(f func()) error { return vm.try(f) }

// ClassOf says what an object is. A proxy is what it says of itself. It may
// throw, see Try.
func (vm *VM) ClassOf(o *Object) Class {
	if _, ok := goja.AssertFunction(o); ok {
		return Func
	}
	proto := o.Prototype()
	switch {
	case isList(o) && proto == vm.base.array:
		return List
	case o.ClassName() == "Object" && !isList(o) && (proto == nil || proto == vm.base.object):
		return Plain
	}
	return Exotic
}

// ClassName is the class that the engine gives an object; "" if it is a proxy that
// was revoked.
func (vm *VM) ClassName(o *Object) (name string) {
	_ = vm.try(func() { name = o.ClassName() }) // it throws of a revoked proxy alone
	return name
}

// Bare says whether an object has no prototype. It may throw, see Try.
func (vm *VM) Bare(o *Object) bool { return o.Prototype() == nil }

// Own gives the own enumerable string keys of an object in their order, and
// whether it has other keys too: symbols, or hidden ones. The length of an array
// does not count. It may throw, see Try.
func (vm *VM) Own(o *Object) (keys []string, others bool) {
	keys = vm.keysOf(o)
	all := int(lengthOf(vm.base.ownKeys(goja.FunctionCall{Arguments: []Value{o}})))
	if isList(o) {
		all--
	}
	return keys, all != len(keys)
}

// Member reads a member by a key that Own gave; undefined if there is none. It may
// throw, see Try.
func (vm *VM) Member(o *Object, key string) Value {
	if v := vm.memberOf(o, key); v != nil {
		return v
	}
	return goja.Undefined()
}

// Scalar is a value that is no object as package jsonvalue has it, a
// jsonvalue.Foreign if JSON cannot hold it.
func (vm *VM) Scalar(v Value) any {
	w := walker{vm: vm}
	return w.value(v)
}

// Passed ends what runs inside Try when a limit of the run was passed: Go code
// that walks over a large value calls it now and then.
func (vm *VM) Passed() { vm.checkPassed() }

// isList is Array.isArray.
func isList(o *Object) bool {
	for o.ExportType() == proxyType {
		o = o.Export().(goja.Proxy).Target()
		if o == nil { // revoked
			return false
		}
	}
	return isArray(o)
}

var proxyType = reflect.TypeFor[goja.Proxy]()
