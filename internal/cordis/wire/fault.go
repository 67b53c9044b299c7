package wire

import (
	"context"
	"errors"
)

// Fault is an error of the machinery, not of plugin code, as it crosses.
type Fault struct {
	Code    Code
	Message string
}

// Error is the message.
func (f *Fault) Error() string { return f.Message }

// Code says what kind of Fault it is.
type Code string

// The codes of Faults.
const (
	CodeNoMethod  Code = "no-method"  // no handler, function, listener or tool of that name
	CodeBusy      Code = "busy"       // too many calls wait for an answer
	CodeLimit     Code = "limit"      // a limit was passed
	CodeDeadlock  Code = "deadlock"   // the call waits for its own caller
	CodeGone      Code = "gone"       // what was to answer is gone
	CodeCancelled Code = "cancelled"  // the caller waits no longer
	CodeInactive  Code = "inactive"   // nothing can be registered now
	CodeOther     Code = "other"      // all else
	CodeMalformed Code = "malformed"  // a body that nobody can read
	CodeTooLarge  Code = "too-large"  // an answer that fits into no frame
	CodeNotLoaded Code = "not-loaded" // the plugin is parked
)

// LimitName is the Name of a Thrown that stands for a limit which ends the
// sandbox; its Code is CodeLimit.
const LimitName = "LimitError"

// failed is the body of a KindError. Thrown is a *Thrown, or nil for a Fault.
type failed struct {
	Thrown        any
	Code, Message string
}

func failure(err error) failed {
	if thrown, ok := errors.AsType[*Thrown](err); ok {
		return failed{Thrown: thrown}
	}
	f, ok := errors.AsType[*Fault](err)
	if !ok {
		f = &Fault{Code: codeOf(err), Message: err.Error()}
	}
	return failed{Code: string(f.Code), Message: f.Message}
}

func codeOf(err error) Code {
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return CodeCancelled
	case errors.Is(err, ErrClosed):
		return CodeGone
	case errors.Is(err, ErrTooLarge):
		return CodeTooLarge
	case errors.Is(err, ErrMalformed):
		return CodeMalformed
	default:
		return CodeOther
	}
}

func (f failed) err() error {
	if thrown, ok := f.Thrown.(*Thrown); ok {
		return thrown
	}
	return &Fault{Code: Code(f.Code), Message: f.Message}
}
