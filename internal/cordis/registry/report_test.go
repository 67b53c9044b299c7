package registry_test

import (
	"fmt"
	"testing"

	"github.com/dshkit/dshkit/internal/cordis/registry"
)

func running(t *testing.T, host, client bool) (*world, registry.PluginID) {
	w := newWorld(t)
	plugin, pkg := w.define("dyn", host, client)
	w.page(plugin, pkg, registry.ModeRun, "")
	if client {
		w.settle(plugin, ok("run-1"))
	}
	w.told()
	w.topics()
	return w, plugin
}

func failure(message string) registry.Failure {
	return registry.Failure{Message: message, Stack: "at x"}
}

// CR-W7: a run that parks or wakes changes its attempt, and pages hear of it.
func TestParkAndWake(t *testing.T) {
	w, plugin := running(t, true, false)
	parked := registry.HostReport{Waiting: true, WaitingFor: []string{"sonar"}}
	w.carry(w.r.HostChanged("run-1", parked))
	equal(t, "parked", []any{w.latest(plugin).Status, w.latest(plugin).Host}, []any{registry.Waiting, registry.HalfState{Status: registry.HalfWaiting, WaitingFor: []string{"sonar"}}})
	equal(t, "state", w.state(plugin), registry.StateWaiting)
	w.carry(w.r.HostChanged("run-1", parked))
	w.carry(w.r.HostChanged("run-1", registry.HostReport{}))
	equal(t, "woken", w.latest(plugin).Status, registry.Running)
	equal(t, "events", w.told(), []string{"status run-1 waiting", "status run-1 running"})
	w.carry(w.r.HostChanged("run-7", parked))
	equal(t, "a stale report", []any{w.latest(plugin).Status, w.told()}, []any{registry.Running, []string{}})
}

// CR-W6: a parked Plugin that fails when it wakes is failed, and its owner told.
func TestFailureOnWaking(t *testing.T) {
	w, plugin := running(t, true, false)
	w.carry(w.r.HostChanged("run-1", registry.HostReport{Waiting: true, WaitingFor: []string{"gong"}}))
	w.told()
	w.carry(w.r.HostBroke("run-1", failure("late apply")))
	a := w.latest(plugin)
	equal(t, "attempt", encode(t, a), `{"pluginRunId":"run-1","packageId":"pkg-1","mode":"run","status":"failed","host":{"status":"failed","waitingFor":[],"error":"late apply"},"client":{"status":"absent","waitingFor":[]},"error":{"phase":"host-apply","message":"late apply","stack":"at x","pluginId":"dyn-1","packageId":"pkg-1","pluginRunId":"run-1"}}`)
	equal(t, "events", w.told(), []string{"status run-1 failed"})
	equal(t, "notice", w.notices, []registry.Notice{{
		Topic: registry.TopicRunFailed, Session: me, PluginID: plugin, PackageID: "pkg-1", RunID: "run-1", Mode: registry.ModeRun, Current: "pkg-1",
		Returned: registry.ReturnedRunning, Reason: registry.HostHalfFailed, Message: "late apply", Stack: "at x",
	}})
	w.carry(w.r.HostBroke("run-1", failure("late apply")))
	equal(t, "told once", len(w.notices), 1)
	equal(t, "the run is still there to be stopped", w.row(plugin).ActiveRun != nil, true)
	w.carry(w.r.HostChanged("run-1", registry.HostReport{}))
	equal(t, "it recovers", []any{w.latest(plugin).Status, w.latest(plugin).Error == nil}, []any{registry.Running, true})
}

// One half that has recovered does not hide that the other has failed.
func TestOneHalfStaysFailed(t *testing.T) {
	w, plugin := running(t, true, true)
	w.carry(w.r.HostBroke("run-1", failure("late")))
	w.settle(plugin, ok("run-1"))
	w.carry(w.r.ClientChanged(me, plugin, "run-1", []string{"slots"}))
	a := w.latest(plugin)
	equal(t, "host", []any{a.Status, a.Host.Status, a.Client.Status, a.Error.Phase}, []any{registry.Failed, registry.HalfFailed, registry.HalfWaiting, registry.PhaseHostApply})
	w.carry(w.r.HostChanged("run-1", registry.HostReport{}))
	equal(t, "recovered", w.latest(plugin).Status, registry.Waiting)

	attached := broken("run-1", "activate: not here")
	attached.StartedHere = ptr(false)
	w.settle(plugin, attached)
	w.carry(w.r.HostChanged("run-1", registry.HostReport{Waiting: true, WaitingFor: []string{"x"}}))
	a = w.latest(plugin)
	equal(t, "client", []any{a.Status, a.Host.Status, a.Error.Phase}, []any{registry.Failed, registry.HalfWaiting, registry.PhaseClientApply})
}

