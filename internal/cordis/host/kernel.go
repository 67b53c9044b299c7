package host

import (
	"context"
	"errors"
	"sync"

	"github.com/dshkit/dshkit/internal/cordis/half"
	"github.com/dshkit/dshkit/internal/cordis/registry"
	"github.com/dshkit/dshkit/pkg/fiber"
)

// mountKernel makes the tree: the services of the host, and the group of all
// plugins.
func (h *Host) mountKernel() error {
	h.root = fiber.New(fiber.Config{Log: h.kernelLog, Changed: h.moves.note, DisposeTimeout: h.limits.Stop})
	own, err := h.mount("host")
	if err != nil {
		return err
	}
	for _, name := range h.services.Names() {
		var value any // timer and tools live in the sandbox
		if v, ok := h.services.Value(name); ok {
			value = v
		}
		if _, err := own.Provide(name, value); err != nil {
			return err
		}
	}
	h.group, err = h.mount("cordis-dynamic")
	return err
}

// mount adds a Fiber that does nothing itself.
func (h *Host) mount(name string) (*fiber.Context, error) {
	idle := func(context.Context, *fiber.Context) error { return nil }
	f, err := h.root.Plugin(fiber.Plugin{Name: name, Apply: idle})
	if err != nil {
		return nil, err
	}
	return f.Context(), f.Await(h.ctx)
}

// kernelLog hears of errors that nobody waits for. What plugin code did wrong its
// sandbox reports, and what a start came to is told to who began it.
func (h *Host) kernelLog(f *fiber.Fiber, label string, err error) {
	if _, hang := err.(*fiber.HangError); hang {
		h.write("warn", "", f.Name()+": "+err.Error())
		return
	}
	h.write("debug", "", f.Name()+": "+label+": "+err.Error())
}

// emitIn tells the listeners of an event of the host itself, in the code that ctx
// is in. What a listener throws does not concern who made the change.
func (h *Host) emitIn(ctx context.Context, event string, args ...any) {
	if err := h.root.Emit(ctx, event, args...); err != nil {
		h.write("warn", "", "a listener of "+event+": "+err.Error())
	}
}

// moves are the Fibers whose state has changed and was not looked at since. The
// kernel tells of changes in the midst of its own work, so that they are only
// noted there.
type moves struct {
	mu    sync.Mutex
	list  []*fiber.Fiber
	more  chan struct{}
	turns sync.Mutex // held by who looks
}

func (m *moves) note(f *fiber.Fiber, _, _ fiber.State) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.list = append(m.list, f)
	if m.more != nil {
		close(m.more)
		m.more = nil
	}
}

// take gives what was noted, and a channel that is closed when there is more.
func (m *moves) take() ([]*fiber.Fiber, <-chan struct{}) {
	m.mu.Lock()
	defer m.mu.Unlock()
	list := m.list
	m.list = nil
	if m.more == nil {
		m.more = make(chan struct{})
	}
	return list, m.more
}

// follow looks at what moves, as long as the host lasts.
func (h *Host) follow() {
	for {
		more := h.catchUp()
		select {
		case <-more:
		case <-h.ctx.Done():
			return
		}
	}
}

// catchUp reports to the registry how the runs stand whose Fibers have moved. Who
// reads what the registry says calls it before, so that nobody sees a state that
// is over.
func (h *Host) catchUp() <-chan struct{} {
	h.moves.turns.Lock()
	defer h.moves.turns.Unlock()
	list, more := h.moves.take()
	seen := map[*fiber.Fiber]bool{}
	for _, f := range list {
		if seen[f] {
			continue
		}
		seen[f] = true
		if a := h.runOf(f); a != nil {
			h.look(a)
		}
	}
	return more
}

// runOf finds the activation of a Fiber.
func (h *Host) runOf(f *fiber.Fiber) *activation {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, a := range h.runs {
		if a.fiber.Load() == f {
			return a
		}
	}
	return nil
}

// look reports how a run stands now. In the midst of a transition there is
// nothing to say: its end is told too.
func (h *Host) look(a *activation) {
	f := a.fiber.Load()
	switch f.State() {
	case fiber.Failed:
		if errors.Is(f.Err(), half.ErrGone) {
			return // whoever watches the half reports it
		}
		a.news(nil)
		failure := failureOf(f.Err())
		h.decide(func(r *registry.Registry) registry.Decision { return r.HostBroke(a.id, failure) })
	case fiber.Active, fiber.Pending:
		report := a.report()
		if !a.news(&report) {
			return
		}
		h.decide(func(r *registry.Registry) registry.Decision { return r.HostChanged(a.id, report) })
	}
}
