package jsrun

import (
	"embed"
	"fmt"
	"sync"

	"github.com/dop251/goja"
)

//go:embed prelude/*.js
var preludeFiles embed.FS

// parts are the prelude's files, in the order in which they run.
var parts = []string{"base", "web"}

// prelude is the prelude, compiled once for the process.
var prelude = sync.OnceValues(func() (map[string]*goja.Program, error) {
	out := map[string]*goja.Program{}
	for _, part := range parts {
		name := "prelude/" + part + ".js"
		src, err := preludeFiles.ReadFile(name)
		if err != nil {
			return nil, err
		}
		if out[part], err = compile("jsrun:"+part, string(src)); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return out, nil
})

// setUp runs the prelude and makes what the host hands in.
func (vm *VM) setUp() error {
	programs, err := prelude()
	if err != nil {
		return err
	}
	for _, part := range parts {
		v, err := vm.rt.RunProgram(programs[part])
		if err != nil {
			return vm.caught(err)
		}
		vm.take(part, v.(*goja.Object))
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
		b.freeze, b.reflectSet = native("freeze"), native("reflectSet")
		b.object = vm.rt.NewObject().Prototype()
		b.promise = vm.rt.Get("Promise").(*goja.Object)
		b.errors = map[string]*goja.Object{}
		for _, name := range []string{"Error", "TypeError", "RangeError", "SyntaxError", "ReferenceError", "EvalError", "URIError", "AggregateError"} {
			b.errors[name] = vm.rt.Get(name).(*goja.Object)
		}
	case "web":
		b.newSignal, b.abort, b.follow, b.domException = fn("newSignal"), fn("abort"), fn("follow"), fn("domException")
	}
}

// defineGlobals makes the symbols that the host hands in.
func (vm *VM) defineGlobals() error {
	for _, global := range vm.run.config.Globals {
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

// tearDown lets go of what belongs to the runtime.
func (vm *VM) tearDown() {}
