package fiber

import (
	"sync"
	"time"
)

// turns is the line in which pieces of plugin code stand that the kernel runs.
type turns struct {
	patience time.Duration
	mu       sync.Mutex
	line     []*turn
}

// turn is a place in the line. It begins when it is the first and lasts until
// pass, or until patience is over.
type turn struct {
	line  *turns
	first chan struct{}
	over  bool
	timer *time.Timer
}

// join takes the last place in the line.
func (l *turns) join() *turn {
	t := &turn{line: l, first: make(chan struct{})}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.line = append(l.line, t)
	if len(l.line) == 1 {
		l.begin()
	}
	return t
}

// begin tells the first in line that it is. It is called under the lock.
func (l *turns) begin() {
	if len(l.line) == 0 {
		return
	}
	t := l.line[0]
	close(t.first)
	if l.patience > 0 {
		t.timer = time.AfterFunc(l.patience, t.pass)
	}
}

// wait returns when the turn has begun.
func (t *turn) wait() { <-t.first }

// pass ends the turn, or gives up the place in the line. It is safe twice.
func (t *turn) pass() {
	l := t.line
	l.mu.Lock()
	defer l.mu.Unlock()
	if t.over {
		return
	}
	t.over = true
	if t.timer != nil {
		t.timer.Stop()
	}
	for i, other := range l.line {
		if other != t {
			continue
		}
		l.line = append(l.line[:i], l.line[i+1:]...)
		if i == 0 {
			l.begin()
		}
		return
	}
}
