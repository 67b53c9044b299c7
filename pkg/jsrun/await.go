package jsrun

import (
	"context"

	"github.com/dop251/goja"
)

// await runs start and arranges for settle. It runs inside the ticket's job.
func (vm *VM) await(t *ticket, start func(vm *VM) (Value, error), settle func(vm *VM, v Value) error) {
	v, err := start(vm)
	if err != nil {
		t.settle(err)
		return
	}
	vm.when(v, func(v Value, err error) {
		if !t.begin() {
			return // its owner has left
		}
		if err == nil {
			err = settle(vm, v)
		}
		t.settle(err)
	})
}

// when calls f once with what v has settled to: at once if it is no promise,
// else from a microtask. What goes wrong on the way is an outcome too.
func (vm *VM) when(v Value, f func(v Value, err error)) {
	o, ok := v.(*goja.Object)
	if !ok {
		if v == nil {
			v = goja.Undefined()
		}
		f(v, nil)
		return
	}
	p, thenable, err := vm.asPromise(o)
	switch {
	case err != nil:
		f(nil, err)
	case !thenable:
		f(v, nil)
	default:
		kept := vm.keep()
		vm.then(p, func(v Value) { defer vm.resume(kept)(); f(v, nil) },
			func(v Value) { defer vm.resume(kept)(); f(nil, vm.Throw(v)) })
	}
}

// asPromise does what await does: a promise of this runtime stays, another
// thenable is followed by a fresh promise.
func (vm *VM) asPromise(o *goja.Object) (p *goja.Object, thenable bool, err error) {
	if isPromise(o) {
		class, err := vm.Get(o, "constructor")
		if err != nil {
			return nil, false, err
		}
		if class == vm.base.promise {
			return o, true, nil
		}
	} else {
		then, err := vm.Get(o, "then")
		if err != nil {
			return nil, false, err
		}
		if !vm.IsFunc(then) {
			return nil, false, nil
		}
		// The member is read once: what follows calls the one that was read.
		p, resolve, reject := vm.rt.NewPromise()
		vm.queueThenable(o, then, resolve, reject)
		return vm.rt.ToValue(p).(*goja.Object), true, nil
	}
	fresh, resolve, _ := vm.rt.NewPromise()
	if err := resolve(o); err != nil {
		return nil, false, vm.caught(err)
	}
	return vm.rt.ToValue(fresh).(*goja.Object), true, nil
}

// queueThenable calls then in a microtask, as the language does.
func (vm *VM) queueThenable(o *goja.Object, then Value, resolve, reject func(any) error) {
	done := false
	once := func(f func(any) error) Value {
		return vm.rt.ToValue(func(call goja.FunctionCall) goja.Value {
			if !done {
				done = true
				_ = f(call.Argument(0))
			}
			return goja.Undefined()
		})
	}
	vm.microtask(func() {
		if _, err := vm.Apply(then, o, once(resolve), once(reject)); err != nil && !done {
			done = true
			_ = reject(vm.Raise(err))
		}
	})
}

// microtask queues f behind the microtasks that wait.
func (vm *VM) microtask(f func()) {
	p, resolve, _ := vm.rt.NewPromise()
	_ = resolve(goja.Undefined())
	vm.then(vm.rt.ToValue(p).(*goja.Object), func(Value) { f() }, func(Value) {})
}

// then hangs two Go functions on a promise of this runtime. They are called from
// JavaScript, so that what they call does not drain the microtasks in between.
func (vm *VM) then(p *goja.Object, fulfilled, rejected func(Value)) {
	relay := func(f func(Value)) Value {
		v, err := vm.base.relay(goja.Undefined(), vm.rt.ToValue(func(call goja.FunctionCall) goja.Value {
			f(call.Argument(0))
			return goja.Undefined()
		}))
		if err != nil {
			return goja.Undefined()
		}
		return v
	}
	if _, err := vm.base.then(p, relay(fulfilled), relay(rejected)); err != nil {
		rejected(vm.Raise(vm.caught(err)))
	}
}

// kept is what a continuation finds again: the context of the job that began.
type kept struct{ job *jobContext }

func (vm *VM) keep() kept { return kept{vm.job} }

func (vm *VM) resume(k kept) (undo func()) {
	now := vm.job
	vm.job = k.job
	return func() { vm.job = now }
}

// Promise runs f on a goroutine of its own and returns a promise that settles
// with what the function returned by f makes of it on the owner's goroutine.
// Tasks of one run begin in the order in which they were started: the next one
// begins when the one before has first handed a runtime a job, or has ended.
// The context of f ends with the run.
func (vm *VM) Promise(f func(ctx context.Context) (func(vm *VM) (Value, error), error)) Value {
	p, resolve, reject := vm.rt.NewPromise()
	before := vm.lastTask
	mine := &task{handed: make(chan struct{})}
	vm.lastTask = mine
	ctx := vm.after()
	ctx.task = mine
	async := vm.async
	go func() {
		defer mine.hand()
		if before != nil {
			<-before.handed
		}
		finish, err := recovered(ctx, f)
		settle := func() {
			vm.async = async
			var v Value
			if err == nil && finish != nil {
				v, err = finish(vm)
			}
			if err != nil {
				_ = reject(vm.Raise(err))
				return
			}
			_ = resolve(v)
		}
		_ = vm.run.post(&job{ctx: ctx, run: settle})
	}()
	return vm.rt.ToValue(p)
}
