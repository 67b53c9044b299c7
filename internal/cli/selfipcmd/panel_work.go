package selfipcmd

import (
	"slices"
	"strconv"

	"github.com/dshkit/dshkit/internal/selfip"
)

// spending is today's tokens of the workspace, none where there is none.
func (p *panelPage) spending() selfip.Cost {
	m := p.visit.memory
	if m.Workspace == nil {
		return selfip.Cost{}
	}
	st, _ := m.Workspace.State() // of a file that cannot be understood nothing is told
	return m.Spending(st).Cost
}

func (p *panelPage) work() {
	s, cost := p.state, p.spending()
	slept := p.words("panel-never")
	if s.SleptAt != nil {
		slept = p.minute(*s.SleptAt)
	}
	p.card("status", p.words("panel-status"), func() {
		p.facts(
			"panel-queue", strconv.Itoa(s.Pending),
			"panel-tokens", strconv.Itoa(cost.Spent),
			"panel-calls", p.words("panel-call-counts", cost.ByKind[selfip.SessionRetro].Calls, cost.ByKind[selfip.SleepCall].Calls),
			"panel-slept", slept,
			"panel-global-entries", strconv.Itoa(s.GlobalEntries),
			"panel-handoff", s.Handoff,
		)
	})
}

// health is what a report tells beside the cards: counters and failures.
func (p *panelPage) health() {
	if p.status == nil {
		return
	}
	p.card("health", p.words("panel-health"), func() {
		for _, store := range append(slices.Clone(p.status.Stores), p.status.GlobalLibraries...) {
			p.Leaf("h3", store.Dir)
			p.facts(
				"panel-count-withdrawn", strconv.Itoa(store.Withdrawn), "panel-count-archived", strconv.Itoa(store.Archived),
				"panel-count-expired", strconv.Itoa(store.Expired), "panel-count-blocked", strconv.Itoa(store.InjectionBlocked),
				"panel-count-aside", strconv.Itoa(store.Quarantined), "panel-count-dead", count(store.PendingDead),
				"panel-count-evicted", count(store.EvictedEntries), "panel-count-fallback", count(store.FallbackParses),
				"panel-count-truncated", count(store.RetroTruncated), "panel-count-aborted", count(store.RetroAborted),
				"panel-count-rejected", count(store.CompactRejected), "panel-count-retros", count(store.RetrosRun),
			)
			for _, damage := range store.Damage {
				p.Leaf("p", damage, "class", "mark")
			}
		}
		p.failures()
	})
}

func count(n int64) string { return strconv.FormatInt(n, 10) }

func (p *panelPage) failures() {
	if len(p.status.Failures)+len(p.status.ReadErrors) == 0 {
		return
	}
	p.Leaf("h3", p.words("panel-failures"))
	p.In("ul", attributes("class", "rows"), func() {
		for _, f := range p.status.Failures {
			p.Leaf("li", p.minute(f.Time)+"  "+f.Where+"  "+f.Error)
		}
		for _, s := range p.status.ReadErrors {
			p.Leaf("li", s)
		}
	})
}
