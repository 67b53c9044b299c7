package selfip

import (
	"path"
	"strings"
	"time"

	"github.com/dshkit/dshkit/internal/selfip/block"
	"github.com/dshkit/dshkit/internal/selfip/catalog"
	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/internal/selfip/gate"
	"github.com/dshkit/dshkit/internal/selfip/handoff"
	"github.com/dshkit/dshkit/internal/selfip/playbook"
	"github.com/dshkit/dshkit/internal/selfip/proposal"
)

// Inject returns the text that a session is given to read. urls are addresses
// that the user named in this session and that are not stored yet.
func (m *Memory) Inject(o InjectOptions) block.Block {
	now := m.Now()
	in := block.Input{
		Now: now, Language: m.Settings.Language, Chars: m.Settings.InjectChars, Bytes: o.Bytes, Marks: o.Marks,
		Explain: o.Explain, Scope: m.ScopeName, GlobalPath: globalPath(m.Global),
		Session: m.sessionParts(now),
	}
	in.Session.URLs = o.URLs
	libs := m.readable()
	if len(libs) > 0 {
		in.Main = libs[0].shown(now)
	}
	if len(libs) > 1 {
		in.Second = libs[1].shown(now)
	}
	return block.Build(in)
}

// InjectOptions says for whom a block is.
type InjectOptions struct {
	Bytes   int  // the most the reader takes, in bytes; 0: no such limit
	Marks   bool // put our marks around it, for a harness that hands it back
	Explain bool // account for every entry, not only for the shown ones
	URLs    []string
}

func globalPath(lib *Library) string {
	if lib == nil {
		return ""
	}
	return lib.Root
}

// shown is a library as a block sees it. Lines are read when they are chosen.
func (l *Library) shown(now time.Time) *block.Library {
	v := l.live(now)
	v.save()
	part := func(i int) block.Partition { return newRowPartition(v, i, now) }
	return &block.Library{
		Name: string(l.Label), Lessons: part(0), Facts: part(1), Resources: part(2), Methods: part(3),
		Principles: l.gated(principlesFile), Hypotheses: l.gated(hypothesesFile),
	}
}

// gated reads a free text and passes it through the gate. A text that cannot be
// read is not shown.
func (l *Library) gated(name string) string {
	data, err := l.read(name)
	if err != nil || len(data) == 0 {
		return ""
	}
	return gate.Block(string(data)).Text
}

// rowPartition serves a partition from the rows of its catalog.
type rowPartition struct {
	view  *view
	rows  []catalog.Row
	items []block.Item
}

func newRowPartition(v *view, partition int, now time.Time) *rowPartition {
	all := v.rows(partition)
	p := &rowPartition{view: v, rows: make([]catalog.Row, 0, len(all)), items: make([]block.Item, 0, len(all))}
	for _, r := range all {
		if r.Has(catalog.Withdrawn) {
			continue
		}
		p.rows = append(p.rows, r)
		p.items = append(p.items, block.Item{
			Cost: r.Cost, Weight: r.Weight(now), Trust: r.Trust(), Expired: r.Expired(now), Blocked: r.Has(catalog.Blocked),
		})
	}
	return p
}

func (p *rowPartition) Items() []block.Item { return p.items }
func (p *rowPartition) Line(i int) string   { return safeLine(p.view.line(p.rows[i])) }

// safeLine is a line of memory as it may be shown: a person may have written a
// credential into the file by hand.
func safeLine(line string) string {
	e, ok := entry.ParseLine(line)
	if !ok {
		return ""
	}
	v := gate.Note(e.Text)
	if len(v.Redactions) == 0 {
		return line
	}
	e.Text = v.Text
	return e.String()
}

// sessionParts reads what concerns the sessions of the workspace.
func (m *Memory) sessionParts(now time.Time) block.Session {
	if m.Workspace == nil {
		return block.Session{}
	}
	l := m.Workspace
	return block.Session{
		Handoff: l.handoff(now), Proposals: l.proposals(), Playbooks: l.playbooks(), Prefetch: l.gated(prefetchFile),
	}
}

func (l *Library) handoff(now time.Time) handoff.Handoff {
	info, err := l.dir.Stat(handoffFile)
	if err != nil {
		return handoff.Handoff{}
	}
	data, err := l.read(handoffFile)
	if err != nil {
		return handoff.Handoff{}
	}
	h := handoff.Parse(data, time.Unix(0, info.ModTime).In(now.Location()))
	h.Text = gate.Block(h.Text).Text
	return h
}

// proposals lists what waits for the user's decision.
func (l *Library) proposals() []proposal.Proposal {
	names, err := l.dir.List(proposalDir)
	if err != nil || len(names) == 0 {
		return nil
	}
	status, err := l.read(path.Join(proposalDir, proposal.StatusFile))
	if err != nil {
		return nil
	}
	decisions, _ := proposal.ParseDecisions(status)
	var files []proposal.File
	for _, name := range names {
		if strings.HasPrefix(name, "proposal-") {
			data, _ := l.read(path.Join(proposalDir, name))
			files = append(files, proposal.File{Name: name, Data: data})
		}
	}
	list := proposal.Pending(files, decisions)
	for i := range list {
		list[i].Summary = safeSummary(list[i].Summary)
	}
	return list
}

// safeSummary is a summary as it may be shown: none, when it gives orders to its
// reader.
func safeSummary(s string) string {
	v := gate.Note(s)
	if v.Poison != nil {
		return ""
	}
	return v.Text
}

// playbooks reads the heads of the playbooks.
func (l *Library) playbooks() []playbook.Playbook {
	names, err := l.dir.List(playbookDir)
	if err != nil {
		return nil
	}
	var list []playbook.Playbook
	for _, name := range names {
		if !strings.HasSuffix(name, ".md") || len(list) == playbook.MaxConsidered {
			continue
		}
		if data, err := l.read(path.Join(playbookDir, name)); err == nil {
			list = append(list, playbook.Parse(name, data))
		}
	}
	return list
}
