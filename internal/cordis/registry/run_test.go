package registry_test

import (
	"testing"

	"github.com/dshkit/dshkit/internal/cordis/registry"
	"github.com/dshkit/dshkit/pkg/fault"
)

// CR-A3, CR-R2: the table of 3.3, row by row. A refusal changes nothing and uses up
// no id.
func TestRunTable(t *testing.T) {
	type command = registry.RunCommand
	base := command{Session: me, PluginID: "feat-1", PackageID: "pkg-1", Mode: registry.ModeRun}
	with := func(change func(*command)) command { c := base; change(&c); return c }
	running := func(w *world) { w.auto = true; w.run("feat-1", "pkg-1", registry.ModeRun); w.auto = false }
	for name, c := range map[string]struct {
		given   func(w *world)
		command command
		rule    registry.Rule
		reason  registry.Reason
		kind    fault.Kind
	}{
		"1 unknown": {nil, with(func(c *command) { c.PluginID = "ghost-1" }), registry.RulePlugin, registry.PluginMissing, fault.NotFound},
		"1 foreign": {nil, with(func(c *command) { c.Session = other }), registry.RulePlugin, registry.PluginMissing, fault.NotFound},
		"2":         {nil, with(func(c *command) { c.PackageID = "pkg-77"; c.Mode = "" }), registry.RulePackage, registry.PackageMissing, fault.NotFound},
		"bad mode":  {nil, with(func(c *command) { c.Mode = "restart" }), registry.RuleBadMode, registry.InvalidMode, fault.Conflict},
		"3":         {nil, with(func(c *command) { c.Mode = registry.ModeUpdate }), registry.RuleNoCurrent, registry.InvalidMode, fault.Conflict},
		"4":         {running, with(func(c *command) { c.Mode = registry.ModeUpdate }), registry.RuleAlreadyCurrent, registry.InvalidMode, fault.Conflict},
		"5":         {running, with(func(c *command) { c.PackageID = "pkg-2" }), registry.RuleDiffers, registry.InvalidMode, fault.Conflict},
		"6": {
			func(w *world) { w.run("feat-1", "pkg-1", registry.ModeRun) },
			with(func(c *command) { c.Cancelled = true }), registry.RuleStarting, registry.TransitionInFlight, fault.Conflict,
		},
		"6 stopping": {
			func(w *world) { running(w); w.stop("feat-1", false) },
			base, registry.RuleStopping, registry.TransitionInFlight, fault.Conflict,
		},
		"7": {
			func(w *world) { w.run("feat-1", "pkg-3", registry.ModeRun) },
			with(func(c *command) { c.Cancelled = true }), registry.RuleCancelled, registry.WasCancelled, fault.Timeout,
		},
		"8": {
			func(w *world) { w.run("feat-1", "pkg-3", registry.ModeRun) },
			base, registry.RulePending, registry.TransitionInFlight, fault.Conflict,
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t).slow()
			w.define("feat", true, false)
			w.another("feat-1", true, false)
			w.another("feat-1", true, true)
			if c.given != nil {
				c.given(w)
			}
			before, ran := encode(t, w.r.Inventory()), w.row("feat-1").LatestRun
			w.events = nil
			got := w.answer(w.ask(func(t registry.Ticket) registry.Decision { return w.r.Run(t, c.command) }))
			if rule(got) != c.rule {
				t.Fatalf("got %v, want %v", got, c.rule)
			}
			err := got.(*registry.Refusal)
			equal(t, "class", []any{err.Reason, fault.CodeOf(err), fault.KindOf(err)}, []any{c.reason, string(c.reason), c.kind})
			equal(t, "inventory", encode(t, w.r.Inventory()), before)
			equal(t, "events", w.told(), []string{})
			w.auto = true
			w.settleOrders()
			w.stop("feat-1", false)
			w.run("feat-1", w.row("feat-1").Packages[0].PackageID, registry.ModeRun)
			want := registry.RunID("run-1")
			if ran != nil {
				want = "run-2"
			}
			equal(t, "no run id was used up", w.latest("feat-1").PluginRunID, want)
		})
	}
}

