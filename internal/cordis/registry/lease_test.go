package registry_test

import (
	"testing"
	"time"

	"github.com/dshkit/dshkit/internal/cordis/registry"
)

// requested is a world in which a run waits for a person.
func requested(t *testing.T) (*world, registry.PluginID, registry.PackageID) {
	w := newWorld(t)
	plugin, pkg := w.define("dual", true, true)
	w.run(plugin, pkg, registry.ModeRun)
	w.told()
	return w, plugin, pkg
}

func (w *world) joins(p registry.PageID, sessions ...registry.Session) {
	w.t.Helper()
	w.carry(w.r.PageJoined(p, sessions, w.now))
}

func (w *world) approve(q registry.RequestID, future bool) any {
	w.t.Helper()
	return w.answer(w.ask(func(t registry.Ticket) registry.Decision { return w.r.Approve(t, q, future, w.now) }))
}

// handed takes the offers and gives the pages that got one.
func (w *world) handed() []registry.PageID {
	out := []registry.PageID{}
	for _, o := range w.offers {
		out = append(out, o.Page)
	}
	w.offers = nil
	return out
}

func (w *world) from(p registry.PageID, q registry.RequestID, res registry.Resolution) any {
	w.t.Helper()
	return w.answer(w.ask(func(t registry.Ticket) registry.Decision {
		return w.r.ResolveRequest(t, registry.ResolveCommand{RequestID: q, Resolution: res, Page: p, Now: w.now})
	}))
}

func (w *world) half(p registry.PageID, plugin registry.PluginID, pkg registry.PackageID, q registry.RequestID) any {
	w.t.Helper()
	return w.answer(w.ask(func(t registry.Ticket) registry.Decision {
		return w.r.RunHostHalf(t, registry.HostHalfCommand{Session: me, PluginID: plugin, PackageID: pkg, Mode: registry.ModeRun, RequestID: q, Page: p, Now: w.now})
	}))
}

// CR-A4, 17.5: approved by a shell without a page, the request stays; the first page
// that comes for the Session takes it.
func TestApproveWithoutAPage(t *testing.T) {
	w, plugin, pkg := requested(t)
	got := w.approve("approval-1", false)
	equal(t, "answer", got, any(registry.ApproveResult{RequestID: "approval-1", PluginID: plugin, PackageID: pkg, PluginRunID: "run-1"}))
	a := w.latest(plugin)
	equal(t, "attempt", []any{a.Status, *a.RequiresApproval, a.ApprovalRequestID}, []any{registry.StartingHost, false, registry.RequestID("approval-1")})
	equal(t, "pending", w.r.Requests(), []registry.Pending{{
		RequestID: "approval-1", AgentID: me, PluginID: plugin, PackageID: pkg, PluginRunID: "run-1", Mode: registry.ModeRun, Name: "Name", Purpose: "p",
	}})
	w.joins("foreign", other)
	equal(t, "a page of another Session", w.handed(), []registry.PageID{})
	w.joins("main", me, other)
	equal(t, "offer", w.offers, []registry.Offer{{
		Page: "main", Until: w.now.Add(15 * time.Second), Request: registry.RequestRun{
			RequestID: "approval-1", AgentID: me, PluginID: plugin, PackageID: pkg, Mode: registry.ModeRun, Name: "Name", Purpose: "p",
		},
	}})
	w.half("main", plugin, pkg, "approval-1")
	equal(t, "accepted", w.from("main", "approval-1", ok("run-1")), any(registry.Accepted{Accepted: true}))
	equal(t, "outcome", w.told(), []string{"package dual-1/pkg-1 run-1", "resolved approval-1 approved"})
	equal(t, "unknown", rule(w.approve("approval-1", false)), any(registry.RuleRequest))
}

