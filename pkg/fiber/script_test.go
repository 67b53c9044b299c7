package fiber_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"

	"github.com/dshkit/dshkit/pkg/fiber"
)

// script is what both kernels are made to do; testdata/agreement/record.mjs
// reads the same.
type script struct {
	Plugins map[string]scripted `json:"plugins"`
	Main    []op                `json:"main"`
}

// scripted is a plugin: what its Apply does, and what it then waits for.
type scripted struct {
	Inject []string `json:"inject,omitempty"`
	Ops    []op     `json:"ops,omitempty"`
	Waits  bool     `json:"waits,omitempty"` // its Apply goes on until released
}

// op is one thing to do.
type op struct {
	Do      string `json:"do"`
	Name    string `json:"name,omitempty"`
	ID      string `json:"id,omitempty"`
	Own     bool   `json:"own,omitempty"`   // the name gets the plugin's before it
	Waits   bool   `json:"waits,omitempty"` // its disposer goes on until released
	Fail    string `json:"fail,omitempty"`
	Prepend bool   `json:"prepend,omitempty"`
	Value   any    `json:"value,omitempty"`
	Add     int    `json:"add,omitempty"`
	Stop    bool   `json:"stop,omitempty"`
	Ops     []op   `json:"ops,omitempty"`
}

// player plays a script on our kernel.
type player struct {
	diary
	script  script
	root    *fiber.Context
	waiters []chan struct{}
	fibers  map[string]*fiber.Fiber
	handles map[string]*fiber.Effect
}

// stage is the name of the plugin that does what the script's main says: all
// that a script does is done in somebody's turn.
const stage = "stage"

func newPlayer(s script) *player {
	p := &player{
		script: s, fibers: map[string]*fiber.Fiber{}, handles: map[string]*fiber.Effect{},
	}
	p.root = fiber.New(fiber.Config{
		Patience: forever,
		Log:      func(_ *fiber.Fiber, _ string, err error) { p.add("log %v", err) },
		Changed: func(f *fiber.Fiber, from, to fiber.State) {
			if f.Parent() != nil && f.Name() != stage {
				p.add("%s %v %v", f.Name(), from, to)
			}
		},
	})
	return p
}

// play runs the script in a bubble, and returns what happened.
func play(t *testing.T, s script) (log []string) {
	synctest.Test(t, func(t *testing.T) {
		p := newPlayer(s)
		for _, o := range s.Main {
			p.step(t, o)
		}
		log = p.take()
		p.end(t)
	})
	return log
}

// end disposes of the root while all that waits is let go on.
func (p *player) end(t *testing.T) {
	p.root.Fiber().Discard()
	for synctest.Wait(); p.release(); synctest.Wait() {
	}
	if err := p.root.Fiber().Dispose(deadline(t)); err != nil {
		t.Errorf("the tree does not end: %v", err)
	}
}

