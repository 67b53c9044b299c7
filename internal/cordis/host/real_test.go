package host_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/dshkit/dshkit/internal/cordis/child"
	"github.com/dshkit/dshkit/internal/cordis/half"
	"github.com/dshkit/dshkit/internal/cordis/host"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// newReal starts a host whose halves run in this process.
func newReal(t *testing.T, limits ...host.Limits) *bench {
	t.Helper()
	circle := half.NewCircle()
	st := child.NewInProcess(child.Settings{Machine: child.Machine{Now: time.Now, Random: rand.Float64}, Circle: circle})
	t.Cleanup(func() { _ = st.Close() })
	return benchWith(t, st, circle, limits...)
}

// sampleUp runs a half of a sample.
func (b *bench) sampleUp(path string) (host.Defined, host.RunAnswer) {
	b.Helper()
	return b.up(sample(b.T, path))
}

// Sample 01: CR-R9
func TestSampleObjectForm(t *testing.T) {
	b := newReal(t)
	d, a := b.sampleUp("01-object-form/host.js")
	if a.Host.Status != "running" {
		t.Errorf("run: %+v", a.Host)
	}
	if got := b.host.Invoke(b.ctx, d.PluginID, a.PluginRunID, "status", nil); !got.OK {
		t.Errorf("status: %+v", got)
	}
	b.mustStop(d.PluginID)
	if got := b.lines(d.PluginID); !slices.Contains(got, "effect removed") {
		t.Errorf("lines: %q", got)
	}
}

// Sample 03
func TestSampleParking(t *testing.T) {
	b := newReal(t)
	c, a := b.sampleUp("03-inject-parking/consumer.host.js")
	if a.Status != "running" || a.Host.Status != "waiting" || !slices.Equal(a.Host.WaitingFor, []string{"beacon", "sonar"}) {
		t.Fatalf("parked: %+v", a.Host)
	}
	if got := b.host.Invoke(b.ctx, c.PluginID, a.PluginRunID, "read", nil); !strings.HasSuffix(got.Message, "yet: it waits for beacon, sonar") {
		t.Errorf("a handler of a parked plugin: %q", got.Message)
	}
	beacon, _ := b.sampleUp("03-inject-parking/beacon.host.js")
	b.sampleUp("03-inject-parking/sonar.host.js")
	b.wait("the reader", func() bool { return b.status(c.PluginID) == "running" })
	b.want("lines", b.lines(c.PluginID), []string{"reader up north 42"})
	b.mustStop(beacon.PluginID)
	b.want("lines when stop has returned", b.lines(c.PluginID), []string{"reader up north 42", "reader down"})
	if b.status(c.PluginID) != "waiting" {
		t.Error("the reader did not park")
	}
	b.mustRun(beacon)
	b.wait("the reader", func() bool { return len(b.lines(c.PluginID)) == 3 })
}

// Sample 04: CR-C1, CR-C5
func TestSampleProvideConsume(t *testing.T) {
	b := newReal(t)
	p, a := b.sampleUp("04-provide-consume/host.js")
	if !slices.Equal(a.Host.Provides, []string{"dictionary"}) {
		t.Errorf("provides %q", a.Host.Provides)
	}
	b.want("lines", b.lines(p.PluginID), []string{"own service during apply: absent"})
	if got := b.host.Invoke(b.ctx, p.PluginID, "", "own-view", nil); jsonvalue.Format(got.Value) != `{"viaGet":"present"}` {
		t.Errorf("own view: %+v", got)
	}
	c, _ := b.sampleUp("04-provide-consume/consumer.host.js")
	want := `{"now":"due","later":"due","version":3,"deep":true,"optional":true}`
	if got := jsonvalue.Format(b.call("translate", jsonvalue.Of("word", "two"))); got != want {
		t.Errorf("translate: %s", got)
	}
	if _, err := b.s.CallTool(b.ctx, "translate", jsonvalue.Of()); fault.CodeOf(err) != "invalid-args" {
		t.Errorf("without a word: %v", err)
	}
	second := b.define(sample(t, "04-provide-consume/host.js"), "")
	if _, err := b.run(second); err == nil || !strings.Contains(err.Error(), "has been registered at <dictionary>") {
		t.Errorf("a second provider: %v", err)
	}
	if got := b.host.Invoke(b.ctx, p.PluginID, "", "withdraw", nil); !got.OK {
		t.Errorf("withdraw: %+v", got)
	}
	b.wait("the consumer to park", func() bool { return b.status(c.PluginID) == "waiting" && len(b.tools()) == 0 })
	b.mustRun(second)
	b.wait("the tool", func() bool { return slices.Equal(b.tools(), []string{"translate"}) })
	b.sampleUp("04-provide-consume/primitive.host.js")
	r, _ := b.sampleUp("04-provide-consume/primitive-reader.host.js")
	b.want("lines", b.lines(r.PluginID), []string{"read 42 42 null null undefined"})
}

