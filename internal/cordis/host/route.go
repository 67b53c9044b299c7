package host

import (
	"context"
	"errors"

	"github.com/dshkit/dshkit/internal/cordis/half"
	"github.com/dshkit/dshkit/internal/cordis/service"
	"github.com/dshkit/dshkit/internal/cordis/wire"
)

// errHomeless is what a function gives whose home has ended.
var errHomeless = &wire.Thrown{Name: "Error", Message: "the plugin that this belongs to has stopped", Code: "GONE"}

// call calls a function wherever it lives. Nothing is held meanwhile.
func (h *Host) call(ctx context.Context, c service.Caller, f wire.Func, args []any) (any, error) {
	if f.Home == wire.Host {
		return h.services.Call(ctx, c, f, args)
	}
	return reach(h, f.Home, func(r Remote) (any, error) { return r.Call(ctx, f, args) })
}

// await waits for a promise wherever it lives.
func (h *Host) await(ctx context.Context, c service.Caller, p wire.Promise) (any, error) {
	if p.Home == wire.Host {
		return h.services.Await(ctx, c, p)
	}
	return reach(h, p.Home, func(r Remote) (any, error) { return r.Await(ctx, p) })
}

// reach finds the half or the bridge of a home, and asks it.
func reach(h *Host, home wire.Home, ask func(r Remote) (any, error)) (any, error) {
	r, release := h.remote(home)
	if r == nil {
		return nil, errHomeless
	}
	defer release()
	v, err := ask(r)
	if errors.Is(err, half.ErrGone) {
		return nil, errors.Join(errHomeless, err)
	}
	return v, err
}

func (h *Host) remote(home wire.Home) (Remote, func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if b := h.bridges[home]; b != nil && b.options.Remote != nil {
		return b.options.Remote, func() {}
	}
	a := h.runs[RunID(home)]
	if a == nil {
		return nil, nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.half == nil {
		return nil, nil
	}
	return a.half, a.use()
}
