package script

import (
	"context"
	"errors"

	"github.com/dshkit/dshkit/pkg/compose"
	"github.com/dshkit/dshkit/pkg/fiber"
	"github.com/dshkit/dshkit/pkg/jsrun"
)

// scriptService is a service whose value is of one runtime; plugins of other
// runtimes do not see it.
type scriptService struct {
	run   *jsrun.Run
	value jsrun.Value
}

// contextHost is what js/context.js asks of Go.
func (k *kit) contextHost() jsrun.Value {
	host := k.vm.New()
	_ = host.Set("root", k.function("root", 0, func([]jsrun.Value) (jsrun.Value, error) {
		root := fiber.New(fiber.Config{Log: k.loader.log})
		k.run.Defer(root.Fiber().Discard)
		return k.view(root)
	}))
	return host
}

// view is a Go context as js/context.js knows it.
func (k *kit) view(c *fiber.Context) (jsrun.Value, error) {
	own, err := k.fiber(c.Fiber())
	if err != nil {
		return nil, err
	}
	root, err := k.fiber(c.Root().Fiber())
	if err != nil {
		return nil, err
	}
	return k.object(
		"fiber", own,
		"root", root,
		"plugin", k.function("plugin", 3, func(args []jsrun.Value) (jsrun.Value, error) { return k.mount(c, args) }),
		"effect", k.function("effect", 2, func(args []jsrun.Value) (jsrun.Value, error) { return k.effect(c, args) }),
		"provide", k.function("provide", 2, func(args []jsrun.Value) (jsrun.Value, error) { return k.provide(c, args) }),
		"get", k.function("get", 1, func(args []jsrun.Value) (jsrun.Value, error) { return k.get(c, args[0].String()) }),
		"use", k.function("use", 1, func(args []jsrun.Value) (jsrun.Value, error) { return k.use(c, args[0].String()) }),
	)
}

// fiber is one object for each Fiber, since plugins use them as keys.
func (k *kit) fiber(f *fiber.Fiber) (jsrun.Value, error) {
	if o := k.twins.object(f); o != nil {
		return o, nil
	}
	o, err := k.object(
		"name", k.function("name", 0, func([]jsrun.Value) (jsrun.Value, error) { return k.vm.FromJSON(f.Name()), nil }),
		"state", k.function("state", 0, func([]jsrun.Value) (jsrun.Value, error) { return k.vm.FromJSON(float64(f.State())), nil }),
		"await", k.function("await", 0, func([]jsrun.Value) (jsrun.Value, error) { return k.task(f.Await), nil }),
		"dispose", k.function("dispose", 0, func([]jsrun.Value) (jsrun.Value, error) { return k.task(f.Dispose), nil }),
	)
	if err != nil {
		return nil, err
	}
	k.twins.add(f, o)
	return o, nil
}

// task is a promise for waiting in Go that gives nothing.
func (k *kit) task(f func(ctx context.Context) error) jsrun.Value {
	return k.async(func(ctx context.Context) (later, error) {
		jsrun.Detach(ctx)
		return settled, f(ctx)
	})
}

// mount gives a plugin to the lifecycle: its name, the services that it waits
// for and the function that starts it in the view of its own Fiber.
func (k *kit) mount(c *fiber.Context, args []jsrun.Value) (jsrun.Value, error) {
	inject, err := k.strings(args[1])
	if err != nil {
		return nil, err
	}
	start := args[2]
	f, err := c.Plugin(fiber.Plugin{
		Name:   args[0].String(),
		Inject: inject,
		Apply: func(ctx context.Context, own *fiber.Context) error {
			return k.begin(jsrun.WithPhase(ctx, own.Fiber().Name()+" apply"), func(vm *jsrun.VM) (jsrun.Value, error) {
				view, err := k.view(own)
				if err != nil {
					return nil, err
				}
				return vm.Apply(start, nil, view)
			})
		},
	})
	if err != nil {
		return nil, err
	}
	return k.fiber(f)
}

// begin runs f on the runtime's goroutine. What it leaves as a promise goes on
// while the kernel turns to others; nothing interrupts it.
func (k *kit) begin(ctx context.Context, f func(vm *jsrun.VM) (jsrun.Value, error)) error {
	done := k.beginning(ctx, f)
	select {
	case err := <-done:
		return err
	default:
		return wait(done)
	}
}

// beginning returns when f has run; the channel has its outcome then, unless it
// left a promise.
func (k *kit) beginning(ctx context.Context, f func(vm *jsrun.VM) (jsrun.Value, error)) <-chan error {
	begun := make(chan struct{})
	done := k.run.Begin(context.WithoutCancel(ctx), func(vm *jsrun.VM) (jsrun.Value, error) {
		defer close(begun)
		return f(vm)
	}, nothing)
	out := make(chan error, 1)
	select {
	case err := <-done:
		out <- err
		return out
	case <-begun:
		return done
	}
}

