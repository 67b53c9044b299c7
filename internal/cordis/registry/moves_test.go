package registry_test

import (
	"maps"
	"slices"
	"time"

	"pgregory.net/rapid"

	"github.com/dshkit/dshkit/internal/cordis/registry"
)

func (m *machine) define(t *rapid.T) {
	d := registry.Definition{
		Session: pick(t, "session", sessions), New: rapid.Bool().Draw(t, "new"), Prefix: pick(t, "prefix", []string{"clock", "view", "x"}),
		PluginID: m.plugin(), Name: "n", Purpose: "p", Code: pick(t, "code", []registry.Code{code(true, false), code(false, true), code(true, true)}),
	}
	before := m.snapshot()
	made, err := m.r.Define(d, fine)
	if err != nil && m.snapshot() != before {
		t.Fatal("a definition was refused and changed something")
	}
	if err == nil {
		m.model.defined(t, made)
	}
}

func (m *machine) run(t *rapid.T) {
	c := registry.RunCommand{Session: pick(t, "session", sessions), PluginID: m.plugin(), Mode: pick(t, "mode", modes), Cancelled: rapid.IntRange(0, 9).Draw(t, "gone") == 0, ByHand: rapid.IntRange(0, 9).Draw(t, "hand") == 0}
	c.PackageID = m.pkg(c.PluginID)
	want, refused := m.expect(c)
	ticket := m.command("run", c.PluginID, func(t registry.Ticket) registry.Decision { return m.r.Run(t, c) })
	got, done := m.answers[ticket]
	switch {
	case refused:
		if r, _ := got.Err.(*registry.Refusal); r == nil || r.Rule != want {
			t.Fatalf("run %+v: %+v, want the refusal %s", c, got, want)
		}
	case done:
		m.model.ran(t, c, got)
	}
}

func (m *machine) pageRuns(t *rapid.T) {
	c := registry.HostHalfCommand{
		Session: pick(t, "session", sessions), PluginID: m.plugin(), Mode: pick(t, "mode", modes),
		Future: rapid.IntRange(0, 3).Draw(t, "future") == 0, Page: pick(t, "page", pages), Now: m.now,
	}
	c.PackageID = m.pkg(c.PluginID)
	if rapid.Bool().Draw(t, "requested") {
		c.RequestID = m.request(c.PluginID)
		if q, found := m.r.Request(c.RequestID); found && rapid.IntRange(0, 4).Draw(t, "fits") > 0 {
			c.Session, c.PluginID, c.PackageID, c.Mode = q.AgentID, q.PluginID, q.PackageID, q.Mode
		}
	}
	ticket := m.command("page", c.PluginID, func(t registry.Ticket) registry.Decision { return m.r.RunHostHalf(t, c) })
	if got, done := m.answers[ticket]; !done || got.Err == nil {
		m.model.allowed(c, m.model.asked[c.RequestID])
	}
}

func (m *machine) resolution(t *rapid.T, plugin registry.PluginID) registry.Resolution {
	res := registry.Resolution{
		OK: rapid.Bool().Draw(t, "ok"), Message: "m",
		Reason: pick(t, "reason", []registry.Reason{registry.ClientHalfFailed, registry.HostHalfFailed, registry.WasRejected}),
	}
	row, found := m.r.Plugin(plugin)
	switch rapid.IntRange(0, 4).Draw(t, "names") {
	case 0:
	case 1:
		res.PluginRunID = m.runID()
	default:
		if found && row.ActiveRun != nil {
			res.PluginRunID = row.ActiveRun.PluginRunID
		}
	}
	if rapid.Bool().Draw(t, "says") {
		res.StartedHere = ptr(rapid.Bool().Draw(t, "here"))
	}
	return res
}

func (m *machine) resolve(t *rapid.T) {
	plugin := m.plugin()
	c := registry.ResolveCommand{RequestID: m.request(plugin), Resolution: m.resolution(t, plugin), Page: pick(t, "page", pages), Now: m.now}
	orders := len(m.orders)
	m.model.success = c.Resolution.OK
	m.command("resolve", plugin, func(t registry.Ticket) registry.Decision { return m.r.ResolveRequest(t, c) })
	m.model.success = false
	if !c.Resolution.OK && c.Resolution.Reason == registry.WasRejected && len(m.orders) != orders {
		t.Fatal("a rejection ran something")
	}
}

func (m *machine) settle(t *rapid.T) {
	plugin, session := m.plugin(), pick(t, "session", sessions)
	res := m.resolution(t, plugin)
	m.model.success = res.OK
	m.command("settle", plugin, func(t registry.Ticket) registry.Decision { return m.r.SettleUserRun(t, session, plugin, res) })
	m.model.success = false
}