// Sample 16
func TestSampleEffects(t *testing.T) {
	b := newReal(t)
	d, _ := b.sampleUp("16-effects-order/host.js")
	before := len(b.lines(d.PluginID))
	if got := b.host.Invoke(b.ctx, d.PluginID, "", "nested", nil); !got.OK {
		t.Errorf("nested: %+v", got)
	}
	flying := make(chan host.InvokeAnswer, 1)
	go func() { flying <- b.host.Invoke(b.ctx, d.PluginID, "", "after", nil) }()
	b.mustStop(d.PluginID)
	if got := <-flying; got.OK { // it rejects with its Fiber, or has come too late
		t.Errorf("after: %+v", got)
	}
	b.want("lines", b.lines(d.PluginID)[before:], []string{
		"H out", "F out", "D starts", "C2 out", "C1 out", "B throws", "A out", "D ends",
	})
	b.want("feedback", b.told(), []string{})
}

// Samples 09 and 10: CR-S9
func TestSampleErrors(t *testing.T) {
	b := newReal(t)
	for text, phase := range map[string]string{
		"throw new Error('boom in sandbox')": "host-load",
		"throw 'plain-string-throw'":         "host-load",
		"return 42":                          "host-load",
		"return { apply() { throw new Error('apply exploded') } }":   "host-apply",
		"return { async apply() { throw new Error('later, too') } }": "host-apply",
	} {
		d := b.define(text, "")
		if _, err := b.run(d); fault.CodeOf(err) != "host-half-failed" {
			t.Errorf("%s: %v", text, err)
		}
		if e := b.row(d.PluginID).LatestRun.Error; e == nil || string(e.Phase) != phase {
			t.Errorf("%s: %+v", text, e)
		}
	}
	bad := "return ("
	if _, err := b.s.Define(b.ctx, host.DefineOptions{Prefix: "bad", Name: "n", Purpose: "p", Host: &bad}); fault.CodeOf(err) != "syntax" {
		t.Errorf("define: %v", err)
	}
}

// CR-C8, CR-S5: a listener and a timer.
func TestListenerAndTimer(t *testing.T) {
	b := newReal(t)
	l, _ := b.up(`return { apply(ctx) { ctx.on('tools/change', () => console.log('changed')) } }`)
	timer, _ := b.up(`return { inject: ['timer'], apply(ctx) { ctx.setTimeout(() => console.log('tick'), 10) } }`)
	b.wait("the tick", func() bool { return slices.Contains(b.lines(timer.PluginID), "tick") })
	tool := `return { apply(ctx) { harness.registerTool(ctx, harness.defineTool({
	  name: 'mine', description: 'd', parameters: {}, output: { schema: { type: 'null' }, render: () => [] }, execute: async () => null })) } }`
	p, _ := b.up(tool)
	b.want("lines", b.lines(l.PluginID), []string{"changed"})
	if _, err := b.run(b.define(tool, "")); err == nil || !strings.Contains(err.Error(), "cordis_stop") {
		t.Errorf("the same tool again: %v", err)
	}
	b.mustStop(l.PluginID)
	b.mustStop(p.PluginID)
	b.want("lines", b.lines(l.PluginID), []string{"changed"})
}

// CR-V1
func TestSampleRollback(t *testing.T) {
	b := newReal(t)
	d := b.define("return { apply() { console.log('one') } }", "")
	b.mustRun(d)
	two := b.defineOf(d.PluginID, "throw new Error('two')", "")
	if _, err := b.run(two, "update"); err == nil {
		t.Error("the second version ran")
	}
	if row := b.row(d.PluginID); row.ActiveRun != nil || row.CurrentPackageID != d.PackageID || row.NextPackageID != two.PackageID {
		t.Errorf("row %+v", row)
	}
	b.mustRun(d)
	b.want("lines", b.lines(d.PluginID), []string{"one", "one"})
}

// CR-W4: a loop ends its half alone.
func TestLoop(t *testing.T) {
	circle := half.NewCircle()
	st := child.NewInProcess(child.Settings{Machine: child.Machine{Now: time.Now, Random: rand.Float64}, Circle: circle, Busy: 200 * time.Millisecond})
	t.Cleanup(func() { _ = st.Close() })
	b := benchWith(t, st, circle)
	d, _ := b.up("return { apply() { harness.handle('spin', () => { for (;;) {} }) } }")
	if got := b.host.Invoke(b.ctx, d.PluginID, "", "spin", nil); got.Code != "handler-error" {
		t.Errorf("spin: %+v", got)
	}
	b.wait("the run to be withdrawn", func() bool { return b.row(d.PluginID).ActiveRun == nil })
	if got := b.told(); !slices.Contains(got, "run-failed") {
		t.Errorf("feedback %q", got)
	}
	b.wait("the retract", func() bool { return slices.Contains(b.heard(), "dynamic-retract") })
	b.mustRun(d)
}

