package jsrun

import (
	"errors"

	"github.com/dop251/goja"
)

// Error is what a script threw.
type Error struct {
	Name, Message, Stack, Code string
	Phase                      string // of what nobody caught: see WithPhase
	Value                      Value  // the thrown value itself, for the same runtime only
	Class                      string // that the engine gives it; "" for what is no object, or a revoked proxy
	Cause                      error  // the Go error that a host function had returned, if it was one

	vm *VM
}

func (e *Error) Error() string { return e.Message }

// Unwrap gives the Go error that went through JavaScript.
func (e *Error) Unwrap() error { return e.Cause }

// Thrown is the value that was thrown, if that was in this runtime.
func (vm *VM) Thrown(err error) (Value, bool) {
	var e *Error
	if errors.As(err, &e) && e.vm == vm && e.Value != nil {
		return e.Value, true
	}
	return nil, false
}

// Raise is the error as a value of this runtime: the same value if it came from
// here, else a new Error with its text, and its code if it has one.
func (vm *VM) Raise(err error) Value {
	if v, ok := vm.Thrown(err); ok {
		return v
	}
	var e *Error
	name := "Error"
	if errors.As(err, &e) && e.Name != "" {
		name = e.Name
	}
	o := vm.NewError(name, err.Error())
	if code := codeOf(err); code != "" {
		_ = o.Set("code", code)
	}
	vm.remember(o, err)
	return o
}

// coder is an error with a name for programs.
type coder interface{ Code() string }

func codeOf(err error) string {
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	var c coder
	if errors.As(err, &c) {
		return c.Code()
	}
	return ""
}

// NewError makes an error object of a class of the language ("TypeError"); of
// another name it makes an Error that is named so.
func (vm *VM) NewError(name, message string) *Object {
	class, ok := vm.base.errors[name]
	if !ok {
		class = vm.base.errors["Error"]
	}
	o, err := vm.rt.New(class, vm.str(message))
	if err != nil {
		return vm.rt.NewTypeError(message)
	}
	if !ok && name != "" {
		_ = o.DefineDataProperty("name", vm.str(name), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	}
	return o
}

// NewAggregate makes an AggregateError of the errors.
func (vm *VM) NewAggregate(errs []Value, message string) *Object {
	list := make([]any, len(errs))
	for i, e := range errs {
		list[i] = e
	}
	o, err := vm.rt.New(vm.base.errors["AggregateError"], vm.rt.NewArray(list...), vm.str(message))
	if err != nil {
		return vm.NewError("Error", message)
	}
	return o
}

func (vm *VM) typeError(text string) error { return vm.Throw(vm.NewError("TypeError", text)) }

// Throw is the value as an error; a host function that returns it throws the
// value itself.
func (vm *VM) Throw(v Value) *Error {
	e := &Error{Value: v, vm: vm}
	o, ok := v.(*goja.Object)
	if !ok {
		e.Message = vm.text(v)
		return e
	}
	e.Class = vm.ClassName(o)
	e.Name = vm.member(o, "name")
	e.Message = vm.member(o, "message")
	e.Stack = vm.sourceNames(vm.member(o, "stack"))
	e.Code = vm.member(o, "code")
	if e.Class != "Error" && e.Message == "" {
		e.Message = vm.text(v)
	}
	if cause, ok := vm.recall(o); ok {
		e.Cause = cause
	}
	return e
}

// member reads a text of an error object; a hostile getter gives none.
func (vm *VM) member(o *goja.Object, key string) string {
	var text string
	_ = vm.try(func() {
		if s, ok := o.Get(key).(goja.String); ok {
			text = wtf8(s)
		}
	})
	return text
}

// text is String(v), or its kind when that throws.
func (vm *VM) text(v Value) string {
	if sym, ok := v.(*goja.Symbol); ok {
		return "Symbol(" + sym.String() + ")"
	}
	text := "an object"
	_ = vm.try(func() { text = spelled(v) })
	return text
}

// caught turns what the engine returned into an error of ours.
func (vm *VM) caught(err error) error {
	switch e := err.(type) {
	case *goja.Exception:
		return vm.Throw(e.Value())
	case *goja.InterruptedError:
		if cause, ok := e.Value().(error); ok {
			return cause
		}
		return ErrLimit
	case *goja.StackOverflowError:
		// What was called is unwound and the runtime is as it was; only when a
		// microtask runs over, see turn, are others lost with it; or an
		// asynchronous function, see lost.
		vm.overran = true
		return vm.Throw(vm.NewError("RangeError", "Maximum call stack size exceeded"))
	}
	return err
}

// remember ties the Go error to the object that stands for it. The tie is an
// entry of a WeakMap that no script sees, so it lives as long as the object.
func (vm *VM) remember(o *goja.Object, err error) {
	_, _ = vm.base.setCause(goja.Undefined(), o, vm.rt.ToValue(&held{err}))
}

// held hides a Go value from the engine's conversions.
type held struct{ err error }

func (vm *VM) recall(o *goja.Object) (error, bool) {
	v, err := vm.base.causeOf(goja.Undefined(), o)
	if err != nil || v == nil {
		return nil, false
	}
	h, ok := v.Export().(*held)
	if !ok {
		return nil, false
	}
	return h.err, true
}
