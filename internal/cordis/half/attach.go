package half

import (
	"container/list"
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/dshkit/dshkit/internal/cordis/wire"
)

// Settings are what whoever starts a sandbox knows of it.
type Settings struct {
	Limits Limits
	Circle *Circle      // that the half belongs to; nil: one of its own
	Kill   func()       // ends the sandbox, whatever it does; nil: it ends with the link
	Fate   func() error // waits until the sandbox, whose link has ended, has ended too, and says why; nil: not known
}

// attached is a Half over a link.
type attached struct {
	world  World
	source Source
	circle *Circle
	limits Limits
	kill   func()
	fate   func() error
	peer   *wire.Peer
	told   teller
	pulse  *time.Timer
	shape  Shape
	done   chan struct{}

	mu         sync.Mutex
	flights    list.List             // of *flight, in the order of departure
	byChain    map[uint64]*list.List // the same, by the number of the chain
	nexts      map[uint64]Next
	lateNexts  []uint64 // of listeners that have returned a promise, oldest first
	lastNext   uint64
	handlers   []string
	names      map[uint64]string        // of tools and listeners, for phases
	timeouts   map[uint64]time.Duration // of tools
	registered map[uint64]bool          // services, listeners and tools; true: a listener that goes when it is called
	reason     error                    // why we end it, or why it says that it ends
	err        error                    // why it is gone
}

// Attach starts a half in the sandbox at the other end of the link: it evaluates
// the body. It owns the link from here on, also when it fails.
func Attach(ctx context.Context, link wire.Link, settings Settings, source Source, world World) (Half, error) {
	h := newAttached(settings, source, world)
	ready := make(chan struct{}) // the sandbox may speak before NewPeer returns
	h.peer = wire.NewPeer(link, func(r *wire.Request) {
		<-ready
		h.take(r)
	})
	close(ready)
	go h.watch()
	h.beat()
	if err := h.start(ctx); err != nil {
		h.end(err)
		<-h.done
		return nil, err
	}
	return h, nil
}

func newAttached(settings Settings, source Source, world World) *attached {
	h := &attached{
		world: world, source: source, circle: settings.Circle, limits: settings.Limits.withDefaults(),
		kill: settings.Kill, fate: settings.Fate,
		byChain: map[uint64]*list.List{}, nexts: map[uint64]Next{}, registered: map[uint64]bool{},
		names: map[uint64]string{}, timeouts: map[uint64]time.Duration{},
		done: make(chan struct{}),
	}
	h.told.world = world
	if h.circle == nil {
		h.circle = NewCircle()
	}
	if h.kill == nil {
		h.kill = func() {}
	}
	if h.fate == nil {
		h.fate = func() error { return nil }
	}
	return h
}

func (h *attached) start(ctx context.Context) error {
	body := wire.Start{
		PluginID: h.source.PluginID, PackageID: h.source.PackageID, RunID: h.source.RunID,
		Code: h.source.Code, EvalTimeout: h.source.EvalTimeout,
	}
	var started wire.Started
	if err := h.call(ctx, request{wire.VerbStart, body, "evaluation", h.limits.Start}, &started); err != nil {
		return err
	}
	h.shape = Shape(started)
	return nil
}

// watch waits for the end, and says why it came.
func (h *attached) watch() {
	<-h.peer.Done()
	h.pulse.Stop()
	phase := h.phase()
	h.mu.Lock()
	if h.reason != nil {
		h.kill()
	}
	h.mu.Unlock()
	fate := h.fate()
	_ = h.peer.Close()
	h.told.drain()
	h.circle.drop(h)
	h.mu.Lock()
	h.err = gone(h.reason, fate, h.peer.Err(), phase)
	h.mu.Unlock()
	close(h.done)
}

// gone is why a half is no more: the reason that we know, else how the sandbox
// ended, else how the link did.
func gone(reason, fate, link error, phase string) error {
	why := reason
	if why == nil {
		why = fate
	}
	if why == nil {
		why = link
	}
	if limit, ok := errors.AsType[*LimitError](why); ok && limit.Phase == "" {
		full := *limit
		full.Phase = phase
		why = &full
	}
	return &goneError{why: why}
}

// end closes the link, for a reason. The first reason counts.
func (h *attached) end(reason error) {
	h.mu.Lock()
	if h.reason == nil {
		h.reason = reason
	}
	h.mu.Unlock()
	h.kill()
	_ = h.peer.Close()
}

// Close ends the half.
func (h *attached) Close() error {
	h.end(errClosed)
	<-h.done
	return nil
}

func (h *attached) Done() <-chan struct{} { return h.done }

func (h *attached) Err() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.err
}

func (h *attached) Shape() Shape { return h.shape }

func (h *attached) Handlers() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.handlers)
}
