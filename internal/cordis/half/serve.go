package half

import (
	"context"
	"fmt"
	"time"

	"github.com/dshkit/dshkit/internal/cordis/wire"
)

const (
	maxHandlers   = 256  // names that a half is believed to handle
	maxRegistered = 4096 // services, listeners and tools of one half
)

// take is what the sandbox asks and tells, in order. It does not block.
func (h *attached) take(r *wire.Request) {
	switch r.Verb {
	case wire.VerbLog:
		listen(r, func(l wire.Log) { h.told.log(l.Level, l.Text) })
	case wire.VerbReport:
		listen(r, func(f wire.Report) {
			h.told.report(Failure{Kind: FailureKind(f.Kind), Guard: f.Guard, Message: f.Message, Stack: f.Stack})
		})
	case wire.VerbHandlers:
		listen(r, h.setHandlers)
	case wire.VerbAbort:
		listen(r, func(a wire.Abort) { h.circle.abort(h, a) })
	case wire.VerbLimit:
		listen(r, h.passed)
	default:
		go h.answer(r)
	}
}

// listen reads what is told; what cannot be read is no sandbox of ours.
func listen[T any](r *wire.Request, f func(T)) {
	var body T
	if r.Decode(&body) == nil {
		f(body)
	}
}

func (h *attached) setHandlers(body wire.Handlers) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.handlers = body.Methods[:min(len(body.Methods), maxHandlers)]
}

// passed hears of a limit: the sandbox ends after it.
func (h *attached) passed(l wire.Limit) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.reason == nil {
		h.reason = &LimitError{Limit: l.Limit, Phase: l.Phase, Bound: l.Bound}
	}
}

// answer serves a request, on behalf of the call that the half serves.
func (h *attached) answer(r *wire.Request) {
	ctx := h.asking(r.Chain)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(r.Context(), func() { cancel(context.Cause(r.Context())) })()
	r.Reply(h.reply(ctx, r))
}

// reply is the answer. A panic of the World is the host's own mistake, which
// shall not end all plugins.
func (h *attached) reply(ctx context.Context, r *wire.Request) (body any, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("internal error: %v", p)
		}
		err = outward(err)
	}()
	switch r.Verb {
	case wire.VerbCall:
		return serve(r, func(c wire.CallFunc) (any, error) { return h.callOut(ctx, c) })
	case wire.VerbAwait:
		return serve(r, func(a wire.AwaitPromise) (any, error) {
			return valueOf(h.world.Await(h.async(ctx), a.Promise))
		})
	case wire.VerbWithdraw: // a promise there: its users may need this very loop to come to rest
		return serve(r, func(b wire.ID) (any, error) {
			h.forget(b.ID)
			return wire.Empty{}, h.world.Withdraw(h.async(ctx), b.ID)
		})
	}
	ctx, release := h.blocked(ctx)
	defer release()
	return h.blocking(ctx, r)
}

// blocking serves what the loop of the half waits for.
func (h *attached) blocking(ctx context.Context, r *wire.Request) (any, error) {
	switch r.Verb {
	case wire.VerbService:
		return serve(r, func(b wire.Name) (any, error) { return h.found(h.world.Service(ctx, b.Name)) })
	case wire.VerbInjected:
		return serve(r, func(b wire.Name) (any, error) { return h.found(h.world.Injected(ctx, b.Name)) })
	case wire.VerbLive:
		return serve(r, func(b wire.Name) (any, error) { return wire.Found{OK: h.world.Live(b.Name)}, nil })
	case wire.VerbTools:
		return h.tools(ctx), nil
	case wire.VerbNext:
		return serve(r, func(b wire.ID) (any, error) { return h.next(ctx, b.ID) })
	default:
		return h.registering(ctx, r)
	}
}

