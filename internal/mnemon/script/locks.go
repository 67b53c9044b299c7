package script

import (
	"context"
	"sync"
)

// directories are those of the process: plugins of all loaders share them.
var directories locks

// locks are queues by directory: whoever queued first goes first. They keep
// plugins of one process apart; between processes plugins use files.
type locks struct {
	mu   sync.Mutex
	last map[string]*place
}

// place is one in a queue.
type place struct {
	before <-chan struct{} // closed when it is its turn
	done   chan struct{}
	leave  func()
}

// free is a place before the first one.
var free = func() <-chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

func (l *locks) queue(directory string) *place {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.last == nil {
		l.last = map[string]*place{}
	}
	t := &place{before: free, done: make(chan struct{})}
	if previous := l.last[directory]; previous != nil {
		t.before = previous.done
	}
	l.last[directory] = t
	t.leave = sync.OnceFunc(func() { l.remove(directory, t) })
	return t
}

func (l *locks) remove(directory string, t *place) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.last[directory] == t {
		delete(l.last, directory)
	}
	select {
	case <-t.before:
		close(t.done)
	default:
		// One that gave up before its turn lets the next follow the one before it.
		go func() {
			<-t.before
			close(t.done)
		}()
	}
}

func (t *place) wait(ctx context.Context) error {
	select {
	case <-t.before:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (t *place) release() { t.leave() }
