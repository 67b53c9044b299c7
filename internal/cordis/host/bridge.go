package host

import (
	"context"
	"fmt"
	"sync"

	"github.com/dshkit/dshkit/internal/cordis/catalog"
	"github.com/dshkit/dshkit/internal/cordis/half"
	"github.com/dshkit/dshkit/internal/cordis/service"
	"github.com/dshkit/dshkit/internal/cordis/wire"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/fiber"
)

// Bridge is one connection of a program that offers things to plugins: a
// harness. All that it did is undone when it closes.
type Bridge struct {
	host    *Host
	id      wire.Home
	options BridgeOptions
	kernel  *fiber.Context
	err     error // why it could not be connected

	mu       sync.Mutex
	services map[string]*fiber.Effect
	tools    map[string]*fiber.Effect
}

// BridgeOptions say who connects.
type BridgeOptions struct {
	Name string
	// Remote reaches what the bridge holds. nil: it holds nothing, and its values
	// may not name handles of it.
	Remote Remote
}

// Remote calls what a bridge handed in: functions, promises, tools. A half.Half
// looks the same.
type Remote interface {
	Call(ctx context.Context, f wire.Func, args []any) (any, error)
	Await(ctx context.Context, p wire.Promise) (any, error)
}

// AddBridge connects a bridge. Home is what its Handles bear.
func (h *Host) AddBridge(o BridgeOptions) *Bridge {
	b := &Bridge{host: h, options: o, services: map[string]*fiber.Effect{}, tools: map[string]*fiber.Effect{}}
	b.kernel, b.err = h.mount(o.Name)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.last++
	b.id = wire.Home(fmt.Sprintf("bridge-%d", h.last))
	switch {
	case b.err != nil:
	case h.closing: // it is undone with the root
		b.err = fault.New(fault.NoHost, codeClosed)
	default:
		h.bridges[b.id] = b
	}
	return b
}

// Home names the bridge in the Handles of what it hands in.
func (b *Bridge) Home() wire.Home { return b.id }

// Close withdraws all that the bridge did, and returns when it is undone.
func (b *Bridge) Close(ctx context.Context) error {
	defer func() {
		b.host.mu.Lock()
		defer b.host.mu.Unlock()
		delete(b.host.bridges, b.id)
	}()
	defer b.host.services.Release(string(b.id))
	if b.kernel == nil {
		return b.err
	}
	return b.kernel.Fiber().Dispose(ctx)
}

// Provide makes a service of the bridge. The value may be any wire value.
func (b *Bridge) Provide(_ context.Context, name string, value any) error {
	if b.err != nil {
		return b.err
	}
	e, err := b.kernel.Provide(name, value)
	if err != nil {
		return taken(err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.services[name] = e
	return nil
}

// take is an effect that is to be undone, nil if there is none of that name.
func (b *Bridge) take(from map[string]*fiber.Effect, name string) *fiber.Effect {
	b.mu.Lock()
	defer b.mu.Unlock()
	e := from[name]
	delete(from, name)
	return e
}

// Withdraw takes a service back and returns when its users have come to rest.
func (b *Bridge) Withdraw(ctx context.Context, name string) error {
	e := b.take(b.services, name)
	if e == nil {
		return fault.New(fault.NotFound, codeService, name)
	}
	return e.Dispose(ctx)
}

// Register makes a tool of the bridge callable. run is called with the checked
// arguments, and may answer with a promise of the Remote.
func (b *Bridge) Register(d half.ToolDefinition, run func(ctx context.Context, args any) (half.ToolResult, error)) error {
	if b.err != nil {
		return b.err
	}
	d, err := compileTool(d)
	if err != nil {
		return err
	}
	e, err := b.host.register(b.host.ctx, b.kernel, &entry{definition: d, run: b.executor(d, run)})
	if err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.tools[d.Name] = e
	return nil
}

// execution runs a tool.
type execution func(ctx context.Context, args any) (half.ToolResult, error)

// executor waits for a result that is promised, and checks it.
func (b *Bridge) executor(d half.ToolDefinition, run execution) execution {
	return func(ctx context.Context, args any) (half.ToolResult, error) {
		result, err := run(ctx, args)
		if p, ok := result.Value.(wire.Promise); ok && err == nil {
			result.Value, err = b.Await(ctx, p)
		}
		if err != nil {
			return half.ToolResult{}, err
		}
		return result, checkOutput(d, result)
	}
}

// Unregister removes a tool of the bridge.
func (b *Bridge) Unregister(name string) error {
	e := b.take(b.tools, name)
	if e == nil {
		return fault.New(fault.NotFound, codeTool, name)
	}
	return e.Dispose(b.host.ctx)
}

// Emit tells the listeners of an event, those of plugins included. Control
// events, cordis/*, are refused.
func (b *Bridge) Emit(ctx context.Context, event string, args []any) error {
	if catalog.HiddenEvent(event) {
		return fault.New(fault.Refused, codeReserved, event)
	}
	return b.host.root.Emit(ctx, event, args...)
}

// Waterfall asks the listeners of an event in turn; inner is the value of the
// last.
func (b *Bridge) Waterfall(ctx context.Context, event string, args []any, inner any) (any, error) {
	if catalog.HiddenEvent(event) {
		return nil, fault.New(fault.Refused, codeReserved, event)
	}
	last := func(context.Context) (any, error) { return inner, nil }
	return b.settle(ctx)(b.host.root.Waterfall(ctx, event, last, args...))
}

// settle waits for a value that is promised.
func (b *Bridge) settle(ctx context.Context) func(v any, err error) (any, error) {
	return func(v any, err error) (any, error) {
		if p, ok := v.(wire.Promise); ok && err == nil {
			return b.Await(ctx, p)
		}
		return v, err
	}
}

// Service reads a live service.
func (b *Bridge) Service(_ context.Context, name string) (value any, ok bool) {
	return b.host.service(b.host.group, name)
}

// CallService calls a method of a live service, and waits for a promise that it
// gives.
func (b *Bridge) CallService(ctx context.Context, name, method string, args []any) (any, error) {
	v, ok := b.Service(ctx, name)
	if !ok {
		return nil, fault.New(fault.NotFound, codeService, name)
	}
	o, _ := v.(wire.Object)
	for _, m := range o.Members {
		if f, ok := m.Value.(wire.Func); ok && m.Name == method {
			return b.settle(ctx)(b.Call(ctx, f, args))
		}
	}
	return nil, fault.New(fault.NotFound, codeMethod, name, method)
}

// Call calls a function that came with a value.
func (b *Bridge) Call(ctx context.Context, f wire.Func, args []any) (any, error) {
	return b.host.call(ctx, b.caller(), f, args)
}

// Await waits for a promise that came with a value.
func (b *Bridge) Await(ctx context.Context, p wire.Promise) (any, error) {
	return b.host.await(ctx, b.caller(), p)
}

func (b *Bridge) caller() service.Caller {
	return service.Caller{PluginID: b.options.Name, RunID: string(b.id), Peer: b.options.Remote}
}
