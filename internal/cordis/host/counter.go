package host

import (
	"context"
	"sync"
)

// counter counts what is under way. Unlike a sync.WaitGroup it may be waited for
// while more begins.
type counter struct {
	mu   sync.Mutex
	n    int
	idle chan struct{} // closed when n falls to 0; nil: nobody waits
}

// begin counts one more; end, which is safe twice, takes it back.
func (c *counter) begin() (end func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n++
	return sync.OnceFunc(c.done)
}

func (c *counter) done() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.n--; c.n == 0 && c.idle != nil {
		close(c.idle)
		c.idle = nil
	}
}

// wait returns when there is none, or ctx ends.
func (c *counter) wait(ctx context.Context) error {
	c.mu.Lock()
	if c.n == 0 {
		c.mu.Unlock()
		return nil
	}
	if c.idle == nil {
		c.idle = make(chan struct{})
	}
	idle := c.idle
	c.mu.Unlock()
	select {
	case <-idle:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
