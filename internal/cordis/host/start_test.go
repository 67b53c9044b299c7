package host_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/cordis/half"
	"github.com/dshkit/dshkit/internal/cordis/host"
	"github.com/dshkit/dshkit/internal/cordis/wire"
	"github.com/dshkit/dshkit/pkg/fault"
)

// greeter provides a service with one method, and doubles numbers.
func greeter() *script {
	return &script{
		name: "greeter",
		apply: func(ctx context.Context, f *fake) error {
			_, err := f.provide(ctx, "greeter", f.method("greet", func(_ context.Context, args []any) (any, error) {
				return "hi " + args[0].(string), nil
			}))
			return err
		},
		handlers: map[string]func(context.Context, any) (any, error){
			"double": func(_ context.Context, args any) (any, error) { return 2 * args.(float64), nil },
			"boom":   func(context.Context, any) (any, error) { return nil, &wire.Thrown{Message: "boom", Stack: "at boom"} },
		},
	}
}

// consumer has a tool over the greeter.
func consumer() *script {
	return &script{
		name: "consumer", inject: []string{"greeter"},
		apply: func(ctx context.Context, f *fake) error {
			return f.tool(ctx, "greet", func(ctx context.Context, args any) (any, error) { return f.callService(ctx, "greeter", nameOf(args)) })
		},
	}
}

