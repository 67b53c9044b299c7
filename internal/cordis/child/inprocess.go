package child

import (
	"context"
	"errors"
	"time"

	"github.com/dshkit/dshkit/internal/cordis/half"
	"github.com/dshkit/dshkit/internal/cordis/sandbox"
	"github.com/dshkit/dshkit/internal/cordis/wire"
)

// InProcess starts all halves in this process, which a plugin can then end
// (ADR 26).
type InProcess struct {
	settings Settings
	group    group
}

var _ half.Starter = (*InProcess)(nil)

// NewInProcess makes a Starter.
func NewInProcess(settings Settings) *InProcess {
	return &InProcess{settings: settings.withDefaults()}
}

// stubborn is how long an ended sandbox in this process is waited for: one in a
// native call of the engine ends when that returns.
const stubborn = 3 * time.Second

// Start starts a half.
func (p *InProcess) Start(ctx context.Context, source half.Source, world half.World) (half.Half, error) {
	if err := p.group.begin(); err != nil {
		return nil, err
	}
	defer p.group.open.Done()
	ours, theirs := wire.Pair()
	life, end := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() {
		ended <- sandbox.Serve(life, theirs, p.settings.limits().config(p.settings.Machine))
		_ = theirs.Close()
	}()
	h, err := half.Attach(ctx, ours, half.Settings{
		Limits: p.settings.Limits, Circle: p.settings.Circle,
		Kill: end, Fate: func() error { return fateOf(ended) },
	}, source, world)
	if err != nil {
		return nil, err
	}
	p.group.add(h)
	return h, nil
}

func fateOf(ended <-chan error) error {
	select {
	case err := <-ended:
		return err
	case <-time.After(stubborn):
		return errors.New("it does not stop: it is in a native call")
	}
}

// Close ends every half.
func (p *InProcess) Close() error {
	p.group.close()
	return nil
}
