package script

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"sync"

	"github.com/dshkit/dshkit/pkg/compose"
	"github.com/dshkit/dshkit/pkg/jsrun"
)

// The parts of the kit that are JavaScript: what plugins see of contexts, of the
// SDK and of the runner for tests.
//
//go:embed js/*.js
var texts embed.FS

// programs are compiled once for a process.
var programs = sync.OnceValues(func() (map[string]*jsrun.Program, error) {
	out := map[string]*jsrun.Program{}
	for _, name := range []string{"context", "sdk", "runner", "tests"} {
		text, err := texts.ReadFile("js/" + name + ".js")
		if err != nil {
			return nil, err
		}
		if out[name], err = jsrun.Compile("dsh-mnemon/"+name+".js", string(text)); err != nil {
			return nil, err
		}
	}
	return out, nil
})

// kit is what one runtime has of ours: the modules that plugins import and what
// Go keeps about their objects. It belongs to the runtime's goroutine.
type kit struct {
	vm     *jsrun.VM
	run    *jsrun.Run
	loader *Loader

	freeze jsrun.Value // Object.freeze
	twins  *twins
	native map[*jsrun.Object]any // frozen definition -> the Go definition that it stands for
	cores  map[*compose.Core]jsrun.Value

	held      map[*place]bool         // of the directories that plugins lock
	installed []func(context.Context) // what the effect that is set up has installed

	context, sdk, testing, loaderObject jsrun.Value

	tests jsrun.Value // nil until a file imports node:test
}

func newKit(vm *jsrun.VM, l *Loader) (*kit, error) {
	k := &kit{
		vm: vm, run: vm.Run(), loader: l,
		twins:  &twins{},
		native: map[*jsrun.Object]any{},
		cores:  map[*compose.Core]jsrun.Value{},
		held:   map[*place]bool{},
	}
	if err := k.setUp(); err != nil {
		return nil, fmt.Errorf("dsh-mnemon's modules: %w", err)
	}
	k.run.Defer(k.letGo)
	return k, nil
}

func (k *kit) setUp() (err error) {
	if k.freeze, err = k.eval("Object.freeze"); err != nil {
		return err
	}
	if k.context, err = k.part("context", k.contextHost()); err != nil {
		return err
	}
	host, err := k.sdkHost()
	if err != nil {
		return err
	}
	if k.sdk, err = k.part("sdk", host); err != nil {
		return err
	}
	contracts, err := k.vm.Get(k.sdk, "contracts")
	if err != nil {
		return err
	}
	k.testing, err = k.part("runner", host, k.context, contracts)
	return err
}

func (k *kit) eval(text string) (jsrun.Value, error) {
	p, err := jsrun.Compile("dsh-mnemon", text)
	if err != nil {
		return nil, err
	}
	return k.vm.Eval(p)
}

// part runs one of the JavaScript files and calls the function that it is.
func (k *kit) part(name string, args ...jsrun.Value) (jsrun.Value, error) {
	all, err := programs()
	if err != nil {
		return nil, err
	}
	build, err := k.vm.Eval(all[name])
	if err != nil {
		return nil, err
	}
	return k.vm.Apply(build, nil, args...)
}

// object builds a plain object of names and values.
func (k *kit) object(pairs ...any) (*jsrun.Object, error) {
	o := k.vm.New()
	for i := 0; i < len(pairs); i += 2 {
		if err := o.Set(pairs[i].(string), pairs[i+1]); err != nil {
			return nil, err
		}
	}
	return o, nil
}

// frozen is object, frozen.
func (k *kit) frozen(pairs ...any) (jsrun.Value, error) {
	o, err := k.object(pairs...)
	if err != nil {
		return nil, err
	}
	return k.vm.Apply(k.freeze, nil, o)
}

// function is a host function that gets as many arguments as it wants.
func (k *kit) function(name string, count int, f func(args []jsrun.Value) (jsrun.Value, error)) jsrun.Value {
	return k.vm.Func(name, func(_ jsrun.Value, args []jsrun.Value) (jsrun.Value, error) {
		for len(args) < count {
			args = append(args, k.undefined())
		}
		v, err := f(args)
		return v, k.thrown(err)
	})
}

func (k *kit) undefined() jsrun.Value { return k.vm.FromJSON(undefined) }

// later makes the value that a promise settles with, on the runtime's goroutine.
type later = func(*jsrun.VM) (jsrun.Value, error)

// async is a promise of what f does away from the runtime.
func (k *kit) async(f func(ctx context.Context) (later, error)) jsrun.Value {
	return k.vm.Promise(func(ctx context.Context) (later, error) {
		end, err := f(ctx)
		return func(vm *jsrun.VM) (jsrun.Value, error) {
			if err != nil {
				return nil, k.thrown(err)
			}
			return end(vm)
		}, nil
	})
}

// settled is the end of an async that gives undefined.
func settled(*jsrun.VM) (jsrun.Value, error) { return nil, nil }

// thrown is the error as plugins are to see it: several failures under one
// sentence are an AggregateError.
func (k *kit) thrown(err error) error {
	var all *compose.AggregateError
	if !errors.As(err, &all) {
		return err
	}
	values := make([]jsrun.Value, len(all.Errors))
	for i, each := range all.Errors {
		values[i] = k.vm.Raise(k.thrown(each))
	}
	return k.vm.Throw(k.vm.NewAggregate(values, all.Message))
}

// isUndefined tells undefined from the text of that name by its truth.
func isUndefined(v jsrun.Value) bool {
	return v == nil || !v.ToBoolean() && v.String() == "undefined"
}
