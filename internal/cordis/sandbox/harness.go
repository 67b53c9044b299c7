package sandbox

import (
	"slices"

	"github.com/dshkit/dshkit/internal/cordis/wire"
	"github.com/dshkit/dshkit/pkg/jsrun"
)

// handlers are what harness.handle registered (7.2).
type handlers struct {
	order []string
	by    map[string]*handler
}

type handler struct {
	fn   jsrun.Value
	life *life // of the apply in which it was registered; nil: the body
}

// harness has exactly three members.
func (b *box) harness() jsrun.Value {
	o := b.vm.New()
	_ = o.Set("handle", b.function("handle", b.handleMethod))
	_ = o.Set("defineTool", b.function("defineTool", func(args []jsrun.Value) (jsrun.Value, error) {
		return b.defineTool(b.arg(args, 0))
	}))
	_ = o.Set("registerTool", b.function("registerTool", func(args []jsrun.Value) (jsrun.Value, error) {
		ctx := b.arg(args, 0)
		switch {
		case b.js.kind(ctx) != "context":
			return nil, b.failure("TypeError", toolContextText)
		case b.life == nil || ctx != b.life.facade:
			return nil, b.inactive()
		}
		return b.life.registerTool(b.arg(args, 1))
	}))
	return o
}

// handleMethod is harness.handle. While the plugin is undone, and after, it is
// refused like every effect: what comes so late would never be undone.
func (b *box) handleMethod(args []jsrun.Value) (jsrun.Value, error) {
	method, ok := b.asText(b.arg(args, 0))
	if !ok || method == "" {
		return nil, b.failure("TypeError", badMethodText)
	}
	fn := b.arg(args, 1)
	if !b.vm.IsFunc(fn) {
		return nil, b.failure("TypeError", badHandlerText(method))
	}
	if b.parked || b.life != nil && b.life.parked {
		return nil, b.inactive()
	}
	if b.handlers.by[method] == nil && len(b.handlers.order) >= b.limits.Handlers {
		return nil, b.failure("RangeError", tooManyHandlersText(b.limits.Handlers))
	}
	return b.addHandler(method, &handler{fn, b.life}), nil
}

// addHandler replaces an earlier one of that name. The disposer removes this one
// alone.
func (b *box) addHandler(method string, h *handler) jsrun.Value {
	if b.handlers.by == nil {
		b.handlers.by = map[string]*handler{}
	}
	if b.handlers.by[method] == nil {
		b.handlers.order = append(b.handlers.order, method)
	}
	b.handlers.by[method] = h
	b.tellHandlers()
	return b.function("dispose", func([]jsrun.Value) (jsrun.Value, error) {
		if b.handlers.by[method] == h {
			delete(b.handlers.by, method)
			b.handlers.order = slices.DeleteFunc(b.handlers.order, func(other string) bool { return other == method })
			b.tellHandlers()
		}
		return nil, nil
	})
}

func (b *box) tellHandlers() {
	b.tell(wire.VerbHandlers, wire.Handlers{Methods: slices.Clone(b.handlers.order)})
}

// invoke calls a handler and replies with a lossless copy of what it gives.
func (b *box) invoke(r *wire.Request, asked wire.Invoke) {
	h := b.handlers.by[asked.Method]
	if h == nil {
		r.Reply(nil, &wire.Fault{Code: wire.CodeNoMethod, Message: noHandlerText(asked.Method)})
		return
	}
	parked := b.parkedFor(h) // not while it runs: what it meets then is no wonder
	refuse := func(err error) {
		thrown := b.thrown(err)
		if parked {
			thrown = ofParked(asked.Method, thrown)
		}
		r.Reply(nil, thrown)
	}
	v, err := b.vm.Apply(h.fn, nil, b.vm.FromJSON(asked.Args))
	if err != nil {
		refuse(err)
		return
	}
	b.js.follow(v, func(v jsrun.Value) {
		out, err := b.lossless(v, "harness.handle("+quote(asked.Method)+") result")
		if err != nil {
			refuse(err)
			return
		}
		r.Reply(wire.Value{Value: out}, nil)
	}, refuse)
}

// parkedFor says whether the plugin is parked and the handler one that apply had
// registered.
func (b *box) parkedFor(h *handler) bool {
	return h.life != nil && (b.life == nil || b.life.parked)
}

// ofParked explains the failure of such a handler.
func ofParked(method string, err *wire.Thrown) *wire.Thrown {
	out := *err
	out.Message = parkedText(method) + ": " + err.Message
	out.Plain = false
	if out.Name == "" {
		out.Name = "Error"
	}
	return &out
}