// A Host half that breaks while the Client half is still to come fails the run.
func TestFailureBeforeSettlement(t *testing.T) {
	w := newWorld(t)
	plugin, pkg := w.define("dual", true, true)
	w.run(plugin, pkg, registry.ModeRun)
	w.page(plugin, pkg, registry.ModeRun, "approval-1")
	w.told()
	w.carry(w.r.HostBroke("run-1", failure("late")))
	equal(t, "events", w.told(), []string{"retract dual-1/pkg-1 run-1", "resolved approval-1 failed"})
	equal(t, "topics", w.topics(), []registry.Topic{registry.TopicRunFailed})
	equal(t, "success comes too late", w.answer(w.resolve("approval-1", ok("run-1"))), any(registry.Accepted{}))
	equal(t, "current", w.row(plugin).CurrentPackageID, registry.PackageID(""))
	w.page(plugin, pkg, registry.ModeRun, "")
	w.carry(w.r.HostBroke("run-2", failure("late")))
	equal(t, "by hand", w.topics(), []registry.Topic{registry.TopicUserRunFailed})
}

// A sandbox that dies takes the run with it; its owner hears of it, and can run it
// again.
func TestHostGone(t *testing.T) {
	w, plugin := running(t, true, true)
	w.carry(w.r.HostGone("run-7", failure("stale")))
	w.carry(w.r.HostGone("run-1", failure("the sandbox ended")))
	row := w.row(plugin)
	equal(t, "active", row.ActiveRun, (*registry.ActiveRun)(nil))
	equal(t, "attempt", encode(t, row.LatestRun), `{"pluginRunId":"run-1","packageId":"pkg-1","mode":"run","status":"failed","host":{"status":"failed","waitingFor":[],"error":"the sandbox ended"},"client":{"status":"stopped","waitingFor":[]},"error":{"phase":"host-apply","message":"the sandbox ended","stack":"at x","pluginId":"dyn-1","packageId":"pkg-1","pluginRunId":"run-1"}}`)
	equal(t, "events", w.told(), []string{"retract dyn-1/pkg-1 run-1"})
	equal(t, "topics", w.topics(), []registry.Topic{registry.TopicRunFailed})
	w.page(plugin, "pkg-1", registry.ModeRun, "")
	w.carry(w.r.HostGone("run-2", failure("again")))
	equal(t, "before it has succeeded", w.topics(), []registry.Topic{registry.TopicUserRunFailed})
}