// Row 9: a Package with a Host half alone is started now. CR-R9, CR-R22.
func TestRunHostOnly(t *testing.T) {
	w := newWorld(t).slow()
	plugin, pkg := w.define("dyn", true, false)
	ticket := w.run(plugin, pkg, registry.ModeRun)
	equal(t, "order", w.orders, []registry.Action{{
		Kind: registry.ActStart, Session: me, PluginID: plugin, PackageID: pkg, RunID: "run-1", Name: "Name", HostCode: "host source",
	}})
	equal(t, "answer", w.answer(ticket), any("pending"))
	equal(t, "while it starts", w.row(plugin).ActiveRun, (*registry.ActiveRun)(nil))
	equal(t, "next is set at once", w.row(plugin).NextPackageID, pkg)
	equal(t, "state", w.state(plugin), registry.StateClientPending)
	w.report("run-1")
	equal(t, "answer", encode(t, w.answer(ticket)), `{"status":"running","pluginId":"dyn-1","packageId":"pkg-1","pluginRunId":"run-1","currentPackageId":"pkg-1","host":{"status":"running","provides":["svc"],"waitingFor":[]},"client":{"status":"absent","waitingFor":[]}}`)
	equal(t, "events", w.told(), []string{"package dyn-1/pkg-1 run-1"})
	equal(t, "notices", w.topics(), []registry.Topic{})
	if err := w.r.Invocable(plugin, "run-1"); err != nil {
		t.Errorf("the run cannot be invoked: %v", err)
	}

	// A restart replaces the run, the old one first.
	w.run(plugin, pkg, registry.ModeRun)
	equal(t, "old one first", w.orders[0].Kind, registry.ActRetract)
	equal(t, "gone at once", rule(w.r.Invocable(plugin, "run-1")), any(registry.RuleNotRunning))
	w.report("run-1")
	w.report("run-2")
	equal(t, "events", w.told(), []string{"retract dyn-1/pkg-1 run-1", "package dyn-1/pkg-1 run-2"})
	equal(t, "stale", rule(w.r.Invocable(plugin, "run-1")), any(registry.RuleStaleRun)) // CR-A10
	stop := w.stop(plugin, false)
	equal(t, "stop waits", w.answer(stop), any("pending"))
	w.report("run-2")
	equal(t, "stop", w.answer(stop), any(registry.StopResult{PluginID: plugin}))
	equal(t, "events", w.told(), []string{"retract dyn-1/pkg-1 run-2"})
	equal(t, "state", w.state(plugin), registry.StateStopped)
	equal(t, "host", w.latest(plugin).Host.Status, registry.HalfStopped)
	equal(t, "client", w.latest(plugin).Client.Status, registry.HalfAbsent)
}

// A parked Fiber is success.
func TestRunParked(t *testing.T) {
	w := newWorld(t).slow()
	plugin, pkg := w.define("read", true, false)
	ticket := w.run(plugin, pkg, registry.ModeRun)
	w.take("run-1")
	w.carry(w.r.HostStarted("run-1", registry.HostReport{Waiting: true, WaitingFor: []string{"sonar", "beacon"}}))
	got := w.answer(ticket).(registry.Ran)
	equal(t, "status", got.Status, registry.Running)
	equal(t, "host", got.Host, registry.RanHost{Status: registry.HalfWaiting, Provides: []string{}, WaitingFor: []string{"sonar", "beacon"}})
	equal(t, "attempt", w.latest(plugin).Status, registry.Waiting)
	equal(t, "current", w.row(plugin).CurrentPackageID, pkg)
}

