package host_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/dshkit/dshkit/internal/cordis/half"
	"github.com/dshkit/dshkit/internal/cordis/host"
	"github.com/dshkit/dshkit/internal/cordis/wire"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// call calls a tool for its value.
func (b *bench) call(tool string, args any) any {
	b.Helper()
	a, err := b.s.CallTool(b.ctx, tool, args)
	if err != nil {
		b.Errorf("call %s: %v", tool, err)
	}
	return a.Value
}

// named are the arguments of the tools here.
func named(name string) any { return jsonvalue.Of("name", name) }

func nameOf(args any) any {
	o, _ := jsonvalue.Map(args)
	name, _ := o.Text("name")
	return name
}

// CR-C1, CR-C2, CR-C3, CR-C4, CR-C7, CR-C9
func TestComposition(t *testing.T) {
	b := newBench(t, map[string]*script{"greeter": greeter(), "consumer": consumer()})
	p, _ := b.up("greeter")
	c, _ := b.up("consumer")
	if got := b.call("greet", named("harness")); got != "hi harness" {
		t.Errorf("provider first: %v", got)
	}
	b.mustStop(p.PluginID)
	b.want("tools when the provider has stopped", b.tools(), []string{})
	if got := b.status(c.PluginID); got != "waiting" {
		t.Errorf("the consumer is %s when stop returns", got)
	}
	b.mustRun(p)
	b.wait("the tool", func() bool { return len(b.tools()) == 1 })
	if got := b.call("greet", named("again")); got != "hi again" {
		t.Errorf("again: %v", got)
	}
	if n, _ := b.starter.count("consumer"); n != 1 {
		t.Errorf("the consumer was evaluated %d times", n)
	}
	b.mustStop(c.PluginID)
	b.want("tools", b.tools(), []string{})
	if b.status(p.PluginID) != "running" {
		t.Error("the provider did not stay")
	}
	b.mustStop(p.PluginID)
	if a := b.mustRun(c); a.Host.Status != "waiting" || a.Host.WaitingFor[0] != "greeter" {
		t.Errorf("consumer first: %+v", a.Host)
	}
	b.mustRun(p)
	b.wait("the tool", func() bool { return len(b.tools()) == 1 })
	if got := b.call("greet", named("late")); got != "hi late" {
		t.Errorf("late: %v", got)
	}
}

// CR-C5, CR-C10
func TestNamesAreTakenOnce(t *testing.T) {
	clash := func(name string) *script {
		return &script{apply: func(ctx context.Context, f *fake) error { return f.tool(ctx, name, nil) }}
	}
	b := newBench(t, map[string]*script{
		"greeter": greeter(), "tool": clash("mine"), "empty": clash(""), "reserved": clash("run_code"), "seven": clash("cordis_run"),
		"runner": {apply: func(ctx context.Context, f *fake) error {
			_, err := f.provide(ctx, "cordisInspect", 1.0)
			return err
		}},
		"fs": {apply: func(ctx context.Context, f *fake) error {
			_, err := f.provide(ctx, "fs", 1.0)
			return err
		}},
	})
	b.up("greeter")
	b.up("tool")
	for code, want := range map[string]string{
		"greeter": "has been registered at <greeter>", "tool": "cordis_stop", "empty": "not empty",
		"reserved": "reserved", "seven": "already registered", "runner": "runner", "fs": "has been registered",
	} {
		_, err := b.run(b.define(code, ""))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", code, err)
		}
	}
	b.want("tools", b.tools(), []string{"mine"})
}