// registering serves what makes and undoes effects in the host.
func (h *attached) registering(ctx context.Context, r *wire.Request) (any, error) {
	switch r.Verb {
	case wire.VerbProvide:
		return serve(r, func(b wire.Provide) (any, error) {
			return h.added(b.ID, false, func() error { return h.world.Provide(ctx, b.ID, b.Name, b.Value) })
		})
	case wire.VerbOn:
		return serve(r, func(b wire.On) (any, error) {
			h.rename(b.ID, b.Event)
			return h.added(b.ID, b.Once, func() error { return h.world.On(ctx, b.ID, b.Event, ListenOptions{b.Prepend, b.Once}) })
		})
	case wire.VerbRegister:
		return serve(r, func(b wire.Register) (any, error) {
			h.rename(b.ID, b.Tool.Name)
			h.setTimeout(b.ID, b.Tool.Timeout)
			return h.added(b.ID, false, func() error { return h.world.Register(ctx, b.ID, ToolDefinition(b.Tool)) })
		})
	case wire.VerbOff:
		return serve(r, func(b wire.ID) (any, error) {
			h.forget(b.ID)
			return wire.Empty{}, h.world.Off(ctx, b.ID)
		})
	case wire.VerbUnregister:
		return serve(r, func(b wire.ID) (any, error) {
			h.forget(b.ID)
			return wire.Empty{}, h.world.Unregister(ctx, b.ID)
		})
	default:
		return nil, &wire.Fault{Code: wire.CodeNoMethod, Message: "a host has no verb " + string(r.Verb)}
	}
}

func serve[T any](r *wire.Request, f func(T) (any, error)) (any, error) {
	var body T
	if err := r.Decode(&body); err != nil {
		return nil, err
	}
	return f(body)
}

func valueOf(v any, err error) (any, error) { return wire.Value{Value: v}, err }

func (h *attached) found(v any, ok bool) (any, error) {
	h.share([]any{v})
	return wire.Found{Value: v, OK: ok}, nil
}

// callOut calls what lives elsewhere. Only one that gives no promise blocks.
func (h *attached) callOut(ctx context.Context, c wire.CallFunc) (any, error) {
	if c.Func.Async {
		return valueOf(h.world.Call(h.async(ctx), c.Func, c.Args))
	}
	ctx, release := h.blocked(ctx)
	defer release()
	return valueOf(h.world.Call(ctx, c.Func, c.Args))
}

// blocked is ctx for something that the loop of the half waits for.
func (h *attached) blocked(ctx context.Context) (context.Context, func()) {
	p := h.circle.placeOf(ctx)
	p.waiter = h.circle.block(h, p)
	return p.in(ctx), func() { h.circle.release(p.waiter) }
}

// async is ctx for something that no loop waits for.
func (h *attached) async(ctx context.Context) context.Context {
	p := h.circle.placeOf(ctx)
	p.waiter = nil
	return p.in(ctx)
}

func (h *attached) next(ctx context.Context, id uint64) (any, error) {
	h.mu.Lock()
	next := h.nexts[id]
	h.mu.Unlock()
	if next == nil {
		return nil, &wire.Fault{Code: wire.CodeNoMethod, Message: "next: the waterfall is over"}
	}
	return valueOf(next(ctx))
}

func (h *attached) tools(ctx context.Context) wire.Tools {
	list := h.world.Tools(ctx)
	out := make([]wire.ToolDefinition, len(list))
	for i, t := range list {
		out[i] = wire.ToolDefinition(t)
	}
	return wire.Tools{Tools: out}
}

// added makes an effect, unless there are too many.
func (h *attached) added(id uint64, once bool, make func() error) (any, error) {
	if !h.register(id, once) {
		return nil, &wire.Fault{
			Code:    wire.CodeLimit,
			Message: fmt.Sprintf("a plugin may have %d services, listeners and tools at a time", maxRegistered),
		}
	}
	err := make()
	if err != nil {
		h.forget(id)
	}
	return wire.Empty{}, err
}

// register says whether there is room for one more.
func (h *attached) register(id uint64, once bool) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if _, twice := h.registered[id]; twice || len(h.registered) >= maxRegistered {
		return false
	}
	h.registered[id] = once
	return true
}

func (h *attached) forget(id uint64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.registered, id)
}

// called notes that a listener is called: one that is called once goes with it.
func (h *attached) called(id uint64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.registered[id] {
		delete(h.registered, id)
	}
}

// rename notes what an id stands for, for messages about limits.
func (h *attached) rename(id uint64, name string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.names) >= maxRegistered {
		clear(h.names)
	}
	h.names[id] = name
}

func (h *attached) name(id uint64) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.names[id]
}

func (h *attached) setTimeout(id uint64, timeout time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.timeouts) >= maxRegistered {
		clear(h.timeouts)
	}
	h.timeouts[id] = timeout
}

// tool is the name and the limit of a tool.
func (h *attached) tool(id uint64) (string, time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	limit := h.timeouts[id]
	if limit <= 0 {
		limit = h.limits.Tool
	}
	return h.names[id], limit
}

// share lets the half hear when a signal of another one, that is among the values,
// is aborted.
func (h *attached) share(values []any) {
	for s := range signalsIn(values) {
		h.circle.subscribe(s, h)
	}
}