// CR-V1, CR-A5, CR-N4: a failed update leaves current and next; a failed restart
// leaves current = next. The old run is not started again.
func TestFailureAndRollback(t *testing.T) {
	w := newWorld(t).slow()
	plugin, v1 := w.define("feat", true, false)
	v2 := w.another(plugin, true, false)
	w.auto = true
	w.run(plugin, v1, registry.ModeRun)
	w.auto = false
	update := w.run(plugin, v2, registry.ModeUpdate)
	w.report("run-1")
	w.breaks("run-2", "RangeError: apply exploded")
	err := w.answer(update).(*registry.Refusal)
	equal(t, "error", []any{err.Reason, err.Error(), err.Stack, fault.KindOf(err)},
		[]any{registry.HostHalfFailed, "RangeError: apply exploded", "at apply", fault.Plugin})
	row := w.row(plugin)
	equal(t, "pointers", []registry.PackageID{row.CurrentPackageID, row.NextPackageID}, []registry.PackageID{v1, v2})
	equal(t, "active", row.ActiveRun, (*registry.ActiveRun)(nil))
	equal(t, "invoke", rule(w.r.Invocable(plugin, "run-2")), any(registry.RuleNotRunning)) // CR-R20
	equal(t, "attempt", encode(t, row.LatestRun), `{"pluginRunId":"run-2","packageId":"pkg-2","mode":"update","status":"failed","host":{"status":"failed","waitingFor":[],"error":"RangeError: apply exploded"},"client":{"status":"absent","waitingFor":[]},"error":{"phase":"host-apply","message":"RangeError: apply exploded","stack":"at apply","pluginId":"feat-1","packageId":"pkg-2","pluginRunId":"run-2"}}`)
	equal(t, "a failed host-only run of a tool tells nobody", w.topics(), []registry.Topic{})
	equal(t, "retry is an update", rule(w.answer(w.run(plugin, v2, registry.ModeRun))), any(registry.RuleDiffers))
	w.run(plugin, v1, registry.ModeRun)
	w.breaks("run-3", "again")
	row = w.row(plugin)
	equal(t, "pointers after a failed rollback", []registry.PackageID{row.CurrentPackageID, row.NextPackageID}, []registry.PackageID{v1, v1})
	w.run(plugin, v1, registry.ModeRun)
	w.report("run-4")
	row = w.row(plugin)
	equal(t, "pointers after the rollback", []registry.PackageID{row.CurrentPackageID, row.NextPackageID}, []registry.PackageID{v1, ""})
	equal(t, "a failed start says nothing", w.told(), []string{
		"package feat-1/pkg-1 run-1", "retract feat-1/pkg-1 run-1", "package feat-1/pkg-1 run-4",
	})
}

// Rows 10 and 11: a page has to carry it out; the older run goes on meanwhile.
// CR-R10, CR-R11, CR-A4.
func TestRunRequests(t *testing.T) {
	w := newWorld(t)
	plugin, v1 := w.define("dyn", false, true)
	ticket := w.run(plugin, v1, registry.ModeRun)
	equal(t, "answer", encode(t, w.answer(ticket)), `{"status":"awaiting-approval","pluginId":"dyn-1","packageId":"pkg-1","pluginRunId":"run-1","mode":"run","nextPackageId":"pkg-1"}`)
	equal(t, "event", encode(t, w.events[0]), `{"Name":"cordis/request-run","Payload":{"requestId":"approval-1","agentId":"S-a","pluginId":"dyn-1","packageId":"pkg-1","mode":"run","name":"Name","purpose":"p","requiresApproval":true}}`)
	equal(t, "attempt", encode(t, w.row(plugin).LatestRun), `{"pluginRunId":"run-1","packageId":"pkg-1","mode":"run","status":"awaiting-approval","host":{"status":"absent","waitingFor":[]},"client":{"status":"pending","waitingFor":[]},"approvalRequestId":"approval-1","requiresApproval":true}`)
	w.told()
	half := w.page(plugin, v1, registry.ModeRun, "approval-1")
	equal(t, "host half", encode(t, w.answer(half)), `{"ok":true,"pluginId":"dyn-1","packageId":"pkg-1","pluginRunId":"run-1","waitingFor":[],"startedHere":true}`)
	equal(t, "not yet current", w.row(plugin).CurrentPackageID, registry.PackageID(""))
	equal(t, "state", w.state(plugin), registry.StateClientPending)
	equal(t, "accepted", w.answer(w.resolve("approval-1", ok("run-1", "slots"))), any(registry.Accepted{Accepted: true}))
	equal(t, "attempt", encode(t, w.row(plugin).LatestRun), `{"pluginRunId":"run-1","packageId":"pkg-1","mode":"run","status":"waiting","host":{"status":"absent","waitingFor":[]},"client":{"status":"waiting","waitingFor":["slots"]}}`)
	equal(t, "events", w.told(), []string{"package dyn-1/pkg-1 run-1", "resolved approval-1 approved"})
	equal(t, "notice", w.notices, []registry.Notice{{
		Topic: registry.TopicRunSucceeded, Session: me, PluginID: plugin, PackageID: v1, RunID: "run-1", Mode: registry.ModeRun, Current: v1,
	}})

	again := w.answer(w.run(plugin, v1, registry.ModeRun)).(registry.Requested)
	equal(t, "the grant holds", []any{again.Status, again.CurrentPackageID, again.NextPackageID, again.RequestID},
		[]any{registry.ReturnedStarting, v1, v1, registry.RequestID("approval-2")})
	equal(t, "the older run goes on", w.row(plugin).ActiveRun, &registry.ActiveRun{PluginRunID: "run-1", PackageID: v1})
	equal(t, "a late answer", w.answer(w.resolve("approval-1", ok("run-1"))), any(registry.Accepted{})) // CR-R16
}

