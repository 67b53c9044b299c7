package jsrun

import (
	"bytes"
	"context"
	"runtime"
	"strconv"
	"sync"
)

type (
	ownerKey struct{}
	taskKey  struct{}
	phaseKey struct{}
)

// WithPhase names what is done under ctx ("source:work facts"): an error about a
// limit tells it.
func WithPhase(ctx context.Context, phase string) context.Context {
	return context.WithValue(ctx, phaseKey{}, phase)
}

// WithSetup says that what is done under ctx is the host's own, which no script
// makes longer: it is not counted as being busy.
func WithSetup(ctx context.Context) context.Context {
	return context.WithValue(ctx, setupKey{}, true)
}

type setupKey struct{}

func isSetup(ctx context.Context) bool { return ctx.Value(setupKey{}) != nil }

// Phase is the name that WithPhase gave.
func Phase(ctx context.Context) string {
	phase, _ := ctx.Value(phaseKey{}).(string)
	return phase
}

// jobContext is the context of a job. It says which runtime the job is of, and
// ends with the run too.
type jobContext struct {
	context.Context
	run *Run

	once   sync.Once
	merged context.Context
}

// Value finds the job itself under ownerKey.
func (c *jobContext) Value(key any) any {
	if _, ok := key.(ownerKey); ok {
		return c
	}
	return c.Context.Value(key)
}

// Done is closed when the caller's context or the run ends.
func (c *jobContext) Done() <-chan struct{} { return c.merge().Done() }

// Err says why the context has ended.
func (c *jobContext) Err() error { return c.merge().Err() }

// merge makes the context that ends with either, on first need: few host
// functions wait for anything. It is let go when nobody holds the job's any more.
func (c *jobContext) merge() context.Context {
	c.once.Do(func() {
		merged, cancel := context.WithCancelCause(c.Context)
		life := c.run.life
		stop := context.AfterFunc(life, func() { cancel(context.Cause(life)) })
		runtime.AddCleanup(c, func(stop func() bool) {
			stop()
			cancel(nil)
		}, stop)
		c.merged = merged
	})
	return c.merged
}

// apart is a context with the values of a job that is not on the owner's
// goroutine and ends with the run alone.
type apart struct {
	context.Context // the life of the run
	values          context.Context
	task            *task
}

// Value hides the job: its goroutine is another one.
func (c apart) Value(key any) any {
	switch key.(type) {
	case ownerKey:
		return nil
	case taskKey:
		return c.task
	}
	return c.values.Value(key)
}

// after is the context of what a job leaves to be done later. Jobs that follow
// from each other do not pile up: the values are those of the first.
func (vm *VM) after() apart {
	values := vm.Context()
	for {
		switch c := values.(type) {
		case *jobContext:
			values = c.Context
		case apart:
			values = c.values
		default:
			return apart{Context: vm.run.life, values: values}
		}
	}
}

// mine says whether ctx comes from a job of this run and the caller is on the
// goroutine that owns it. The context alone would not do: it may have travelled.
func (r *Run) mine(ctx context.Context) bool {
	c, _ := ctx.Value(ownerKey{}).(*jobContext)
	for c != nil && c.run != r {
		c, _ = c.Context.Value(ownerKey{}).(*jobContext)
	}
	return c != nil && r.owned()
}

// goroutine is the number of the calling goroutine. It is read only where a
// context claims to be on the owner's, and to compare, never to look one up.
func goroutine() uint64 {
	var buf [40]byte
	text := buf[:runtime.Stack(buf[:], false)]
	text = bytes.TrimPrefix(text, []byte("goroutine "))
	text, _, _ = bytes.Cut(text, []byte(" "))
	n, _ := strconv.ParseUint(string(text), 10, 64)
	return n
}

// task is a piece of work that VM.Promise started.
type task struct {
	once   sync.Once
	handed chan struct{} // closed when it has handed a runtime a job, or ended
}

func (t *task) hand() { t.once.Do(func() { close(t.handed) }) }

// Detach lets the tasks behind the one of ctx begin (see VM.Promise): it is going
// to wait for something that may need them.
func Detach(ctx context.Context) { handed(ctx) }

// handed tells the task of ctx, if it is one, that it has handed in a job.
func handed(ctx context.Context) {
	if t, ok := ctx.Value(taskKey{}).(*task); ok && t != nil {
		t.hand()
	}
}
