package host_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"

	"github.com/dshkit/dshkit/internal/cordis/half"
	"github.com/dshkit/dshkit/internal/cordis/wire"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// script is what a source does in a fake half. The source is its name.
type script struct {
	inject   []string
	name     string
	eval     func(ctx context.Context, f *fake) error
	apply    func(ctx context.Context, f *fake) error
	unload   func(f *fake)
	handlers map[string]func(ctx context.Context, args any) (any, error)
}

// starter starts fakes.
type starter struct {
	mu      sync.Mutex
	scripts map[string]*script
	fakes   []*fake
}

func (s *starter) script(name string) *script {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.scripts[name]
}

// latest is the newest half of a source.
func (s *starter) latest(t *testing.T, name string) *fake {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range slices.Backward(s.fakes) {
		if f.source.Code == name {
			return f
		}
	}
	t.Fatalf("no half of %q was started", name)
	return nil
}

// count says how often a source was evaluated, and how many are not closed.
func (s *starter) count(name string) (started, alive int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range s.fakes {
		if name != "" && f.source.Code != name {
			continue
		}
		started++
		select {
		case <-f.done:
		default:
			alive++
		}
	}
	return started, alive
}

func (s *starter) Start(ctx context.Context, source half.Source, w half.World) (half.Half, error) {
	sc := s.script(source.Code)
	if sc == nil {
		return nil, &wire.Thrown{Message: "no such script: " + source.Code}
	}
	f := &fake{script: sc, source: source, world: w, done: make(chan struct{}), funcs: map[uint64]func(context.Context, []any) (any, error){}, listeners: map[uint64]func(context.Context, []any, half.Next) (any, error){}, tools: map[uint64]func(context.Context, any) (any, error){}}
	s.mu.Lock()
	s.fakes = append(s.fakes, f)
	s.mu.Unlock()
	if sc.eval != nil {
		if err := sc.eval(ctx, f); err != nil {
			_ = f.Close()
			return nil, err
		}
	}
	if err := context.Cause(ctx); err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}

// fake is a half in Go.
type fake struct {
	script *script
	source half.Source
	world  half.World
	once   sync.Once
	done   chan struct{}

	mu        sync.Mutex
	err       error
	last      uint64
	effects   []effect // oldest first
	funcs     map[uint64]func(context.Context, []any) (any, error)
	listeners map[uint64]func(context.Context, []any, half.Next) (any, error)
	tools     map[uint64]func(context.Context, any) (any, error)
}

func (f *fake) id() uint64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.last++
	return f.last
}

func (f *fake) Shape() half.Shape {
	return half.Shape{Name: f.script.name, Inject: f.script.inject}
}

func (f *fake) Load(ctx context.Context) error {
	if f.script.apply == nil {
		return nil
	}
	done := make(chan error, 1)
	go func() { done <- f.script.apply(ctx, f) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-f.done:
		return f.Err()
	}
}

func (f *fake) BeginUnload(ctx context.Context) (func(context.Context) error, error) {
	select {
	case <-f.done:
		return nil, f.Err()
	default:
	}
	f.mu.Lock()
	effects := f.effects
	f.effects = nil
	f.mu.Unlock()
	var all sync.WaitGroup
	for _, undo := range slices.Backward(effects) {
		if undo.async {
			all.Go(func() { undo.run(ctx) })
		} else {
			undo.run(ctx)
		}
	}
	if f.script.unload != nil {
		f.script.unload(f)
	}
	return func(context.Context) error { all.Wait(); return nil }, nil
}