// CR-R12, CR-R13, CR-W24, CR-W9, CR-W10, CR-W11, CR-A14: a failure on the page undoes
// the Host half, keeps the grant, and the owner hears of it.
func TestClientFailure(t *testing.T) {
	w := newWorld(t)
	plugin, pkg := w.define("fail", true, true)
	w.run(plugin, pkg, registry.ModeRun)
	w.page(plugin, pkg, registry.ModeRun, "approval-1")
	w.told()
	w.auto = false
	ticket := w.resolve("approval-1", broken("run-1", "activate: client apply failed"))
	equal(t, "it waits for the Host half to go", w.answer(ticket), any("pending"))
	equal(t, "nothing is told before", []any{w.told(), w.topics()}, []any{[]string{}, []registry.Topic{}})
	w.report("run-1")
	equal(t, "accepted", w.answer(ticket), any(registry.Accepted{Accepted: true}))
	equal(t, "events", w.told(), []string{"retract fail-1/pkg-1 run-1", "resolved approval-1 failed"})
	equal(t, "notice", w.notices, []registry.Notice{{
		Topic: registry.TopicRunFailed, Session: me, PluginID: plugin, PackageID: pkg, RunID: "run-1", Mode: registry.ModeRun, Next: pkg,
		Returned: registry.ReturnedAwaiting, Reason: registry.ClientHalfFailed, Message: "activate: client apply failed", Stack: "at page",
	}})
	equal(t, "attempt", encode(t, w.row(plugin).LatestRun), `{"pluginRunId":"run-1","packageId":"pkg-1","mode":"run","status":"failed","host":{"status":"stopped","waitingFor":[]},"client":{"status":"failed","waitingFor":[],"error":"activate: client apply failed"},"error":{"phase":"client-apply","message":"activate: client apply failed","stack":"at page","pluginId":"fail-1","packageId":"pkg-1","pluginRunId":"run-1"}}`)
	w.auto = true
	retry := w.answer(w.run(plugin, pkg, registry.ModeRun)).(registry.Requested)
	equal(t, "the grant survives", retry.Status, registry.ReturnedStarting)
	w.page(plugin, pkg, registry.ModeRun, "approval-2")
	w.resolve("approval-2", broken("run-2", "evaluate: no"))
	equal(t, "events", w.told(), []string{
		"request approval-2 fail-1/pkg-1 run asks=false", "package fail-1/pkg-1 run-2", "retract fail-1/pkg-1 run-2", "resolved approval-2 failed",
	})
}

