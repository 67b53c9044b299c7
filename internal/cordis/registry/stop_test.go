package registry_test

import (
	"testing"

	"github.com/dshkit/dshkit/internal/cordis/registry"
)

// CR-R23, CR-R24, CR-R25.
func TestStopAndUndefine(t *testing.T) {
	w := newWorld(t)
	plugin, pkg := w.define("dyn", true, false)
	equal(t, "idle", rule(w.answer(w.stop(plugin, false))), any(registry.RuleNotRunning))
	equal(t, "unknown", rule(w.answer(w.stop("ghost-9", false))), any(registry.RulePlugin))
	w.run(plugin, pkg, registry.ModeRun)
	equal(t, "undefine", w.answer(w.undefine(plugin, false)), any(registry.UndefineResult{PluginID: plugin, WasRunning: true}))
	equal(t, "events", w.told(), []string{"package dyn-1/pkg-1 run-1", "retract dyn-1/pkg-1 run-1"})
	equal(t, "list", w.r.Inventory(), []registry.Row{})
	equal(t, "run", rule(w.answer(w.run(plugin, pkg, registry.ModeRun))), any(registry.RulePlugin))
	equal(t, "undefine again", rule(w.answer(w.undefine(plugin, false))), any(registry.RulePlugin))
	equal(t, "nothing is left", w.r.Held(), 0)
}

// CR-W1: a stop while the Host half starts cancels the start, waits for it, and then
// stops. A start that comes through all the same is undone unseen.
func TestStopDuringStart(t *testing.T) {
	for name, fails := range map[string]bool{"the start fails": true, "the start comes through": false} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t).slow()
			plugin, pkg := w.define("slow", true, false)
			run := w.run(plugin, pkg, registry.ModeRun)
			d := w.r.Stop(99, registry.StopCommand{Session: me, PluginID: plugin})
			equal(t, "order", []registry.ActionKind{d.Do[0].Kind}, []registry.ActionKind{registry.ActCancel})
			w.carry(d)
			second := w.stop(plugin, false)
			equal(t, "waits", []any{w.answer(99), w.answer(second), w.answer(run)}, []any{"pending", "pending", "pending"})
			equal(t, "state", w.state(plugin), registry.StateDefined)
			equal(t, "run meanwhile", rule(w.answer(w.run(plugin, pkg, registry.ModeRun))), any(registry.RuleStopping))
			if fails {
				w.breaks("run-1", "cancelled")
			} else {
				w.report("run-1")
				equal(t, "not active for a moment", w.row(plugin).ActiveRun, (*registry.ActiveRun)(nil))
				equal(t, "still waits", w.answer(99), any("pending"))
				w.report("run-1")
			}
			done := any(registry.StopResult{PluginID: plugin})
			equal(t, "answers", []any{w.answer(99), w.answer(second), rule(w.answer(run))}, []any{done, done, registry.RuleStoppedStart})
			equal(t, "events", w.told(), []string{})
			row := w.row(plugin)
			equal(t, "attempt", []any{row.LatestRun.Status, row.LatestRun.Error == nil, row.CurrentPackageID}, []any{registry.Stopped, true, registry.PackageID("")})
			equal(t, "nothing is left", w.r.Held(), 0)
			w.auto = true
			w.run(plugin, pkg, registry.ModeRun)
			equal(t, "it can run again", w.latest(plugin).Status, registry.Running)
		})
	}
}

// CR-W2: so with undefine; the Plugin is missing from the first moment on.
func TestUndefineDuringStart(t *testing.T) {
	w := newWorld(t).slow()
	plugin, pkg := w.define("slow", true, false)
	w.auto = true
	w.run(plugin, pkg, registry.ModeRun)
	w.auto = false
	run := w.run(plugin, pkg, registry.ModeRun)
	undefine := w.undefine(plugin, true)
	equal(t, "missing", w.r.SelfPlugins(me).Plugins, []registry.Summary{})
	equal(t, "waits", w.answer(undefine), any("pending"))
	w.report("run-1") // the old run has left; the new one was never ordered
	equal(t, "answers", []any{w.answer(undefine), rule(w.answer(run))}, []any{
		registry.UndefineResult{PluginID: plugin}, registry.RuleStoppedStart,
	})
	equal(t, "orders", len(w.orders), 0)
	equal(t, "nothing is left", w.r.Held(), 0)
	equal(t, "topics", w.topics(), []registry.Topic{registry.TopicUserRemoved})
}

// CR-W12: an attempt that nothing was started of is cancelled and stays so; the older
// run is stopped with it. Golden 20.
func TestStopOfARequest(t *testing.T) {
	w := newWorld(t)
	plugin, pkg := w.define("nope", true, true)
	w.run(plugin, pkg, registry.ModeRun)
	w.stop(plugin, false)
	equal(t, "attempt", encode(t, w.row(plugin).LatestRun), `{"pluginRunId":"run-1","packageId":"pkg-1","mode":"run","status":"cancelled","host":{"status":"stopped","waitingFor":[]},"client":{"status":"stopped","waitingFor":[]},"error":{"phase":"approval","message":"plugin \"nope-1\" was stopped before \"run-1\" was approved","pluginId":"nope-1","packageId":"pkg-1","pluginRunId":"run-1"}}`)
	equal(t, "state", w.state(plugin), registry.StateFailed)
	equal(t, "events", w.told()[1:], []string{"resolved approval-1 cancelled"})
	w.run(plugin, pkg, registry.ModeRun)
	equal(t, "undefine", w.answer(w.undefine(plugin, false)), any(registry.UndefineResult{PluginID: plugin}))
	equal(t, "nobody is told", w.topics(), []registry.Topic{})
	equal(t, "events", w.told()[1:], []string{"resolved approval-2 cancelled"})

	w, plugin, _ = requested(t)
	w.approve("approval-1", false)
	w.stop(plugin, false)
	equal(t, "approved, and no page came", w.latest(plugin).Status, registry.Cancelled)
}

