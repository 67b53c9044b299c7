package selfip

import (
	"path"
	"slices"
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
		Session: m.sessionParts(now), RecallOnly: m.Learns() != nil,
	}
	if !in.RecallOnly {
		in.Session.URLs, in.FirstContact = o.URLs, o.FirstContact
	}
	libs := m.readable()
	for i, into := range []**block.Library{&in.Main, &in.Second} {
		if i < len(libs) {
			v := m.look(libs[i])
			defer v.close()
			*into = v.library(now)
		}
	}
	return block.Build(in)
}

// InjectOptions says for whom a block is.
type InjectOptions struct {
	Bytes   int  // the most the reader takes, in bytes; 0: no such limit
	Marks   bool // put our marks around it, for a harness that hands it back
	Explain bool // account for every entry, not only for the shown ones
	URLs    []string
	// FirstContact has an empty library say how to begin.
	FirstContact bool
}

func globalPath(lib *Library) string {
	if lib == nil {
		return ""
	}
	return lib.Root
}

// look reads the state of a library, keeps it for the next reader, and tells
// what could not be read.
func (m *Memory) look(l *Library) *view {
	v := l.live(m.Now())
	v.save()
	if m.Noticed != nil {
		for _, d := range v.damage() {
			m.Noticed(d)
		}
	}
	return v
}

// library returns a library as a block sees it. Lines are read when they are
// chosen.
func (v *view) library(now time.Time) *block.Library {
	parts := newRowPartitions(v, now)
	return &block.Library{
		Name: string(v.lib.Label), Lessons: parts[0], Facts: parts[1], Resources: parts[2], Methods: parts[3],
		Principles: v.lib.sheetText(principlesFile), Hypotheses: v.lib.sheetText(hypothesesFile),
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
	view   *view
	places []place
	items  []block.Item
	lines  map[int]string // that have been asked for
}

// place is where the line of an item stands.
type place struct {
	offset, size uint32
	source       uint8
	secret       bool
}

// newRowPartitions goes through the rows once: a session start costs next to
// nothing but this, so no row is kept that is not shown.
func newRowPartitions(v *view, now time.Time) [len(Partitions)]*rowPartition {
	var parts [len(Partitions)]*rowPartition
	begin := func() {
		for i, s := range v.catalog.Sources {
			parts[i] = &rowPartition{
				view: v, items: make([]block.Item, 0, s.Entries), places: make([]place, 0, s.Entries), lines: map[int]string{},
			}
		}
	}
	at := now.UnixMilli()
	v.each(begin, func(r catalog.Row) {
		if r.Has(catalog.Withdrawn) {
			return
		}
		p := parts[r.Source]
		p.places = append(p.places, place{uint32(r.Offset), uint32(r.Size), uint8(r.Source), r.Has(catalog.Secret)})
		weight, expired := r.Weigh(at)
		p.items = append(p.items, block.Item{
			Cost: r.Cost, Weight: weight, Trust: r.Trust(), Expired: expired, Blocked: r.Has(catalog.Blocked),
		})
	})
	return parts
}

func (p *rowPartition) Items() []block.Item { return p.items }

func (p *rowPartition) Line(i int) string {
	line, ok := p.lines[i]
	if !ok {
		at := p.places[i]
		row := catalog.Row{Source: int(at.source), Offset: int64(at.offset), Size: int(at.size)}
		var known bool
		line, known = p.view.glance(row)
		line = safeLine(line, known && !at.secret, p.view.lib.released)
		p.lines[i] = line
	}
	return line
}

// safeLine is a line of memory as it may be shown: a person may have written
// anything into the file by hand. Of one that has been judged, the text is known
// to be harmless, or the user has released it.
func safeLine(line string, judged bool, released func(text string) bool) string {
	e, ok := entry.ParseLine(line)
	if !ok {
		return ""
	}
	safe := gate.SafeMeta(e)
	if !judged {
		v := gate.Note(e.Text)
		if v.Poison != nil && !released(e.Text) {
			return ""
		}
		if v.Text != e.Text {
			safe.Text = v.Text
		}
	}
	if safe.String() == e.String() {
		return line
	}
	return safe.String()
}

// sessionParts reads what concerns the sessions of the workspace.
func (m *Memory) sessionParts(now time.Time) block.Session {
	if m.Workspace == nil {
		return block.Session{}
	}
	l := m.Workspace
	s := block.Session{
		Handoff: l.handoff(now), Proposals: l.proposals(), Playbooks: l.playbooks(), Prefetch: m.prefetch(),
	}
	s.Proposals = slices.DeleteFunc(s.Proposals, func(p proposal.Proposal) bool { return !isSafeName(p.ID) })
	s.Playbooks = slices.DeleteFunc(s.Playbooks, func(p playbook.Playbook) bool { return !isSafeName(p.File) })
	return s
}

// isSafeName reports whether the name of a file may be put before an agent: it
// gives no orders, hides nothing and holds no credential.
func isSafeName(name string) bool { return gate.SafeID(name) && !gate.Alters(name) }

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
	files := l.proposalFiles()
	if len(files) == 0 {
		return nil
	}
	status, err := l.read(path.Join(proposalDir, proposal.StatusFile))
	if err != nil {
		return nil
	}
	decisions, _ := proposal.ParseDecisions(status)
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