func (m *machine) stop(t *rapid.T) {
	c := registry.StopCommand{Session: pick(t, "session", sessions), PluginID: m.plugin(), Panel: rapid.Bool().Draw(t, "panel")}
	if rapid.IntRange(0, 2).Draw(t, "remove") > 0 {
		m.command("stop", c.PluginID, func(t registry.Ticket) registry.Decision { return m.r.Stop(t, c) })
		return
	}
	ticket := m.command("undefine", c.PluginID, func(t registry.Ticket) registry.Decision { return m.r.Undefine(t, c) })
	if a, done := m.answers[ticket]; !done || a.Err == nil {
		if _, found := m.r.Plugin(c.PluginID); found {
			t.Fatal("an undefined Plugin is still there")
		}
		m.model.removed(c.PluginID)
	}
}

// reportOrder answers what was ordered, well or badly.
func (m *machine) reportOrder(t *rapid.T) {
	if len(m.orders) == 0 {
		return
	}
	run := pick(t, "order", slices.Sorted(maps.Keys(m.orders)))
	a := m.orders[run]
	delete(m.orders, run)
	switch {
	case a.Kind == registry.ActRetract:
		m.take(m.r.Retracted(run))
	case rapid.IntRange(0, 2).Draw(t, "fails") == 0:
		m.take(m.r.HostFailed(run, registry.PhaseHostLoad, failure("boom")))
	default:
		m.model.success = true
		m.take(m.r.HostStarted(run, registry.HostReport{Waiting: rapid.Bool().Draw(t, "parked")}))
		m.model.success = false
	}
}

// staleReport reports what was not ordered.
func (m *machine) staleReport(t *rapid.T) {
	run := m.runID()
	kind := m.orders[run].Kind
	switch rapid.IntRange(0, 2).Draw(t, "report") {
	case 0:
		if kind != registry.ActStart {
			m.report(false, func() registry.Decision { return m.r.HostStarted(run, registry.HostReport{}) })
		}
	case 1:
		if kind != registry.ActStart {
			m.report(false, func() registry.Decision {
				return m.r.HostFailed(run, registry.PhaseHostApply, failure("late"))
			})
		}
	default:
		if kind != registry.ActRetract {
			m.report(false, func() registry.Decision { return m.r.Retracted(run) })
		}
	}
}

// liveReport says something of a run that may be active, in a Session that may be its.
func (m *machine) liveReport(t *rapid.T) {
	plugin, session, run := m.plugin(), pick(t, "session", sessions), m.runID()
	row, found := m.r.Plugin(plugin)
	if found && row.ActiveRun != nil && rapid.Bool().Draw(t, "active") {
		run = row.ActiveRun.PluginRunID
	}
	fits := m.model.isActive(m.r, run)
	own := found && row.AgentID == session && row.ActiveRun != nil && row.ActiveRun.PluginRunID == run
	crash := registry.RenderFailure{Slot: "s", Message: pick(t, "crash", []string{"a", "b"})}
	switch rapid.IntRange(0, 6).Draw(t, "report") {
	case 0:
		m.report(fits, func() registry.Decision {
			return m.r.HostChanged(run, registry.HostReport{Waiting: rapid.Bool().Draw(t, "parked")})
		})
	case 1:
		m.report(fits, func() registry.Decision { return m.r.HostBroke(run, failure("late")) })
	case 2:
		m.report(own, func() registry.Decision { return m.r.RenderFailed(session, plugin, run, crash) })
	case 3:
		m.report(fits, func() registry.Decision { return m.r.HandlerFailed(run, "x", failure("y")) })
	case 4:
		m.report(own, func() registry.Decision { return m.r.ClientGuardRejected(session, plugin, run, failure("g")) })
	case 5:
		m.report(fits, func() registry.Decision { return m.r.HostGone(run, failure("died")) })
	default:
		_, err := m.r.ClientCode(session, plugin, run)
		if err == nil && !own {
			t.Fatal("source went out for a run that is not active, or to another Session")
		}
	}
}

func (m *machine) lease(t *rapid.T) {
	plugin, p := m.plugin(), pick(t, "page", pages[1:])
	q := m.request(plugin)
	m.now = m.now.Add(time.Duration(rapid.IntRange(0, 10).Draw(t, "seconds")) * time.Second)
	switch rapid.IntRange(0, 5).Draw(t, "lease") {
	case 0:
		m.take(m.r.PageJoined(p, nil, m.now))
	case 1:
		m.take(m.r.PageLeft(p, m.now))
	case 2:
		pending, found := m.r.Request(q)
		future := rapid.Bool().Draw(t, "future")
		m.command("approve", pending.PluginID, func(t registry.Ticket) registry.Decision { return m.r.Approve(t, q, future, m.now) })
		if found {
			m.model.allowed(registry.HostHalfCommand{PluginID: pending.PluginID, PackageID: pending.PackageID, RequestID: q, Future: future}, m.model.asked[q])
		}
	case 3:
		m.command("decline", plugin, func(t registry.Ticket) registry.Decision { return m.r.Decline(t, q) })
	case 4:
		m.r.Renew(q, p, m.now)
	default:
		m.take(m.r.Expire(m.now))
	}
}
