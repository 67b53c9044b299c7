package registry_test

import (
	"testing"

	"github.com/dshkit/dshkit/internal/cordis/registry"
)

// CR-R14: a second page attaches to the active run.
func TestAttach(t *testing.T) {
	w := newWorld(t)
	plugin, pkg := w.define("dual", true, true)
	first := w.answer(w.page(plugin, pkg, registry.ModeRun, "")).(registry.HostHalf)
	second := w.answer(w.page(plugin, pkg, registry.ModeRun, "")).(registry.HostHalf)
	equal(t, "first", first, registry.HostHalf{OK: true, PluginID: plugin, PackageID: pkg, PluginRunID: "run-1", WaitingFor: []string{}, StartedHere: true})
	first.StartedHere = false
	equal(t, "second", second, first)
	equal(t, "a panel run approves the Package", w.answer(w.run(plugin, pkg, registry.ModeRun)).(registry.Requested).Status, registry.ReturnedStarting)
}

// CR-R15: two gestures at once share one start and one answer.
func TestJoin(t *testing.T) {
	w := newWorld(t).slow()
	plugin, pkg := w.define("dual", true, true)
	v2 := w.another(plugin, true, true)
	a, b := w.page(plugin, pkg, registry.ModeRun, ""), w.page(plugin, pkg, registry.ModeRun, "")
	equal(t, "another Package cannot join", rule(w.answer(w.page(plugin, v2, registry.ModeRun, ""))), any(registry.RuleStarting))
	equal(t, "orders", len(w.orders), 1)
	w.report("run-1")
	equal(t, "answers", w.answer(a), w.answer(b))
	equal(t, "run", w.answer(a).(registry.HostHalf).PluginRunID, registry.RunID("run-1"))

	w.page(plugin, v2, registry.ModeRun, "")
	w.report("run-1")
	c := w.page(plugin, v2, registry.ModeRun, "")
	w.breaks("run-2", "boom")
	equal(t, "a failure is shared too", rule(w.answer(c)), any(registry.RuleCode))
	equal(t, "and told once", w.topics(), []registry.Topic{registry.TopicUserRunFailed})
}

// CR-V3: the failure of a page that had only attached stops nothing; that of the
// page which started does. Golden 27.
func TestSettleUserRun(t *testing.T) {
	w := newWorld(t)
	plugin, pkg := w.define("dual", true, true)
	w.page(plugin, pkg, registry.ModeRun, "")
	attached := broken("run-1", "this page cannot load it")
	attached.StartedHere = ptr(false)
	err := w.answer(w.settle(plugin, attached)).(*registry.Refusal)
	equal(t, "answer", []any{err.Reason, err.Error()}, []any{registry.ClientHalfFailed, "this page cannot load it"})
	equal(t, "active", w.row(plugin).ActiveRun, &registry.ActiveRun{PluginRunID: "run-1", PackageID: pkg})
	equal(t, "status", w.latest(plugin).Status, registry.Failed)
	equal(t, "host half", w.latest(plugin).Host.Status, registry.HalfRunning)

	got := w.answer(w.settle(plugin, ok("run-1")))
	equal(t, "success", encode(t, got), `{"ok":true,"status":"running","pluginId":"dual-1","packageId":"pkg-1","pluginRunId":"run-1","waitingFor":[],"currentPackageId":"pkg-1","mode":"run"}`)
	equal(t, "error is gone", w.latest(plugin).Error, (*registry.Diagnostic)(nil))
	got = w.answer(w.settle(plugin, ok("run-1", "slots")))
	equal(t, "waiting", encode(t, got), `{"ok":true,"status":"waiting","pluginId":"dual-1","packageId":"pkg-1","pluginRunId":"run-1","waitingFor":[],"clientWaitingFor":["slots"],"currentPackageId":"pkg-1","mode":"run"}`)

	w.settle(plugin, broken("run-1", "owner page failed"))
	row := w.row(plugin)
	equal(t, "withdrawn", row.ActiveRun, (*registry.ActiveRun)(nil))
	equal(t, "current stays", row.CurrentPackageID, pkg)
	equal(t, "host half is stopped", row.LatestRun.Host.Status, registry.HalfStopped) // CR-W9
	equal(t, "topics", w.topics(), []registry.Topic{
		registry.TopicUserRunFailed, registry.TopicUserRan, registry.TopicUserRan, registry.TopicUserRunFailed,
	})
	before := encode(t, row)
	equal(t, "invoke", rule(w.r.Invocable(plugin, "run-1")), any(registry.RuleNotRunning))
	equal(t, "late success", rule(w.answer(w.settle(plugin, ok("run-1")))), any(registry.RuleNoLongerActive))
	equal(t, "late failure", rule(w.answer(w.settle(plugin, broken("run-1", "again")))), any(registry.RuleCode))
	equal(t, "nothing changed", encode(t, w.row(plugin)), before)
	equal(t, "nothing told", w.topics(), []registry.Topic{})
}