// CR-W10: the phase says how far the Client half came.
func TestClientPhases(t *testing.T) {
	for message, want := range map[string][2]registry.Phase{ // without and with the source fetched
		"evaluate: x":                {registry.PhaseClientLoad, registry.PhaseClientLoad},
		"module-import: x":           {registry.PhaseClientLoad, registry.PhaseClientLoad},
		"fetch: x":                   {registry.PhaseClientLoad, registry.PhaseClientLoad},
		"activate: evaluate: x":      {registry.PhaseClientApply, registry.PhaseClientApply},
		"this page cannot load it":   {registry.PhaseClientLoad, registry.PhaseClientApply},
		"TypeError: activate failed": {registry.PhaseClientLoad, registry.PhaseClientApply},
	} {
		for i, fetched := range []bool{false, true} {
			w := newWorld(t)
			plugin, pkg := w.define("fail", true, true)
			w.page(plugin, pkg, registry.ModeRun, "")
			if fetched {
				if _, err := w.r.ClientCode(me, plugin, "run-1"); err != nil {
					t.Fatal(err)
				}
			}
			w.settle(plugin, broken("run-1", message))
			if got := w.latest(plugin).Error.Phase; got != want[i] {
				t.Errorf("%q, fetched %t: %s, want %s", message, fetched, got, want[i])
			}
		}
	}
}

// CR-A4: a decline stores nothing and runs nothing.
func TestReject(t *testing.T) {
	w := newWorld(t).slow()
	plugin, pkg := w.define("nope", true, true)
	w.run(plugin, pkg, registry.ModeRun)
	equal(t, "direct gesture", rule(w.answer(w.page(plugin, pkg, registry.ModeRun, ""))), any(registry.RulePanelPending))
	equal(t, "accepted", w.answer(w.resolve("approval-1", declined())), any(registry.Accepted{Accepted: true}))
	equal(t, "orders", len(w.orders), 0)
	equal(t, "attempt", encode(t, w.row(plugin).LatestRun), `{"pluginRunId":"run-1","packageId":"pkg-1","mode":"run","status":"rejected","host":{"status":"pending","waitingFor":[]},"client":{"status":"stopped","waitingFor":[]},"error":{"phase":"approval","message":"the user declined \"run-1\" of plugin \"nope-1\"","pluginId":"nope-1","packageId":"pkg-1","pluginRunId":"run-1"}}`)
	equal(t, "next stays", w.row(plugin).NextPackageID, pkg)
	equal(t, "state", w.state(plugin), registry.StateFailed)
	equal(t, "topics", w.topics(), []registry.Topic{registry.TopicRunRejected})
	equal(t, "events", w.told()[1:], []string{"resolved approval-1 rejected"})
	equal(t, "again", w.answer(w.resolve("approval-1", declined())), any(registry.Accepted{}))
	equal(t, "it asks again", w.answer(w.run(plugin, pkg, registry.ModeRun)).(registry.Requested).Status, registry.ReturnedAwaiting)
}

// CR-A4: with future versions, no later Package asks.
func TestFutureGrant(t *testing.T) {
	w := newWorld(t)
	plugin, v1 := w.define("trust", false, true)
	w.run(plugin, v1, registry.ModeRun)
	w.page(plugin, v1, registry.ModeRun, "approval-1")
	w.resolve("approval-1", ok("run-1"))
	v2 := w.another(plugin, false, true)
	equal(t, "another Package asks", w.answer(w.run(plugin, v2, registry.ModeUpdate)).(registry.Requested).Status, registry.ReturnedAwaiting)
	self, _ := w.r.SelfPlugin(me, plugin)
	equal(t, "pending", self.PendingApproval, &registry.PendingApproval{PluginRunID: "run-2", PackageID: v2, Mode: registry.ModeUpdate})
	w.ask(func(t registry.Ticket) registry.Decision {
		return w.r.RunHostHalf(t, registry.HostHalfCommand{Session: me, PluginID: plugin, PackageID: v2, Mode: registry.ModeUpdate, RequestID: "approval-2", Future: true})
	})
	w.resolve("approval-2", broken("run-2", "no"))
	v3 := w.another(plugin, false, true)
	equal(t, "future versions do not", w.answer(w.run(plugin, v3, registry.ModeUpdate)).(registry.Requested).Status, registry.ReturnedStarting)
	w.undefine(plugin, false)
	fresh, pkg := w.define("trust", false, true)
	equal(t, "undefine takes the grant", w.answer(w.run(fresh, pkg, registry.ModeRun)).(registry.Requested).Status, registry.ReturnedAwaiting)
}
