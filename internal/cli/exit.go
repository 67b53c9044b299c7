package cli

import (
	"context"
	"errors"

	"github.com/dshkit/dshkit/pkg/fault"
)

// ErrInterrupted and ErrTerminated are the causes of a context that ended
// because of a signal.
var (
	ErrInterrupted = fault.New(fault.Interrupted, "interrupted")
	ErrTerminated  = fault.New(fault.Timeout, "terminated")
)

// exits is the one table of exit codes, in their order. Help, documentation and
// ExitCode are made from it (design/product.md 4). 2 is not in it: to a harness
// it means "block".
var exits = []struct {
	kind fault.Kind // empty: no error
	code int
}{
	{"", 0},
	{fault.Failed, 1},
	{fault.Refused, 3},
	{fault.NotFound, 4},
	{fault.Conflict, 5},
	{fault.Busy, 6},
	{fault.Plugin, 7},
	{fault.Timeout, 8},
	{fault.NoHost, 9},
	{fault.Pending, 10},
	{fault.Partial, 11},
	{fault.Usage, 64},
	{fault.Damaged, 65},
	{fault.Internal, 70},
	{fault.Interrupted, 130},
}

// ExitCode returns the exit code of an error, 0 for nil.
func ExitCode(err error) int { return codeOf(kindOf(err)) }

func codeOf(kind fault.Kind) int {
	for _, e := range exits {
		if e.kind == kind {
			return e.code
		}
	}
	return 1
}

// kindOf is fault.KindOf that also knows the errors of contexts.
func kindOf(err error) fault.Kind {
	kind := fault.KindOf(err)
	if kind != fault.Failed || fault.CodeOf(err) != "" {
		return kind
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return fault.Timeout
	}
	return kind
}
