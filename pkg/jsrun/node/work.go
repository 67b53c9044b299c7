package node

import (
	"context"
	"errors"

	"github.com/dop251/goja"

	"github.com/dshkit/dshkit/pkg/jsrun"
)

type ctx = context.Context

// promise runs f away from the runtime and settles with what its answer makes.
// These tasks begin in the order in which they were started.
func (in *instance) promise(f func(ctx) (answer, error)) jsrun.Value {
	return in.vm.Promise(func(c context.Context) (func(vm *jsrun.VM) (jsrun.Value, error), error) {
		a, err := f(c)
		return func(*jsrun.VM) (jsrun.Value, error) {
			if err != nil {
				return nil, in.raise(err)
			}
			v, err := a(in)
			return v, in.raise(err)
		}, nil
	})
}

// lifetime is the context of all that a run has under way in this package; it ends
// with the run, which then waits for its goroutines.
func (in *instance) lifetime() ctx {
	if in.life == nil {
		life, end := context.WithCancel(context.Background())
		in.life = life
		in.vm.Run().Defer(func() {
			end()
			in.working.Wait()
		})
	}
	return in.life
}

// work runs f on a goroutine of its own; the run waits for it at its end. What f
// wants to say to the script it says through tell.
func (in *instance) work(f func(life ctx, tell func(func() error))) {
	life := in.lifetime()
	async := in.vm.Async()
	run := in.vm.Run()
	in.working.Go(func() {
		f(life, func(say func() error) {
			// An error says that the run has ended: nobody is left to hear.
			_ = run.Do(life, func(vm *jsrun.VM) error {
				vm.SetAsync(async)
				return say()
			})
		})
	})
}

// settle runs f likewise and then calls back with (error) or (null, value).
func (in *instance) settle(callback jsrun.Value, f func(life ctx) (answer, error)) {
	in.work(func(life ctx, tell func(func() error)) {
		a, err := f(life)
		tell(func() error {
			var v jsrun.Value
			if err == nil {
				v, err = a(in)
			}
			if err != nil {
				return in.call(callback, in.vm.Raise(in.raise(err)))
			}
			return in.call(callback, goja.Null(), v)
		})
	})
}

// call calls a function of the script. What it throws is nobody's to catch, so
// it goes where a rejection goes that nobody handles.
func (in *instance) call(f jsrun.Value, args ...jsrun.Value) error {
	_, err := in.vm.Apply(f, goja.Undefined(), args...)
	if err == nil {
		return nil
	}
	var thrown *jsrun.Error
	if errors.As(err, &thrown) {
		_, _, reject := in.vm.Runtime().NewPromise()
		return reject(in.vm.Raise(err))
	}
	return err
}
