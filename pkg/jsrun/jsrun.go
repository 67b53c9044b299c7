// Package jsrun runs JavaScript on goja: Compile, Start, Call, Close.
//
// A Run is one runtime with a goroutine that owns it and a queue of jobs; all
// others hand it work. Only copied JSON crosses the border by itself; whatever
// else a script can reach, the host handed in. It is not a security boundary:
// hard limits on memory and native calls need a process of their own.
package jsrun

import (
	"context"
	"errors"
	"time"

	"github.com/dop251/goja"
)

// The engine's values, under our names, so that no other room imports goja.
type (
	Value  = goja.Value
	Object = goja.Object
)

// Program is compiled text. It is immutable and may be started many times, by
// many goroutines.
type Program struct{ code *goja.Program }

// Config is what a runtime is given. The zero Config gives no clock, no chance,
// no output and the default limits.
type Config struct {
	Now       func() time.Time // nil: Date stands at 1970-01-01T00:00:00Z
	Random    func() float64   // nil: Math.random gives 0
	Globals   []Global         // defined in this order, before any script runs
	Limits    Limits
	Unhandled func(*Error) // a rejection that nobody caught, on the owner's goroutine
}

// Global is one symbol that the host hands in.
type Global struct {
	Name string
	Make func(vm *VM) (Value, error)
}

// Limits bound a runtime. A zero member takes the default.
type Limits struct {
	Busy   time.Duration // longest stretch without returning to the queue; default 5 s
	Heap   uint64        // growth of the process's heap during one stretch, in bytes; default 256 MiB
	Stack  int           // depth of calls; default 1000
	Regexp time.Duration // longest match of one backtracking pattern, process-wide; default 250 ms
}

var (
	// ErrClosed says that the run was closed.
	ErrClosed = errors.New("the run is closed")
	// ErrLimit says that a limit was passed; the run is of no further use.
	ErrLimit = errors.New("a limit of the run was passed")
)

// Error is what a script threw.
type Error struct {
	Name, Message, Stack, Code string
	Value                      Value // the thrown value itself, for the same runtime only
	Cause                      error // the Go error that a host function had returned, if it was one
}

func (e *Error) Error() string { return e.Message }
func (e *Error) Unwrap() error { return e.Cause }

// Run is one runtime. Its methods may be called from any goroutine.
type Run struct{}

// Start makes a fresh runtime and runs the program in it.
func (p *Program) Start(ctx context.Context, config Config) (*Run, error) { panic("not built") }

// Do runs f on the goroutine that owns the runtime and waits for it. When ctx
// says that the caller is already on that goroutine (see VM.Context), f runs at
// once. Jobs run in the order in which they were handed in.
func (r *Run) Do(ctx context.Context, f func(vm *VM) error) error { panic("not built") }

// Await is Do for something that may be a promise: start runs on the owner's
// goroutine; when what it returned has settled, settle is called there with the
// value. A rejection comes back as *Error. When ctx ends first, Await returns
// context.Cause(ctx) and a late value is dropped.
func (r *Run) Await(ctx context.Context, start func(vm *VM) (Value, error), settle func(vm *VM, v Value) error) error {
	panic("not built")
}

// Begin is Await that does not wait: the job is in the queue when Begin returns,
// and the channel delivers the one outcome.
func (r *Run) Begin(ctx context.Context, start func(vm *VM) (Value, error), settle func(vm *VM, v Value) error) <-chan error {
	panic("not built")
}

// Call calls a global function with JSON and returns JSON.
func (r *Run) Call(ctx context.Context, name string, args ...any) (any, error) { panic("not built") }

// Defer registers an undo for Close; the last registered runs first.
func (r *Run) Defer(undo func()) { panic("not built") }

// Close undoes what the run registered, last first, and ends its goroutine. It
// is safe twice.
func (r *Run) Close() error { panic("not built") }

// Done is closed when the run is closed or has passed a limit; Err then says why.
func (r *Run) Done() <-chan struct{} { panic("not built") }

// Err says why the run is of no further use, or nil.
func (r *Run) Err() error { panic("not built") }

// VM is the runtime in the hands of its owner: its methods may be called only
// on the goroutine that owns it, inside Do, Await or a host function.
type VM struct{}

// Context is the context of the job that runs. It tells Do that its holder is on
// this goroutine, so host functions pass it on.
func (vm *VM) Context() context.Context { panic("not built") }

// Run returns the run that the runtime belongs to.
func (vm *VM) Run() *Run { panic("not built") }

// FromJSON builds the value afresh out of this runtime's own plain objects.
func (vm *VM) FromJSON(v any) Value { panic("not built") }

// Frozen is FromJSON with every object and array frozen.
func (vm *VM) Frozen(v any) Value { panic("not built") }

// ToJSON copies a value as package jsonvalue has it. It never refuses: what JSON
// cannot hold becomes a jsonvalue.Foreign in its place. An error is what a
// getter threw.
func (vm *VM) ToJSON(v Value) (any, error) { panic("not built") }

// Func makes a host function. An error that f returns is thrown as an Error with
// its text; an *Error of this runtime is thrown as the value it was.
func (vm *VM) Func(name string, f func(this Value, args []Value) (Value, error)) Value {
	panic("not built")
}

// Apply calls a function value; what it throws comes back as *Error.
func (vm *VM) Apply(fn Value, this Value, args ...Value) (Value, error) { panic("not built") }

// IsFunc says whether v can be called.
func (vm *VM) IsFunc(v Value) bool { panic("not built") }

// Get reads a member of an object; what a getter throws comes back as *Error.
// For anything but an object it returns undefined.
func (vm *VM) Get(v Value, key string) (Value, error) { panic("not built") }

// New makes an empty plain object, Set its member.
func (vm *VM) New() *Object { panic("not built") }

// Raise is the error as a value of this runtime: the same value if it came from
// here, else a new Error with its text, and its code if it has one.
func (vm *VM) Raise(err error) Value { panic("not built") }

// Promise runs f on a goroutine of its own and returns a promise that settles
// with what the function returned by f makes of it on the owner's goroutine.
// Tasks of one run begin in the order in which they were started: the next one
// begins when the one before has first handed a runtime a job, or has ended.
func (vm *VM) Promise(f func(ctx context.Context) (func(vm *VM) (Value, error), error)) Value {
	panic("not built")
}

// Eval runs a program in this runtime and returns its completion value.
func (vm *VM) Eval(p *Program) (Value, error) { panic("not built") }

// Signal returns an AbortSignal that aborts when ctx ends, with the reason that
// context.Cause gives (the thrown value itself if it came from this runtime),
// and Context the reverse: a context that ends when the signal aborts.
func (vm *VM) Signal(ctx context.Context) Value { panic("not built") }

// Abortable returns a context that ends, with the signal's reason as its cause,
// when the AbortSignal aborts. Undefined and null never abort.
func (vm *VM) Abortable(ctx context.Context, signal Value) (context.Context, context.CancelFunc) {
	panic("not built")
}

// Compile checks the syntax of a script and runs nothing.
func Compile(name, src string) (*Program, error) { panic("not built") }
