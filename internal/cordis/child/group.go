package child

import (
	"sync"

	"github.com/dshkit/dshkit/internal/cordis/half"
)

// group is what a Starter has started and not yet seen end.
type group struct {
	mu     sync.Mutex
	halves map[half.Half]struct{}
	closed bool
	open   sync.WaitGroup // starts and the wait for each half
}

// begin notes a start.
func (g *group) begin() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return errClosed
	}
	g.open.Add(1)
	return nil
}

// add notes what was started, until it is gone.
func (g *group) add(h half.Half) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.halves == nil {
		g.halves = map[half.Half]struct{}{}
	}
	g.halves[h] = struct{}{}
	if g.closed {
		g.open.Go(func() { _ = h.Close() })
	}
	g.open.Go(func() {
		<-h.Done()
		g.mu.Lock()
		defer g.mu.Unlock()
		delete(g.halves, h)
	})
}

// close ends all of it.
func (g *group) close() {
	g.mu.Lock()
	g.closed = true
	for h := range g.halves {
		g.open.Go(func() { _ = h.Close() })
	}
	g.mu.Unlock()
	g.open.Wait()
}
