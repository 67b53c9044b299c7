package sandbox

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/dshkit/dshkit/internal/cordis/wire"
	"github.com/dshkit/dshkit/pkg/fiber"
	"github.com/dshkit/dshkit/pkg/jsrun"
)

// life is the plugin from one load to the next unload. Its effects hang in a
// tree of their own, which gives their order (8.4).
type life struct {
	box     *box
	root    *fiber.Context
	chain   atomic.Uint64 // of the unload, or of the load that failed; 0 before
	started chan struct{} // closed when all disposers have been started
	facade  jsrun.Value
	tools   jsrun.Value
	service jsrun.Value // the timer's
	methods map[string]jsrun.Value
	sights  map[string]sight
	handles handles // the disposers that plugin code has
	parked  bool
}

// ownerKey marks a ctx of the owner's goroutine, as long as it stays there.
type ownerKey struct{}

func (b *box) onOwner() context.Context { return context.WithValue(b.ctx, ownerKey{}, true) }

func isOwner(ctx context.Context) bool {
	yes, _ := ctx.Value(ownerKey{}).(bool)
	return yes
}

func (b *box) newLife() (*life, error) {
	l := &life{box: b, started: make(chan struct{}), handles: newHandles(), methods: map[string]jsrun.Value{}, sights: map[string]sight{}}
	l.root = fiber.New(fiber.Config{Log: l.log, DisposeTimeout: b.limits.Dispose, Patience: -1})
	// The oldest effect is undone last: when its turn comes, all others have been
	// started.
	_, err := l.root.Effect(b.ctx, "load", func(context.Context) (fiber.Disposer, error) {
		return func(context.Context) error { close(l.started); return nil }, nil
	})
	l.facade = b.facade(l)
	return l, err
}

// log is told by the tree of what failed where nobody waits.
func (l *life) log(_ *fiber.Fiber, label string, err error) {
	kind := failureDisposer
	if _, ok := errors.AsType[*setupError](err); ok {
		kind = failureEffect
	}
	var hang *fiber.HangError
	if errors.As(err, &hang) {
		err = errors.New(hangText + ": " + label)
	}
	for _, one := range parts(err) {
		l.box.report(wire.Report{Kind: kind}, one)
	}
}

// setupError is what an asynchronous setup failed with.
type setupError struct{ error }

func (e *setupError) Unwrap() error { return e.error }

// parts are the errors that were joined.
func parts(err error) []error {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		var list []error
		for _, one := range joined.Unwrap() {
			list = append(list, parts(one)...)
		}
		return list
	}
	return []error{err}
}

// load runs apply and replies when what it returned has settled.
func (b *box) load(r *wire.Request) {
	if b.plugin == nil || b.life != nil {
		r.Reply(nil, &wire.Fault{Code: wire.CodeOther, Message: "nothing to load"})
		return
	}
	l, err := b.newLife()
	if err != nil {
		r.Reply(nil, err)
		return
	}
	b.life, b.parked = l, false
	chain := chainOf(b.vm)
	l.apply(func(err error) {
		if err != nil {
			l.fail(r, chain, err)
			return
		}
		r.Reply(wire.Empty{}, nil)
	})
}

// apply calls the plugin and collects its result. ended is called once.
func (l *life) apply(ended func(error)) {
	b := l.box
	b.plugin.configured(b, func(config jsrun.Value, err error) {
		if err != nil {
			ended(err)
			return
		}
		v, err := b.vm.Apply(b.plugin.apply, b.plugin.this, l.facade, config)
		if err != nil {
			ended(err)
			return
		}
		l.collect(v, collection{add: l.keep, stopped: func() bool { return false }, ended: ended})
	})
}

// keep makes an effect of a disposer that apply gave.
func (l *life) keep(fn jsrun.Value) error {
	_, err := l.root.Effect(l.box.onOwner(), "apply", func(context.Context) (fiber.Disposer, error) {
		return l.disposer(fn), nil
	})
	return err
}

// fail undoes what a load had begun, and replies then.
func (l *life) fail(r *wire.Request, chain uint64, err error) {
	b := l.box
	text := b.thrown(err)
	l.start(chain)
	b.task(func() {
		_ = l.root.Fiber().Dispose(b.ctx)
		b.desk.put(chain, "load", func(*jsrun.VM) {
			b.end(l)
			r.Reply(nil, text)
		})
	})
}

// start begins to undo all and returns when all disposers have been started: as
// one stretch, so that what they leave to later comes after the last of them.
func (l *life) start(chain uint64) {
	l.chain.Store(chain)
	l.parked = true
	l.root.Fiber().Discard()
	_, _ = block(l.box.vm, l.box.desk, chain, l.started, l.box.limits.Sync)
}

func (b *box) end(l *life) {
	if b.life == l {
		b.life, b.parked = nil, true
	}
}

// beginUnload starts the disposers.
func (b *box) beginUnload(r *wire.Request) {
	if b.life != nil {
		b.life.start(chainOf(b.vm))
	}
	r.Reply(wire.Empty{}, nil)
}

// endUnload replies when all disposers have ended.
func (b *box) endUnload(r *wire.Request) {
	l := b.life
	if l == nil {
		r.Reply(wire.Empty{}, nil)
		return
	}
	if !l.parked {
		l.start(chainOf(b.vm))
	}
	chain := l.chain.Load()
	b.task(func() {
		err := l.root.Fiber().Dispose(r.Context())
		b.desk.put(chain, "unload", func(*jsrun.VM) {
			b.end(l)
			r.Reply(wire.Empty{}, err)
		})
	})
}

// abandon ends the tree of a runtime that is gone: its disposers fail at once.
func (l *life) abandon() {
	ctx, cancel := context.WithTimeout(context.Background(), l.box.limits.Dispose)
	defer cancel()
	_ = l.root.Fiber().Dispose(ctx)
}

// disposer is a function of the plugin as a disposer. It is called on the owner's
// goroutine, or by the tree on one of its own.
func (l *life) disposer(fn jsrun.Value) fiber.Disposer {
	return func(ctx context.Context) error {
		return l.box.on(ctx, l.chain.Load(), "a disposer", func() error {
			v, err := l.box.vm.Apply(fn, nil)
			if err != nil {
				return err
			}
			if l.box.js.text("effectForm", v) != "promise" {
				return nil
			}
			return l.box.settled(v)
		})
	}
}

// on runs f on the owner's goroutine, where the caller may be already.
func (b *box) on(ctx context.Context, chain uint64, phase string, f func() error) error {
	if isOwner(ctx) {
		return f()
	}
	out := make(chan error, 1)
	b.desk.put(chain, phase, func(*jsrun.VM) { out <- f() })
	select {
	case err := <-out:
		return err
	case <-b.run.Done():
		return jsrun.ErrClosed
	}
}

// settled says that what was begun goes on until the value has settled.
func (b *box) settled(v jsrun.Value) error {
	out := make(chan error, 1)
	b.js.follow(v, func(jsrun.Value) { out <- nil }, func(err error) { out <- err })
	return fiber.Later(func(ctx context.Context) (any, error) {
		select {
		case err := <-out:
			return nil, err
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-b.run.Done():
			return nil, jsrun.ErrClosed
		}
	})
}
