package jsrun

import (
	"context"
	"errors"

	"github.com/dop251/goja"
)

// Signal returns an AbortSignal that aborts when ctx ends, with the reason that
// context.Cause gives (the thrown value itself if it came from this runtime).
func (vm *VM) Signal(ctx context.Context) Value {
	signal, _ := vm.SignalUntil(ctx)
	return signal
}

// SignalUntil is Signal for work that may be over before ctx ends: once settled
// is called, the end of ctx is no abort any more.
func (vm *VM) SignalUntil(ctx context.Context) (signal Value, settled func()) {
	signal, err := vm.base.newSignal(goja.Undefined())
	if err != nil {
		return goja.Undefined(), func() {}
	}
	abort := func() { _, _ = vm.base.abort(goja.Undefined(), signal, vm.reason(context.Cause(ctx))) }
	if ctx.Done() == nil {
		return signal, func() {}
	}
	if ctx.Err() != nil {
		abort()
		return signal, func() {}
	}
	stop := context.AfterFunc(ctx, func() {
		_ = vm.run.post(&job{ctx: vm.run.life, run: abort})
	})
	return signal, func() {
		if ctx.Err() == nil { // what has ended aborts, if only in a moment
			stop()
		}
	}
}

// reason is the cause of an abort as a script sees it.
func (vm *VM) reason(cause error) Value {
	if v, ok := vm.Thrown(cause); ok {
		return v
	}
	name, text := "", ""
	switch {
	case errors.Is(cause, context.DeadlineExceeded):
		name, text = "TimeoutError", "The operation was aborted due to timeout"
	case cause == nil || errors.Is(cause, context.Canceled):
		name, text = "AbortError", "This operation was aborted"
	default:
		return vm.Raise(cause)
	}
	v, err := vm.base.domException(goja.Undefined(), vm.str(text), vm.str(name))
	if err != nil {
		return vm.Raise(cause)
	}
	return v
}

// Abortable returns a context that ends, with the signal's reason as its cause,
// when the AbortSignal aborts. Undefined and null never abort.
func (vm *VM) Abortable(ctx context.Context, signal Value) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	stop := func() { cancel(context.Canceled) }
	if _, ok := signal.(*goja.Object); !ok {
		return ctx, stop
	}
	follow := vm.rt.ToValue(func(call goja.FunctionCall) goja.Value {
		cancel(vm.Throw(call.Argument(0)))
		return goja.Undefined()
	})
	undo, err := vm.base.follow(goja.Undefined(), signal, follow)
	if err != nil || !vm.IsFunc(undo) {
		return ctx, stop
	}
	return ctx, func() {
		cancel(context.Canceled)
		_ = vm.run.post(&job{ctx: vm.run.life, run: func() { _, _ = vm.Apply(undo, nil) }})
	}
}
