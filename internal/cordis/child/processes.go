package child

import (
	"context"
	"errors"
	"sync"

	"github.com/dshkit/dshkit/internal/cordis/half"
)

// Processes starts each half in a process of its own.
type Processes struct {
	path     string
	settings Settings
	group    group
	life     context.Context
	end      context.CancelFunc

	mu      sync.Mutex
	running map[*process]struct{}
	spare   *process // ready, and told its limits
	keeping bool     // spares are wanted
	making  bool     // one is being started
}

var _ half.Starter = (*Processes)(nil)

// NewProcesses makes a Starter that runs the binary of that path with Args. With
// spare, one process is kept ready.
func NewProcesses(path string, spare bool, settings Settings) *Processes {
	p := &Processes{path: path, settings: settings.withDefaults(), keeping: spare}
	p.life, p.end = context.WithCancel(context.Background())
	closeOnExec()
	p.refill()
	return p
}

// Start starts a half.
func (p *Processes) Start(ctx context.Context, source half.Source, world half.World) (half.Half, error) {
	if err := p.group.begin(); err != nil {
		return nil, err
	}
	defer p.group.open.Done()
	defer p.refill()
	sandbox, err := p.ready(ctx)
	if err != nil {
		return nil, err
	}
	h, err := half.Attach(ctx, sandbox.link, half.Settings{
		Limits: p.settings.Limits, Circle: p.settings.Circle,
		Kill: sandbox.kill, Fate: sandbox.fate,
	}, source, world)
	if err != nil {
		return nil, err
	}
	p.group.add(h)
	return h, nil
}

// ready is a process that answers: the spare one, or a new one.
func (p *Processes) ready(ctx context.Context) (*process, error) {
	p.mu.Lock()
	spare := p.spare
	p.spare = nil
	p.mu.Unlock()
	if spare != nil {
		if spare.answers(ctx) == nil {
			return spare, nil
		}
		spare.discard()
	}
	return p.open(ctx, false)
}

// open starts a process and tells it its limits.
func (p *Processes) open(ctx context.Context, spare bool) (*process, error) {
	c, err := start(p.path, p.settings)
	if err != nil {
		return nil, err
	}
	p.note(c)
	l := p.settings.limits()
	l.Spare = spare
	if err := c.greet(ctx, l); err != nil {
		c.discard()
		return nil, errors.Join(errors.New("a process for the plugin could not be started"), err)
	}
	return c, nil
}

// note counts a process until it has been reaped.
func (p *Processes) note(c *process) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.running == nil {
		p.running = map[*process]struct{}{}
	}
	p.running[c] = struct{}{}
	c.reaped = func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.running, c)
	}
}

// Running is how many child processes there are, the spare one included.
func (p *Processes) Running() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.running)
}

// refill makes a spare process in the background, unless there is one.
func (p *Processes) refill() {
	if p.group.begin() != nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.keeping || p.making || p.spare != nil {
		p.group.open.Done()
		return
	}
	p.making = true
	go func() {
		defer p.group.open.Done()
		c, err := p.open(p.life, true)
		p.mu.Lock()
		defer p.mu.Unlock()
		p.making = false
		switch {
		case err != nil: // the next Start says why
		case p.keeping:
			p.spare = c
		default:
			c.discard()
		}
	}()
}

// Close ends every child process and waits for them.
func (p *Processes) Close() error {
	p.mu.Lock()
	p.keeping = false
	spare := p.spare
	p.spare = nil
	p.mu.Unlock()
	p.end()
	if spare != nil {
		spare.discard()
	}
	p.group.close()
	return nil
}
