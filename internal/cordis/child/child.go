// Package child starts sandboxes: each in a process of its own, or all in this one.
//
// A child process is this binary again. It gets no environment, no descriptor
// but its link, little memory and no way to another process; it ends when its
// link ends, whatever the plugin does. Which of these promises hold on which
// system is said in ADR 26.
package child

import (
	"context"
	"errors"
	"time"

	"github.com/dshkit/dshkit/internal/cordis/half"
)

// Settings are what both Starters are given. A zero member takes the default.
type Settings struct {
	Limits half.Limits
	Circle *half.Circle
	Busy   time.Duration     // longest stretch of JavaScript without a pause: 5 s
	Memory uint64            // bytes that a half may take: 256 MiB
	Stderr func(line string) // takes what a child process writes besides its link; nil: it is dropped
}

// Processes starts each half in a process of its own.
type Processes struct{}

var _ half.Starter = (*Processes)(nil)

// NewProcesses makes a Starter that runs the binary of that path with Args. With
// spare, one process is kept ready.
func NewProcesses(path string, spare bool, settings Settings) *Processes { return &Processes{} }

// Args are the arguments of the binary that make it a child process.
func Args() []string { return []string{"half"} }

// IsChild says whether these arguments, without the name of the program, are
// those of a child process.
func IsChild(args []string) bool { return len(args) == 1 && args[0] == "half" }

// Main is the whole life of a child process; it gives the exit code. It takes
// its link from standard input.
func Main() int { return 70 }

// Start starts a half.
func (p *Processes) Start(ctx context.Context, source half.Source, world half.World) (half.Half, error) {
	return nil, errors.New("child: not built yet")
}

// Close ends every child process and waits for them.
func (p *Processes) Close() error { return nil }

// InProcess starts all halves in this process, which a plugin can then end
// (ADR 26).
type InProcess struct{}

var _ half.Starter = (*InProcess)(nil)

// NewInProcess makes a Starter.
func NewInProcess(settings Settings) *InProcess { return &InProcess{} }

// Start starts a half.
func (p *InProcess) Start(ctx context.Context, source half.Source, world half.World) (half.Half, error) {
	return nil, errors.New("child: not built yet")
}

// Close ends every half.
func (p *InProcess) Close() error { return nil }
