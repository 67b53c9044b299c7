package host

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/dshkit/dshkit/internal/cordis/catalog"
	"github.com/dshkit/dshkit/internal/cordis/half"
	"github.com/dshkit/dshkit/internal/cordis/registry"
	"github.com/dshkit/dshkit/internal/cordis/service"
	"github.com/dshkit/dshkit/internal/cordis/wire"
	"github.com/dshkit/dshkit/pkg/fiber"
)

// world is what the half of an activation may ask for.
type world struct{ *activation }

var _ half.World = world{}

// errUnloaded says that nothing can be registered (the reference's
// INACTIVE_EFFECT).
var errUnloaded = &wire.Thrown{Name: "Error", Message: fiber.ErrInactive.Error(), Code: "INACTIVE_EFFECT"}

// Service gives a live service, for ctx.get. Those of the runner itself are kept
// from plugins: with them one could approve itself.
func (w world) Service(_ context.Context, name string) (any, bool) {
	c := w.kernel.Load()
	if c == nil {
		c = w.host.group
	}
	return w.host.service(c, name)
}

// service reads a live service through a Context.
func (h *Host) service(c *fiber.Context, name string) (any, bool) {
	if catalog.HiddenService(name) {
		return nil, false
	}
	return c.Get(name)
}

// Injected gives what the Fiber was loaded with. The kernel would also give what a
// Fiber above, or the plugin itself, provides.
func (w world) Injected(_ context.Context, name string) (any, bool) {
	c := w.kernel.Load()
	if c == nil || catalog.HiddenService(name) || !slices.Contains(w.half.Shape().Inject, name) {
		return nil, false
	}
	v, err := c.Use(name)
	return v, err == nil
}

// Live says whether there is such a service.
func (w world) Live(name string) bool {
	_, ok := w.host.service(w.host.group, name)
	return ok
}

// Provide makes a service of the half.
func (w world) Provide(ctx context.Context, id uint64, name string, value any) error {
	if catalog.HiddenService(name) {
		return &wire.Thrown{Name: "Error", Message: fmt.Sprintf("service %q belongs to the runner itself", name)}
	}
	return w.make(ctx, func(c *fiber.Context) error {
		e, err := c.Provide(name, value)
		if err != nil {
			return taken(err)
		}
		w.mu.Lock()
		defer w.mu.Unlock()
		w.services[id] = e
		w.provided[id] = name
		return nil
	})
}

// taken names the owner of a service that is there already.
func taken(err error) error {
	if t, ok := errors.AsType[*fiber.TakenError](err); ok {
		return &wire.Thrown{Name: "Error", Message: fmt.Sprintf("service %q has been registered at <%s>", t.Service, t.Owner.Name())}
	}
	return err
}

// make makes an effect in the kernel, and the unload of the half the newest one
// again.
func (w world) make(ctx context.Context, f func(c *fiber.Context) error) error {
	c := w.kernel.Load()
	if c == nil {
		return errUnloaded
	}
	if err := f(c); errors.Is(err, fiber.ErrInactive) {
		return errUnloaded
	} else if err != nil {
		return err
	}
	w.mu.Lock()
	loaded := w.loaded
	w.mu.Unlock()
	if loaded {
		_ = w.arm(ctx) // it fails when the half unloads already, and then is not needed
	}
	return nil
}

// Withdraw takes a service back, and returns when its users have come to rest.
func (w world) Withdraw(ctx context.Context, id uint64) error {
	w.mu.Lock()
	e := w.services[id]
	delete(w.services, id)
	delete(w.provided, id)
	w.mu.Unlock()
	return dispose(ctx, e)
}

func dispose(ctx context.Context, e *fiber.Effect) error {
	if e == nil {
		return nil
	}
	return e.Dispose(ctx)
}

// take is the effect of a listener or a tool, which is not undone yet.
func (w world) take(id uint64) *fiber.Effect {
	w.mu.Lock()
	defer w.mu.Unlock()
	e := w.others[id]
	delete(w.others, id)
	return e
}

