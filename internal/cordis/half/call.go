package half

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/dshkit/dshkit/internal/cordis/wire"
)

// request is a call into a half.
type request struct {
	verb  wire.Verb
	body  any
	phase string
	limit time.Duration
}

// call asks the sandbox and waits, for as long as the limit allows.
func (h *attached) call(ctx context.Context, r request, reply any) error {
	p := h.circle.placeOf(ctx)
	if p.depth >= maxDepth {
		return ErrDepth
	}
	if err := h.circle.enter(p.waiter, h); err != nil {
		return err
	}
	defer h.circle.leave(p.waiter, h)
	late := &LimitError{Limit: "time", Phase: r.phase, Bound: r.limit.String()}
	bounded, cancel := context.WithTimeoutCause(ctx, r.limit, late)
	defer cancel()
	f := h.depart(ctx, place{chain: p.chain, depth: p.depth + 1, waiter: p.waiter}, r.phase)
	defer h.arrive(f)
	err := h.peer.Call(bounded, f.number, r.verb, r.body, reply)
	h.told.caught()
	return h.outcome(bounded, f, err)
}

// outcome is the error as the caller hears it.
func (h *attached) outcome(ctx context.Context, f *flight, err error) error {
	if err == nil {
		return nil
	}
	if cause := context.Cause(ctx); cause != nil && errors.Is(err, cause) {
		f.cancel(cause)
		if limit, ok := cause.(*LimitError); ok && limit.Phase == f.phase {
			go h.probe() // too slow, or frozen?
		}
		return err
	}
	if errors.Is(err, wire.ErrClosed) {
		<-h.done
		return h.Err()
	}
	if h.ends(err) {
		return h.Err()
	}
	return inward(err, f.phase)
}

// ends says whether an error is the beginning of the half's end, which it then
// waits for.
func (h *attached) ends(err error) bool {
	thrown, ok := errors.AsType[*wire.Thrown](err)
	if !ok || thrown.Name != wire.LimitName || thrown.Code != string(wire.CodeLimit) {
		return false
	}
	select {
	case <-h.done:
		return true
	case <-time.After(h.limits.Grace): // a script may throw such an error too
		return false
	}
}

func (h *attached) Load(ctx context.Context) error {
	return h.call(ctx, request{wire.VerbLoad, wire.Empty{}, "apply", h.limits.Load}, &wire.Empty{})
}

func (h *attached) BeginUnload(ctx context.Context) (func(ctx context.Context) error, error) {
	begin := request{wire.VerbBeginUnload, wire.Empty{}, "unload", h.limits.Unload}
	if err := h.call(ctx, begin, &wire.Empty{}); err != nil {
		return nil, err
	}
	return func(ctx context.Context) error {
		rest := request{wire.VerbEndUnload, wire.Empty{}, "unload", h.limits.Unload}
		return h.call(ctx, rest, &wire.Empty{})
	}, nil
}

func (h *attached) Invoke(ctx context.Context, method string, args any) (any, error) {
	return h.value(ctx, request{
		wire.VerbInvoke,
		wire.Invoke{Method: method, Args: args},
		fmt.Sprintf("handler %q", method), h.limits.Invoke,
	})
}

func (h *attached) Execute(ctx context.Context, tool uint64, args any) (ToolResult, error) {
	name, limit := h.tool(tool)
	var result wire.ToolResult
	err := h.call(ctx, request{
		wire.VerbExecute,
		wire.Execute{Tool: tool, Args: args},
		fmt.Sprintf("tool %q", name), limit,
	}, &result)
	if err != nil {
		return ToolResult{}, err
	}
	return ToolResult(result), nil
}

func (h *attached) Call(ctx context.Context, f wire.Func, args []any) (any, error) {
	h.share(args)
	defer runtime.KeepAlive(f.Lease) // while the half calls it
	f.Lease = nil                    // it is called, not handed on
	return h.value(ctx, request{
		wire.VerbCall,
		wire.CallFunc{Func: f, Args: args},
		fmt.Sprintf("function %q", f.Name), h.limits.Call,
	})
}

func (h *attached) Await(ctx context.Context, p wire.Promise) (any, error) {
	return h.value(ctx, request{wire.VerbAwait, wire.AwaitPromise{Promise: p}, "a promise", h.limits.Await})
}

func (h *attached) Fire(ctx context.Context, listener uint64, args []any, next Next) (any, error) {
	h.share(args)
	h.called(listener)
	id := h.addNext(next)
	v, err := h.value(ctx, request{
		wire.VerbFire,
		wire.Fire{Listener: listener, Args: args, Next: id},
		fmt.Sprintf("listener of %q", h.name(listener)), h.limits.Fire,
	})
	if _, later := v.(wire.Promise); later && err == nil {
		h.keepNext(id)
	} else {
		h.removeNext(id)
	}
	return v, err
}

func (h *attached) value(ctx context.Context, r request) (any, error) {
	var v wire.Value
	err := h.call(ctx, r, &v)
	return v.Value, err
}

// addNext lets the sandbox go on with a waterfall; 0 is none.
func (h *attached) addNext(next Next) uint64 {
	if next == nil {
		return 0
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.lastNext++
	h.nexts[h.lastNext] = next
	return h.lastNext
}

// maxLateNexts bounds those of listeners that have returned a promise.
const maxLateNexts = 64

// keepNext keeps a next whose listener goes on: its loop is blocked by who fires
// it, so that it can call next only when that is over.
func (h *attached) keepNext(id uint64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if id == 0 {
		return
	}
	h.lateNexts = append(h.lateNexts, id)
	if len(h.lateNexts) > maxLateNexts {
		delete(h.nexts, h.lateNexts[0])
		h.lateNexts = h.lateNexts[1:]
	}
}

func (h *attached) removeNext(id uint64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.nexts, id)
}
