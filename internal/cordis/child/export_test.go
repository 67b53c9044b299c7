package child

import (
	"slices"
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
	}
}
