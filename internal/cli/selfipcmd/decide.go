package selfipcmd

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/selfip"
	"github.com/dshkit/dshkit/internal/selfip/proposal"
	"github.com/dshkit/dshkit/pkg/fault"
)

// decisionOptions is what is decided, how, and why.
type decisionOptions struct {
	words  []string // ids, then the reason
	note   string
	all    bool
	accept bool
}

func newDecision(env *cli.Env, use string, accept bool) *cobra.Command {
	opts := decisionOptions{accept: accept}
	cmd := &cobra.Command{
		Use:  use + " [ID...] [REASON...]",
		Args: cli.ArgCount(0, -1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 && args[0] == "" { // of a variable that is not set; it does not mean the latest
				return fault.New(fault.NotFound, "no-proposal", args[0])
			}
			opts.words = args
			return runDecision(cmd.Context(), env, opts)
		},
	}
	cmd.Flags().BoolVarP(&opts.all, "all", "a", false, "")
	cmd.Flags().StringVar(&opts.note, "note", "", "")
	cli.DryRunFlag(env, cmd)
	return cli.Exits(cmd, fault.NotFound, fault.Refused, fault.Busy, fault.Damaged)
}

func runDecision(ctx context.Context, env *cli.Env, opts decisionOptions) error {
	m, err := openMemory(env)
	if err != nil {
		return err
	}
	waiting, _, err := m.Candidates(opts.accept) // one that was rejected can be accepted after all
	if err != nil {
		return err
	}
	r := decisionReport{accepted: opts.accept, by: author(env)}
	ids, reason := opts.chosen(waiting)
	if len(ids) > 0 {
		if r.candidates, err = m.DecideCandidates(ctx, ids, opts.accept, reason, r.by); err != nil {
			return err
		}
	}
	if err := r.proposals(ctx, m, opts, len(ids), reason); err != nil {
		return err
	}
	return env.Report(r)
}

// chosen splits the words into ids of candidates and a reason, which begins with
// the first word that is none.
func (o decisionOptions) chosen(known []selfip.Decided) (ids []string, reason string) {
	if o.all {
		for _, d := range known {
			if d.Status == selfip.Waiting {
				ids = append(ids, d.ID)
			}
		}
		return ids, strings.Join(append(o.words, nonEmpty(o.note)...), " ")
	}
	rest := o.words
	for len(rest) > 0 && slices.ContainsFunc(known, func(d selfip.Decided) bool { return d.ID == rest[0] }) {
		ids, rest = append(ids, rest[0]), rest[1:]
	}
	if len(ids) == 0 && len(rest) > 0 {
		rest = rest[1:] // the id of a proposal
	}
	return ids, strings.Join(append(slices.Clone(rest), nonEmpty(o.note)...), " ")
}

func nonEmpty(s string) []string {
	if s == "" {
		return nil
	}
	return []string{s}
}

// proposals decides on the proposals that are meant: that of the id, or with all
// each that waits.
func (r *decisionReport) proposals(ctx context.Context, m *selfip.Memory, opts decisionOptions, candidates int, reason string) error {
	ids := []string{first(opts.words)}
	if opts.all {
		waiting, err := m.Proposals()
		if err != nil {
			return err
		}
		ids = nil
		for _, p := range waiting {
			ids = append(ids, p.ID)
		}
	} else if candidates > 0 {
		return nil
	}
	for _, id := range ids {
		p, err := m.Decide(ctx, id, opts.accept, reason, r.by)
		if err != nil {
			return err
		}
		r.decided = append(r.decided, p)
	}
	return nil
}

type decisionReport struct {
	by         selfip.Author
	decided    []proposal.Proposal
	candidates []selfip.Decided
	accepted   bool
}

// DecisionJSON is what proposals accept and reject write with --json.
type DecisionJSON struct {
	Accepted   bool            `json:"accepted"`
	ID         string          `json:"id,omitempty"` // of the only thing that was decided
	OK         bool            `json:"ok"`
	IDs        []string        `json:"ids,omitempty"` // of all, when they are not one
	Candidates []CandidateJSON `json:"candidates,omitempty"`
}

func (r decisionReport) JSON() any {
	out := DecisionJSON{Accepted: r.accepted, OK: true}
	for _, p := range r.decided {
		out.IDs = append(out.IDs, p.ID)
	}
	for _, d := range r.candidates {
		out.IDs = append(out.IDs, d.ID)
		out.Candidates = append(out.Candidates, candidateJSON(d))
	}
	if len(out.IDs) == 1 {
		out.ID, out.IDs = out.IDs[0], nil
	}
	return out
}

func (r decisionReport) Text(w *cli.Writer) {
	id := "proposal-rejected"
	if r.accepted {
		id = "proposal-accepted"
	}
	for _, p := range r.decided {
		w.Say(id, p.ID, p.Summary)
	}
	for _, d := range r.candidates {
		switch {
		case d.Aside:
			w.Say("candidate-put-aside", d.ID)
			continue
		case d.Status == selfip.Accepted:
			w.Say("remembered", d.ID, w.Phrase("kind-in-library", w.Word("kind-", string(d.Entry.Kind)), w.Phrase("library-"+string(d.Library))), d.Entry.Text)
		default:
			w.Say("proposal-rejected", d.ID, d.Entry.Text)
		}
		for _, e := range d.Replaced {
			w.Say("replaced", e.ID, e.Text)
		}
	}
	if len(r.decided)+len(r.candidates) == 0 {
		w.Say("proposals-head", 0)
	}
	if len(r.candidates) > 0 {
		w.Say("take-back", r.candidates[0].Change)
	}
}
