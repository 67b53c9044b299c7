package selfipcmd

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/selfip/proposal"
	"github.com/dshkit/dshkit/pkg/fault"
)

func newProposals(env *cli.Env) *cobra.Command {
	cmd := &cobra.Command{Use: "proposals"}
	list := &cobra.Command{Use: "list", Args: cli.ArgCount(0, 0), RunE: func(*cobra.Command, []string) error { return runProposals(env) }}
	cmd.AddCommand(list, newDecision(env, "accept", true), newDecision(env, "reject", false))
	cmd.Args = cli.Subcommands
	cmd.RunE = list.RunE
	return cmd
}

func runProposals(env *cli.Env) error {
	m, err := openMemory(env)
	if err != nil {
		return err
	}
	waiting, err := m.Proposals()
	if err != nil {
		return err
	}
	return env.Report(proposalsReport{waiting})
}

type proposalsReport struct{ waiting []proposal.Proposal }

// ProposalJSON is a proposal that waits for the user's word.
type ProposalJSON struct {
	ID      string `json:"id"`
	File    string `json:"file"` // in the folder proposals
	Summary string `json:"summary"`
}

func (r proposalsReport) JSON() any {
	out := []ProposalJSON{}
	for _, p := range r.waiting {
		out = append(out, ProposalJSON{p.ID, p.File, p.Summary})
	}
	return map[string]any{"proposals": out}
}

func (r proposalsReport) Text(w *cli.Writer) {
	w.Say("proposals-head", len(r.waiting))
	for _, p := range r.waiting {
		w.Line(w.Dim(p.ID) + "  " + p.Summary)
	}
}

func newDecision(env *cli.Env, use string, accept bool) *cobra.Command {
	cmd := &cobra.Command{
		Use:  use + " [ID] [REASON...]",
		Args: cli.ArgCount(0, -1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 && args[0] == "" { // of a variable that is not set; it does not mean the latest
				return fault.New(fault.NotFound, "no-proposal", args[0])
			}
			id, reason := first(args), ""
			if len(args) > 1 {
				reason = strings.Join(args[1:], " ")
			}
			return runDecision(cmd.Context(), env, id, reason, accept)
		},
	}
	cli.DryRunFlag(env, cmd)
	return cli.Exits(cmd, fault.NotFound, fault.Busy, fault.Damaged)
}

func runDecision(ctx context.Context, env *cli.Env, id, reason string, accept bool) error {
	m, err := openMemory(env)
	if err != nil {
		return err
	}
	p, err := m.Decide(ctx, id, accept, reason)
	if err != nil {
		return err
	}
	return env.Report(decisionReport{p, accept})
}

type decisionReport struct {
	proposal.Proposal
	accepted bool
}

func (r decisionReport) JSON() any {
	return map[string]any{"ok": true, "id": r.ID, "accepted": r.accepted}
}

func (r decisionReport) Text(w *cli.Writer) {
	id := "proposal-rejected"
	if r.accepted {
		id = "proposal-accepted"
	}
	w.Say(id, r.ID, r.Summary)
}
