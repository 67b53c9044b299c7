package child

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"time"

	"github.com/dshkit/dshkit/internal/cordis/sandbox"
	"github.com/dshkit/dshkit/internal/cordis/wire"
)

// verbLimits is what a child process is told first: limits -> Empty.
const verbLimits wire.Verb = "limits"

// Args are the arguments of the binary that make it a child process.
func Args() []string { return []string{"half"} }

// IsChild says whether these arguments, without the name of the program, are
// those of a child process.
func IsChild(args []string) bool { return slices.Equal(args, Args()) }

// Main is the whole life of a child process; it gives the exit code. Its link is
// its standard input and output.
func Main(m Machine) int {
	settle()
	bounded()
	in, out := linkEnds()
	link := &lastLink{Link: wire.NewLink(in, out, in.Close), quiet: time.AfterFunc(resting, debug.FreeOSMemory)}
	l, err := greeted(link)
	if err != nil {
		return 1
	}
	if err := sandbox.Serve(context.Background(), link, l.config(m)); err != nil {
		fmt.Fprintln(os.Stderr, err) // the host has heard of a limit by the link
		return 1
	}
	return 0
}

// settle makes the process small: there may be hundreds of it. One thread runs its
// Go code, for JavaScript is one thread anyway: two take a fifth more CPU to start
// and keep a second set of half-used pages.
func settle() {
	runtime.GOMAXPROCS(1)
	debug.SetGCPercent(50)
	debug.SetMaxStack(64 << 20)
	debug.SetTraceback("none") // of a crash one line says enough
}

// greeted waits for the limits, takes them on and says so.
func greeted(link wire.Link) (limits, error) {
	f, err := link.Read()
	if err != nil {
		return limits{}, err
	}
	var l limits
	if err := wire.Unmarshal(f.Body, &l); err != nil {
		return limits{}, err
	}
	debug.SetMemoryLimit(int64(l.Memory / 4 * 3))
	if err := boundMemory(l.Memory); err != nil {
		return limits{}, err
	}
	if l.Spare {
		_ = sandbox.Prepare() // what fails here fails again where it is needed
	}
	return l, link.Write(wire.Frame{Kind: wire.KindReply, ID: f.ID})
}

// lastLink ends the process when it ends: a script that does not stop would keep
// it. When nothing crosses it for a while, the process gives back what memory it
// does not need.
type lastLink struct {
	wire.Link
	quiet *time.Timer
}

// lingering is how long the process may take to end by itself.
const lingering = time.Second

func (l *lastLink) Read() (wire.Frame, error) {
	f, err := l.Link.Read()
	if err != nil {
		time.AfterFunc(lingering, func() { os.Exit(1) })
	}
	l.busy(f)
	return f, err
}

func (l *lastLink) Write(f wire.Frame) error {
	l.busy(f)
	return l.Link.Write(f)
}

// resting is how long nothing has to happen.
const resting = 500 * time.Millisecond

// busy notes a frame. One that only asks whether the process lives is none.
func (l *lastLink) busy(f wire.Frame) {
	if f.Verb != wire.VerbPing {
		l.quiet.Reset(resting)
	}
}
