// Package jsrun runs JavaScript on goja: Compile, Start, Call, Close.
//
// A Run is one runtime with a goroutine that owns it and a queue of jobs; all
// others hand it work. Only copied JSON crosses the border by itself; whatever
// else a script can reach, the host handed in. It is not a security boundary:
// hard limits on memory and native calls need a process of their own.
package jsrun

import (
	"errors"
	"fmt"
	"time"

	"github.com/dop251/goja"
	"github.com/dop251/goja/parser"
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
	Without   []string         // globals of ours that a script shall not find
	Limits    Limits
	Unhandled func(*Error) // a rejection that nobody caught, on the owner's goroutine
}

// Global is one symbol that the host hands in.
type Global struct {
	Name string
	Make func(vm *VM) (Value, error)
	Lazy bool // made when a script first reads it, not at the start
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

// Compile checks the syntax of a script and runs nothing.
func Compile(name, src string) (*Program, error) {
	return compileBehind(name, "", src)
}

// compileBehind compiles a text that has something in front of it, which no place
// in a stack or of an error counts.
func compileBehind(name, front, text string) (*Program, error) {
	code, err := compile(name, front+text, len(front))
	if err != nil {
		return nil, err
	}
	return &Program{code: code}, nil
}

func compile(name, src string, front int) (*goja.Program, error) {
	if tooNested(src) {
		return nil, fmt.Errorf("%s: SyntaxError: the program is nested too deeply", name)
	}
	// Without the option the parser would read the map that a comment names
	// from the disk.
	tree, err := goja.Parse(name, src, parser.WithDisableSourceMaps)
	if err != nil {
		return nil, err
	}
	if err := expandLiterals(tree, src); err != nil {
		return nil, fmt.Errorf("%s: SyntaxError: %w", name, err)
	}
	spareFolding(tree, src)
	if front > 0 {
		shift(tree, name, src[front:], front)
	}
	return goja.CompileAST(tree, false)
}