// CR-X10 and the guard: steered once.
func TestGuard(t *testing.T) {
	b := newReal(t)
	p, _ := b.up(`return { apply(ctx) { harness.handle('peek', () => { try { ctx.fs } catch (e) { return e.message } return 'seen' }) } }`)
	for range 2 {
		if got := b.host.Invoke(b.ctx, p.PluginID, "", "peek", nil); !got.OK || got.Value == "seen" {
			t.Errorf("peek: %+v", got)
		}
	}
	b.wait("the steer", func() bool { return slices.Contains(b.told(), "guard-rejected") })
}

// A half that loops when apply has ended is told of to whoever waits for its rest.
func TestRest(t *testing.T) {
	circle := half.NewCircle()
	st := child.NewInProcess(child.Settings{Machine: child.Machine{Now: time.Now, Random: rand.Float64}, Circle: circle, Busy: 200 * time.Millisecond})
	t.Cleanup(func() { _ = st.Close() })
	b := benchWith(t, st, circle)
	fine, _ := b.up("return ctx => { Promise.resolve().then(() => console.log('later')) }")
	if err := b.s.Rest(b.ctx, fine.PluginID); err != nil {
		t.Errorf("a good one: %v", err)
	}
	b.want("lines", b.lines(fine.PluginID), []string{"later"})
	for _, code := range []string{
		"return ctx => { Promise.resolve().then(() => { for (;;); }) }",
		"return ctx => { const g = () => Promise.resolve().then(g); g() }",
	} {
		d, _ := b.up(code)
		for range 2 { // when it ends, and when it is known to have ended
			err := b.s.Rest(b.ctx, d.PluginID)
			if fault.CodeOf(err) != "host-half-failed" || !strings.Contains(err.Error(), "limit of busy") {
				t.Errorf("%s: %v", code, err)
			}
			b.wait("the end", func() bool { return b.row(d.PluginID).ActiveRun == nil })
		}
	}
}

// What nobody caught while a start was under way is told when it is up; what is
// caught a little later is not.
func TestRejectionsOfAStart(t *testing.T) {
	b := newReal(t)
	b.up(`return ctx => { Promise.reject(new Error('in apply')) }`)
	b.wait("the steer", func() bool { return slices.Contains(b.told(), "code-failed") })
	d, _ := b.up(`return ctx => { const p = Promise.reject(new Error('late')); Promise.resolve().then(() => p.catch(() => {})) }`)
	if err := b.s.Rest(b.ctx, d.PluginID); err != nil {
		t.Error(err)
	}
	b.want("of the one caught", b.told(), []string{})
}

// A listener that is called once is nothing any more when it was called, however
// many there have been.
func TestOnceIsForgotten(t *testing.T) {
	b := newReal(t)
	d, _ := b.up(`let heard = 0
		return ctx => {
			harness.handle('wait', n => { for (let i = 0; i < n; i++) ctx.once('x', () => { heard++ }); return null })
			harness.handle('heard', () => heard)
		}`)
	br := b.host.AddBridge(host.BridgeOptions{Name: "harness"})
	const rounds, each = 5, 1000 // more than a plugin may have at a time
	for range rounds {
		if got := b.host.Invoke(b.ctx, d.PluginID, "", "wait", float64(each)); !got.OK {
			t.Fatalf("wait: %+v", got)
		}
		if err := br.Emit(b.ctx, "x", nil); err != nil {
			t.Fatal(err)
		}
	}
	if got := b.host.Invoke(b.ctx, d.PluginID, "", "heard", nil); got.Value != float64(rounds*each) {
		t.Errorf("heard: %+v", got)
	}
}

// What a disposer throws is told while the plugin goes on; what one throws when the
// plugin is stopped is in the log alone, for stopping never steers.
func TestDisposerThatThrows(t *testing.T) {
	b := newReal(t)
	p, _ := b.up(`return ctx => { ctx.provide('s', 1) }`)
	d, _ := b.up(`return { inject: ['s'], apply(ctx) {
		ctx.effect(() => () => { throw new Error('thrown') }); ctx.effect(() => async () => { await null; throw new Error('rejected') }) } }`)
	b.mustStop(p.PluginID)
	b.wait("the plugin to park", func() bool { return b.status(d.PluginID) == "waiting" })
	var told []string
	b.wait("both failures", func() bool { told = append(told, b.told()...); return len(told) >= 2 })
	b.want("when it parks", told, []string{"code-failed", "code-failed"})
	b.mustRun(p)
	b.wait("the plugin to wake", func() bool { return b.status(d.PluginID) == "running" })
	b.mustStop(d.PluginID)
	b.want("when it stops", b.told(), []string{})
}
