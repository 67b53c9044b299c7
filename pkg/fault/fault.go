// Package fault is the error that every room of the house speaks: what class
// of thing went wrong, under which stable code, and which things it names.
//
// The class says what the caller can do about it, the code finds the sentence
// in the language of the user (the tables live in internal/cli), the arguments
// fill it. Nothing here knows a number of an exit code or a language.
package fault

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// Kind classes an error by what the caller can do about it.
type Kind string

// The kinds, in the order of their exit codes (design/product.md 4).
const (
	Failed      Kind = "failed"      // something went wrong that no other kind names
	Refused     Kind = "refused"     // policy, contract, budget, or the user said no
	NotFound    Kind = "not-found"   // no such thing
	Conflict    Kind = "conflict"    // stale revision or run, wrong mode
	Busy        Kind = "busy"        // a lock or a host was not free in time
	Plugin      Kind = "plugin"      // plugin code failed
	Timeout     Kind = "timeout"     // timed out or cancelled
	NoHost      Kind = "no-host"     // no host running, or no page connected
	Pending     Kind = "pending"     // accepted, awaiting approval, starting
	Partial     Kind = "partial"     // partial or unknown completion of a write
	Usage       Kind = "usage"       // usage, validation, syntax
	Damaged     Kind = "damaged"     // a file on disk is damaged
	Internal    Kind = "internal"    // a recovered panic
	Interrupted Kind = "interrupted" // the user pressed the interrupt key
)

// Error is an error with a class and a stable code.
type Error struct {
	Kind Kind
	Code string // stable, lower case with hyphens; the key of the message tables
	Args []any  // what the sentence names, in the order of its verbs
	Err  error  // the cause, or nil
}

// New returns an error of the given kind and code that names args.
func New(kind Kind, code string, args ...any) *Error {
	return &Error{Kind: kind, Code: code, Args: args}
}

// Because returns a copy of e with err as its cause.
func (e *Error) Because(err error) *Error {
	c := *e
	c.Err = err
	return &c
}

// Error gives the code, the arguments and the cause. It is for logs and tests;
// a person reads the sentence that the message tables hold for the code.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.Code)
	for _, a := range e.Args {
		b.WriteByte(' ')
		b.WriteString(plain(fmt.Sprint(a)))
	}
	if e.Err != nil {
		fmt.Fprintf(&b, ": %v", e.Err)
	}
	return b.String()
}

// plain returns s quoted if it holds what could pass for another line of a log.
func plain(s string) string {
	if strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return strconv.Quote(s)
	}
	return s
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Is reports whether target is an Error of the same kind and code, whatever it
// names: so that a package can export an Error for callers to compare with.
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && t.Kind == e.Kind && t.Code == e.Code
}

// KindOf returns the kind of the first Error in the chain of err, Failed when
// there is none, and the empty kind for nil.
func KindOf(err error) Kind {
	var e *Error
	switch {
	case err == nil:
		return ""
	case errors.As(err, &e):
		return e.Kind
	}
	return Failed
}

// CodeOf returns the code of the first Error in the chain of err, or "".
func CodeOf(err error) string {
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}
