package jsrun

import (
	"context"
	"sync"
)

// ticket is one outcome that somebody waits for. It is delivered once.
type ticket struct {
	run    *Run
	out    chan error // holds one
	awaits bool       // may settle after its job

	mu       sync.Mutex
	state    state
	gone     error       // why its owner has left, found while its job was under way
	unfollow func() bool // stops watching the context
}

type state int

const (
	queued  state = iota
	active        // its job or its settling is under way
	pending       // its job is over, its promise is not
	settled
)

func newTicket(r *Run) *ticket { return &ticket{run: r, out: make(chan error, 1)} }

// begin says whether the job is still wanted.
func (t *ticket) begin() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.state == settled {
		return false
	}
	t.state = active
	return true
}

// rest is called when the job has ended.
func (t *ticket) rest() {
	t.mu.Lock()
	if t.state != active {
		t.mu.Unlock()
		return
	}
	t.state = pending
	gone := t.gone
	t.mu.Unlock()
	if gone != nil {
		t.settle(gone)
	}
}

// settle delivers the outcome, unless there is one already.
func (t *ticket) settle(err error) {
	t.mu.Lock()
	if t.state == settled {
		t.mu.Unlock()
		return
	}
	t.state = settled
	unfollow := t.unfollow
	t.mu.Unlock()
	t.run.forget(t)
	if unfollow != nil {
		unfollow()
	}
	t.out <- err
}

// leave is called when the one who waits has gone. What is under way is left to
// end: its functions may use what belongs to the one who waits.
func (t *ticket) leave(cause error) {
	t.mu.Lock()
	if t.state == active {
		t.gone = cause
		t.mu.Unlock()
		return
	}
	t.mu.Unlock()
	t.settle(cause)
}

// follow leaves when ctx ends.
func (t *ticket) follow(ctx context.Context) {
	if ctx.Done() == nil {
		return
	}
	unfollow := context.AfterFunc(ctx, func() { t.leave(context.Cause(ctx)) })
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.state == settled {
		unfollow()
		return
	}
	t.unfollow = unfollow
}

// wait returns the outcome, or leaves when ctx ends.
func (t *ticket) wait(ctx context.Context) error {
	select {
	case err := <-t.out:
		return err
	case <-ctx.Done():
		t.leave(context.Cause(ctx))
		return <-t.out
	}
}