func (f *fake) Handlers() []string {
	var names []string
	for name := range f.script.handlers {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func (f *fake) Invoke(ctx context.Context, method string, args any) (any, error) {
	h := f.script.handlers[method]
	if h == nil {
		return nil, half.ErrNoMethod
	}
	return h(ctx, args)
}

func (f *fake) Execute(ctx context.Context, tool uint64, args any) (half.ToolResult, error) {
	f.mu.Lock()
	run := f.tools[tool]
	f.mu.Unlock()
	v, err := run(ctx, args)
	return half.ToolResult{Value: v, Content: []any{}, Meta: wire.Undefined{}}, err
}

func (f *fake) Call(ctx context.Context, fn wire.Func, args []any) (any, error) {
	f.mu.Lock()
	run := f.funcs[fn.ID]
	f.mu.Unlock()
	return run(ctx, args)
}

func (f *fake) Await(context.Context, wire.Promise) (any, error) {
	return nil, errors.New("no promises")
}

func (f *fake) Fire(ctx context.Context, id uint64, args []any, next half.Next) (any, error) {
	f.mu.Lock()
	run := f.listeners[id]
	f.mu.Unlock()
	if run == nil {
		return nil, nil
	}
	return run(ctx, args, next)
}

// die ends the half by itself.
func (f *fake) die(err error) {
	f.once.Do(func() {
		f.mu.Lock()
		f.err = errors.Join(half.ErrGone, err)
		f.mu.Unlock()
		close(f.done)
	})
}

func (f *fake) Close() error          { f.die(errors.New("closed")); return nil }
func (f *fake) Done() <-chan struct{} { return f.done }
func (f *fake) Err() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.err
}

// effect is something to be undone; what is async holds up no other.
type effect struct {
	run   func(ctx context.Context)
	async bool
}

func (f *fake) effect(undo func(ctx context.Context)) { f.add(effect{run: undo}) }

func (f *fake) add(e effect) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.effects = append(f.effects, e)
}

// provide makes a service; the function members are called by name.
func (f *fake) provide(ctx context.Context, name string, value any) (withdraw func(context.Context) error, err error) {
	id := f.id()
	if err := f.world.Provide(ctx, id, name, value); err != nil {
		return nil, err
	}
	withdraw = func(ctx context.Context) error { return f.world.Withdraw(ctx, id) }
	f.add(effect{func(ctx context.Context) { _ = withdraw(ctx) }, true})
	return withdraw, nil
}

// method is a function that lives in the half.
func (f *fake) method(name string, run func(ctx context.Context, args []any) (any, error)) wire.Object {
	id := f.id()
	f.mu.Lock()
	f.funcs[id] = run
	f.mu.Unlock()
	fn := wire.Func{Handle: wire.Handle{Home: wire.Home(f.source.RunID), ID: id}, Name: name}
	return wire.Object{Members: []wire.Member{{Name: name, Value: fn}}}
}

// callService calls the first method of a service that the half injects.
func (f *fake) callService(ctx context.Context, name string, args ...any) (any, error) {
	v, ok := f.world.Injected(ctx, name)
	if !ok {
		return nil, errors.New("no service " + name)
	}
	o, ok := v.(wire.Object)
	if !ok {
		return v, nil // a plain value
	}
	return f.world.Call(ctx, o.Members[0].Value.(wire.Func), args)
}

func (f *fake) tool(ctx context.Context, name string, run func(ctx context.Context, args any) (any, error)) error {
	id := f.id()
	f.mu.Lock()
	f.tools[id] = run
	f.mu.Unlock()
	d := half.ToolDefinition{Name: name, Description: name, Parameters: jsonvalue.Of("type", "object", "properties", jsonvalue.Of()), Output: jsonvalue.Of()}
	if err := f.world.Register(ctx, id, d); err != nil {
		return err
	}
	f.effect(func(ctx context.Context) { _ = f.world.Unregister(ctx, id) })
	return nil
}

func (f *fake) on(ctx context.Context, event string, run func(ctx context.Context, args []any, next half.Next) (any, error)) error {
	id := f.id()
	f.mu.Lock()
	f.listeners[id] = run
	f.mu.Unlock()
	if err := f.world.On(ctx, id, event, half.ListenOptions{}); err != nil {
		return err
	}
	f.effect(func(ctx context.Context) { _ = f.world.Off(ctx, id) })
	return nil
}