// CR-R9, CR-R21, CR-R22, CR-R23
func TestRunAndStop(t *testing.T) {
	b := newBench(t, map[string]*script{"greeter": greeter()})
	d := b.define("greeter", "")
	if err := b.s.Stop(b.ctx, d.PluginID); fault.CodeOf(err) != "not-running" {
		t.Errorf("stop of a definition: %v", err)
	}
	got := b.mustRun(d)
	want := host.RunAnswer{
		Status: "running", PluginID: "dyn-1", PackageID: "pkg-1", PluginRunID: "run-1", CurrentPackageID: "pkg-1",
		Host:   &host.HostHalf{Status: "running", Provides: []string{"greeter"}, WaitingFor: []string{}},
		Client: &host.HalfLook{Status: "absent", WaitingFor: []string{}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if a := b.host.Invoke(b.ctx, "dyn-1", "run-1", "double", 21.0); a != (host.InvokeAnswer{OK: true, Value: 42.0}) {
		t.Errorf("invoke: %+v", a)
	}
	for _, c := range []struct {
		plugin host.PluginID
		run    host.RunID
		method string
		code   string
	}{
		{"dyn-9", "run-1", "double", "plugin-not-running"},
		{"dyn-1", "run-9", "double", "stale-run"},
		{"dyn-1", "run-1", "triple", "method-not-found"},
		{"dyn-1", "", "boom", "handler-error"},
	} {
		if a := b.host.Invoke(b.ctx, c.plugin, c.run, c.method, nil); a.Code != c.code {
			t.Errorf("invoke %v: %+v", c, a)
		}
	}
	b.mustStop(d.PluginID)
	if a := b.host.Invoke(b.ctx, "dyn-1", "run-1", "double", 21.0); a.Code != "plugin-not-running" {
		t.Errorf("invoke after the stop: %+v", a)
	}
	b.want("events", b.heard(), []string{"dynamic-package", "dynamic-retract"})
	if a := b.mustRun(d); a.PluginRunID != "run-2" {
		t.Errorf("the next run is %s", a.PluginRunID)
	}
}

// CR-R20, CR-V1
func TestFailures(t *testing.T) {
	b := newBench(t, map[string]*script{
		"greeter": greeter(),
		"bad":     {eval: func(context.Context, *fake) error { return &wire.Thrown{Message: "bad body", Stack: "at 1"} }},
		"worse": {apply: func(ctx context.Context, f *fake) error {
			if err := f.tool(ctx, "left", nil); err != nil {
				return err
			}
			return &wire.Thrown{Message: "apply exploded"}
		}},
	})
	d := b.define("greeter", "")
	b.mustRun(d)
	b.heard()
	for _, c := range []struct{ code, phase, message string }{
		{"bad", "host-load", "bad body"}, {"worse", "host-apply", "apply exploded"},
	} {
		next := b.defineOf(d.PluginID, c.code, "")
		_, err := b.run(next, "update")
		if fault.CodeOf(err) != "host-half-failed" || err.Error() != c.message {
			t.Errorf("%s: %v", c.code, err)
		}
		row := b.row(d.PluginID)
		if e := row.LatestRun.Error; e == nil || string(e.Phase) != c.phase || row.ActiveRun != nil || row.CurrentPackageID != d.PackageID || row.NextPackageID != next.PackageID {
			t.Errorf("%s: %+v, error %+v", c.code, row, e)
		}
	}
	b.want("tools", b.tools(), []string{})
	b.want("events", b.heard(), []string{"dynamic-retract"})
	b.mustRun(d)
	if row := b.row(d.PluginID); row.NextPackageID != "" || row.ActiveRun == nil {
		t.Errorf("after the rollback: %+v", row)
	}
}

// CR-W3
func TestStartIsBounded(t *testing.T) {
	stuck := make(chan struct{})
	defer close(stuck)
	wait := func(ctx context.Context, _ *fake) error {
		select {
		case <-stuck:
		case <-ctx.Done():
		}
		return context.Cause(ctx)
	}
	b := newBench(t, map[string]*script{"body": {eval: wait}, "apply": {apply: wait}, "greeter": greeter()}, host.Limits{Start: 50 * time.Millisecond})
	for code, phase := range map[string]string{"body": "host-load", "apply": "host-apply"} {
		d := b.define(code, "")
		_, err := b.run(d)
		if fault.CodeOf(err) != "host-half-failed" || !strings.Contains(err.Error(), "50ms") {
			t.Errorf("%s: %v", code, err)
		}
		if e := b.row(d.PluginID).LatestRun.Error; string(e.Phase) != phase {
			t.Errorf("%s: %+v", code, e)
		}
		b.wait("the half to be closed", func() bool { _, alive := b.starter.count(code); return alive == 0 })
	}
}

// CR-W1, CR-W2: what ends a start in flight waits for it, and then ends it.
func TestEndDuringStart(t *testing.T) {
	for name, end := range map[string]func(b *bench, d host.Defined) error{
		"stop":     func(b *bench, d host.Defined) error { return b.s.Stop(b.ctx, d.PluginID) },
		"undefine": func(b *bench, d host.Defined) error { _, err := b.s.Undefine(b.ctx, d.PluginID); return err },
	} {
		t.Run(name, func(t *testing.T) {
			entered := make(chan struct{})
			b := newBench(t, map[string]*script{"slow": {apply: func(ctx context.Context, f *fake) error {
				if err := f.tool(ctx, "slow", nil); err != nil {
					return err
				}
				close(entered)
				<-ctx.Done()
				return context.Cause(ctx)
			}}})
			d := b.define("slow", "")
			ran := make(chan error, 1)
			go func() { _, err := b.run(d); ran <- err }()
			<-entered
			if _, err := b.run(d); fault.CodeOf(err) != "transition-in-flight" {
				t.Errorf("a run during the start: %v", err)
			}
			if err := end(b, d); err != nil {
				t.Fatal(err)
			}
			if err := <-ran; fault.CodeOf(err) != "cancelled" {
				t.Errorf("the run: %v", err)
			}
			b.want("tools", b.tools(), []string{})
			b.wait("the half to be closed", func() bool { _, alive := b.starter.count("slow"); return alive == 0 })
			want := map[string]string{"stop": "stopped", "undefine": ""}[name]
			if got := b.status(d.PluginID); got != want {
				t.Errorf("status %q, want %q", got, want)
			}
			b.want("events", b.heard(), []string{})
		})
	}
}

// A tool call that is given up cancels the start that it waits for.
func TestAbortedRun(t *testing.T) {
	entered := make(chan struct{})
	b := newBench(t, map[string]*script{"slow": {eval: func(ctx context.Context, _ *fake) error {
		close(entered)
		<-ctx.Done()
		return context.Cause(ctx)
	}}})
	d := b.define("slow", "")
	ctx, cancel := context.WithCancel(b.ctx)
	ran := make(chan error, 1)
	go func() {
		_, err := b.s.Run(ctx, host.RunOptions{Plugin: d.PluginID, Package: d.PackageID, Mode: "run"})
		ran <- err
	}()
	<-entered
	cancel()
	if err := <-ran; fault.CodeOf(err) != "cancelled" {
		t.Errorf("the run: %v", err)
	}
	if _, err := b.s.Run(ctx, host.RunOptions{Plugin: d.PluginID, Package: d.PackageID, Mode: "run"}); fault.CodeOf(err) != "cancelled" {
		t.Errorf("a run that was aborted before: %v", err)
	}
}

// A half that dies while it runs is reported, and can be run again.
func TestHalfDies(t *testing.T) {
	b := newBench(t, map[string]*script{"greeter": greeter(), "consumer": consumer()})
	p, _ := b.up("greeter")
	c, _ := b.up("consumer")
	b.heard()
	b.starter.latest(t, "greeter").die(&half.LimitError{Limit: "memory"})
	b.wait("the run to be withdrawn", func() bool { return b.row(p.PluginID).ActiveRun == nil && len(b.tools()) == 0 })
	b.wait("the retract", func() bool { return slices.Contains(b.heard(), "dynamic-retract") })
	if e := b.row(p.PluginID).LatestRun.Error; e == nil || !strings.Contains(e.Message, "memory") {
		t.Errorf("diagnostic %+v", e)
	}
	b.want("feedback", b.told(), []string{"run-failed"})
	b.wait("the consumer to park", func() bool { return b.status(c.PluginID) == "waiting" })
	b.mustRun(p)
	b.wait("the tool", func() bool { return len(b.tools()) == 1 })
}

// CR-W6, CR-W7, CR-N5
func TestWakingFails(t *testing.T) {
	fail := errors.New("")
	b := newBench(t, map[string]*script{"greeter": greeter(), "late": {inject: []string{"greeter"}, apply: func(ctx context.Context, f *fake) error {
		f.world.Report(half.Failure{Kind: half.FailureGuard, Guard: "undeclared", Message: "not injected"})
		return fail
	}}})
	fail = &wire.Thrown{Message: "cannot wake", Stack: "at apply"}
	l, a := b.up("late")
	if a.Host.Status != "waiting" || b.status(l.PluginID) != "waiting" {
		t.Fatalf("parked: %+v", a)
	}
	p, _ := b.up("greeter")
	b.wait("the failure", func() bool { return b.status(l.PluginID) == "failed" })
	if e := b.row(l.PluginID).LatestRun.Error; string(e.Phase) != "host-apply" || e.Message != "cannot wake" {
		t.Errorf("diagnostic %+v", e)
	}
	b.want("feedback", b.told(), []string{"guard-rejected", "run-failed"})
	b.mustStop(p.PluginID)
	fail = nil
	b.mustRun(p)
	b.wait("the plugin to wake", func() bool { return b.status(l.PluginID) == "running" })
}

// A disposer that never ends is given up, and its half with it.
func TestStuckUnload(t *testing.T) {
	never := make(chan struct{})
	defer close(never)
	b := newBench(t, map[string]*script{"stuck": {apply: func(ctx context.Context, f *fake) error {
		f.add(effect{func(context.Context) { <-never }, true})
		return f.tool(ctx, "mine", nil)
	}}}, host.Limits{Stop: 50 * time.Millisecond, Drain: 10 * time.Millisecond})
	d, _ := b.up("stuck")
	b.mustStop(d.PluginID)
	b.want("tools", b.tools(), []string{})
	b.wait("the half to be closed", func() bool { _, alive := b.starter.count("stuck"); return alive == 0 })
	b.mustRun(d)
	b.want("tools", b.tools(), []string{"mine"})
}

// An update withdraws the old version before the new one is evaluated, and what
// runs in the old one may still answer.
func TestUpdateOrder(t *testing.T) {
	var order []string
	entered, leave := make(chan struct{}), make(chan struct{})
	b := newBench(t, map[string]*script{
		"one": {
			apply: func(_ context.Context, f *fake) error {
				f.effect(func(context.Context) { order = append(order, "one is undone") })
				return nil
			},
			handlers: map[string]func(context.Context, any) (any, error){"long": func(context.Context, any) (any, error) {
				close(entered)
				<-leave
				return "answered", nil
			}},
		},
		"two": {eval: func(context.Context, *fake) error { order = append(order, "two is evaluated"); return nil }},
	})
	d, _ := b.up("one")
	flying := make(chan host.InvokeAnswer, 1)
	go func() { flying <- b.host.Invoke(b.ctx, d.PluginID, "", "long", nil) }()
	<-entered
	b.mustRun(b.defineOf(d.PluginID, "two", ""), "update")
	close(leave)
	if a := <-flying; a.Value != "answered" {
		t.Errorf("the call in flight: %+v", a)
	}
	b.want("order", order, []string{"one is undone", "two is evaluated"})
	b.want("events", b.heard(), []string{"dynamic-package", "dynamic-retract", "dynamic-package"})
}
