package child

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/dshkit/dshkit/internal/cordis/wire"
)

// PIDs are the child processes that run, the spare one included.
func (p *Processes) PIDs() []int {
	p.mu.Lock()
	defer p.mu.Unlock()
	var out []int
	for c := range p.running {
		out = append(out, c.cmd.Process.Pid)
	}
	slices.Sort(out)
	return out
}

// Settled waits until a spare process is ready.
func (p *Processes) Settled() {
	for {
		p.mu.Lock()
		making, ready := p.making, p.spare != nil
		p.mu.Unlock()
		switch {
		case ready:
			return
		case !making:
			p.refill()
		}
		time.Sleep(time.Millisecond)
	}
}

// LoseLink starts a half that keeps its process busy, closes the link and waits
// until the process has ended by itself.
func LoseLink(ctx context.Context, path, code string, busy time.Duration) error {
	c, err := start(path, Settings{Stderr: func(string) {}})
	if err != nil {
		return err
	}
	c.reaped = func() {}
	defer c.discard()
	if err := c.greet(ctx, limits{Busy: busy, Memory: 256 << 20}); err != nil {
		return err
	}
	body, err := wire.Marshal(wire.Start{RunID: "run-1", Code: code, EvalTimeout: busy})
	if err != nil {
		return err
	}
	if err := c.link.Write(wire.Frame{Kind: wire.KindCall, ID: 1, Verb: wire.VerbStart, Body: body}); err != nil {
		return err
	}
	_ = c.link.Close()
	ended := make(chan error, 1)
	go func() { ended <- c.wait() }()
	select {
	case <-ended:
		return nil
	case <-time.After(time.Minute):
		return errors.New("the process goes on without a link")
	}
}

// First starts a process and waits for its first frame.
func First(path string) error {
	c, err := start(path, Settings{Stderr: func(string) {}})
	if err != nil {
		return err
	}
	c.reaped = func() {}
	defer c.discard()
	return c.greet(context.Background(), limits{Busy: time.Second, Memory: 256 << 20})
}
