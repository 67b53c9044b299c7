package host_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/cordis/half"
	"github.com/dshkit/dshkit/internal/cordis/host"
	"github.com/dshkit/dshkit/internal/cordis/tool"
	"github.com/dshkit/dshkit/internal/cordis/wire"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// The rows of spec/cordis.md 4.7 that no other test shows: a start in flight is in
// TestEndDuringStart, shared starts in TestGestures and TestTwoPages, a body that
// never settles in TestStartIsBounded.
func TestWhileARequestIsPending(t *testing.T) {
	b := newBench(t, map[string]*script{"greeter": greeter()})
	page, _ := b.page()
	second, _ := b.page()
	d := b.define("greeter", clientCode)
	b.mustRun(d)
	q := b.requested(d.PluginID)
	if _, err := b.run(d); fault.CodeOf(err) != "transition-in-flight" {
		t.Errorf("a run: %v", err)
	}
	if a := page.RunHostHalf(b.ctx, gesture(d)); a.OK || a.Reason != "transition-in-flight" || !strings.Contains(a.Message, string(q.RequestID)) {
		t.Errorf("a gesture: %+v", a)
	}
	o := gesture(d)
	o.Request = q.RequestID
	first := page.RunHostHalf(b.ctx, o)
	if again := second.RunHostHalf(b.ctx, o); !again.OK || again.StartedHere || again.PluginRunID != first.PluginRunID {
		t.Errorf("a second page after the Host half: %+v", again)
	}
	page.Close()
	second.Close() // nobody settles it: the run stays, and can be seen and stopped
	if row := b.row(d.PluginID); row.ActiveRun == nil || row.LatestRun.Status != "client-pending" || len(b.host.Approvals()) != 1 {
		t.Errorf("row %+v", row)
	}
	b.mustStop(d.PluginID)
	if row := b.row(d.PluginID); row.ActiveRun != nil || len(b.host.Approvals()) != 0 || len(b.starter.fakes) != 1 {
		t.Errorf("row after the stop: %+v", row)
	}
}

// CR-R18, CR-R19, CR-V2: what a tool call is given up for after it has returned
// changes nothing.
func TestAbortAfterTheAnswer(t *testing.T) {
	b := newBench(t, map[string]*script{"greeter": greeter()})
	page, _ := b.page()
	d := b.define("greeter", clientCode)
	ctx, cancel := context.WithCancel(b.ctx)
	if _, err := b.s.Run(ctx, host.RunOptions{Plugin: d.PluginID, Package: d.PackageID, Mode: "run"}); err != nil {
		t.Fatal(err)
	}
	cancel()
	if _, ok := b.approveBy(page, d, host.Resolution{OK: true}); !ok || b.status(d.PluginID) != "running" {
		t.Errorf("status %s", b.status(d.PluginID))
	}
	b.mustStop(d.PluginID)
	if b.row(d.PluginID).ActiveRun != nil {
		t.Error("stop has left the run")
	}
}

// CR-R24, CR-R25
func TestUndefine(t *testing.T) {
	b := newBench(t, map[string]*script{"greeter": greeter()})
	d, _ := b.up("greeter")
	got, err := b.s.Undefine(b.ctx, d.PluginID)
	if err != nil || !got.WasRunning || len(b.host.Inventory()) != 0 {
		t.Errorf("undefine: %+v, %v", got, err)
	}
	b.want("events", b.heard(), []string{"dynamic-package", "dynamic-retract"})
	if _, err := b.run(d); fault.CodeOf(err) != "plugin-missing" {
		t.Errorf("run: %v", err)
	}
	if _, err := b.s.Undefine(b.ctx, d.PluginID); fault.CodeOf(err) != "plugin-missing" {
		t.Errorf("undefine again: %v", err)
	}
}

