package registry_test

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/dshkit/dshkit/internal/cordis/registry"
)

// machine plays a host, its Sessions, users and pages at random: commands, reports
// in any order, late and stale ones, answers from pages that have no say. After
// each step it checks what must hold always (model_test.go).
type machine struct {
	*rapid.T
	r       *registry.Registry
	now     time.Time
	last    registry.Ticket
	open    map[registry.Ticket]asked // not answered yet
	answers map[registry.Ticket]registry.Answer
	orders  map[registry.RunID]registry.Action // not reported yet
	model   model
}

// asked is a command that waits for its answer.
type asked struct {
	kind   string
	plugin registry.PluginID
}

var (
	sessions = []registry.Session{me, me, other}
	modes    = []registry.Mode{registry.ModeRun, registry.ModeUpdate}
	pages    = []registry.PageID{"", "one", "two"}
)

func newMachine(t *rapid.T) *machine {
	return &machine{
		T: t, r: registry.New(registry.Limits{Packages: 5, Plugins: 4}), now: time.Unix(0, 0),
		open: map[registry.Ticket]asked{}, answers: map[registry.Ticket]registry.Answer{},
		orders: map[registry.RunID]registry.Action{}, model: newModel(),
	}
}

func pick[E any](t *rapid.T, name string, from []E) E { return rapid.SampledFrom(from).Draw(t, name) }

func (m *machine) plugin() registry.PluginID {
	ids := []registry.PluginID{"ghost-1"}
	for _, row := range m.r.Inventory() {
		ids = append(ids, row.PluginID, row.PluginID, row.PluginID)
	}
	return pick(m.T, "plugin", ids)
}

func (m *machine) pkg(plugin registry.PluginID) registry.PackageID {
	ids := []registry.PackageID{"pkg-404"}
	if row, found := m.r.Plugin(plugin); found {
		for _, k := range row.Packages {
			ids = append(ids, k.PackageID, k.PackageID)
		}
	}
	return pick(m.T, "package", ids)
}

// runID is a run that was, is or never will be.
func (m *machine) runID() registry.RunID {
	return registry.RunID(fmt.Sprintf("run-%d", rapid.IntRange(1, m.model.runs+1).Draw(m.T, "run")))
}

func (m *machine) request(plugin registry.PluginID) registry.RequestID {
	for _, q := range m.r.Requests() {
		if q.PluginID == plugin && rapid.IntRange(0, 5).Draw(m.T, "stale") > 0 {
			return q.RequestID
		}
	}
	return registry.RequestID(fmt.Sprintf("approval-%d", rapid.IntRange(1, m.model.requests+1).Draw(m.T, "request")))
}

// command gives a command a ticket and takes its decision.
func (m *machine) command(kind string, plugin registry.PluginID, f func(registry.Ticket) registry.Decision) registry.Ticket {
	m.last++
	t := m.last
	m.open[t] = asked{kind, plugin}
	before := m.snapshot()
	d := f(t)
	m.take(d)
	m.unchangedIfRefused(t, kind, before, d)
	return t
}

func (m *machine) snapshot() string {
	return encode(m.T, m.r.Inventory()) + encode(m.T, m.r.Requests()) + fmt.Sprint(m.r.Held())
}

// take carries out a decision, and checks its parts.
func (m *machine) take(d registry.Decision) {
	m.model.watch(m.T, d)
	for _, a := range d.Do {
		held, has := m.orders[a.RunID]
		switch {
		case a.Kind == registry.ActCancel && (!has || held.Kind != registry.ActStart):
			m.Fatalf("cancel of %s, which is not starting", a.RunID)
		case a.Kind != registry.ActCancel && has:
			m.Fatalf("%s is ordered twice", a.RunID)
		case a.Kind != registry.ActCancel:
			m.orders[a.RunID] = a
		}
	}
	for _, a := range d.Answers {
		if _, waits := m.open[a.Ticket]; !waits {
			m.Fatalf("ticket %d was answered twice", a.Ticket)
		}
		delete(m.open, a.Ticket)
		m.answers[a.Ticket] = a
	}
	if m.model.success {
		for _, row := range m.r.Inventory() {
			m.model.current[row.PluginID] = row.CurrentPackageID
		}
	}
}

// unchangedIfRefused: what is refused or does not count changes nothing.
func (m *machine) unchangedIfRefused(t registry.Ticket, kind, before string, d registry.Decision) {
	a, done := m.answers[t]
	refusal, _ := a.Err.(*registry.Refusal)
	accepted, isAnswer := a.Value.(registry.Accepted)
	failure := refusal != nil && refusal.Rule == registry.RuleCode && kind != "settle"
	changes := len(d.Events)+len(d.Do)+len(d.Notices) > 0
	switch {
	case !done, refusal == nil && (!isAnswer || accepted.Accepted), failure:
		return
	case kind == "settle" && changes: // a failure that was taken is told as a refusal too
		return
	case changes || m.snapshot() != before && kind != "settle":
		m.Fatalf("%s was refused (%v) and changed something:\n%s\n%s\n%+v", kind, a.Err, before, m.snapshot(), d)
	}
}

// report tells a report. One about a run that it does not fit changes nothing.
func (m *machine) report(fits bool, f func() registry.Decision) {
	before := m.snapshot()
	d := f()
	m.take(d)
	if !fits && (m.snapshot() != before || len(d.Events)+len(d.Do)+len(d.Notices)+len(d.Answers) > 0) {
		m.Fatalf("a stale report changed something: %+v", d)
	}
}

func (m *machine) actions() map[string]func(*rapid.T) {
	return map[string]func(*rapid.T){
		"define": m.define, "run": m.run, "run again": m.run, "page": m.pageRuns, "page again": m.pageRuns, "resolve": m.resolve, "settle": m.settle,
		"stop": m.stop, "report": m.reportOrder, "report again": m.reportOrder, "stale": m.staleReport, "live": m.liveReport, "lease": m.lease, "": m.check,
	}
}

// CR-A6, CR-A4, CR-A5: at most one physical run a Plugin, current only after full
// success, grants that survive, rejections that run nothing, stale reports that
// change nothing, ids that are not used again.
func TestMachine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := newMachine(t)
		t.Repeat(m.actions())
		m.end()
	})
}

// end lets everything come to rest, and removes it: nothing is left.
func (m *machine) end() {
	m.drain()
	if len(m.open) > 0 {
		m.Fatalf("never answered: %v", m.open)
	}
	for _, row := range m.r.Inventory() {
		m.command("undefine", row.PluginID, func(t registry.Ticket) registry.Decision {
			return m.r.Undefine(t, registry.StopCommand{Session: row.AgentID, PluginID: row.PluginID})
		})
	}
	m.drain()
	m.check(m.T)
	if left := fmt.Sprint(len(m.open), m.r.Held(), m.r.Inventory(), m.r.Requests(), len(m.model.shown)); left != "0 0 [] [] 0" {
		m.Fatalf("left over: %s", left)
	}
}

func (m *machine) drain() {
	for len(m.orders) > 0 {
		m.reportOrder(m.T)
	}
}
