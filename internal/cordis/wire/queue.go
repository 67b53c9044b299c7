package wire

import (
	"context"
	"sync"
)

// maxQueued is how many bytes may wait to be sent before whoever wants to send
// more has to wait. One frame always fits.
const maxQueued = 32 << 20

// queue holds frames that are to be sent. What is bounded by the other side
// (replies, cancels) never waits, so that no two Peers wait for each other.
type queue struct {
	mu      sync.Mutex
	frames  []Frame
	bytes   int
	writing bool
	ready   chan struct{}   // a token: there may be a frame
	waiters []chan struct{} // closed when something was taken
}

func newQueue() *queue { return &queue{ready: make(chan struct{}, 1)} }

// put waits for room.
func (q *queue) put(ctx, end context.Context, f Frame) error {
	for {
		if end.Err() != nil {
			return context.Cause(end)
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		changed := q.try(f)
		if changed == nil {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
		case <-end.Done():
		}
	}
}

// try adds the frame, or says when to try again.
func (q *queue) try(f Frame) <-chan struct{} {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.bytes > 0 && q.bytes+weight(f) > maxQueued {
		return q.wait()
	}
	q.add(f)
	return nil
}

func (q *queue) wait() <-chan struct{} {
	c := make(chan struct{})
	q.waiters = append(q.waiters, c)
	return c
}

// push adds the frame at once.
func (q *queue) push(f Frame) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.add(f)
}

func (q *queue) add(f Frame) {
	q.frames = append(q.frames, f)
	q.bytes += weight(f)
	select {
	case q.ready <- struct{}{}:
	default:
	}
}

// weight counts a little for the frame itself, so that empty ones count too.
func weight(f Frame) int { return len(f.Body) + 64 }

// take waits for the next frame to send.
func (q *queue) take(end context.Context) (Frame, error) {
	for {
		if f, ok := q.next(); ok {
			return f, nil
		}
		select {
		case <-q.ready:
		case <-end.Done():
			return Frame{}, context.Cause(end)
		}
	}
}

func (q *queue) next() (Frame, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.frames) == 0 {
		return Frame{}, false
	}
	f := q.frames[0]
	q.frames[0] = Frame{}
	q.frames = q.frames[1:]
	q.bytes -= weight(f)
	q.writing = true
	q.wake()
	return f, true
}

func (q *queue) wake() {
	for _, c := range q.waiters {
		close(c)
	}
	q.waiters = nil
}

// written says that the link has taken the frame.
func (q *queue) written() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.writing = false
	q.wake()
}

// drained waits until nothing is left to send.
func (q *queue) drained(ctx, end context.Context) error {
	for {
		q.mu.Lock()
		if len(q.frames) == 0 && !q.writing {
			q.mu.Unlock()
			return nil
		}
		changed := q.wait()
		q.mu.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-end.Done():
			return context.Cause(end)
		}
	}
}
