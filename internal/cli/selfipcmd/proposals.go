package selfipcmd

import (
	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/selfip"
	"github.com/dshkit/dshkit/internal/selfip/proposal"
	"github.com/dshkit/dshkit/pkg/fault"
)

func newProposals(env *cli.Env) *cobra.Command {
	cmd := &cobra.Command{Use: "proposals"}
	cmd.AddCommand(newProposalsList(env), newProposalsShow(env), newDecision(env, "accept", true), newDecision(env, "reject", false))
	cmd.Args = cli.Subcommands
	cmd.RunE = func(*cobra.Command, []string) error { return runProposals(env, false) }
	return cmd
}

func newProposalsList(env *cli.Env) *cobra.Command {
	var all bool
	cmd := &cobra.Command{
		Use:  "list",
		Args: cli.ArgCount(0, 0),
		RunE: func(*cobra.Command, []string) error { return runProposals(env, all) },
	}
	cmd.Flags().BoolVarP(&all, "all", "a", false, "")
	return cli.Exits(cmd, fault.Damaged)
}

func runProposals(env *cli.Env, all bool) error {
	m, err := openMemory(env)
	if err != nil {
		return err
	}
	r, err := waitingProposals(m, all)
	if err != nil {
		return err
	}
	return env.Report(r)
}

// waitingProposals gathers what waits for the user's word; with all, what was
// decided too.
func waitingProposals(m *selfip.Memory, all bool) (r proposalsReport, err error) {
	if r.candidates, r.bad, err = m.Candidates(all); err != nil {
		return r, err
	}
	if r.all = all; all {
		r.decided, err = m.AllProposals()
		return r, err
	}
	r.waiting, err = m.Proposals()
	return r, err
}

// proposalsReport lists what waits for the user's word: proposals and
// candidates; with all, what was decided too.
type proposalsReport struct {
	waiting    []proposal.Proposal
	decided    []selfip.ProposalDetail
	candidates []selfip.Decided
	bad        int
	all        bool
}

// ProposalListJSON is what proposals list writes with --json.
type ProposalListJSON struct {
	Proposals  []ProposalJSON  `json:"proposals"`
	Candidates []CandidateJSON `json:"candidates"`
	Bad        int             `json:"bad"` // lines of the candidates file that cannot be read
}

// ProposalJSON is a proposal of a change to the way of working.
type ProposalJSON struct {
	ID      string `json:"id"`
	File    string `json:"file"` // in the folder proposals
	Summary string `json:"summary"`
	At      string `json:"at,omitempty"`
	Status  string `json:"status,omitempty"` // pending, accepted, rejected; only where decided ones are listed
	Note    string `json:"note,omitempty"`
}

// CandidateJSON is an entry that waits for the user's word, or did.
type CandidateJSON struct {
	ID         string         `json:"id"`
	At         string         `json:"at"`
	Status     string         `json:"status"` // waiting, accepted, rejected
	By         string         `json:"by"`     // tool, retro, sleep
	Session    string         `json:"session,omitempty"`
	Entry      EntryJSON      `json:"entry"`
	Replaces   []string       `json:"replaces"` // ids of entries
	Evidence   []selfip.Quote `json:"evidence"`
	Note       string         `json:"note,omitempty"`
	Quarantine bool           `json:"quarantine"` // it reads like an instruction: accepting puts it aside
	Replaced   []EntryJSON    `json:"replaced,omitempty"`
	Change     string         `json:"change,omitempty"` // id of the change, for undo
}

func candidateJSON(d selfip.Decided) CandidateJSON {
	out := CandidateJSON{
		ID: d.ID, At: d.Time, Status: string(d.Status), By: d.By, Session: d.Session, Entry: entryJSON(d.Entry),
		Replaces: d.Replaces, Evidence: d.Evidence, Note: d.Note, Quarantine: d.Aside, Change: d.Change,
	}
	if len(d.Replaced) > 0 {
		out.Replaced = entriesJSON(d.Replaced)
	}
	if out.Replaces == nil {
		out.Replaces = []string{}
	}
	if out.Evidence == nil {
		out.Evidence = []selfip.Quote{}
	}
	return out
}

func candidatesJSON(list []selfip.Decided) []CandidateJSON {
	out := make([]CandidateJSON, 0, len(list))
	for _, d := range list {
		out = append(out, candidateJSON(d))
	}
	return out
}