// keep notes the effect of a listener or a tool.
func (w world) keep(id uint64, e *fiber.Effect) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.others[id] = e
}

// On registers a listener. Events that control the runner are told to pages alone:
// they are never in the kernel.
func (w world) On(ctx context.Context, id uint64, event string, o half.ListenOptions) error {
	return w.make(ctx, func(c *fiber.Context) error {
		register, called := c.On, func() {}
		if o.Once { // called, it is undone; that may be before it is noted here
			noted := make(chan struct{})
			defer close(noted)
			register, called = c.Once, func() {
				<-noted
				w.take(id)
			}
		}
		e, err := register(event, w.listener(id, called), fiber.ListenOptions{Prepend: o.Prepend})
		if err == nil {
			w.keep(id, e)
		}
		return err
	})
}

// listener calls a listener of the half, after called. One whose half is gone is as
// if it were not there.
func (w world) listener(id uint64, called func()) fiber.Listener {
	return func(ctx context.Context, args ...any) (any, error) {
		called()
		var next half.Next
		if n := len(args); n > 0 {
			if f, ok := args[n-1].(fiber.Next); ok {
				next, args = half.Next(f), args[:n-1]
			}
		}
		release := w.use()
		v, err := w.half.Fire(ctx, id, args, next)
		release()
		if errors.Is(err, half.ErrGone) {
			if next != nil {
				return next(ctx)
			}
			return nil, nil
		}
		if next == nil { // what is left of an async listener the sandbox watches
			v = nil
		}
		return v, err
	}
}

// Off removes a listener.
func (w world) Off(ctx context.Context, id uint64) error { return dispose(ctx, w.take(id)) }

// Register makes a tool callable.
func (w world) Register(ctx context.Context, id uint64, d half.ToolDefinition) error {
	t := &entry{definition: d, plugin: w.plugin, run: func(ctx context.Context, args any) (half.ToolResult, error) {
		defer w.use()()
		return w.half.Execute(ctx, id, args)
	}}
	return w.make(ctx, func(c *fiber.Context) error {
		e, err := w.host.register(ctx, c, t)
		if err == nil {
			w.keep(id, e)
		}
		return err
	})
}

// Unregister removes a tool.
func (w world) Unregister(ctx context.Context, id uint64) error { return dispose(ctx, w.take(id)) }

// Tools are those that the plugin's Session sees.
func (w world) Tools(context.Context) []half.ToolDefinition { return w.host.definitions() }

// Call calls what lives elsewhere.
func (w world) Call(ctx context.Context, f wire.Func, args []any) (any, error) {
	return w.host.call(ctx, w.caller(), f, args)
}

// Await waits for what lives elsewhere.
func (w world) Await(ctx context.Context, p wire.Promise) (any, error) {
	return w.host.await(ctx, w.caller(), p)
}

// caller is the activation as services see it.
func (w world) caller() service.Caller {
	c := service.Caller{PluginID: string(w.plugin), RunID: string(w.id), Peer: w.half}
	if circle := w.host.config.Circle; circle != nil {
		c.Watch = circle.Watch
	}
	return c
}

// Log takes a line of the plugin.
func (w world) Log(level, text string) { w.host.write(level, w.plugin, text) }

// Report takes a failure that nobody waits for.
func (w world) Report(f half.Failure) {
	failure := registry.Failure{Message: f.Message, Stack: f.Stack}
	if f.Kind != half.FailureGuard {
		w.host.write("error", "", fmt.Sprintf("%s: %s: %s", w.plugin, f.Kind, f.Message))
	}
	w.host.decide(func(r *registry.Registry) registry.Decision {
		switch f.Kind {
		case half.FailureGuard:
			return r.GuardRejected(w.id, failure)
		case half.FailureEffect:
			return r.HostBroke(w.id, failure)
		}
		return r.CodeFailed(w.id, string(f.Kind), failure)
	})
}
