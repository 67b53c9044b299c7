// Package sandbox runs the JavaScript of one Host half, at the other end of a
// wire.Link (spec/cordis.md 6 to 11): what plugin code finds, the guard around
// its context, its effects, timers, handlers and tools.
//
// One half is one jsrun.Run. Its goroutine is the only one that touches what the
// script can reach; all others hand it work through a desk, which also lets
// the work of a chain in while that chain's own call blocks the loop.
package sandbox

import (
	"context"
	"time"

	"github.com/dshkit/dshkit/internal/cordis/wire"
	"github.com/dshkit/dshkit/pkg/fiber/timer"
)

// Config is what a sandbox is given. The zero Config has no clock, no chance and
// the default limits.
type Config struct {
	Now    func() time.Time // nil: Date stands still
	Random func() float64   // nil: Math.random gives 0
	Limits Limits
	Clock  timer.Scheduler // of the timers; nil: real time, with Now for throttling
}

// Limits bound a half. A zero member takes the default.
type Limits struct {
	Busy     time.Duration // longest stretch of JavaScript; default 5 s
	Sync     time.Duration // longest wait of a synchronous call out of the half; default 20 s
	Dispose  time.Duration // longest wait for one effect to be undone; default 10 s
	Heap     uint64        // growth of the heap during one stretch, in bytes; default 256 MiB
	Stack    int           // depth of calls; default 1000
	Handles  int           // functions and promises that others may hold; default 16384
	Handlers int           // of harness.handle; default 256
	Timers   int           // that have not ended; default 16384
}

// Serve is the sandbox: it evaluates what the host at the other end of the link
// sends, and answers until the link or ctx ends. Then nothing of it is left. The
// error says why it ended, if that was not the host's wish.
func Serve(ctx context.Context, link wire.Link, config Config) error {
	return serve(ctx, link, config)
}

func (l Limits) withDefaults() Limits {
	set(&l.Busy, 5*time.Second)
	set(&l.Sync, 20*time.Second)
	set(&l.Dispose, 10*time.Second)
	set(&l.Heap, 256<<20)
	set(&l.Stack, 1000)
	set(&l.Handles, 16384)
	set(&l.Handlers, 256)
	set(&l.Timers, 16384)
	return l
}

func set[T ~int | ~int64 | ~uint64](v *T, otherwise T) {
	if *v <= 0 {
		*v = otherwise
	}
}
