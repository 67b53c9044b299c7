package node

import (
	"context"
	"io"
)

// Processes start programs.
type Processes interface {
	// Start starts a program. When ctx ends it is killed. An error is a
	// SystemError: ENOENT when there is no such program.
	Start(ctx context.Context, c Command) (Process, error)
}

// Command is a program to start. Each of its three streams is a pipe, the
// host's own, or nothing.
type Command struct {
	Name    string   // as the script gave it: a path or a name to look up
	Args    []string // without the name
	Argv0   string   // what the program is told as its name; "" means Name
	Dir     string
	Env     []string // nil: the host decides
	Streams [3]Stream
	Group   bool // in a group of its own
	Shell   bool // Name is a line for the system's shell, Args is empty
}

// Stream says where one of a program's streams leads.
type Stream string

// The streams that a script may ask for.
const (
	Pipe    Stream = "pipe"
	Ignore  Stream = "ignore"
	Inherit Stream = "inherit"
)

// Process is a program that runs.
type Process interface {
	PID() int
	Stdin() io.WriteCloser // nil unless a pipe
	Stdout() io.Reader     // nil unless a pipe
	Stderr() io.Reader     // nil unless a pipe
	// Wait returns when the program itself has ended, which may be before or
	// after its outputs have. It is called once.
	Wait() Exit
	Signal(name string) error // SIGTERM and so on; ESRCH when it has ended
}

// Exit is how a program ended: by a code, or by a signal.
type Exit struct {
	Code   int
	Signal string
}