// step does one thing in a turn of its own, and waits until all is at rest or
// waits for a gate.
func (p *player) step(t *testing.T, o op) {
	mounted := make(chan struct{})
	f, err := p.root.Plugin(fiber.Plugin{Name: stage, Apply: func(ctx context.Context, _ *fiber.Context) error {
		<-mounted
		_, err := p.do(ctx, p.root, o)
		p.report(err)
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	close(mounted)
	synctest.Wait()
	p.add("--")
	f.Discard()
	synctest.Wait()
}

// release lets go on what has waited longest.
func (p *player) release() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.waiters) == 0 {
		return false
	}
	close(p.waiters[0])
	p.waiters = p.waiters[1:]
	return true
}

// report takes down an error in the words that both sides share.
func (p *player) report(err error) {
	var taken *fiber.TakenError
	var access *fiber.AccessError
	switch {
	case err == nil:
	case errors.Is(err, fiber.ErrInactive):
		p.add("error inactive")
	case errors.As(err, &taken):
		p.add("error taken by %s", taken.Owner.Name())
	case errors.As(err, &access) && access.Declared:
		p.add("error unavailable")
	case errors.As(err, &access):
		p.add("error undeclared")
	default:
		p.add("error %v", err)
	}
}

// until is Later for what waits until it is released.
func (p *player) until(line string) error {
	ch := make(chan struct{})
	p.mu.Lock()
	p.waiters = append(p.waiters, ch)
	p.mu.Unlock()
	return fiber.Later(func(context.Context) (any, error) {
		<-ch
		p.add("%s", line)
		return nil, nil
	})
}

func (p *player) disposer(name string, o op) fiber.Disposer {
	return func(context.Context) error {
		p.add("undo %s", name)
		if o.Fail != "" {
			return errors.New(o.Fail)
		}
		if o.Waits {
			return p.until("undone " + name)
		}
		return nil
	}
}

// keep remembers an effect by a name and takes down what made it fail.
func (p *player) keep(name string, e *fiber.Effect, err error) *fiber.Effect {
	p.report(err)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.handles[name] = e
	return e
}

// do does one thing. What it returns as an effect can be adopted.
func (p *player) do(ctx context.Context, c *fiber.Context, o op) (*fiber.Effect, error) {
	name := o.Name
	switch o.Do {
	case "log":
		p.add("%s", name)
	case "fail":
		return nil, errors.New(name)
	case "effect":
		e, err := c.Effect(ctx, name, func(context.Context) (fiber.Disposer, error) {
			p.add("make %s", name)
			return p.disposer(name, o), nil
		})
		return p.keep(name, e, err), nil
	case "nest":
		return p.nest(ctx, c, o), nil
	case "provide":
		e, err := c.Provide(name, "value of "+name)
		return p.keep(name, e, err), nil
	case "on", "once":
		return p.listen(c, o), nil
	case "chain":
		e, err := c.On(name, link(o), fiber.ListenOptions{})
		return p.keep(o.ID, e, err), nil
	case "undo":
		p.undo(ctx, name)
	case "get":
		value, ok := c.Get(name)
		if !ok {
			value = "none"
		}
		p.add("get %s %v", name, value)
	case "use":
		value, err := c.Use(name)
		if err == nil {
			p.add("use %s %v", name, value)
		}
		p.report(err)
	case "emit", "bail", "waterfall":
		p.dispatch(ctx, c, o)
	case "mount":
		p.mount(c, o)
	case "dispose", "restart":
		p.move(o)
	case "release":
		p.release()
	default:
		return nil, fmt.Errorf("unknown op %s", o.Do)
	}
	return nil, nil
}

func (p *player) nest(ctx context.Context, c *fiber.Context, o op) *fiber.Effect {
	e, err := c.Open(ctx, o.Name, func(ctx context.Context, k *fiber.Collector) error {
		for _, inner := range o.Ops {
			made, err := p.do(ctx, c, inner)
			if err != nil {
				return err
			}
			if made != nil {
				k.Adopt(made)
			}
		}
		return nil
	})
	return p.keep(o.Name, e, err)
}

func (p *player) listen(c *fiber.Context, o op) *fiber.Effect {
	on := c.On
	if o.Do == "once" {
		on = c.Once
	}
	e, err := on(o.Name, func(ctx context.Context, args ...any) (any, error) {
		p.add("heard %s by %s %v", o.Name, o.ID, args[0])
		for _, inner := range o.Ops {
			if _, err := p.do(ctx, c, inner); err != nil {
				return nil, err
			}
		}
		return o.Value, nil
	}, fiber.ListenOptions{Prepend: o.Prepend})
	return p.keep(o.ID, e, err)
}

// link is a listener that adds to what the rest of the chain comes to.
func link(o op) fiber.Listener {
	return func(ctx context.Context, args ...any) (any, error) {
		if o.Stop {
			return o.Add, nil
		}
		n, err := args[len(args)-1].(fiber.Next)(ctx)
		if err != nil {
			return nil, err
		}
		return o.Add + n.(int), nil
	}
}

func (p *player) undo(ctx context.Context, name string) {
	p.mu.Lock()
	e := p.handles[name]
	p.mu.Unlock()
	if e == nil {
		p.add("no %s", name)
		return
	}
	_, err := e.Begin(ctx)
	p.report(err)
}

func (p *player) dispatch(ctx context.Context, c *fiber.Context, o op) {
	switch o.Do {
	case "emit":
		p.report(c.Emit(ctx, o.Name, "x"))
	case "bail":
		value, err := c.Bail(ctx, o.Name, "x")
		if err == nil && value == nil {
			value = "undefined"
		}
		p.say("bail", value, err)
	case "waterfall":
		value, err := c.Waterfall(ctx, o.Name, func(context.Context) (any, error) { return 1, nil }, "x")
		p.say("waterfall", value, err)
	}
}

func (p *player) say(what string, value any, err error) {
	if err == nil {
		p.add("%s %v", what, value)
	}
	p.report(err)
}

func (p *player) mount(c *fiber.Context, o op) {
	s := p.script.Plugins[o.Name]
	f, err := c.Plugin(fiber.Plugin{Name: o.ID, Inject: s.Inject, Apply: func(ctx context.Context, c *fiber.Context) error {
		p.add("apply %s", o.ID)
		for _, inner := range s.Ops {
			if inner.ID != "" {
				inner.ID = o.ID + "." + inner.ID
			}
			if inner.Own {
				inner.Name = o.ID + "." + inner.Name
			}
			if _, err := p.do(ctx, c, inner); err != nil {
				return err
			}
		}
		if s.Waits {
			return p.until("applied " + o.ID)
		}
		return nil
	}})
	p.report(err)
	if err != nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fibers[o.ID] = f
}

// move disposes of a plugin or restarts it, and does not wait.
func (p *player) move(o op) {
	p.mu.Lock()
	f := p.fibers[o.Name]
	p.mu.Unlock()
	switch {
	case f == nil:
		p.add("no %s", o.Name)
	case o.Do == "dispose":
		f.Discard()
	default:
		ended, cancel := context.WithCancel(context.Background())
		cancel()
		_ = f.Restart(ended)
	}
}
