package half

import (
	"errors"
	"time"

	"github.com/dshkit/dshkit/internal/cordis/wire"
)

var (
	// ErrGone says that the half is no more. What ended it, a *LimitError say, is
	// found in the same error.
	ErrGone = errors.New("the plugin's half is gone")
	// ErrNoMethod says that there is no handler, function, listener or tool of
	// that name.
	ErrNoMethod = errors.New("there is no such method")
	// ErrNotLoaded says that the plugin waits for a service.
	ErrNotLoaded = errors.New("the plugin is not loaded: it waits for a service")
	// ErrDeadlock says that the answer would have to wait for the one who asks.
	ErrDeadlock = errors.New("deadlock: the call would wait for its own caller")
	// ErrDepth says that too many calls wait within each other.
	ErrDepth = errors.New("too many calls between plugins within each other: at most 64")
	// ErrBusy says that too many calls wait for an answer.
	ErrBusy = errors.New("too many calls wait for an answer")
)

// LimitError says which limit a half passed, in which phase.
type LimitError struct {
	Limit string // "busy", "heap", "stack", "panic", "memory", "time" or "frozen"
	Phase string // what it did, such as `handler "report"`
	Bound string // the limit, as a person reads it
}

// Error names all three.
func (e *LimitError) Error() string {
	text := "the plugin passed its limit of " + e.Limit
	if e.Bound != "" {
		text += " (" + e.Bound + ")"
	}
	if e.Phase != "" {
		text += " in " + e.Phase
	}
	return text
}

// Limits bound the calls of a half. A zero member takes the default, which is
// far above what a healthy plugin needs. A call that passes its limit gets a
// *LimitError and its late answer is dropped; the half lives on, unless it does
// not answer a ping either.
type Limits struct {
	Start  time.Duration // evaluation, with all that it awaits: 30 s
	Load   time.Duration // apply, with all that it awaits: 30 s
	Unload time.Duration // all disposers: 30 s
	Invoke time.Duration // a handler: 2 min
	Tool   time.Duration // a tool that names no limit of its own: 2 min
	Call   time.Duration // a function, until it returns: 30 s
	Await  time.Duration // a promise, until it settles: 10 min
	Fire   time.Duration // a listener, with all that it awaits: 2 min

	Pulse time.Duration // how often an idle half is asked whether it lives: 10 s
	Grace time.Duration // for the answer to that, and for the half to end: 5 s
}

func (l Limits) withDefaults() Limits {
	for _, d := range []struct {
		limit     *time.Duration
		otherwise time.Duration
	}{
		{&l.Start, 30 * time.Second},
		{&l.Load, 30 * time.Second},
		{&l.Unload, 30 * time.Second},
		{&l.Invoke, 2 * time.Minute},
		{&l.Tool, 2 * time.Minute},
		{&l.Call, 30 * time.Second},
		{&l.Await, 10 * time.Minute},
		{&l.Fire, 2 * time.Minute},
		{&l.Pulse, 10 * time.Second},
		{&l.Grace, 5 * time.Second},
	} {
		if *d.limit <= 0 {
			*d.limit = d.otherwise
		}
	}
	return l
}

var errClosed = errors.New("it was closed")

// goneError is ErrGone and why.
type goneError struct{ why error }

func (e *goneError) Error() string   { return ErrGone.Error() + ": " + e.why.Error() }
func (e *goneError) Unwrap() []error { return []error{ErrGone, e.why} }

// faults are the errors that cross under a code.
var faults = []struct {
	err  error
	code wire.Code
}{
	{ErrDeadlock, wire.CodeDeadlock},
	{ErrGone, wire.CodeGone},
	{ErrNoMethod, wire.CodeNoMethod},
	{ErrNotLoaded, wire.CodeNotLoaded},
	{ErrBusy, wire.CodeBusy},
	{ErrDepth, wire.CodeLimit},
}

// inward is an error of the sandbox's machinery as the host knows it.
func inward(err error, phase string) error {
	fault, ok := errors.AsType[*wire.Fault](err)
	if !ok {
		return err
	}
	if fault.Code == wire.CodeLimit && fault.Message != ErrDepth.Error() {
		return fault
	}
	for _, f := range faults {
		if f.code == fault.Code {
			return &faultError{kind: f.err, fault: fault, phase: phase}
		}
	}
	return fault
}

// faultError has the kind that callers decide on and the text of the fault.
type faultError struct {
	kind  error
	fault *wire.Fault
	phase string
}

func (e *faultError) Error() string   { return e.phase + ": " + e.fault.Message }
func (e *faultError) Unwrap() []error { return []error{e.kind, e.fault} }

// outward is an error of the host as it crosses to a sandbox.
func outward(err error) error {
	if _, thrown := errors.AsType[*wire.Thrown](err); thrown || err == nil {
		return err
	}
	if _, ok := errors.AsType[*LimitError](err); ok {
		return &wire.Fault{Code: wire.CodeLimit, Message: err.Error()}
	}
	for _, f := range faults {
		if errors.Is(err, f.err) {
			return &wire.Fault{Code: f.code, Message: err.Error()}
		}
	}
	return err
}