func proposalsJSON(list []proposal.Proposal) []ProposalJSON {
	out := make([]ProposalJSON, 0, len(list))
	for _, p := range list {
		out = append(out, ProposalJSON{ID: p.ID, File: p.File, Summary: p.Summary, At: p.At})
	}
	return out
}

func (r proposalsReport) JSON() any {
	out := ProposalListJSON{Proposals: []ProposalJSON{}, Candidates: candidatesJSON(r.candidates), Bad: r.bad}
	out.Proposals = append(out.Proposals, proposalsJSON(r.waiting)...)
	for _, p := range r.decided {
		out.Proposals = append(out.Proposals, ProposalJSON{p.ID, p.File, p.Summary, p.At, p.Status, p.Note})
	}
	return out
}

func (r proposalsReport) Text(w *cli.Writer) {
	if !r.all {
		w.Say("proposals-head", len(r.waiting))
	}
	for _, p := range r.waiting {
		w.Line(w.Dim(p.ID) + "  " + p.Summary)
	}
	for _, p := range r.decided {
		w.Line(w.Dim(p.ID) + "  " + w.Word("decided-", p.Status) + "  " + p.Summary)
	}
	if len(r.candidates) > 0 && !r.all {
		w.Say("candidates-head", len(r.candidates))
	}
	for _, d := range r.candidates {
		writeCandidate(w, d, r.all)
	}
	if r.bad > 0 {
		w.Say("candidates-bad", r.bad)
	}
	if r.all && len(r.decided)+len(r.candidates) == 0 {
		w.Say("proposals-head", 0)
	}
}

// writeCandidate shows a candidate on one line, and what it would replace.
func writeCandidate(w *cli.Writer, d selfip.Decided, status bool) {
	line := w.Dim(d.ID) + "  "
	if status {
		line += w.Word("decided-", string(d.Status)) + "  "
	}
	if d.Aside {
		w.Line(line + w.Phrase("candidate-aside"))
		return
	}
	w.Line(line + w.Word("kind-", string(d.Entry.Kind)) + "  " + d.Entry.Text)
	for _, id := range d.Replaces {
		w.Say("candidate-replaces", id)
	}
}

func newProposalsShow(env *cli.Env) *cobra.Command {
	cmd := &cobra.Command{
		Use:  "show [ID]",
		Args: cli.ArgCount(0, 1),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 && args[0] == "" {
				return fault.New(fault.NotFound, "no-proposal", args[0])
			}
			return runProposalsShow(env, first(args))
		},
	}
	return cli.Exits(cmd, fault.NotFound, fault.Damaged)
}

func runProposalsShow(env *cli.Env, id string) error {
	m, err := openMemory(env)
	if err != nil {
		return err
	}
	candidates, _, err := m.Candidates(true)
	if err != nil {
		return err
	}
	for _, d := range candidates {
		if d.ID == id {
			return env.Report(candidateReport{d})
		}
	}
	p, err := m.Proposal(id)
	if err != nil {
		return err
	}
	return env.Report(proposalReport{p})
}

type proposalReport struct{ selfip.ProposalDetail }

// ProposalDetailJSON is what proposals show writes with --json: a proposal with its
// text.
type ProposalDetailJSON struct {
	ProposalJSON
	DecidedAt string `json:"decidedAt,omitempty"`
	Text      string `json:"text"`
}

func (r proposalReport) JSON() any {
	return ProposalDetailJSON{
		ProposalJSON{r.ID, r.File, r.Summary, r.At, r.Status, r.Note}, r.DecidedAt, r.ProposalDetail.Text,
	}
}

func (r proposalReport) Text(w *cli.Writer) {
	w.Line(w.Dim(r.ID) + "  " + w.Word("decided-", r.Status))
	if r.Note != "" {
		w.Say("decided-note", r.Note)
	}
	w.Line(r.ProposalDetail.Text)
}

type candidateReport struct{ selfip.Decided }

func (r candidateReport) JSON() any { return candidateJSON(r.Decided) }

func (r candidateReport) Text(w *cli.Writer) {
	writeCandidate(w, r.Decided, true)
	w.Say("candidate-from", w.Word("by-", r.By), r.Time)
	if r.Note != "" {
		w.Say("decided-note", r.Note)
	}
	for _, q := range r.Evidence {
		w.Say("evidence", q.Record, w.Word("record-", q.Kind), q.Text)
	}
}
