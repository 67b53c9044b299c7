package jsrun

import (
	"embed"
	"fmt"
	"math/big"
	"reflect"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/dop251/goja"
)

//go:embed prelude/*.js
var preludeFiles embed.FS

// parts are the prelude's files, in the order in which they run. Each is a
// function of what Go gives it, and returns what it gives to Go.
var parts = []string{"base", "guard", "regexp", "language", "json", "clone", "web"}

// prelude is the prelude, compiled once for the process.
var prelude = sync.OnceValues(func() (map[string]*goja.Program, error) {
	out := map[string]*goja.Program{}
	for _, part := range parts {
		name := "prelude/" + part + ".js"
		src, err := preludeFiles.ReadFile(name)
		if err != nil {
			return nil, err
		}
		if out[part], err = compile("jsrun:"+part, string(src), 0); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return out, nil
})

// setUp runs the prelude.
func (vm *VM) setUp() error {
	programs, err := prelude()
	if err != nil {
		return err
	}
	vm.base.object, vm.base.array = vm.rt.NewObject().Prototype(), vm.rt.NewArray().Prototype()
	for _, part := range parts {
		v, err := vm.rt.RunProgram(programs[part])
		if err != nil {
			return vm.caught(err)
		}
		f, _ := goja.AssertFunction(v)
		given, err := f(goja.Undefined(), vm.host(part))
		if err != nil {
			return vm.caught(err)
		}
		vm.take(part, given.(*goja.Object))
	}
	return vm.drop(vm.run.config.Without)
}

// drop removes globals that a script shall not find.
func (vm *VM) drop(names []string) error {
	for _, name := range names {
		if err := vm.rt.GlobalObject().Delete(name); err != nil {
			return vm.caught(err)
		}
	}
	return nil
}

// take keeps what a part of the prelude hands to Go.
func (vm *VM) take(part string, o *goja.Object) {
	fn := func(name string) goja.Callable {
		f, _ := goja.AssertFunction(o.Get(name))
		return f
	}
	native := func(name string) func(goja.FunctionCall) goja.Value {
		f, _ := o.Get(name).Export().(func(goja.FunctionCall) goja.Value)
		return f
	}
	b := &vm.base
	switch part {
	case "base":
		b.enter, b.relay, b.then = fn("enter"), fn("relay"), fn("then")
		b.causeOf, b.setCause = fn("causeOf"), fn("setCause")
		b.freeze, b.reflectSet, b.reflectGet = native("freeze"), native("reflectSet"), native("reflectGet")
		b.ownKeys, b.isEnumerable, b.valueOf = native("ownKeys"), native("isEnumerable"), fn("valueOf")
		b.hasOwn, b.seal = native("hasOwn"), native("seal")
		b.promise = vm.rt.Get("Promise").(*goja.Object)
		b.errors = map[string]*goja.Object{}
		for _, name := range []string{"Error", "TypeError", "RangeError", "SyntaxError", "ReferenceError", "EvalError", "URIError", "AggregateError"} {
			b.errors[name] = vm.rt.Get(name).(*goja.Object)
		}
		b.regexp = vm.rt.Get("RegExp").(*goja.Object)
	case "clone":
		b.cloneExotic = fn("exotic")
	case "web":
		b.newSignal, b.abort, b.follow, b.domException = fn("newSignal"), fn("abort"), fn("follow"), fn("domException")
	}
}

// host is what Go gives to a part of the prelude.
func (vm *VM) host(part string) goja.Value {
	host := vm.rt.NewObject()
	set := func(name string, f func(call goja.FunctionCall) goja.Value) { _ = host.Set(name, f) }
	switch part {
	case "guard":
		vm.guardNatives()
		_ = host.Set("most", vm.run.config.Limits.Heap)
		set("checkCode", vm.checkCode)
		set("isBuffer", func(call goja.FunctionCall) goja.Value {
			o, ok := call.Argument(0).(*goja.Object)
			return vm.rt.ToValue(ok && o.ExportType() == bufferType)
		})
	case "regexp":
		set("isRegExp", func(call goja.FunctionCall) goja.Value { return vm.rt.ToValue(className(call.Argument(0)) == "RegExp") })
		set("regexp", vm.regexp)
		set("isRewritten", func(call goja.FunctionCall) goja.Value {
			return vm.rt.ToValue(rewritten(call.Argument(0).String(), call.Argument(1).String()))
		})
		set("escapeRegExp", func(call goja.FunctionCall) goja.Value { return vm.str(escapeRegexp(vm.Text(call.Argument(0)))) })
	case "language":
		vm.timerHost(set)
		set("own", vm.own)
		set("sleep", vm.sleep)
		set("isWellFormed", func(call goja.FunctionCall) goja.Value {
			return vm.rt.ToValue(utf8.ValidString(vm.Text(call.Argument(0))))
		})
		set("toWellFormed", func(call goja.FunctionCall) goja.Value {
			return vm.rt.ToValue(call.Argument(0).String()) // the engine decodes a lone surrogate as U+FFFD
		})
		set("digits", func(call goja.FunctionCall) goja.Value {
			return vm.rt.ToValue(big.NewFloat(call.Argument(0).ToFloat()).Text('f', 0))
		})
	case "json":
		set("parse", vm.parse)
		set("stringify", vm.stringify)
	case "clone":
		set("clone", vm.structuredClone)
		set("isPromise", func(call goja.FunctionCall) goja.Value { return vm.rt.ToValue(isPromise(call.Argument(0))) })
		set("kind", func(call goja.FunctionCall) goja.Value { return vm.rt.ToValue(className(call.Argument(0))) })
	}
	return host
}

// className is the engine's class of an object, which a script cannot forge;
// of anything else it is "".
func className(v goja.Value) string {
	if o, ok := v.(*goja.Object); ok {
		return o.ClassName()
	}
	return ""
}

// isPromise says whether a value is a promise of the engine. Its type is asked
// for, not its exported form, which would be a copy of all that it holds.
func isPromise(v goja.Value) bool {
	o, ok := v.(*goja.Object)
	return ok && o.ExportType() == promiseType
}

var bufferType = reflect.TypeFor[goja.ArrayBuffer]()

var promiseType = reflect.TypeFor[*goja.Promise]()

func isArray(o *goja.Object) bool { return o.ClassName() == "Array" }

// defineGlobals makes the symbols that the host hands in.
func (vm *VM) defineGlobals() error {
	for _, global := range vm.run.config.Globals {
		if global.Lazy {
			if err := vm.defineLazy(global); err != nil {
				return fmt.Errorf("global %s: %w", global.Name, err)
			}
			continue
		}
		v, err := global.Make(vm)
		if err != nil {
			return fmt.Errorf("global %s: %w", global.Name, err)
		}
		err = vm.rt.GlobalObject().DefineDataProperty(global.Name, v, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
		if err != nil {
			return vm.caught(err)
		}
	}
	return nil
}

// Globals are the names that a script finds, in order.
func (vm *VM) Globals() []string {
	names := vm.rt.GlobalObject().GetOwnPropertyNames()
	slices.Sort(names)
	return names
}

// defineLazy makes a symbol when it is first read; from then on, or once a script
// has set it, it is like any other.
func (vm *VM) defineLazy(global Global) error {
	o := vm.rt.GlobalObject()
	fix := func(v Value) error {
		return o.DefineDataProperty(global.Name, v, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	}
	get := vm.Func("get "+global.Name, func(Value, []Value) (Value, error) {
		v, err := global.Make(vm)
		if err != nil {
			return nil, err
		}
		return v, fix(v)
	})
	set := vm.Func("set "+global.Name, func(_ Value, args []Value) (Value, error) {
		if len(args) == 0 {
			return nil, nil
		}
		return nil, fix(args[0])
	})
	return o.DefineAccessorProperty(global.Name, get, set, goja.FLAG_TRUE, goja.FLAG_FALSE)
}

// tearDown lets go of what belongs to the runtime.
func (vm *VM) tearDown() { vm.timers.stopAll() }

// keysOf are the own enumerable string keys. Those that hold a lone surrogate
// take a longer way, as the engine's list spells them with U+FFFD.
func (vm *VM) keysOf(o *goja.Object) []string {
	keys := o.Keys()
	if !slices.ContainsFunc(keys, odd) {
		return keys
	}
	keys = keys[:0]
	list := vm.base.ownKeys(goja.FunctionCall{Arguments: []Value{o}}).(*goja.Object)
	for i := range int(list.Get("length").ToInteger()) {
		key, ok := list.Get(fmt.Sprint(i)).(goja.String)
		if ok && vm.base.isEnumerable(goja.FunctionCall{This: o, Arguments: []Value{key}}).ToBoolean() {
			keys = append(keys, wtf8(key))
		}
	}
	return keys
}

// odd says that a key must be read by its value.
func odd(key string) bool { return strings.Contains(key, "\uFFFD") || strings.Contains(key, "\xED") }

// memberOf reads a member by a key of keysOf.
func (vm *VM) memberOf(o *goja.Object, key string) Value {
	if odd(key) {
		return vm.base.reflectGet(goja.FunctionCall{Arguments: []Value{o, vm.str(key)}})
	}
	return o.Get(key)
}

// define sets an own member, whatever the prototype says.
func (vm *VM) define(o *goja.Object, key string, v Value) {
	if odd(key) {
		vm.setMember(o, key, v)
		return
	}
	_ = o.DefineDataProperty(key, v, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_TRUE)
}

// thrown is an error as what a native function panics with to throw it.
func (vm *VM) thrown(err error) any {
	if isFatal(err) {
		return err
	}
	if ex, ok := err.(*goja.Exception); ok {
		return ex
	}
	return vm.Raise(err)
}

func (vm *VM) toJSONOf(v Value) Value {
	if o, ok := v.(*goja.Object); ok {
		return o.Get("toJSON")
	}
	return v.ToObject(vm.rt).Get("toJSON")
}

// unboxed is the primitive of a Boolean or BigInt object.
func (vm *VM) unboxed(o *goja.Object) Value {
	v, err := vm.base.valueOf(goja.Undefined(), o)
	if err != nil {
		return o
	}
	return v
}

// own defines what is missing on an object.
func (vm *VM) own(call goja.FunctionCall) goja.Value {
	o, _ := call.Argument(0).(*goja.Object)
	v := call.Argument(2)
	if sym, ok := call.Argument(1).(*goja.Symbol); ok {
		if vm.base.hasOwn(goja.FunctionCall{This: o, Arguments: []Value{sym}}).ToBoolean() {
			return goja.Undefined()
		}
		_ = o.DefineDataPropertySymbol(sym, v, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
		return goja.Undefined()
	}
	if !vm.base.hasOwn(goja.FunctionCall{This: o, Arguments: []Value{call.Argument(1)}}).ToBoolean() {
		_ = o.DefineDataProperty(call.Argument(1).String(), v, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	}
	return goja.Undefined()
}

// Prepare compiles what every run of the process needs, ahead of the first.
func Prepare() error {
	_, err := prelude()
	return err
}