func nothing(*jsrun.VM, jsrun.Value) error { return nil }

// wait is what is left of a callback whose outcome comes by the channel.
func wait(done <-chan error) error {
	return fiber.Later(func(ctx context.Context) (any, error) { return nil, outcome(ctx, done) })
}

func outcome(ctx context.Context, done <-chan error) error {
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (k *kit) strings(v jsrun.Value) ([]string, error) {
	j, err := k.vm.ToJSON(v)
	if err != nil {
		return nil, err
	}
	list, _ := j.([]any)
	out := make([]string, len(list))
	for i, item := range list {
		s, ok := item.(string)
		if !ok {
			return nil, errors.New("inject must be a list of names of services")
		}
		out[i] = s
	}
	return out, nil
}

// effect makes an effect of what start returns: undo, a function, and pending, a
// promise if the setup is still in flight.
func (k *kit) effect(c *fiber.Context, args []jsrun.Value) (jsrun.Value, error) {
	inFlight := false
	e, err := c.Effect(k.vm.Context(), args[0].String(), func(context.Context) (fiber.Disposer, error) {
		made, installed, err := k.noting(func() (jsrun.Value, error) { return k.vm.Apply(args[1], nil) })
		if err != nil {
			if errors.Is(err, jsrun.ErrLimit) { // it was stopped, perhaps with its disposer in hand
				withdraw(k.vm.Context(), installed)
			}
			return nil, err
		}
		undo, err := k.vm.Get(made, "undo")
		if err != nil {
			return nil, err
		}
		pending, err := k.vm.Get(made, "pending")
		if err != nil || isUndefined(pending) {
			return k.disposer(undo, installed), err
		}
		inFlight = true
		done := k.run.Begin(context.WithoutCancel(k.vm.Context()), func(*jsrun.VM) (jsrun.Value, error) { return pending, nil }, nothing)
		return k.disposer(undo, installed), wait(done)
	})
	if err != nil {
		return nil, err
	}
	out, err := k.object("dispose", k.disposal(e))
	if err == nil && inFlight {
		err = out.Set("ready", k.task(e.Ready))
	}
	return out, err
}

// noting runs a setup and returns what it installed.
func (k *kit) noting(f func() (jsrun.Value, error)) (jsrun.Value, []func(context.Context), error) {
	outer := k.installed
	k.installed = nil
	v, err := f()
	made := k.installed
	k.installed = outer
	return v, made, err
}

// disposer calls a plugin's function for the kernel. What the plugin had
// installed is withdrawn all the same when that fails, when it is given up, and
// when the runtime is gone.
func (k *kit) disposer(undo jsrun.Value, installed []func(context.Context)) fiber.Disposer {
	return func(ctx context.Context) error {
		if k.run.Err() != nil {
			withdraw(ctx, installed)
			return nil
		}
		done := k.beginning(ctx, func(vm *jsrun.VM) (jsrun.Value, error) { return vm.Apply(undo, nil) })
		select {
		case err := <-done:
			withdraw(ctx, installed)
			return err
		default:
		}
		return fiber.Later(func(ctx context.Context) (any, error) {
			defer withdraw(ctx, installed)
			return nil, outcome(ctx, done)
		})
	}
}

func withdraw(ctx context.Context, installed []func(context.Context)) {
	for _, remove := range installed {
		remove(ctx)
	}
}

// disposal is a function that undoes an effect: at once if it can, else it
// returns a promise.
func (k *kit) disposal(e *fiber.Effect) jsrun.Value {
	return k.function("dispose", 0, func([]jsrun.Value) (jsrun.Value, error) {
		rest, err := e.Begin(k.vm.Context())
		if rest == nil {
			return nil, err
		}
		return k.task(rest), nil
	})
}

func (k *kit) provide(c *fiber.Context, args []jsrun.Value) (jsrun.Value, error) {
	e, err := c.Provide(args[0].String(), scriptService{run: k.run, value: args[1]})
	if err != nil {
		return nil, err
	}
	return k.disposal(e), nil
}

// get is the value of a service as this runtime sees it.
func (k *kit) get(c *fiber.Context, name string) (jsrun.Value, error) {
	v, ok := c.Get(name)
	if !ok {
		return nil, nil
	}
	return k.service(v)
}

// use is get for a service that the Fiber injects: the one that it was loaded
// with, even while that one leaves.
func (k *kit) use(c *fiber.Context, name string) (jsrun.Value, error) {
	if v, err := c.Use(name); err == nil {
		return k.service(v)
	}
	return k.get(c, name)
}

func (k *kit) service(v any) (jsrun.Value, error) {
	switch v := v.(type) {
	case scriptService:
		if v.run == k.run {
			return v.value, nil
		}
	case *compose.Core:
		return k.memory(v)
	case *Loader:
		return k.loaderService()
	}
	return nil, nil
}
