package fiber

import (
	"context"
	"errors"
	"fmt"
	"time"
)

var (
	// ErrInactive says that the Fiber unloads or is disposed of, so that nothing
	// can be registered (the reference's INACTIVE_EFFECT).
	ErrInactive = errors.New("cannot create effect on inactive context")
	// ErrInside says that code waits for something that waits for this code.
	ErrInside = errors.New("cannot wait for a fiber from inside it")
)

// TakenError says that another Fiber provides a service already.
type TakenError struct {
	Service string
	Owner   *Fiber
}

func (e *TakenError) Error() string {
	return fmt.Sprintf("service %q is already provided by %s", e.Service, e.Owner.Name())
}

// AccessError says why a service cannot be used. Declared tells whether the
// Fiber names it in its Inject, and so was to wait for it.
type AccessError struct {
	Service  string
	Fiber    *Fiber
	Declared bool
}

func (e *AccessError) Error() string {
	if e.Declared {
		return fmt.Sprintf("service %q of %s is not there while the fiber is inactive", e.Service, e.Fiber.Name())
	}
	return fmt.Sprintf("service %q is not injected into %s: add it to inject", e.Service, e.Fiber.Name())
}

// HangError says that something was given up after Config.DisposeTimeout.
type HangError struct {
	Label string
	After time.Duration
}

func (e *HangError) Error() string {
	return fmt.Sprintf("%s: not undone within %s, given up", e.Label, e.After)
}

// PanicError is what plugin code panicked with.
type PanicError struct {
	Value any
	Stack []byte
}

func (e *PanicError) Error() string { return fmt.Sprintf("panic: %v", e.Value) }

// Unwrap returns the value if it was an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// later is the error that Later returns.
type later struct{ wait Rest }

func (*later) Error() string { return "not finished" }

// Rest waits for something that has begun and goes on elsewhere, and returns
// what came of it. It is called once.
type Rest func(ctx context.Context) (any, error)

// Later is what a callback returns as its error when it has begun something and
// has not ended. The kernel calls wait on a goroutine of its own, with a ctx that
// ends when the outcome is given up. What counts of the outcome depends on the
// callback: of an Apply or a Disposer the error, of a setup also a Disposer as
// the value, of a listener both.
func Later(wait Rest) error { return &later{wait: wait} }

// asLater returns what is left of a callback that returned err.
func asLater(err error) *later {
	l, _ := err.(*later) // one inside another error would have no owner
	return l
}
