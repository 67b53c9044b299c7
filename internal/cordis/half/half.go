// Package half is the host's end of one Host half: it evaluates, loads, unloads
// and calls what lives in a sandbox at the other end of a wire.Link, and answers
// what the sandbox asks for through a World.
//
// It promises that no call hangs: a half that is dead, too slow, or that waits
// for its own caller by another way gets its caller an error (see ADR 25).
package half

import (
	"context"
	"time"

	"github.com/dshkit/dshkit/internal/cordis/wire"
)

// Source is the text of one activation.
type Source struct {
	PluginID, PackageID, RunID string
	Code                       string
	EvalTimeout                time.Duration // of the synchronous part of the evaluation (vmTimeoutMs)
}

// Shape is what the evaluation returned.
type Shape struct {
	Name     string // "" for none
	Inject   []string
	Function bool // the function form, which declares nothing
}

// Half is one activation of a Host half.
//
// Start evaluates the body once. Load runs apply, again after each Unload.
// Methods may be called from any goroutine, and the ctx that a call is given
// comes back with what the half asks for on behalf of that call. Errors of
// plugin code are *wire.Thrown; a half that is gone gives ErrGone, one that
// passed a limit a *LimitError, a circle of halves that wait for each other
// ErrDeadlock.
type Half interface {
	// Shape is what Start found.
	Shape() Shape
	// Load runs apply and waits for what it returns.
	Load(ctx context.Context) error
	// BeginUnload starts every disposer, in the order of spec/cordis.md 8.4, and
	// returns when all have been started; rest waits until all have ended. It
	// is not an error that a disposer fails: that is told to World.Report.
	BeginUnload(ctx context.Context) (rest func(ctx context.Context) error, err error)
	// Handlers are the methods that can be invoked, in the order of their
	// registration.
	Handlers() []string
	// Invoke calls a handler (spec/cordis.md 11.1). ErrNoMethod says there is none.
	Invoke(ctx context.Context, method string, args any) (any, error)
	// Execute runs a tool that the half has registered; args have been checked.
	Execute(ctx context.Context, tool uint64, args any) (ToolResult, error)
	// Call calls a Func that lives in this half, with this as given at provide.
	// The value may be a wire.Promise, for Await.
	Call(ctx context.Context, f wire.Func, args []any) (any, error)
	// Await waits until a promise of this half has settled.
	Await(ctx context.Context, p wire.Promise) (any, error)
	// Fire calls a listener. next is nil but in a waterfall.
	Fire(ctx context.Context, listener uint64, args []any, next Next) (any, error)
	// Close ends the half. It is safe twice; what it had registered in the World
	// stays for the caller to undo.
	Close() error
	// Done is closed when the half is gone; Err then says why.
	Done() <-chan struct{}
	Err() error
}

// Next is the rest of a waterfall.
type Next func(ctx context.Context) (any, error)

// ToolResult is what a tool came to (spec/cordis.md 7.5).
type ToolResult struct {
	Value   any   // lossless JSON that matches the output schema
	Content []any // what render gave: objects with a string type
	Meta    any   // what presentationMeta gave; wire.Undefined{} for none
}

// ToolDefinition is a tool as a half registers it; Parameters and Output are
// JSON Schemas of the enforced subset.
type ToolDefinition struct {
	Name, Description  string
	Parameters, Output any
	Timeout            time.Duration // 0: the default
}

// World is what a half may ask of the host. Each method is called on a goroutine
// of its own, with the ctx of the call that the half was serving, or one of its
// own. Most callers block the half's only loop, so they answer quickly; those
// that say so may take their time. An error becomes an exception in the
// plugin's code, with its text, and the Name and Code of a *wire.Thrown.
type World interface {
	// Service gives the value of a live service, for ctx.get.
	Service(ctx context.Context, name string) (value any, ok bool)
	// Injected gives the value that the Fiber was loaded with; ok is false while
	// the provider is away.
	Injected(ctx context.Context, name string) (value any, ok bool)
	// Live says whether a service of that name is live, for the guard's advice.
	Live(name string) bool

	// Provide makes a service of the half, under an id of the half's own. It
	// fails when the name is taken.
	Provide(ctx context.Context, id uint64, name string, value any) error
	// Withdraw takes it back, and returns when its users have come to rest.
	Withdraw(ctx context.Context, id uint64) error
	// On registers a listener under an id of the half's own.
	On(ctx context.Context, id uint64, event string, options ListenOptions) error
	// Off removes it.
	Off(ctx context.Context, id uint64) error
	// Register makes a tool callable, under an id of the half's own.
	Register(ctx context.Context, id uint64, tool ToolDefinition) error
	// Unregister removes it.
	Unregister(ctx context.Context, id uint64) error
	// Tools are the tools that the plugin's Session sees.
	Tools(ctx context.Context) []ToolDefinition

	// Call calls a Func whose home is not this half: a service's of the host or of
	// another half. It may take its time when the Func is Async.
	Call(ctx context.Context, f wire.Func, args []any) (any, error)
	// Await waits for a Promise whose home is not this half. It takes its time.
	Await(ctx context.Context, p wire.Promise) (any, error)

	// Log takes a line that the plugin wrote.
	Log(level, text string)
	// Report takes a failure that nobody waits for.
	Report(f Failure)
}

// ListenOptions say where a listener stands.
type ListenOptions struct {
	Prepend, Once bool
}

// Failure is something that went wrong in plugin code where nobody waits.
type Failure struct {
	Kind    FailureKind
	Guard   string // of FailureGuard: undeclared, withheld, read-only, context-return
	Message string
	Stack   string
}

// FailureKind says where it happened.
type FailureKind string

// The kinds of failures.
const (
	FailureGuard    FailureKind = "guard"    // the guard refused something
	FailureTimer    FailureKind = "timer"    // a callback of a timer
	FailureListener FailureKind = "listener" // an async listener
	FailureEffect   FailureKind = "effect"   // an async setup that was rejected
	FailureDisposer FailureKind = "disposer" // a disposer
	FailurePromise  FailureKind = "promise"  // a rejection that nobody caught
	FailureLimit    FailureKind = "limit"    // a limit of the sandbox
)

// Starter starts halves: each in a process of its own, or all in this one.
type Starter interface {
	// Start makes a sandbox and evaluates the body. The error of plugin code
	// is a *wire.Thrown (all that is wrong with the source, 7.1 included). ctx
	// bounds the start; when it ends, nothing is left behind.
	Start(ctx context.Context, source Source, world World) (Half, error)
}
