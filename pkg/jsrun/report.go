package jsrun

import (
	"context"
	"fmt"

	"github.com/dop251/goja"
)

// rejection is a promise that nobody had caught when it was rejected.
type rejection struct {
	promise *goja.Promise // nil: caught meanwhile
	phase   string
}

// track follows promises that were rejected without a handler.
func (vm *VM) track(p *goja.Promise, operation goja.PromiseRejectionOperation) {
	if operation == goja.PromiseRejectionHandle {
		if r := vm.open[p]; r != nil {
			r.promise = nil
			delete(vm.open, p)
		}
		return
	}
	r := &rejection{p, Phase(vm.Context())}
	vm.rejected, vm.open[p] = append(vm.rejected, r), r
}

// reportLater is called when a job and its microtasks have ended. A rejection is
// reported when nobody has caught it one turn of the queue later.
func (vm *VM) reportLater() {
	n := len(vm.rejected) - vm.graced
	if n == 0 {
		return
	}
	vm.graced += n
	_ = vm.run.post(&job{ctx: context.Background(), run: func() { vm.report(n) }})
}

// report tells about the first n rejections.
func (vm *VM) report(n int) {
	due := vm.rejected[:n:n]
	vm.rejected = append([]*rejection(nil), vm.rejected[n:]...)
	vm.graced -= n
	for _, r := range due {
		delete(vm.open, r.promise)
		if r.promise != nil && vm.run.config.Unhandled != nil {
			e := vm.Throw(r.promise.Result())
			e.Phase = r.phase
			vm.run.config.Unhandled(e)
		}
	}
}

// uncaught reports what a timer's function threw.
func (vm *VM) uncaught(err error) {
	e, ok := err.(*Error)
	if !ok || isFatal(err) || vm.run.config.Unhandled == nil {
		return
	}
	e.Phase = Phase(vm.Context())
	vm.run.config.Unhandled(e)
}

// recovered runs a task; a panic in it is an error of the task.
func recovered(ctx context.Context, f func(context.Context) (func(*VM) (Value, error), error)) (finish func(*VM) (Value, error), err error) {
	defer func() {
		if x := recover(); x != nil {
			err = fmt.Errorf("a host function panicked: %v", x)
		}
	}()
	return f(ctx)
}