// CR-R27, CR-R28, CR-R29: reports of a crash while drawing.
func TestRenderFailure(t *testing.T) {
	w, plugin := running(t, true, true)
	crash := registry.RenderFailure{Slot: "settings.section", Message: "render exploded", Stack: "at render", Abdicated: true}
	w.carry(w.r.RenderFailed(other, plugin, "run-1", crash))
	w.carry(w.r.RenderFailed(me, plugin, "run-9", crash))
	equal(t, "foreign and stale", w.latest(plugin).Status, registry.Running)
	w.carry(w.r.RenderFailed(me, plugin, "run-1", crash))
	equal(t, "attempt", encode(t, w.row(plugin).LatestRun), `{"pluginRunId":"run-1","packageId":"pkg-1","mode":"run","status":"failed","host":{"status":"running","waitingFor":[]},"client":{"status":"failed","waitingFor":[],"error":"render exploded"},"error":{"phase":"client-render","slot":"settings.section","message":"render exploded","stack":"at render","abdicated":true,"pluginId":"dyn-1","packageId":"pkg-1","pluginRunId":"run-1"}}`)
	equal(t, "events", w.told(), []string{"status run-1 failed"})
	later := registry.RenderFailure{Slot: "shell.overlay", Message: "later"}
	w.carry(w.r.RenderFailed(me, plugin, "run-1", later))
	self, _ := w.r.SelfPackage(me, plugin, "pkg-1", nil)
	equal(t, "the last one is kept", encode(t, self.Runtime.Client), `{"status":"failed","waitingFor":[],"error":"later","renderFailure":{"slot":"shell.overlay","message":"later","abdicated":false}}`)
	equal(t, "the first one is told", w.notices, []registry.Notice{{
		Topic: registry.TopicRenderFailed, Session: me, PluginID: plugin, PackageID: "pkg-1", RunID: "run-1", Mode: registry.ModeRun, Current: "pkg-1",
		Side: registry.Client, Slot: "settings.section", Message: "render exploded", Stack: "at render", Abdicated: true,
	}})

	// CR-W28: other failures are still told.
	w.topics()
	w.carry(w.r.HandlerFailed("run-1", "ping", failure("no")))
	w.carry(w.r.ClientGuardRejected(me, plugin, "run-1", failure("withheld")))
	equal(t, "after a crash", w.topics(), []registry.Topic{registry.TopicHandlerFailed, registry.TopicGuardRejected})

	// CR-W30, CR-R29: a stop clears it, and a fresh run starts clean.
	w.stop(plugin, false)
	a := w.latest(plugin)
	equal(t, "stopped", []any{a.Status, a.Error == nil, a.Client.Error == nil}, []any{registry.Stopped, true, true})
	w.carry(w.r.RenderFailed(me, plugin, "run-1", crash))
	equal(t, "late", w.latest(plugin).Status, registry.Stopped)
	w.page(plugin, "pkg-1", registry.ModeRun, "")
	w.settle(plugin, ok("run-2"))
	self, _ = w.r.SelfPackage(me, plugin, "pkg-1", nil)
	equal(t, "fresh", self.Runtime.Client, registry.ClientRuntime{Status: registry.HalfRunning, WaitingFor: []string{}})
}

// CR-W8: a crash on the first render, before the page has settled the run, stays; the
// owner hears of the success first. Golden 24.
func TestCrashBeforeSettlement(t *testing.T) {
	w := newWorld(t)
	plugin, pkg := w.define("tcrash", false, true)
	w.run(plugin, pkg, registry.ModeRun)
	w.page(plugin, pkg, registry.ModeRun, "approval-1")
	w.carry(w.r.RenderFailed(me, plugin, "run-1", registry.RenderFailure{Slot: "shell.overlay", Message: "boom", Abdicated: true}))
	equal(t, "still to be settled", w.latest(plugin).Status, registry.ClientPending)
	w.resolve("approval-1", ok("run-1"))
	a := w.latest(plugin)
	equal(t, "failed", []any{a.Status, a.Client.Status, a.Error.Phase}, []any{registry.Failed, registry.HalfFailed, registry.PhaseClientRender})
	equal(t, "current", w.row(plugin).CurrentPackageID, pkg)
	equal(t, "topics", w.topics(), []registry.Topic{registry.TopicRunSucceeded, registry.TopicRenderFailed})
}

// 14.4: one for each guard and message, one for each method and message, within a
// run that has succeeded.
func TestReportsAreToldOnce(t *testing.T) {
	w, plugin := running(t, true, true)
	for range 2 {
		w.carry(w.r.HandlerFailed("run-1", "a", failure("x")))
		w.carry(w.r.HandlerFailed("run-1", "b", failure("x")))
		w.carry(w.r.HandlerFailed("run-1", "a", failure("y")))
		w.carry(w.r.GuardRejected("run-1", failure("x")))
		w.carry(w.r.ClientGuardRejected(me, plugin, "run-1", failure("x")))
		w.carry(w.r.ClientGuardRejected(other, plugin, "run-1", failure("foreign")))
		w.carry(w.r.CodeFailed("run-1", "timer", failure("x"))) // CR-W17
		w.carry(w.r.HandlerFailed("run-9", "a", failure("stale")))
	}
	equal(t, "topics", w.topics(), []registry.Topic{
		registry.TopicHandlerFailed, registry.TopicHandlerFailed, registry.TopicHandlerFailed,
		registry.TopicGuardRejected, registry.TopicGuardRejected, registry.TopicCodeFailed,
	})
	equal(t, "status", w.latest(plugin).Status, registry.Running)
	w.page(plugin, "pkg-1", registry.ModeRun, "")
	w.stop(plugin, false)
	w.page(plugin, "pkg-1", registry.ModeRun, "")
	w.topics()
	w.carry(w.r.HandlerFailed("run-2", "a", failure("x")))
	equal(t, "not before the run has succeeded", w.topics(), []registry.Topic{})
	w.settle(plugin, ok("run-2"))
	w.topics()
	w.carry(w.r.HandlerFailed("run-2", "a", failure("x")))
	equal(t, "anew in a new run", w.topics(), []registry.Topic{registry.TopicHandlerFailed})
}

