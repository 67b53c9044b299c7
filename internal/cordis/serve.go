package cordis

import (
	"context"
	"errors"
	"net"
	"os"
	"sync"
	"time"

	"github.com/dshkit/dshkit/internal/cordis/control"
	"github.com/dshkit/dshkit/internal/cordis/grant"
	"github.com/dshkit/dshkit/internal/cordis/half"
	"github.com/dshkit/dshkit/internal/cordis/host"
	"github.com/dshkit/dshkit/pkg/fault"
)

// How long a host waits for what it depends on.
const (
	heldTime  = 5 * time.Second  // for the lock, while its holder neither answers nor ends
	closeTime = 40 * time.Second // for all halves to be undone
	beat      = time.Second      // between two looks at the lock
	again     = 20 * time.Millisecond
)

// ServeOptions say how a host serves.
type ServeOptions struct {
	Trusted  bool          // halves run in this process
	Detached bool          // tell the process that started this one, by its pipe
	Idle     time.Duration // end after so long without clients and active runs; 0: never

	Eval time.Duration // bounds the synchronous part of an evaluation; 0: 5 s

	// Line is told each line that is logged. Nil: nobody is.
	Line func(host.LogLine)
	// Ready is told that the host answers. Nil: nobody is.
	Ready func(control.Card)

	announced bool
	processes func() int // of halves; nil: none
	leave     func()
}

// Serve is the host of the workspace, until ctx ends or a client stops it. Then
// all halves are undone and nothing of it runs any more. One that runs already
// is a fault of kind Conflict that names it.
func (w *Workspace) Serve(ctx context.Context, o ServeOptions) error {
	err := w.serveAlone(ctx, &o)
	if o.Detached && !o.announced {
		ready(err)
	}
	return err
}

func (w *Workspace) serveAlone(ctx context.Context, o *ServeOptions) (err error) {
	if err := w.place.Make(); err != nil {
		return err
	}
	for deadline := time.NewTimer(heldTime); ; {
		if w.place.Alone(func() { err = w.serve(ctx, o) }) {
			return err
		}
		found, err := w.find(ctx)
		if err == nil {
			return fault.New(fault.Conflict, codeRunning, found.PID, found.Started)
		}
		if !control.Absent(err) {
			return err
		}
		select { // it may be starting, or ending
		case <-time.After(again):
		case <-deadline.C:
			return fault.New(fault.Conflict, codeHeld, w.place.Path(control.LockName))
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// serve is the host, for the holder of the lock.
func (w *Workspace) serve(ctx context.Context, o *ServeOptions) error {
	record := w.openRecord(o.Line)
	defer record.close()
	listener, err := w.place.Listen(ctx)
	if err != nil {
		return err
	}
	o.leave = sync.OnceFunc(w.place.Leave) // whoever saw the end may have started the next one
	defer o.leave()
	circle := half.NewCircle()
	starter, end, err := w.newStarter(circle, o.Trusted, true, func(line string) { record.note("half", "says", line) })
	if err != nil {
		_ = listener.Close()
		return err
	}
	defer end()
	h, err := host.New(host.Config{
		Workspace: w.opts.Root, Private: w.private(), Environ: w.opts.Environ, Starter: starter, Circle: circle, Grants: w.grants(record.note),
		Now: w.opts.Now, Language: w.opts.Language, Journal: record.journal, Log: record.line,
		Limits: host.Limits{Eval: o.Eval},
	})
	if err != nil {
		_ = listener.Close()
		return err
	}
	o.processes = counted(starter)
	return w.answer(ctx, o, h, listener, record)
}

// answer serves the clients of a host until it is to end, and ends it.
func (w *Workspace) answer(ctx context.Context, o *ServeOptions, h *host.Host, listener net.Listener, record *record) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	card := control.Card{
		PID: os.Getpid(), Protocol: control.Protocol, Version: w.opts.Version,
		Started: w.opts.Now().Format(time.RFC3339), Socket: w.place.Path(control.SocketName),
	}
	desk := &control.Desk{Host: h, Card: card, Language: w.opts.Language, Stop: func() { stop(errStopped) }, Processes: o.processes}
	server := control.NewServer(control.ServerConfig{
		Hello:  control.HelloResult{Protocol: control.Protocol, PID: card.PID, Version: card.Version, Workspace: w.opts.Root, Started: card.Started},
		Attach: desk.Attach, Explain: w.opts.Explain, Log: record.note,
	})
	// The connections last until all is undone: whoever asked the host to stop
	// learns by the end of its connection that it has.
	serving, end := context.WithCancel(context.WithoutCancel(ctx))
	defer end()
	served := make(chan error, 1)
	go func() { served <- server.Serve(serving, listener) }()
	if err := w.place.WriteCard(card); err != nil {
		record.note("card", "error", err)
	}
	w.announce(o, card)
	record.note("started", "pid", card.PID, "version", card.Version)

	err := w.watch(ctx, o, h, server, served)
	record.note("ending", "because", err)
	closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTime)
	defer cancel()
	if failed := h.Close(closing); failed != nil {
		record.note("close", "error", failed)
	}
	o.leave()
	record.note("ended")
	record.flush() // whoever learns by the end of its connection finds it in the log
	end()
	if failed := <-served; failed != nil && err == nil {
		err = failed
	}
	if errors.Is(err, errStopped) || errors.Is(err, errIdle) {
		return nil
	}
	return err
}

// announce says that the host answers.
func (w *Workspace) announce(o *ServeOptions, card control.Card) {
	if o.Ready != nil {
		o.Ready(card)
	}
	o.announced = true
	if o.Detached {
		ready(nil)
	}
}

// Why a host ends that nothing is wrong with.
var (
	errStopped = errors.New("a client stopped it")
	errIdle    = errors.New("nobody needed it")
)

// watch waits until the host is to end: it is asked to, its listener failed, its
// place was taken, or nobody needs it.
func (w *Workspace) watch(ctx context.Context, o *ServeOptions, h *host.Host, server *control.Server, served chan error) error {
	claim, err := w.place.Claim()
	if err != nil {
		return err
	}
	ticker := time.NewTicker(beat)
	defer ticker.Stop()
	var memory tidy
	for idle := time.Duration(0); ; {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case err := <-served:
			served <- nil // for the one who waits for it
			return err
		case <-ticker.C:
		}
		if err := claim.Lost(); err != nil {
			return err
		}
		idle += beat
		running := h.Status().Running
		memory.beat(running)
		if server.Connections() > 0 || running > 0 {
			idle = 0
		}
		if o.Idle > 0 && idle >= o.Idle {
			return errIdle
		}
	}
}

// private are the folders that no grant covers.
func (w *Workspace) private() []string {
	if w.opts.State == "" {
		return nil
	}
	return []string{w.opts.State}
}

// grants returns what the user allows now, read anew each time, so that a change
// counts at once.
func (w *Workspace) grants(note func(string, ...any)) func() grant.List {
	return func() grant.List {
		list, err := w.Grants()
		if err != nil {
			note("grants", "error", err)
			return nil
		}
		return list
	}
}
