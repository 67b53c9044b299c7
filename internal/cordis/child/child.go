// Package child starts sandboxes: each in a process of its own, or all in this one.
//
// A child process is this binary again. It gets no environment, no descriptor
// but its link, little memory and nothing to start another process with; it ends
// when its link ends, whatever the plugin does. Which of these promises hold on
// which system is said in ADR 26.
package child

import (
	"errors"
	"fmt"
	"time"

	"github.com/dshkit/dshkit/internal/cordis/half"
	"github.com/dshkit/dshkit/internal/cordis/sandbox"
)

// Settings are what both Starters are given. A zero member takes the default.
type Settings struct {
	Machine
	Limits half.Limits
	Circle *half.Circle      // nil: one of the Starter's own
	Busy   time.Duration     // longest stretch of JavaScript without a pause: 5 s
	Memory uint64            // bytes that a half may take: 256 MiB
	Stderr func(text string) // takes what a child process that failed wrote; nil: it is dropped
}

// Machine is what plugin code gets to know of the computer. The zero Machine has
// no clock and no chance.
type Machine struct {
	Now    func() time.Time
	Random func() float64
}

// errClosed says that the Starter was closed.
var errClosed = errors.New("no plugin can be started: the host is about to end")

func (s Settings) withDefaults() Settings {
	if s.Circle == nil {
		s.Circle = half.NewCircle()
	}
	if s.Busy <= 0 {
		s.Busy = 5 * time.Second
	}
	if s.Memory == 0 {
		s.Memory = 256 << 20
	}
	if s.Stderr == nil {
		s.Stderr = func(string) {}
	}
	return s
}

// limits are what a child process is told of the Settings.
func (s Settings) limits() limits { return limits{Busy: s.Busy, Memory: s.Memory} }

// limits are those that the sandbox itself keeps.
type limits struct {
	Busy   time.Duration
	Memory uint64
	Spare  bool // there is time to get ready
}

// config is what the sandbox is given. A stretch that takes half of the memory
// ends with a message; the whole is where the process ends.
func (l limits) config(m Machine) sandbox.Config {
	return sandbox.Config{
		Now: m.Now, Random: m.Random,
		Limits: sandbox.Limits{Busy: l.Busy, Heap: l.Memory / 2},
	}
}

func mebibytes(n uint64) string { return fmt.Sprintf("%d MiB", n>>20) }