// The older run that went on meanwhile is stopped with it; the attempt stays cancelled.
func TestStopOfARequestAndARun(t *testing.T) {
	w := newWorld(t)
	plugin, pkg := w.define("dual", true, true)
	w.page(plugin, pkg, registry.ModeRun, "")
	w.settle(plugin, ok("run-1"))
	v2 := w.another(plugin, true, true)
	w.run(plugin, v2, registry.ModeUpdate)
	w.told()
	w.stop(plugin, false)
	equal(t, "events", w.told(), []string{"resolved approval-1 cancelled", "retract dual-1/pkg-1 run-1"})
	equal(t, "attempt", []any{w.latest(plugin).Status, w.latest(plugin).Error.Phase}, []any{registry.Cancelled, registry.PhaseApproval})
}

// CR-R17, CR-V2, CR-R18, CR-R19: a stop while a page loads: its answer comes too
// late. That the call which asked for the run has ended meanwhile plays no part, for
// it had been answered. Golden 27.
func TestStopWhileAPageLoads(t *testing.T) {
	w := newWorld(t)
	plugin, pkg := w.define("dual", true, true)
	w.run(plugin, pkg, registry.ModeRun)
	w.page(plugin, pkg, registry.ModeRun, "approval-1")
	w.told()
	w.stop(plugin, false)
	equal(t, "events", w.told(), []string{"resolved approval-1 cancelled", "retract dual-1/pkg-1 run-1"})
	equal(t, "late", w.answer(w.resolve("approval-1", ok("run-1"))), any(registry.Accepted{}))
	a := w.latest(plugin)
	equal(t, "attempt", []any{a.Status, a.Host.Status, a.Client.Status, a.ApprovalRequestID}, []any{registry.Stopped, registry.HalfStopped, registry.HalfStopped, registry.RequestID("")})
	next := w.answer(w.page(plugin, pkg, registry.ModeRun, "")).(registry.HostHalf)
	equal(t, "next", []any{next.PluginRunID, next.StartedHere}, []any{registry.RunID("run-2"), true})
}

// A stop during the undoing of a failure waits for it, and leaves the failure.
func TestStopDuringSettlement(t *testing.T) {
	w := newWorld(t)
	plugin, pkg := w.define("dual", true, true)
	w.page(plugin, pkg, registry.ModeRun, "")
	w.auto = false
	settle := w.settle(plugin, broken("run-1", "activate: no"))
	stop := w.stop(plugin, false)
	equal(t, "waits", []any{w.answer(settle), w.answer(stop)}, []any{"pending", "pending"})
	w.report("run-1")
	equal(t, "answers", []any{rule(w.answer(settle)), w.answer(stop)}, []any{registry.RuleCode, registry.StopResult{PluginID: plugin}})
	equal(t, "status", w.latest(plugin).Status, registry.Failed)
}

// While a failure is being undone nothing new begins; a request that was there
// before waits for it.
func TestStartDuringSettlement(t *testing.T) {
	w := newWorld(t)
	plugin, pkg := w.define("dual", true, true)
	w.page(plugin, pkg, registry.ModeRun, "")
	w.settle(plugin, ok("run-1"))
	v2 := w.another(plugin, true, true)
	w.run(plugin, v2, registry.ModeUpdate)
	w.told()
	w.auto = false
	w.settle(plugin, broken("run-1", "activate: no"))
	equal(t, "run", rule(w.answer(w.run(plugin, pkg, registry.ModeRun))), any(registry.RuleStopping))
	half := w.page(plugin, v2, registry.ModeUpdate, "approval-1")
	equal(t, "orders", []registry.ActionKind{w.orders[0].Kind}, []registry.ActionKind{registry.ActRetract})
	w.report("run-1")
	w.report("run-2")
	equal(t, "answer", w.answer(half).(registry.HostHalf).PluginRunID, registry.RunID("run-2"))
	equal(t, "events", w.told(), []string{"retract dual-1/pkg-1 run-1", "package dual-1/pkg-2 run-2"})
}

// CR-R21: a dual run that is stopped is gone, the last event says which, and the next
// run has another id.
func TestStopOfADualRun(t *testing.T) {
	w, plugin := running(t, true, true)
	w.stop(plugin, false)
	equal(t, "event", encode(t, w.events), `[{"Name":"cordis/dynamic-retract","Payload":{"pluginId":"dyn-1","packageId":"pkg-1","pluginRunId":"run-1"}}]`)
	equal(t, "invoke", rule(w.r.Invocable(plugin, "run-1")), any(registry.RuleNotRunning))
	equal(t, "next", w.answer(w.run(plugin, "pkg-1", registry.ModeRun)).(registry.Requested).PluginRunID, registry.RunID("run-2"))
}
