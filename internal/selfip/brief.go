package selfip

import (
	"slices"

	"github.com/dshkit/dshkit/internal/selfip/catalog"
	"github.com/dshkit/dshkit/internal/selfip/contract"
	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/internal/selfip/gate"
	"github.com/dshkit/dshkit/internal/selfip/proposal"
	"github.com/dshkit/dshkit/pkg/text"
)

// brief is what a model is told of what is known: the newest entries of the
// libraries that are read (spec/selfip.md 29, W38), and what the session has
// brought before.
func (m *Memory) brief(a account) contract.Brief {
	var b contract.Brief
	for _, lib := range m.readable() {
		v := lib.live(m.Now())
		for p := range Partitions {
			b.Known = append(b.Known, v.newest(p, contract.MaxKnown)...)
		}
		v.close()
		if a.retros > 0 {
			b.Learned = append(b.Learned, lib.learnedIn(a.session.ID)...)
		}
	}
	if m.Workspace != nil {
		b.Waits = len(m.Workspace.proposals()) > 0
		b.Known = append(b.Known, m.rejected()...)
	}
	return b
}

// maxRejected is how many rejected proposals a model is told of.
const maxRejected = 5

// rejected tells of the proposals that the user rejected, where the lessons that
// tell of them are not read: proposals are the workspace's in every scope
// (spec/selfip.md 29, W26).
func (m *Memory) rejected() []string {
	if slices.Contains(m.readable(), m.Workspace) {
		return nil
	}
	data, err := m.Workspace.read(decisionsFile)
	if err != nil {
		return nil
	}
	all, _ := proposal.ParseDecisions(data) // a damaged file tells of nothing
	var out []string
	for _, d := range all {
		if d.Status() == proposal.Rejected {
			out = append(out, rejection(m.Settings.Language, d.Field("summary"), d.Field("note"), "", Author{}).Text)
		}
	}
	return out[max(0, len(out)-maxRejected):]
}

// newest returns the texts of the last live entries of a partition that fit, in
// the order of the file.
func (v *view) newest(partition, budget int) []string {
	var out []string
	rows := v.rows(partition)
	for _, r := range slices.Backward(rows) {
		if r.Has(catalog.Withdrawn) || r.Has(catalog.Blocked) {
			continue
		}
		e, safe := gate.Entry(v.entry(r))
		if safe.Poison != nil || e.Text == "" {
			continue
		}
		if budget -= text.Len(e.Text) + 3; budget < 0 {
			break
		}
		out = append(out, e.Text)
	}
	slices.Reverse(out)
	return out
}

// learnedIn returns the texts that retrospectives of a session have stored.
func (l *Library) learnedIn(session string) []string {
	rows, _, err := l.journal()
	if err != nil {
		return nil // the model may repeat itself; what is stored is stored once
	}
	var out []string
	for _, row := range rows {
		if row.Op != "retro" || row.Session != session {
			continue
		}
		for _, c := range row.Changes {
			if e, ok := entry.ParseLine(c.After); ok && c.Before == "" && c.File != decisionsFile {
				out = append(out, e.Text)
			}
		}
	}
	return out
}