// CR-W5: a lease that is not renewed passes to another page; the first answer wins.
func TestLease(t *testing.T) {
	w, plugin, pkg := requested(t)
	w.joins("one")
	w.joins("two")
	equal(t, "nothing to do yet", w.handed(), []registry.PageID{})
	got := w.approve("approval-1", true).(registry.ApproveResult)
	equal(t, "the oldest page", []any{got.Page, w.handed()}, []any{registry.PageID("one"), []registry.PageID{"one"}})
	w.approve("approval-1", true)
	equal(t, "approved twice, offered once", w.handed(), []registry.PageID{})
	w.half("one", plugin, pkg, "approval-1")

	w.now = w.now.Add(14 * time.Second)
	if _, renewed := w.r.Renew("approval-1", "two", w.now); renewed {
		t.Error("a page renewed what it does not hold")
	}
	until, renewed := w.r.Renew("approval-1", "one", w.now)
	at, due := w.r.NextExpiry()
	equal(t, "renewed", []any{until, renewed, at, due}, []any{w.now.Add(15 * time.Second), true, until, true})
	equal(t, "a failure elsewhere", w.from("two", "approval-1", broken("run-1", "no")), any(registry.Accepted{}))

	w.now = until.Add(-time.Nanosecond)
	w.carry(w.r.Expire(w.now))
	equal(t, "not yet", w.handed(), []registry.PageID{})
	w.now = until
	if _, renewed := w.r.Renew("approval-1", "one", w.now); renewed {
		t.Error("an expired lease was renewed")
	}
	w.carry(w.r.Expire(w.now))
	equal(t, "expired", w.handed(), []registry.PageID{"two"})
	equal(t, "two attaches", w.half("two", plugin, pkg, "approval-1").(registry.HostHalf).StartedHere, false)
	equal(t, "the slow page's failure", w.from("one", "approval-1", broken("run-1", "no")), any(registry.Accepted{}))
	equal(t, "the slow page's success", w.from("one", "approval-1", ok("run-1")), any(registry.Accepted{Accepted: true}))
	equal(t, "the other one is late", w.from("two", "approval-1", ok("run-1")), any(registry.Accepted{}))
	_, due = w.r.NextExpiry()
	equal(t, "nothing to expire", due, false)
}

// A page that goes leaves what it held to the next one, and in turn to a new one.
func TestPageLeaves(t *testing.T) {
	w, plugin, pkg := requested(t)
	w.joins("one")
	w.half("one", plugin, pkg, "approval-1")
	w.carry(w.r.PageLeft("one", w.now))
	pending, _ := w.r.Request("approval-1")
	equal(t, "nobody has it", pending.Page, registry.PageID(""))
	w.joins("two")
	equal(t, "offered", w.handed(), []registry.PageID{"two"})
	w.joins("three")
	w.now = w.now.Add(time.Minute)
	w.carry(w.r.Expire(w.now))
	w.now = w.now.Add(time.Minute)
	w.carry(w.r.Expire(w.now))
	equal(t, "in turn", w.handed(), []registry.PageID{"three", "two"})
	w.carry(w.r.PageLeft("two", w.now))
	w.carry(w.r.PageLeft("three", w.now))
	equal(t, "pages", []any{w.handed(), w.r.Pages()}, []any{[]registry.PageID{"three"}, []registry.PageID{}})
	equal(t, "still active", w.r.Counts(), registry.Counts{Plugins: 1, Running: 1, Approvals: 1})
}

// CR-W5: of two pages that come at once for what needs no approval, one holds the
// lease. Before anything was started another page may take it over.
func TestAutomaticRequest(t *testing.T) {
	w, plugin, pkg := requested(t)
	w.half("one", plugin, pkg, "approval-1")
	w.from("one", "approval-1", ok("run-1"))
	w.joins("one")
	w.joins("two")
	w.run(plugin, pkg, registry.ModeRun)
	equal(t, "the event is enough", w.handed(), []registry.PageID{})
	w.joins("three")
	equal(t, "a new page gets what nobody has", w.handed(), []registry.PageID{"one"})
	w.auto = false
	w.half("two", plugin, pkg, "approval-2")
	w.half("one", plugin, pkg, "approval-2")
	pending, _ := w.r.Request("approval-2")
	equal(t, "who started holds it", pending.Page, registry.PageID("two"))
}

// CR-A4: declined by a shell.
func TestDecline(t *testing.T) {
	w, plugin, _ := requested(t)
	decline := func(q registry.RequestID) any {
		return w.answer(w.ask(func(t registry.Ticket) registry.Decision { return w.r.Decline(t, q) }))
	}
	equal(t, "unknown", rule(decline("approval-9")), any(registry.RuleRequest))
	w.approve("approval-1", false)
	equal(t, "approved", rule(decline("approval-1")), any(registry.RuleDecided))
	w.stop(plugin, false)
	w.run(plugin, w.another(plugin, true, true), registry.ModeRun)
	decline("approval-2")
	equal(t, "status", w.latest(plugin).Status, registry.Rejected)
	equal(t, "events", w.told(), []string{"resolved approval-1 cancelled", "request approval-2 dual-1/pkg-2 run asks=true", "resolved approval-2 rejected"})
	equal(t, "topics", w.topics(), []registry.Topic{registry.TopicRunRejected})
}
