package selfip

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"strings"

	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/internal/selfip/gate"
	"github.com/dshkit/dshkit/internal/selfip/phrase"
	"github.com/dshkit/dshkit/internal/selfip/playbook"
	"github.com/dshkit/dshkit/internal/selfip/proposal"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/filestore"
	"github.com/dshkit/dshkit/pkg/text"
)

// latestProposal names the last proposal that waits (spec/selfip.md 26.1).
const latestProposal = "latest"

// noteLength bounds the reason of a decision, in UTF-16 code units.
const noteLength = 300

// Proposals lists the proposals of the workspace that wait for the user's word.
func (m *Memory) Proposals() ([]proposal.Proposal, error) {
	lib, err := m.workspace()
	if err != nil {
		return nil, err
	}
	return lib.proposals(), nil
}

// Decide accepts or rejects a waiting proposal; id may be "latest" or empty for
// the last one. Accepting changes its state alone. A rejection is remembered as
// a lesson with its reason, so that the like is not proposed again.
func (m *Memory) Decide(ctx context.Context, id string, accept bool, note string, by Author) (proposal.Proposal, error) {
	lib, err := m.workspace()
	if err != nil {
		return proposal.Proposal{}, err
	}
	note = text.Head(gate.Note(note).Text, noteLength)
	var chosen proposal.Proposal
	_, err = lib.update(ctx, m, "decide", by, func(c *change) error {
		if chosen, err = choose(lib.proposals(), id); err != nil {
			return err
		}
		if _, err := c.readDecisions(); err != nil {
			return err // better now than when half of the change is written
		}
		status := proposal.Rejected
		if accept {
			status = proposal.Accepted
		}
		c.decide(chosen, proposal.Waiting, status, note)
		if !accept {
			c.store(rejection(m.Settings.Language, chosen.ID, note, entry.Stamp(c.now), by))
		}
		return nil
	})
	return chosen, err
}

func choose(waiting []proposal.Proposal, id string) (proposal.Proposal, error) {
	if len(waiting) > 0 && (id == "" || id == latestProposal) {
		return waiting[len(waiting)-1], nil
	}
	for _, p := range waiting {
		if p.ID == id {
			return p, nil
		}
	}
	if len(waiting) == 0 {
		return proposal.Proposal{}, fault.New(fault.NotFound, codeNoProposals)
	}
	return proposal.Proposal{}, fault.New(fault.NotFound, codeNoProposal, id)
}

// decisionsFile holds what became of each proposal.
const decisionsFile = proposalDir + "/" + proposal.StatusFile

// decision is a proposal that this change gives another status.
type decision struct {
	proposal     proposal.Proposal
	status, note string
}

func (c *change) decide(p proposal.Proposal, before, status, note string) {
	c.decisions = append(c.decisions, decision{p, status, note})
	c.log = append(c.log, JournalChange{File: decisionsFile, Entry: p.ID, Before: before, After: status})
}

// undecide takes back what a change decided.
func (c *change) undecide(j JournalChange) error {
	all, err := c.readDecisions()
	if err != nil {
		return err
	}
	if one, _ := all.Get(j.Entry); one.Status() != j.After {
		return fault.New(fault.Conflict, codeUndoConflict, j.Entry)
	}
	c.decide(proposal.Proposal{ID: j.Entry}, j.After, cmp.Or(j.Before, proposal.Withdrawn), "")
	return nil
}

func (c *change) readDecisions() (proposal.Decisions, error) {
	data, err := c.tx.Read(decisionsFile)
	if ignoreMissing(err) != nil {
		return nil, err
	}
	return proposal.ParseDecisions(data)
}

// writeDecisions brings what was decided to disk.
func (c *change) writeDecisions() error {
	if len(c.decisions) == 0 {
		return nil
	}
	all, err := c.readDecisions()
	if err != nil {
		return err
	}
	stamp := entry.Stamp(c.now)
	for _, d := range c.decisions {
		one, known := all.Get(d.proposal.ID)
		if !known {
			one = proposal.Decision{ID: d.proposal.ID}.With("status", d.status).With("at", stamp).With("summary", d.proposal.Summary)
		}
		one = one.With("status", d.status)
		switch {
		case d.status != proposal.Waiting:
			one = one.With("decidedAt", stamp)
		case one.Field("decidedAt") != "":
			one = one.With("decidedAt", "")
		}
		if d.note != "" {
			one = one.With("note", d.note)
		}
		all = all.With(one)
	}
	return c.tx.Replace(decisionsFile, all.Format())
}

// rejection is the lesson of a proposal that the user did not want. An agent may
// tell of it, but it is the user who decides (spec/selfip.md 26.1).
func rejection(language, id, note, stamp string, by Author) entry.Entry {
	ph := phrase.For(language).Proposal
	said := fmt.Sprintf(ph.Rejected, id)
	if note != "" {
		said = fmt.Sprintf(ph.RejectedBecause, id, note)
	}
	return entry.Entry{Stamp: stamp, Kind: entry.Lesson, Text: said}.With("src", "user").With("origin", by.Origin)
}

// Playbooks lists the playbooks of the workspace, best first.
func (m *Memory) Playbooks() ([]playbook.Playbook, error) {
	lib, err := m.workspace()
	if err != nil {
		return nil, err
	}
	return playbook.Order(lib.playbooks(), m.Now()), nil
}

// UsePlaybook records how the use of a playbook went. It is named by its file
// or by its slug, in any script (spec/selfip.md 29, W30).
func (m *Memory) UsePlaybook(ctx context.Context, name string, well bool) (playbook.Playbook, error) {
	lib, err := m.workspace()
	if err != nil {
		return playbook.Playbook{}, err
	}
	if err := m.Learns(); err != nil {
		return playbook.Playbook{}, err
	}
	var used playbook.Playbook
	err = lib.dir.With(ctx, func(tx *filestore.Tx) error {
		p, err := lib.findPlaybook(name)
		if err != nil {
			return err
		}
		used = p.Used(well, m.Now())
		return tx.Replace(path.Join(playbookDir, used.File), used.Format())
	})
	if err == nil {
		_, err = m.SyncSkills(ctx)
	}
	return used, err
}

// Playbook returns a playbook and its steps, as an agent may read them.
func (m *Memory) Playbook(name string) (playbook.Playbook, string, error) {
	lib, err := m.workspace()
	if err != nil {
		return playbook.Playbook{}, "", err
	}
	p, err := lib.findPlaybook(name)
	return p, gate.Block(p.Body).Text, err
}

func (l *Library) findPlaybook(name string) (playbook.Playbook, error) {
	name = strings.TrimSuffix(strings.TrimSpace(name), ".md")
	names, err := l.dir.List(playbookDir)
	if err != nil {
		return playbook.Playbook{}, err
	}
	for _, file := range names {
		if !strings.HasSuffix(file, ".md") {
			continue
		}
		data, err := l.read(path.Join(playbookDir, file))
		if err != nil {
			return playbook.Playbook{}, err
		}
		p := playbook.Parse(file, data)
		if strings.EqualFold(p.Name(), name) || strings.EqualFold(p.Slug, name) {
			return p, nil
		}
	}
	return playbook.Playbook{}, fault.New(fault.NotFound, codeNoPlaybook, name)
}
