package mcpserve

import "github.com/dshkit/dshkit/pkg/fault"

// The codes of this package. The comment is the English sentence; whoever serves
// holds the tables.
const (
	codeNoObject      = "arguments-no-object" // the arguments are no JSON object
	codeMissing       = "argument-missing"    // the argument %q is missing
	codeUnknown       = "argument-unknown"    // unknown argument %q (want one of: %s)
	codeNoneKnown     = "argument-none"       // unknown argument %q: it takes none
	codeWrongType     = "argument-type"       // argument %q: want a value of type %s, got %s
	codeUnknownWord   = "argument-word"       // argument %q: unknown value %q (want one of: %s)
	codeOutOfRange    = "argument-range"      // argument %q: %d is not from %d to %d
	codeTooLong       = "argument-long"       // argument %q has more than %d characters
	codeCallTimeout   = "call-timed-out"      // %s was given up after %s
	codeCallCancelled = "call-cancelled"      // %s was cancelled
)

// codePanic is that of the shared tables.
const codePanic = "panic"

func usage(code string, args ...any) error { return fault.New(fault.Usage, code, args...) }