// CR-C6, CR-W18
func TestValues(t *testing.T) {
	type seen struct {
		value any
		ok    bool
	}
	var got []seen
	look := func(v any, ok bool) { got = append(got, seen{v, ok}) }
	b := newBench(t, map[string]*script{
		"scalars": {apply: func(ctx context.Context, f *fake) error {
			_, err := f.provide(ctx, "answer", 42.0)
			_, err2 := f.provide(ctx, "nil", nil)
			look(f.world.Service(ctx, "answer"))
			return errors.Join(err, err2)
		}},
		"reader": {inject: []string{"answer", "nil"}, apply: func(ctx context.Context, f *fake) error {
			look(f.world.Injected(ctx, "answer"))
			look(f.world.Service(ctx, "answer"))
			look(f.world.Injected(ctx, "nil"))
			look(f.world.Injected(ctx, "fs"))
			look(nil, f.world.Live("fs"))
			look(f.world.Service(ctx, "dynamicCordisRunner"))
			return nil
		}},
	})
	b.up("scalars")
	b.up("reader")
	want := []seen{{nil, false}, {42.0, true}, {42.0, true}, {nil, true}, {nil, false}, {nil, true}, {nil, false}}
	if len(got) != len(want) {
		t.Fatalf("got %v", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%d: got %v, want %v", i, got[i], want[i])
		}
	}
}

// CR-C8: tools/change is told at each registration, and to nobody who has stopped.
func TestToolsChange(t *testing.T) {
	var mu sync.Mutex
	heard := 0
	b := newBench(t, map[string]*script{
		"listener": {apply: func(ctx context.Context, f *fake) error {
			return f.on(ctx, "tools/change", func(context.Context, []any, half.Next) (any, error) {
				mu.Lock()
				defer mu.Unlock()
				heard++
				return nil, errors.New("whoever changes the tools does not care")
			})
		}},
		"tool": {apply: func(ctx context.Context, f *fake) error { return f.tool(ctx, "mine", nil) }},
	})
	l, _ := b.up("listener")
	before, _ := b.host.ToolChange()
	p, _ := b.up("tool")
	b.mustStop(p.PluginID)
	after, _ := b.host.ToolChange()
	b.mustStop(l.PluginID)
	b.mustRun(p)
	if heard != 2 || after != before+2 {
		t.Errorf("heard %d of 2 changes, revision %d to %d", heard, before, after)
	}
}

// The disposers of a plugin are started before the host undoes anything by itself,
// also when something was registered late.
func TestUnloadOrder(t *testing.T) {
	var order []string
	b := newBench(t, nil)
	b.starter.scripts = map[string]*script{"late": {
		name: "late",
		apply: func(ctx context.Context, f *fake) error {
			f.effect(func(context.Context) { order = append(order, "first with "+strings.Join(b.tools(), ",")) })
			return f.tool(ctx, "early", nil)
		},
		handlers: map[string]func(context.Context, any) (any, error){"more": nil},
	}}
	d, _ := b.up("late")
	f := b.starter.latest(t, "late")
	for _, name := range []string{"later", "latest"} {
		if err := f.tool(b.ctx, name, nil); err != nil {
			t.Fatal(err)
		}
	}
	f.effect(func(context.Context) { order = append(order, "last with "+strings.Join(b.tools(), ",")) })
	b.mustStop(d.PluginID)
	b.want("order", order, []string{"last with early,later,latest", "first with "})
	if err := f.tool(b.ctx, "too-late", nil); err == nil {
		t.Error("something was registered on a run that has stopped")
	}
	b.want("tools", b.tools(), []string{})
}

// A withdrawal completes when the users of the service have come to rest.
func TestWithdrawalWaits(t *testing.T) {
	rested := make(chan struct{})
	b := newBench(t, map[string]*script{
		"greeter": greeter(),
		"slow": {inject: []string{"greeter"}, apply: func(_ context.Context, f *fake) error {
			f.add(effect{func(context.Context) { <-rested }, true})
			return nil
		}},
	})
	p, _ := b.up("greeter")
	b.up("slow")
	stopped := make(chan error, 1)
	go func() { stopped <- b.s.Stop(b.ctx, p.PluginID) }()
	b.wait("the withdrawal", func() bool { return b.row(p.PluginID).ActiveRun == nil })
	select {
	case err := <-stopped:
		t.Errorf("the stop returned before its user was at rest: %v", err)
	default:
	}
	close(rested)
	if err := <-stopped; err != nil {
		t.Error(err)
	}
}

