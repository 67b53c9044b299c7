package fiber

import (
	"sync"
	"time"
)

// turns is the line in which pieces of plugin code stand that the kernel runs.
type turns struct {
	patience time.Duration
	mu       sync.Mutex
	line     row[*turn]
}

// turn is a place in the line. It begins when it is the first and lasts until
// pass, or until patience is over.
type turn struct {
	line  *turns
	seat  *seat[*turn]
	first chan struct{}
	over  bool
	timer *time.Timer
}

// join takes the last place in the line.
func (l *turns) join() *turn {
	t := &turn{line: l, first: make(chan struct{})}
	l.mu.Lock()
	defer l.mu.Unlock()
	t.seat = l.line.push(t)
	if l.line.len == 1 {
		l.begin()
	}
	return t
}

// begin tells the first in line that it is. It is called under the lock.
func (l *turns) begin() {
	if l.line.len == 0 {
		return
	}
	t := l.line.first.value
	close(t.first)
	if l.patience > 0 {
		t.timer = time.AfterFunc(l.patience, t.pass)
	}
}

// wait returns when the turn has begun.
func (t *turn) wait() { <-t.first }

// pass ends the turn, or gives up the place in the line. It is safe twice, and
// on nil.
func (t *turn) pass() {
	if t == nil {
		return
	}
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
	first := l.line.first == t.seat
	t.seat.leave()
	if first {
		l.begin()
	}
}

// held says whether the turn lasts.
func (t *turn) held() bool {
	t.line.mu.Lock()
	defer t.line.mu.Unlock()
	return !t.over
}

// flight is transitions of one Fiber, from rest to rest.
type flight struct {
	landed    chan struct{} // closed at rest
	followers []*group
}

// group is a wait for some flights. When the last one has landed it is given a
// turn.
type group struct {
	flying int
	turn   chan *turn
}

// follow makes the flight one of those that the group waits for. The lock is
// held.
func (f *flight) follow(g *group) {
	g.flying++
	f.followers = append(f.followers, g)
}

// land tells all who wait; who follows stands in line at once. The lock is held.
func (f *flight) land(l *turns) {
	for _, g := range f.followers {
		if g.flying--; g.flying == 0 {
			g.turn <- l.join()
		}
	}
	close(f.landed)
}