// CR-W8, CR-W24: a crash that comes before the settlement is kept, and told after
// it.
func TestCrashBeforeSettlement(t *testing.T) {
	b := newBench(t, map[string]*script{"greeter": greeter()})
	page, _ := b.page()
	d := b.define("greeter", clientCode)
	b.mustRun(d)
	q := b.requested(d.PluginID)
	o := gesture(d)
	o.Request = q.RequestID
	a := page.RunHostHalf(b.ctx, o)
	page.ReportRender(owner, d.PluginID, a.PluginRunID, host.RenderFailure{Slot: "root", Message: "crash"})
	if !page.ResolveRequest(b.ctx, q.RequestID, host.Resolution{OK: true, PluginRunID: a.PluginRunID}) {
		t.Fatal("the success did not count")
	}
	if b.status(d.PluginID) != "failed" {
		t.Errorf("status %s", b.status(d.PluginID))
	}
	b.want("feedback", b.told(), []string{"run-succeeded", "render-failed"})
	b.mustStop(d.PluginID)
	b.mustRun(d) // automatic by now
	b.heard()
	if _, ok := b.approveBy(page, d, host.Resolution{Reason: "client-half-failed", Message: "evaluate: x"}); !ok {
		t.Fatal("the failure did not count")
	}
	b.want("events", b.heard(), []string{"dynamic-package", "dynamic-retract", "request-run-resolved failed"})
}