// remote is a bridge's own code.
type remote struct {
	run func(ctx context.Context, args []any) (any, error)
}

func (r remote) Call(ctx context.Context, _ wire.Func, args []any) (any, error) {
	return r.run(ctx, args)
}

func (r remote) Await(context.Context, wire.Promise) (any, error) { return "awaited", nil }

func TestBridge(t *testing.T) {
	b := newBench(t, map[string]*script{
		"greeter": greeter(),
		"probe": {inject: []string{"probe"}, apply: func(ctx context.Context, f *fake) error {
			if err := f.on(ctx, "sum", func(ctx context.Context, args []any, next half.Next) (any, error) {
				v, err := next(ctx)
				return v.(float64) + args[0].(float64), err
			}); err != nil {
				return err
			}
			if err := f.on(ctx, "boom", func(context.Context, []any, half.Next) (any, error) {
				return nil, &wire.Thrown{Message: "listener threw"}
			}); err != nil {
				return err
			}
			return f.tool(ctx, "probe", func(ctx context.Context, args any) (any, error) { return f.callService(ctx, "probe", nameOf(args)) })
		}},
	})
	c, _ := b.up("probe")
	br := b.host.AddBridge(host.BridgeOptions{Name: "harness", Remote: remote{func(_ context.Context, args []any) (any, error) {
		return "probed " + args[0].(string), nil
	}}})
	fn := wire.Func{Handle: wire.Handle{Home: br.Home(), ID: 1}}
	service := wire.Object{Members: []wire.Member{{Name: "echo", Value: fn}}}
	if err := br.Provide(b.ctx, "probe", service); err != nil {
		t.Fatal(err)
	}
	b.wait("the plugin to wake", func() bool { return b.status(c.PluginID) == "running" })
	if got := b.call("probe", named("x")); got != "probed x" {
		t.Errorf("probe: %v", got)
	}
	if v, err := br.Waterfall(b.ctx, "sum", []any{3.0}, 4.0); v != 7.0 || err != nil {
		t.Errorf("waterfall: %v, %v", v, err)
	}
	if err := br.Emit(b.ctx, "boom", nil); err == nil || err.Error() != "listener threw" {
		t.Errorf("emit: %v", err)
	}
	// CR-W31
	if err := br.Emit(b.ctx, "cordis/request-run", nil); fault.CodeOf(err) != "event-reserved" {
		t.Errorf("a control event: %v", err)
	}
	tool := half.ToolDefinition{Name: "host_tool", Parameters: jsonvalue.Of("type", "object", "properties", jsonvalue.Of()), Output: jsonvalue.Of("type", "string")}
	if err := br.Register(tool, func(context.Context, any) (half.ToolResult, error) {
		return half.ToolResult{Value: wire.Promise{Handle: wire.Handle{Home: br.Home(), ID: 2}}}, nil
	}); err != nil {
		t.Fatal(err)
	}
	if got := b.call("host_tool", nil); got != "awaited" {
		t.Errorf("host_tool: %v", got)
	}
	if _, err := b.s.CallTool(b.ctx, "host_tool", 5.0); fault.CodeOf(err) != "invalid-args" {
		t.Errorf("wrong arguments: %v", err)
	}
	if _, err := b.s.CallTool(b.ctx, "no_tool", nil); fault.CodeOf(err) != "tool-missing" {
		t.Errorf("no tool: %v", err)
	}
	b.up("greeter")
	if v, err := br.CallService(b.ctx, "greeter", "greet", []any{"bridge"}); v != "hi bridge" || err != nil {
		t.Errorf("greeter: %v, %v", v, err)
	}
	if err := br.Close(b.ctx); err != nil {
		t.Fatal(err)
	}
	b.want("tools", b.tools(), []string{})
	if b.status(c.PluginID) != "waiting" {
		t.Error("the user of the bridge did not park")
	}
	if _, err := br.Call(b.ctx, fn, []any{"x"}); err == nil {
		t.Error("a function of a bridge that is gone was called")
	}
}