// CR-W23: every panel action is told, also that of a Package without a Client half
// and a failure of the Host half. CR-A14: only as context.
func TestPanelActionsAreTold(t *testing.T) {
	w := newWorld(t).slow()
	plugin, pkg := w.define("host", true, false)
	w.page(plugin, pkg, registry.ModeRun, "")
	w.breaks("run-1", "boom")
	w.page(plugin, pkg, registry.ModeRun, "")
	w.report("run-2")
	w.page(plugin, pkg, registry.ModeRun, "")
	w.auto = true
	w.stop(plugin, true)
	equal(t, "stop of a stopped one", rule(w.answer(w.stop(plugin, true))), any(registry.RuleNotRunning))
	w.undefine(plugin, true)
	for _, n := range w.notices {
		if n.Topic.Steers() {
			t.Errorf("%s steers", n.Topic)
		}
	}
	equal(t, "failure", w.notices[0], registry.Notice{
		Topic: registry.TopicUserRunFailed, Session: me, PluginID: plugin, PackageID: pkg, RunID: "run-1", Mode: registry.ModeRun, Next: pkg,
		Reason: registry.HostHalfFailed, Message: "boom", Stack: "at apply",
	})
	equal(t, "topics", w.topics(), []registry.Topic{
		registry.TopicUserRunFailed, registry.TopicUserRan, registry.TopicUserRan, registry.TopicUserStopped, registry.TopicUserRemoved,
	})
}

// CR-W23: a user without a page runs by hand too, and the owner hears of it as context.
func TestRunByHandFromAShell(t *testing.T) {
	w := newWorld(t)
	plugin, pkg := w.define("dual", true, true)
	byHand := func(pkg registry.PackageID, m registry.Mode) any {
		return w.answer(w.ask(func(t registry.Ticket) registry.Decision {
			return w.r.Run(t, registry.RunCommand{Session: me, PluginID: plugin, PackageID: pkg, Mode: m, ByHand: true})
		}))
	}
	equal(t, "it is approved", byHand(pkg, registry.ModeRun).(registry.Requested).Status, registry.ReturnedStarting)
	w.page(plugin, pkg, registry.ModeRun, "approval-1")
	w.resolve("approval-1", broken("run-1", "activate: no"))
	byHand(pkg, registry.ModeRun)
	w.page(plugin, pkg, registry.ModeRun, "approval-2")
	w.resolve("approval-2", ok("run-2"))
	host := w.another(plugin, true, false)
	equal(t, "a Host half alone", byHand(host, registry.ModeUpdate).(registry.Ran).PluginRunID, registry.RunID("run-3"))
	equal(t, "topics", w.topics(), []registry.Topic{registry.TopicUserRunFailed, registry.TopicUserRan, registry.TopicUserRan})
}

// CR-R8: the source of the Client half goes out for exactly the active run.
func TestClientCode(t *testing.T) {
	w := newWorld(t)
	plugin, pkg := w.define("dual", true, true)
	refused := func(s registry.Session, run registry.RunID) any {
		_, err := w.r.ClientCode(s, plugin, run)
		return rule(err)
	}
	equal(t, "before a run", refused(me, "run-1"), any(registry.RuleSourceRun))
	w.page(plugin, pkg, registry.ModeRun, "")
	equal(t, "foreign", refused(other, "run-1"), any(registry.RulePlugin))
	equal(t, "stale", refused(me, "run-9"), any(registry.RuleSourceRun))
	got, err := w.r.ClientCode(me, plugin, "run-1")
	equal(t, "source", encode(t, got), `{"code":"client source","name":"Name","pluginId":"dual-1","packageId":"pkg-1","pluginRunId":"run-1"}`)
	if err != nil {
		t.Error(err)
	}
	plugin, pkg = w.define("host", true, false)
	w.run(plugin, pkg, registry.ModeRun)
	equal(t, "no client half", refused(me, "run-2"), any(registry.RuleNoClient))
}

