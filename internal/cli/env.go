// Package cli is the edge that every command of the three binaries shares: what
// it may take from its process, how it parses, in which language it speaks, how
// it renders a report as text or JSON, and with which code it exits.
//
// It knows no domain. A domain returns values and faults (pkg/fault); this
// package finds the sentence of a code in the tables of the user's language,
// and it alone knows the numbers of exit codes (design/product.md 4). Between
// processes it promises nothing: files are the business of pkg/filestore.
package cli

import (
	"context"
	"io"
	"time"

	"charm.land/log/v2"
)

// Env is everything a command may take from the process it runs in. The
// functions must be safe for concurrent use, except Log.
type Env struct {
	Args     []string // without the program's name
	In       io.Reader
	Out, Err io.Writer

	Getenv     func(string) string
	Environ    func() []string // all variables as NAME=value
	Getwd      func() (string, error)
	Home       func() string // the user's home directory; "" when nobody knows
	Executable func() (string, error)
	IsTerminal func(stream any) bool // of In, Out or Err

	Self   func() string             // identity of this process; "" when unknown
	Caller func() string             // identity of the process that called us; "" when unknown
	Alive  func(process string) bool // whether a process still runs, or might for all we know

	Now   func() time.Time
	NewID func(prefix string) string // a new identity that begins with prefix
	// Chance is at least 0 and less than 1, another each time; nil: always a half.
	Chance func() float64
	// RandomBytes fills a slice with bytes that nobody can guess; nil: zeroes.
	RandomBytes func([]byte)

	// Interrupts derives a context that ends when the user or the system asks
	// the process to stop, with ErrInterrupted or ErrTerminated as its cause. Nil
	// means that nobody asks.
	Interrupts func(context.Context) (context.Context, func())

	// Carry makes the process carry on when it is asked to stop: what it does is
	// short and must come to its end. Nil means that nobody asks.
	Carry func()

	// Language returns what the settings say: "en", "zh-CN", or "" and "auto"
	// for the locale. It is asked once, when the first sentence is needed, so a
	// command package may load its settings in it. Nil means the locale.
	Language func() string

	// Unanswered returns what a command that AlwaysZero made writes to standard
	// output when it failed before Answer: its caller waits for something even
	// then. Nil means nothing.
	Unanswered func(args []string) []byte

	Flags Flags // the flags that all commands share, as parsed

	name     string // of the program
	lang     Lang
	tables   map[Lang][]Table
	argNames map[string][]string // by code, see NameArgs
	log      *log.Logger
	failed   error // a note or warning that could not be written
	told     error // see ReportWith

	answered bool // see Answer
}

// Flags is what the shared flags say.
type Flags struct {
	Dir     string // -C, --dir: the workspace directory; "" when not given
	JSON    bool   // --json
	Quiet   bool   // --quiet: no notes or warnings
	DryRun  bool   // --dry-run, where the command has it
	Verbose bool   // --verbose: log what is done
	Lang    string // --lang, as given
}

// Answer writes what a program that called us waits for, as it is.
func (env *Env) Answer(reply []byte) error {
	env.answered = true
	_, err := env.Out.Write(reply)
	return err
}

// Name returns the name of the program, that of its root command.
func (env *Env) Name() string { return env.name }

// Fork returns an Env for one of several pieces of work that a process does at
// once: what it says goes to out, notes to errs, and it finds its own language.
func (env *Env) Fork(out, errs io.Writer) *Env {
	f := *env
	f.Out, f.Err, f.lang, f.failed = out, errs, "", nil
	return &f
}