// CR-W25: a run that fails without end is told of so often, and then not any more.
func TestReportsAreBounded(t *testing.T) {
	w, _ := running(t, true, false)
	for i := range 150 {
		w.carry(w.r.HandlerFailed("run-1", "a", failure(fmt.Sprint(i))))
	}
	equal(t, "told", len(w.notices), 100)
	equal(t, "the last one says so", []bool{w.notices[98].Last, w.notices[99].Last}, []bool{false, true})
}

// A Client half may park and wake on its page.
func TestClientParks(t *testing.T) {
	w, plugin := running(t, true, true)
	w.carry(w.r.ClientChanged(me, plugin, "run-1", []string{"slots"}))
	equal(t, "parked", []any{w.latest(plugin).Status, w.latest(plugin).Client.WaitingFor}, []any{registry.Waiting, []string{"slots"}})
	w.carry(w.r.ClientChanged(me, plugin, "run-1", nil))
	w.carry(w.r.ClientChanged(other, plugin, "run-1", []string{"x"}))
	equal(t, "woken", w.latest(plugin).Status, registry.Running)
	equal(t, "events", w.told(), []string{"status run-1 waiting", "status run-1 running"})
}

// What nobody waited for while a run was still to succeed is told when it has; what
// the guard refused, and what was told of a run that failed, is not.
func TestEarlyReports(t *testing.T) {
	report := func(w *world, id registry.RunID) {
		for range 2 {
			w.carry(w.r.CodeFailed(id, "promise", failure("lost")))
			w.carry(w.r.CodeFailed(id, "timer", failure("lost")))
			w.carry(w.r.GuardRejected(id, failure("withheld")))
		}
	}
	none, both := []registry.Topic{}, []registry.Topic{registry.TopicCodeFailed, registry.TopicCodeFailed}

	w := newWorld(t).slow()
	plugin, pkg := w.define("dyn", true, false)
	w.run(plugin, pkg, registry.ModeRun)
	report(w, "run-1")
	equal(t, "in flight", w.topics(), none)
	w.report("run-1")
	equal(t, "up", w.topics(), both)
	report(w, "run-1")
	equal(t, "each once", w.topics(), []registry.Topic{registry.TopicGuardRejected})
	w.stop(plugin, false)
	w.report("run-1")
	w.run(plugin, pkg, registry.ModeRun)
	report(w, "run-2")
	w.breaks("run-2", "no")
	w.run(plugin, pkg, registry.ModeRun)
	w.report("run-3")
	equal(t, "of a run that failed", w.topics(), none)

	w = newWorld(t).slow()
	plugin, pkg = w.define("dual", true, true)
	w.run(plugin, pkg, registry.ModeRun)
	w.page(plugin, pkg, registry.ModeRun, "approval-1")
	w.carry(w.r.CodeFailed("run-1", "promise", failure("lost")))
	w.report("run-1")
	w.carry(w.r.CodeFailed("run-1", "timer", failure("lost")))
	equal(t, "its Client half is still to come", w.topics(), none)
	w.resolve("approval-1", ok("run-1"))
	equal(t, "settled", w.topics(), append([]registry.Topic{registry.TopicRunSucceeded}, both...))
}

// A half that breaks before its run is the active one breaks it when it is.
func TestBrokenEarly(t *testing.T) {
	w := newWorld(t).slow()
	plugin, pkg := w.define("dyn", true, false)
	w.run(plugin, pkg, registry.ModeRun)
	w.carry(w.r.HostBroke("run-1", failure("set-up")))
	equal(t, "in flight", []any{w.latest(plugin).Status, len(w.topics())}, []any{registry.StartingHost, 0})
	w.report("run-1")
	a := w.latest(plugin)
	equal(t, "up", []any{a.Status, a.Error.Phase, a.Error.Message}, []any{registry.Failed, registry.PhaseHostApply, "set-up"})
	equal(t, "told", w.topics(), []registry.Topic{registry.TopicRunFailed})
}
