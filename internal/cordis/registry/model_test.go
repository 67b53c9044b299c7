package registry_test

import (
	"fmt"

	"pgregory.net/rapid"

	"github.com/dshkit/dshkit/internal/cordis/registry"
)

// model is what can be known of a registry by looking at it from outside.
type model struct {
	plugins, packages, runs, requests int                                  // how many ids were given
	shown                             map[registry.PluginID]registry.RunID // what pages believe to be active
	asking                            map[registry.PluginID]registry.RequestID
	allow                             map[registry.PluginID]map[registry.PackageID]bool
	future                            map[registry.PluginID]bool
	client                            map[registry.PackageID]bool
	current                           map[registry.PluginID]registry.PackageID
	asked                             map[registry.RequestID]bool
	success                           bool // this step may move a pointer
}

func newModel() model {
	return model{
		shown: map[registry.PluginID]registry.RunID{}, asking: map[registry.PluginID]registry.RequestID{},
		allow: map[registry.PluginID]map[registry.PackageID]bool{}, future: map[registry.PluginID]bool{},
		asked: map[registry.RequestID]bool{}, client: map[registry.PackageID]bool{}, current: map[registry.PluginID]registry.PackageID{},
	}
}

// watch follows the events: each package is followed by its retract before the next
// one of the Plugin, each request by its resolution.
func (m *model) watch(t *rapid.T, d registry.Decision) {
	for _, e := range d.Events {
		switch p := e.Payload.(type) {
		case registry.DynamicPackage:
			if was, is := m.shown[p.PluginID]; is {
				t.Fatalf("package %s while %s is shown", p.PluginRunID, was)
			}
			m.shown[p.PluginID] = p.PluginRunID
		case registry.DynamicRetract:
			if m.shown[p.PluginID] != p.PluginRunID {
				t.Fatalf("retract of %s, shown is %s", p.PluginRunID, m.shown[p.PluginID])
			}
			delete(m.shown, p.PluginID)
		case registry.RequestRun:
			if was, is := m.asking[p.PluginID]; is {
				t.Fatalf("request %s while %s is open", p.RequestID, was)
			}
			m.requests++
			if p.RequestID != registry.RequestID(fmt.Sprintf("approval-%d", m.requests)) {
				t.Fatalf("request %s, want number %d", p.RequestID, m.requests)
			}
			m.asking[p.PluginID], m.asked[p.RequestID] = p.RequestID, p.RequiresApproval
		case registry.RequestRunResolved:
			m.resolved(t, p)
		}
	}
}

func (m *model) resolved(t *rapid.T, p registry.RequestRunResolved) {
	for plugin, id := range m.asking {
		if id == p.RequestID {
			delete(m.asking, plugin)
			return
		}
	}
	t.Fatalf("%s was resolved twice", p.RequestID)
}

// defined: ids come from one counter each, without gaps.
func (m *model) defined(t *rapid.T, d registry.Defined) {
	m.packages++
	want := registry.PackageID(fmt.Sprintf("pkg-%d", m.packages))
	if d.PackageID != want {
		t.Fatalf("%s, want %s", d.PackageID, want)
	}
	if _, known := m.allow[d.PluginID]; !known {
		m.plugins++
		m.allow[d.PluginID] = map[registry.PackageID]bool{}
		if got := d.PluginID; got != registry.PluginID(fmt.Sprintf("clock-%d", m.plugins)) && got != registry.PluginID(fmt.Sprintf("view-%d", m.plugins)) {
			t.Fatalf("%s, want number %d", got, m.plugins)
		}
	}
	m.client[d.PackageID] = d.HasClientHalf
}

// allowed notes what a person has allowed.
func (m *model) allowed(c registry.HostHalfCommand, asked bool) {
	switch {
	case c.RequestID != "" && asked:
		m.allow[c.PluginID][c.PackageID] = true
		m.future[c.PluginID] = m.future[c.PluginID] || c.Future
	case c.RequestID == "" && m.client[c.PackageID]:
		m.allow[c.PluginID][c.PackageID] = true
	}
}

// ran: a run with a Client half asks just when it was not allowed.
func (m *model) ran(t *rapid.T, c registry.RunCommand, a registry.Answer) {
	got, isRequest := a.Value.(registry.Requested)
	if !isRequest {
		return // it was answered at once because there was nothing to wait for
	}
	if c.ByHand {
		m.allow[c.PluginID][c.PackageID] = true
	}
	want := registry.ReturnedAwaiting
	if m.future[c.PluginID] || m.allow[c.PluginID][c.PackageID] {
		want = registry.ReturnedStarting
	}
	if got.Status != want {
		t.Fatalf("%s/%s: %s, want %s", c.PluginID, c.PackageID, got.Status, want)
	}
}

func (m *model) removed(id registry.PluginID) { delete(m.current, id) }

func (m *model) isActive(r *registry.Registry, run registry.RunID) bool {
	for _, row := range r.Inventory() {
		if row.ActiveRun != nil && row.ActiveRun.PluginRunID == run {
			return true
		}
	}
	return false
}