// The seven tools over the host.
func TestSevenTools(t *testing.T) {
	b := newBench(t, map[string]*script{"greeter": greeter()})
	call := func(name string, args *jsonvalue.Object) (tool.Result, error) {
		return tool.Execute(b.ctx, b.host.ForTools(), tool.Call{Name: name, Session: string(owner), Args: args, Language: "en"})
	}
	selector := jsonvalue.Of("kind", "new", "idPrefix", "dyn")
	r, err := call("cordis_define", jsonvalue.Of("plugin", selector, "name", "n", "purpose", "p", "code", jsonvalue.Of("host", "greeter")))
	want := tool.Defined{PluginID: "dyn-1", PackageID: "pkg-1", Name: "n", Purpose: "p", HasHostHalf: true}
	if diff := cmp.Diff(want, r.Value); err != nil || diff != "" {
		t.Fatalf("define: %v\n%s", err, diff)
	}
	nobody := jsonvalue.Of("kind", "existing", "pluginId", "")
	if _, err := call("cordis_define", jsonvalue.Of("plugin", nobody, "name", "n", "purpose", "p", "code", jsonvalue.Of("host", "greeter"))); fault.CodeOf(err) != "plugin-missing" {
		t.Errorf("define for a plugin without an id: %v", err)
	}
	plugin := jsonvalue.Of("pluginId", "dyn-1")
	for _, c := range []struct {
		name string
		args *jsonvalue.Object
		want any
	}{
		{"cordis_stop", plugin, tool.Stopped{PluginID: "dyn-1"}}, // idle, which is as good
		{"cordis_run", plugin.With("packageId", "pkg-1", "mode", "run"), tool.Ran{
			Status: "running", PluginID: "dyn-1", PackageID: "pkg-1", PluginRunID: "run-1", CurrentPackageID: "pkg-1",
			Host:   &tool.HostHalf{Status: "running", Provides: []string{"greeter"}, WaitingFor: []string{}},
			Client: &tool.ClientHalf{Status: "absent", WaitingFor: []string{}},
		}},
		{"cordis_undefine", plugin, tool.Undefined{PluginID: "dyn-1", WasRunning: true}},
	} {
		r, err := call(c.name, c.args)
		if diff := cmp.Diff(c.want, r.Value); err != nil || diff != "" {
			t.Errorf("%s: %v\n%s", c.name, err, diff)
		}
	}
	for _, name := range []string{"cordis_inspect_list", "cordis_inspect_self"} {
		if _, err := call(name, jsonvalue.Of()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := call("cordis_inspect_query", jsonvalue.Of("platform", "host", "provider", "Builtin", "method", "listBuiltins")); err != nil {
		t.Errorf("query: %v", err)
	}
}

// CR-Z1: a program that uses the tools: one plugin runs, one waits, one is removed.
func TestToolsFromAProgram(t *testing.T) {
	b := newBench(t, map[string]*script{"active": greeter(), "queue": {inject: []string{"missing"}}})
	call := func(name string, args *jsonvalue.Object) any {
		t.Helper()
		r, err := tool.Execute(b.ctx, b.host.ForTools(), tool.Call{Name: name, Session: string(owner), Args: args, Language: "en"})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return r.Value
	}
	var got []any
	for _, name := range []string{"active", "queue"} {
		selector := jsonvalue.Of("kind", "new", "idPrefix", name)
		d := call("cordis_define", jsonvalue.Of("plugin", selector, "name", name, "purpose", "p", "code", jsonvalue.Of("host", name))).(tool.Defined)
		ran := call("cordis_run", jsonvalue.Of("pluginId", d.PluginID, "packageId", d.PackageID, "mode", "run")).(tool.Ran)
		got = append(got, ran.PluginID+"/"+ran.PackageID+"/"+ran.PluginRunID, ran.Host.Status, ran.Host.WaitingFor)
	}
	want := []any{"active-1/pkg-1/run-1", "running", []string{}, "queue-2/pkg-2/run-2", "waiting", []string{"missing"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("runs (-want +got):\n%s", diff)
	}
	listed := func() (ids []string) {
		v, err := jsonvalue.From(call("cordis_inspect_self", jsonvalue.Of()))
		if err != nil {
			t.Fatal(err)
		}
		o, _ := jsonvalue.Map(v)
		plugins, _ := o.Array("plugins")
		for _, p := range plugins {
			row, _ := jsonvalue.Map(p)
			id, _ := row.Text("pluginId")
			ids = append(ids, id)
		}
		return ids
	}
	b.want("self", listed(), []string{"active-1", "queue-2"})
	undefined := call("cordis_undefine", jsonvalue.Of("pluginId", "active-1"))
	if diff := cmp.Diff(tool.Undefined{PluginID: "active-1", WasRunning: true}, undefined); diff != "" {
		t.Errorf("undefine (-want +got):\n%s", diff)
	}
	b.want("self", listed(), []string{"queue-2"})
}

// Feedback is waited for, filtered and kept.
func TestFeedbackQueue(t *testing.T) {
	b := newBench(t, map[string]*script{"greeter": greeter()})
	d, _ := b.up("greeter")
	got := make(chan []host.Message, 1)
	go func() {
		list, _ := b.s.Feedback(b.ctx, host.FeedbackOptions{Kind: "steer", Keep: true, Wait: patience})
		got <- list
	}()
	b.host.Invoke(b.ctx, d.PluginID, "", "boom", nil)
	if list := <-got; len(list) != 1 || list[0].Seq != 1 || list[0].PluginRunID != "run-1" {
		t.Errorf("waited for %+v", list)
	}
	if list, _ := b.s.Feedback(b.ctx, host.FeedbackOptions{Kind: "context", Wait: time.Millisecond}); len(list) != 0 {
		t.Errorf("of another kind: %+v", list)
	}
	b.host.PanelStop(b.ctx, d.PluginID)
	b.want("all", b.told(), []string{"handler-failed", "user-stopped"})
	b.want("drained", b.told(), []string{})
	if s := b.host.Status(); s.Plugins != 1 || s.Running != 0 || len(s.Sessions) != 1 {
		t.Errorf("status %+v", s)
	}
}

// What a half says of its own failures where nobody waits: CR-W17, CR-N9.
func TestLateFailures(t *testing.T) {
	b := newBench(t, map[string]*script{"greeter": greeter()})
	d, _ := b.up("greeter")
	f := b.starter.latest(t, "greeter")
	f.world.Report(half.Failure{Kind: half.FailureListener, Message: "async listener"})
	f.world.Report(half.Failure{Kind: half.FailureEffect, Message: "set-up rejected"})
	b.want("feedback", b.told(), []string{"code-failed", "run-failed"})
	if e := b.row(d.PluginID).LatestRun.Error; e == nil || e.Phase != "host-apply" {
		t.Errorf("diagnostic %+v", e)
	}
	f.world.Log("log", "tick")
	lines, _ := b.host.Logs(0)
	last := lines[len(lines)-1]
	if last.String() != "[cordis:dyn-1] tick" || last.Level != "log" {
		t.Errorf("line %+v", last)
	}
}

func TestBridgeWithdraws(t *testing.T) {
	b := newBench(t, map[string]*script{"user": {inject: []string{"probe"}}})
	c, _ := b.up("user")
	br := b.host.AddBridge(host.BridgeOptions{Name: "harness"})
	if err := br.Provide(b.ctx, "probe", wire.Undefined{}); err != nil {
		t.Fatal(err)
	}
	if err := br.Provide(b.ctx, "probe", 1.0); err == nil {
		t.Error("a name was taken twice")
	}
	b.wait("the user", func() bool { return b.status(c.PluginID) == "running" })
	if err := br.Withdraw(b.ctx, "probe"); err != nil || b.status(c.PluginID) != "waiting" {
		t.Errorf("withdraw: %v, %s", err, b.status(c.PluginID))
	}
	if err := br.Withdraw(b.ctx, "probe"); fault.CodeOf(err) != "service-missing" {
		t.Errorf("withdraw again: %v", err)
	}
	bad := half.ToolDefinition{Name: "t", Parameters: 5.0}
	if err := br.Register(bad, nil); fault.CodeOf(err) != "unsupported-schema" {
		t.Errorf("a tool without a schema: %v", err)
	}
	good := half.ToolDefinition{Name: "t", Parameters: jsonvalue.Of("type", "object", "properties", jsonvalue.Of()), Output: jsonvalue.Of("type", "null")}
	if err := br.Register(good, func(context.Context, any) (half.ToolResult, error) { return half.ToolResult{Value: 1.0}, nil }); err != nil {
		t.Fatal(err)
	}
	if _, err := b.s.CallTool(b.ctx, "t", nil); fault.CodeOf(err) != "invalid-tool-output" {
		t.Errorf("a wrong output: %v", err)
	}
	if err := br.Unregister("t"); err != nil || fault.CodeOf(br.Unregister("t")) != "tool-missing" || len(b.tools()) != 0 {
		t.Errorf("unregister: %v", err)
	}
	cancelled, cancel := context.WithCancel(b.ctx)
	cancel()
	if _, err := b.s.CallTool(cancelled, "t", nil); fault.CodeOf(err) != "aborted-before-dispatch" {
		t.Errorf("a call that was aborted before: %v", err)
	}
	if _, err := br.CallService(b.ctx, "nothing", "m", nil); fault.CodeOf(err) != "service-missing" {
		t.Errorf("no service: %v", err)
	}
	if _, err := br.CallService(b.ctx, "fs", "nothing", nil); fault.CodeOf(err) != "service-method-missing" {
		t.Errorf("no method: %v", err)
	}
}

// What goes wrong around a tool has a class, and lines have an end.
func TestToolLimits(t *testing.T) {
	b := newBench(t, map[string]*script{"tools": {apply: func(ctx context.Context, f *fake) error {
		if err := f.tool(ctx, "slow", func(ctx context.Context, _ any) (any, error) { <-ctx.Done(); return nil, ctx.Err() }); err != nil {
			return err
		}
		if err := f.tool(ctx, "broken", func(context.Context, any) (any, error) { return nil, half.ErrGone }); err != nil {
			return err
		}
		return f.tool(ctx, "throws", func(context.Context, any) (any, error) { return nil, &wire.Thrown{Message: "threw"} })
	}}}, host.Limits{Tool: 20 * time.Millisecond, Log: 3})
	d, _ := b.up("tools")
	for name, want := range map[string]string{"slow": "tool-timeout", "broken": "tool-failed", "throws": ""} {
		if _, err := b.s.CallTool(b.ctx, name, nil); err == nil || fault.CodeOf(err) != want {
			t.Errorf("%s: %v", name, err)
		}
	}
	f := b.starter.latest(t, "tools")
	for range 10 {
		f.world.Log("log", strings.Repeat("é", 1<<20))
	}
	lines := b.lines(d.PluginID)
	if len(lines) != 3 || len(lines[0]) > 1<<15 || !strings.HasSuffix(lines[0], "é…") {
		t.Errorf("%d lines of %d bytes", len(lines), len(lines[0]))
	}
}