// CR-W5: a second page joins the start of a request, and what it says of a start
// that goes well does not count.
func TestTwoPagesOneRequest(t *testing.T) {
	w := newWorld(t)
	plugin, pkg := w.define("dual", true, true)
	w.page(plugin, pkg, registry.ModeRun, "")
	w.settle(plugin, ok("run-1"))
	w.run(plugin, pkg, registry.ModeRun)
	w.auto = false
	first := w.page(plugin, pkg, registry.ModeRun, "approval-1")
	second := w.page(plugin, pkg, registry.ModeRun, "approval-1")
	hostFailed := registry.Resolution{Reason: registry.HostHalfFailed, Message: "already starting elsewhere"}
	equal(t, "while it starts", w.answer(w.resolve("approval-1", hostFailed)), any(registry.Accepted{}))
	w.report("run-1")
	equal(t, "orders", len(w.orders), 1)
	w.report("run-2")
	equal(t, "started here", w.answer(first).(registry.HostHalf).StartedHere, true)
	equal(t, "joined", w.answer(second).(registry.HostHalf).StartedHere, false)
	equal(t, "when it has started", w.answer(w.resolve("approval-1", hostFailed)), any(registry.Accepted{}))
	equal(t, "decline", w.answer(w.resolve("approval-1", declined())), any(registry.Accepted{}))
	equal(t, "a stale run", w.answer(w.resolve("approval-1", ok("run-1"))), any(registry.Accepted{}))
	equal(t, "success", w.answer(w.resolve("approval-1", ok("run-2"))), any(registry.Accepted{Accepted: true}))
	equal(t, "status", w.latest(plugin).Status, registry.Running)
}

// CR-O13, CR-W10: a Host half that fails settles the request at once, as the phase it
// failed in.
func TestHostFailureOfARequest(t *testing.T) {
	w := newWorld(t).slow()
	plugin, pkg := w.define("fail", true, true)
	w.run(plugin, pkg, registry.ModeRun)
	ticket := w.page(plugin, pkg, registry.ModeRun, "approval-1")
	w.take("run-1")
	w.carry(w.r.HostFailed("run-1", registry.PhaseHostLoad, registry.Failure{Message: "boom"}))
	equal(t, "page", rule(w.answer(ticket)), any(registry.RuleCode))
	equal(t, "events", w.told()[1:], []string{"resolved approval-1 failed"})
	equal(t, "attempt", encode(t, w.row(plugin).LatestRun), `{"pluginRunId":"run-1","packageId":"pkg-1","mode":"run","status":"failed","host":{"status":"failed","waitingFor":[],"error":"boom"},"client":{"status":"pending","waitingFor":[]},"error":{"phase":"host-load","message":"boom","pluginId":"fail-1","packageId":"pkg-1","pluginRunId":"run-1"}}`)
	equal(t, "topics", w.topics(), []registry.Topic{registry.TopicRunFailed})
	equal(t, "the page's echo", w.answer(w.resolve("approval-1", registry.Resolution{Reason: registry.HostHalfFailed})), any(registry.Accepted{}))
	equal(t, "the grant survives", w.answer(w.run(plugin, pkg, registry.ModeRun)).(registry.Requested).Status, registry.ReturnedStarting)
}

// A request is for exactly one Plugin, Package and mode. CR-N14: a gesture that is
// refused leaves it as it was, so that it can still be declined.
func TestRequestMismatch(t *testing.T) {
	w := newWorld(t)
	plugin, pkg := w.define("dual", true, true)
	v2 := w.another(plugin, true, true)
	w.run(plugin, pkg, registry.ModeRun)
	equal(t, "another Package", rule(w.answer(w.page(plugin, v2, registry.ModeRun, "approval-1"))), any(registry.RuleMismatch))
	equal(t, "unknown", rule(w.answer(w.page(plugin, pkg, registry.ModeRun, "approval-9"))), any(registry.RuleRequest))
	rival, rivals := w.define("rival", true, true)
	equal(t, "another Plugin", rule(w.answer(w.page(rival, rivals, registry.ModeRun, "approval-1"))), any(registry.RuleMismatch))
	equal(t, "nothing started", w.r.Counts(), registry.Counts{Plugins: 2, Approvals: 1})
	equal(t, "declined", w.answer(w.resolve("approval-1", declined())), any(registry.Accepted{Accepted: true}))
	equal(t, "status", w.latest(plugin).Status, registry.Rejected)
}