// expect is the table of 3.3 once more, from what can be seen.
func (m *machine) expect(c registry.RunCommand) (registry.Rule, bool) {
	row, found := m.r.Plugin(c.PluginID)
	if !found || row.AgentID != c.Session {
		return registry.RulePlugin, true
	}
	has := false
	for _, k := range row.Packages {
		has = has || k.PackageID == c.PackageID
	}
	update, current := c.Mode == registry.ModeUpdate, row.CurrentPackageID
	switch {
	case !has:
		return registry.RulePackage, true
	case update && current == "":
		return registry.RuleNoCurrent, true
	case update && current == c.PackageID:
		return registry.RuleAlreadyCurrent, true
	case !update && current != "" && current != c.PackageID:
		return registry.RuleDiffers, true
	case m.waits("stop", c.PluginID):
		return registry.RuleStopping, true
	case m.waits("run", c.PluginID), m.waits("page", c.PluginID):
		return registry.RuleStarting, true
	case m.ordered(c.PluginID): // to undo what failed
		return registry.RuleStopping, true
	case c.Cancelled:
		return registry.RuleCancelled, true
	case m.model.asking[c.PluginID] != "" && m.pending(c.PluginID):
		return registry.RulePending, true
	}
	return "", false
}

func (m *machine) waits(kind string, plugin registry.PluginID) bool {
	for _, a := range m.open {
		if a.kind == kind && a.plugin == plugin {
			return true
		}
	}
	return false
}

func (m *machine) ordered(plugin registry.PluginID) bool {
	for _, a := range m.orders {
		if a.PluginID == plugin {
			return true
		}
	}
	return false
}

func (m *machine) pending(plugin registry.PluginID) bool {
	for _, q := range m.r.Requests() {
		if q.PluginID == plugin {
			return true
		}
	}
	return false
}

// check is what holds after every step.
func (m *machine) check(t *rapid.T) {
	busy := map[registry.PluginID]int{}
	for _, a := range m.orders {
		if busy[a.PluginID]++; busy[a.PluginID] > 1 {
			t.Fatalf("%s does two things at once: %v", a.PluginID, m.orders)
		}
	}
	open := map[registry.PluginID]registry.Pending{}
	for _, q := range m.r.Requests() {
		if _, two := open[q.PluginID]; two {
			t.Fatalf("%s has two requests", q.PluginID)
		}
		open[q.PluginID] = q
	}
	counts := registry.Counts{Approvals: len(open)}
	for _, row := range m.r.Inventory() {
		counts.Plugins++
		if row.ActiveRun != nil {
			counts.Running++
		}
		m.checkRow(t, row, open[row.PluginID])
	}
	if m.r.Counts() != counts {
		t.Fatalf("%+v, want %+v", m.r.Counts(), counts)
	}
}

func (m *machine) checkRow(t *rapid.T, row registry.Row, q registry.Pending) {
	active := row.ActiveRun
	if active != nil && m.model.shown[row.PluginID] != active.PluginRunID {
		t.Fatalf("%s is active, shown is %q", active.PluginRunID, m.model.shown[row.PluginID])
	}
	if row.CurrentPackageID != m.model.current[row.PluginID] {
		t.Fatalf("current of %s became %q without success", row.PluginID, row.CurrentPackageID)
	}
	a := row.LatestRun
	if a == nil {
		return
	}
	m.checkIDs(t, a)
	live := active != nil && active.PluginRunID == a.PluginRunID
	switch a.Status {
	case registry.ClientPending, registry.Running, registry.Waiting:
		if !live {
			t.Fatalf("%s is %s and not active", a.PluginRunID, a.Status)
		}
	case registry.AwaitingApproval:
		if q.PluginRunID != a.PluginRunID || !q.RequiresApproval {
			t.Fatalf("%s awaits nobody", a.PluginRunID)
		}
	case registry.Rejected, registry.Cancelled, registry.Stopped:
		if live {
			t.Fatalf("%s is %s and active", a.PluginRunID, a.Status)
		}
	}
	if (a.ApprovalRequestID != "") != (q.PluginRunID == a.PluginRunID) || a.ApprovalRequestID != "" && a.ApprovalRequestID != q.RequestID {
		t.Fatalf("%s names the request %q, pending is %+v", a.PluginRunID, a.ApprovalRequestID, q)
	}
	if (a.Status == registry.Running || a.Status == registry.Waiting) && (a.Error != nil || row.CurrentPackageID != a.PackageID) {
		t.Fatalf("%+v runs, current is %s", a, row.CurrentPackageID)
	}
	if a.Status == registry.Failed && a.Error == nil {
		t.Fatalf("%s failed without a reason", a.PluginRunID)
	}
}

// checkIDs: the number of a run is the next one, or was seen before.
func (m *machine) checkIDs(t *rapid.T, a *registry.Attempt) {
	var n int
	if _, err := fmt.Sscanf(string(a.PluginRunID), "run-%d", &n); err != nil || n > m.model.runs+1 {
		t.Fatalf("%s, after %d runs", a.PluginRunID, m.model.runs)
	}
	m.model.runs = max(m.model.runs, n)
}
