package cli

import (
	"context"
	"os"
	"os/signal"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// patience is how long a command that was asked to stop may take to clean up,
// unless it is Patient.
const patience = 2 * time.Second

// Interrupts derives a context that ends when the user or the system asks the
// process to stop: the first signal ends it, a second one, or a command that
// does not come to an end, ends the process the hard way.
//
// Listening costs a quarter of a millisecond, more than a hook's own work, so it
// begins when somebody first takes the context's Done: before a wait, or before
// long work. What never waits has nothing to clean up, and is ended by the
// signal itself, which a shell reports as 130.
func Interrupts(parent context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(parent)
	l := &listener{signals: make(chan os.Signal, 1), done: make(chan struct{}), cancel: cancel}
	l.patience.Store(int64(patience))
	return listening{ctx, l, sync.OnceFunc(l.listen)}, l.stop
}

// Patient gives a command whose end takes its time, such as a server's, so long
// to come to it after the first signal. ctx is the one that it was given.
func Patient(ctx context.Context, wait time.Duration) {
	if l, ok := ctx.Value(listenerKey{}).(*listener); ok {
		l.patience.Store(int64(wait))
	}
}

type listenerKey struct{}

// Value finds the listener.
func (c listening) Value(key any) any {
	if key == (listenerKey{}) {
		return c.listener
	}
	return c.Context.Value(key)
}

// carry ignores the signals that ask to stop, SIGHUP among them. That costs a
// few microseconds. Programs that are started from here hear SIGTERM again.
func carry() { signal.Ignore(os.Interrupt, syscall.SIGTERM, syscall.SIGHUP) }

// listening is a context that listens once somebody waits for its end.
type listening struct {
	context.Context
	listener *listener
	listen   func()
}

// Done returns the channel that is closed at the end, and listens from now on.
func (c listening) Done() <-chan struct{} {
	c.listen()
	return c.Context.Done()
}

// listener turns the first signal into the end of a context.
type listener struct {
	signals chan os.Signal
	done    chan struct{} // closed when the command has ended
	cancel  context.CancelCauseFunc

	patience atomic.Int64 // nanoseconds
}

func (l *listener) listen() {
	signal.Notify(l.signals, os.Interrupt, syscall.SIGTERM)
	go l.await()
}

func (l *listener) await() {
	cause := ErrTerminated
	select {
	case s := <-l.signals:
		if s == os.Interrupt {
			cause = ErrInterrupted
		}
	case <-l.done:
		return
	}
	signal.Stop(l.signals)
	l.cancel(cause)
	select {
	case <-time.After(time.Duration(l.patience.Load())):
		os.Exit(codeOf(cause.Kind))
	case <-l.done:
	}
}

func (l *listener) stop() {
	signal.Stop(l.signals)
	close(l.done)
	l.cancel(nil)
}
