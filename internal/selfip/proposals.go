package selfip

import (
	"path"

	"github.com/dshkit/dshkit/internal/selfip/gate"
	"github.com/dshkit/dshkit/internal/selfip/proposal"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/text"
)

// ProposalDetail is a proposal with its text and what was decided.
type ProposalDetail struct {
	proposal.Proposal
	Text      string // through the gate
	Status    string
	DecidedAt string
	Note      string
}

// AllProposals lists the proposals of the workspace, the decided ones too, by
// name and so by time.
func (m *Memory) AllProposals() ([]ProposalDetail, error) {
	lib, err := m.workspace()
	if err != nil {
		return nil, err
	}
	status, err := lib.read(decisionsFile)
	if err != nil {
		return nil, err
	}
	decisions, err := proposal.ParseDecisions(status)
	if err != nil {
		return nil, err
	}
	var out []ProposalDetail
	for _, f := range lib.proposalFiles() {
		for _, p := range proposal.Pending([]proposal.File{f}, nil) { // all are, where nothing was decided
			p.Summary = safeSummary(p.Summary)
			one, _ := decisions.Get(p.ID)
			out = append(out, ProposalDetail{
				Proposal: p, Text: gate.Block(string(f.Data)).Text, Status: one.Status(),
				DecidedAt: text.OneLine(one.Field("decidedAt")), Note: text.OneLine(gate.Note(one.Field("note")).Text),
			})
		}
	}
	return out, nil
}

// Proposal returns a proposal with its text; id may be "latest" or empty for the
// last one that waits.
func (m *Memory) Proposal(id string) (ProposalDetail, error) {
	all, err := m.AllProposals()
	if err != nil {
		return ProposalDetail{}, err
	}
	var last *ProposalDetail
	for i, p := range all {
		if p.ID == id {
			return p, nil
		}
		if p.Status == proposal.Waiting {
			last = &all[i]
		}
	}
	if last != nil && (id == "" || id == latestProposal) {
		return *last, nil
	}
	if id == "" || id == latestProposal {
		return ProposalDetail{}, fault.New(fault.NotFound, codeNoProposals)
	}
	return ProposalDetail{}, fault.New(fault.NotFound, codeNoProposal, id)
}

// proposalFiles reads the files of the proposals folder that may be proposals.
func (l *Library) proposalFiles() (files []proposal.File) {
	names, err := l.dir.List(proposalDir)
	if err != nil {
		return nil
	}
	for _, name := range names {
		if proposal.IsFile(name) {
			data, _ := l.read(path.Join(proposalDir, name))
			files = append(files, proposal.File{Name: name, Data: data})
		}
	}
	return files
}

// decided lists the proposals that were decided, with their status.
func (l *Library) decided() (out []string) {
	data, _ := l.read(decisionsFile) // of a file that cannot be read nothing is known
	all, _ := proposal.ParseDecisions(data)
	for _, one := range all {
		if s := one.Status(); s != proposal.Waiting && isSafeName(one.ID) {
			out = append(out, one.ID+"="+text.OneLine(s))
		}
	}
	return out
}
