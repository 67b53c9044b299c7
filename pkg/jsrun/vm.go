package jsrun

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/dop251/goja"
	"github.com/dop251/goja/parser"
)

// VM is the runtime in the hands of its owner: its methods may be called only
// on the goroutine that owns it, inside Do, Await or a host function.
type VM struct {
	rt    *goja.Runtime
	run   *Run
	job   *jobContext
	watch *watch
	owner atomic.Uint64 // the goroutine that owns the runtime

	overran  bool // a stack ran over in this turn
	lastTask *task
	async    any // the async context, see Async
	asyncs   []any
	rejected []*rejection
	open     map[*goja.Promise]*rejection // those of them that nobody has caught
	graced   int                          // so many of them have a report in the queue
	base     realm
	names    []string // of sources: as the engine writes them, as they are, in pairs
	timers   timers
	patterns map[string]Value // compiled, see regexp
	orders   map[string][]int // see readingOrder
	shared   *shared
	joining  []*goja.Object // arrays that are being made a text
}

// realm is what the engine's own code uses of a fresh runtime, taken before any
// script could change it.
type realm struct {
	object, array   *goja.Object            // their prototypes
	promise, regexp *goja.Object            // Promise, the engine's RegExp
	errors          map[string]*goja.Object // the classes

	enter             goja.Callable // (f) => f()
	relay             goja.Callable // (f) => (x) => f(x)
	then              goja.Callable // Promise.prototype.then
	causeOf, setCause goja.Callable // of a WeakMap
	valueOf           goja.Callable // of a Boolean or BigInt object
	cloneExotic       goja.Callable

	newSignal, abort, follow, domException goja.Callable

	freeze, reflectSet, reflectGet, ownKeys, isEnumerable, hasOwn, seal func(goja.FunctionCall) goja.Value
}

func newVM(r *Run) *VM {
	limitRegexps(r.config.Limits)
	rt := goja.New()
	rt.SetParserOptions(parser.WithDisableSourceMaps)
	rt.SetMaxCallStackSize(r.config.Limits.Stack)
	now, random := r.config.Now, r.config.Random
	if now == nil {
		now = func() time.Time { return time.Unix(0, 0).UTC() }
	}
	if random == nil {
		random = func() float64 { return 0 }
	}
	rt.SetTimeSource(now)
	rt.SetRandSource(random)
	vm := &VM{rt: rt, run: r, shared: &shared{}, open: map[*goja.Promise]*rejection{}}
	vm.watch = &watch{run: r, limits: r.config.Limits}
	rt.SetPromiseRejectionTracker(vm.track)
	rt.SetAsyncContextTracker(tracker{vm})
	return vm
}

// Context is the context of the job that runs. It tells Do that its holder is on
// this goroutine, so host functions pass it on.
func (vm *VM) Context() context.Context {
	if vm.job == nil {
		return vm.run.life
	}
	return vm.job
}

// Run returns the run that the runtime belongs to.
func (vm *VM) Run() *Run { return vm.run }

// Runtime is the engine itself, for package node. Nothing else needs it.
func (vm *VM) Runtime() *goja.Runtime { return vm.rt }

// Func makes a host function. An error that f returns is thrown as an Error with
// its text; an *Error of this runtime is thrown as the value it was.
func (vm *VM) Func(name string, f func(this Value, args []Value) (Value, error)) Value {
	fn := vm.rt.ToValue(func(call goja.FunctionCall) goja.Value {
		v, err := f(call.This, call.Arguments)
		if err != nil {
			panic(vm.Raise(err))
		}
		if v == nil {
			return goja.Undefined()
		}
		return v
	}).(*goja.Object)
	_ = fn.DefineDataProperty("name", vm.rt.ToValue(name), goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	return fn
}

// Apply calls a function value; what it throws comes back as *Error.
func (vm *VM) Apply(fn Value, this Value, args ...Value) (Value, error) {
	call, ok := goja.AssertFunction(fn)
	if !ok {
		return nil, vm.typeError("a function is wanted")
	}
	if this == nil {
		this = goja.Undefined()
	}
	v, err := call(this, args...)
	if err != nil {
		return nil, vm.caught(err)
	}
	return v, nil
}

// IsFunc says whether v can be called.
func (vm *VM) IsFunc(v Value) bool {
	_, ok := goja.AssertFunction(v)
	return ok
}

// Get reads a member of an object; what a getter throws comes back as *Error.
// For anything but an object it returns undefined.
func (vm *VM) Get(v Value, key string) (Value, error) {
	o, ok := v.(*goja.Object)
	if !ok {
		return goja.Undefined(), nil
	}
	var out Value
	if err := vm.try(func() { out = o.Get(key) }); err != nil {
		return nil, err
	}
	if out == nil {
		out = goja.Undefined()
	}
	return out, nil
}

// New makes an empty plain object, Set its member.
func (vm *VM) New() *Object { return vm.rt.NewObject() }

// Eval runs a program in this runtime and returns its completion value.
func (vm *VM) Eval(p *Program) (Value, error) {
	v, err := vm.rt.RunProgram(p.code)
	if err != nil {
		return nil, vm.caught(err)
	}
	return v, nil
}

// try runs Go code that may meet JavaScript, and returns what that threw.
func (vm *VM) try(f func()) (err error) {
	defer func() {
		if x := recover(); x != nil {
			if e, ok := x.(error); ok && isFatal(e) {
				err = vm.caught(e)
				return
			}
			panic(x)
		}
	}()
	if ex := vm.rt.Try(f); ex != nil {
		return vm.caught(ex)
	}
	return nil
}

// enter runs f as one stretch: microtasks wait until it has ended, since f is
// called from JavaScript.
func (vm *VM) enter(f func()) (err error) {
	defer func() {
		if x := recover(); x != nil {
			err = vm.lost(x)
		}
	}()
	if vm.base.enter == nil { // the job that sets the runtime up
		f()
		return nil
	}
	_, err = vm.base.enter(goja.Undefined(), vm.rt.ToValue(func(goja.FunctionCall) goja.Value {
		f()
		return goja.Undefined()
	}))
	return err
}

// isFatal says whether an error of the engine leaves the runtime useless: the
// jobs that it had queued are lost.
func isFatal(err error) bool {
	var over *goja.StackOverflowError
	var stop *goja.InterruptedError
	return errors.As(err, &over) || errors.As(err, &stop) || errors.Is(err, ErrLimit)
}

// Async is the async context of what runs: it follows awaits and timers.
func (vm *VM) Async() any { return vm.async }

// SetAsync sets it for what runs from here on, until the job or its part ends.
func (vm *VM) SetAsync(v any) { vm.async = v }

// tracker carries the async context over awaits.
type tracker struct{ vm *VM }

func (t tracker) Grab() any { return t.vm.async }

func (t tracker) Resumed(v any) {
	t.vm.asyncs = append(t.vm.asyncs, t.vm.async)
	t.vm.async = v
}

func (t tracker) Exited() {
	n := len(t.vm.asyncs) - 1
	t.vm.async = t.vm.asyncs[n]
	t.vm.asyncs = t.vm.asyncs[:n]
}
