package selfipcmd

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/selfip"
	"github.com/dshkit/dshkit/pkg/fault"
)

func newHypothesis(env *cli.Env) *cobra.Command {
	cmd := &cobra.Command{Use: "hypothesis"}
	list := &cobra.Command{Use: "list", Args: cli.ArgCount(0, 0), RunE: func(*cobra.Command, []string) error { return runHypotheses(env) }}
	cmd.AddCommand(list, newHypothesisDecision(env, "confirm", true), newHypothesisDecision(env, "refute", false))
	cmd.Args = cli.Subcommands
	cmd.RunE = list.RunE
	return cmd
}

func runHypotheses(env *cli.Env) error {
	m, err := openMemory(env)
	if err != nil {
		return err
	}
	all, err := m.Hypotheses()
	if err != nil {
		return err
	}
	return env.Report(hypothesesReport{all})
}

type hypothesesReport struct{ all []selfip.Hypothesis }

// HypothesisJSON is something worth checking.
type HypothesisJSON struct {
	ID       string   `json:"id"`
	State    string   `json:"state"` // open, confirmed, refuted
	Text     string   `json:"text"`
	Library  string   `json:"library"`
	By       string   `json:"by,omitempty"` // local, provider/model; a person's own has none
	Evidence []string `json:"evidence"`     // ids of entries
	At       string   `json:"at,omitempty"` // when it was decided
	Note     string   `json:"note,omitempty"`
}

func hypothesisJSON(h selfip.Hypothesis) HypothesisJSON {
	return HypothesisJSON{h.ID, string(h.State), h.Text, string(h.Library), h.By, orNone(h.Evidence), h.At, h.Note}
}

// HypothesisListJSON is what hypothesis list writes with --json.
type HypothesisListJSON struct {
	Hypotheses []HypothesisJSON `json:"hypotheses"`
}

func (r hypothesesReport) JSON() any {
	out := []HypothesisJSON{}
	for _, h := range r.all {
		out = append(out, hypothesisJSON(h))
	}
	return HypothesisListJSON{out}
}

func (r hypothesesReport) Text(w *cli.Writer) {
	if len(r.all) == 0 {
		w.Say("no-hypotheses")
	}
	for _, h := range r.all {
		w.Line(w.Dim(h.ID) + "  " + w.Phrase("hypothesis-"+string(h.State)) + "  " + h.Text)
		if h.Note != "" {
			w.Line("  " + h.Note)
		}
	}
}

func newHypothesisDecision(env *cli.Env, use string, holds bool) *cobra.Command {
	var note string
	cmd := &cobra.Command{
		Use:  use + " ID",
		Args: cli.ArgCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runHypothesisDecision(cmd.Context(), env, args[0], holds, note)
		},
	}
	cmd.Flags().StringVar(&note, "note", "", "")
	cli.DryRunFlag(env, cmd)
	return cli.Exits(cmd, fault.Refused, fault.NotFound, fault.Conflict, fault.Busy, fault.Damaged)
}

func runHypothesisDecision(ctx context.Context, env *cli.Env, id string, holds bool, note string) error {
	m, err := openMemory(env)
	if err != nil {
		return err
	}
	got, err := m.DecideHypothesis(ctx, id, holds, note, author(env))
	if err != nil {
		return err
	}
	return env.Report(hypothesisReport{got})
}

type hypothesisReport struct{ selfip.DecidedHypothesis }

// HypothesisDecidedJSON is what hypothesis confirm and refute write with --json.
type HypothesisDecidedJSON struct {
	OK         bool           `json:"ok"`
	Hypothesis HypothesisJSON `json:"hypothesis"`
	Stored     *EntryJSON     `json:"stored,omitempty"` // the fact that it became, or the entry that holds
	Withdrawn  []EntryJSON    `json:"withdrawn"`
	Change     string         `json:"change"` // id for undo
}

func (r hypothesisReport) JSON() any {
	out := HypothesisDecidedJSON{OK: true, Hypothesis: hypothesisJSON(r.Hypothesis), Withdrawn: entriesJSON(r.Withdrawn), Change: r.Change}
	if r.Stored != nil {
		stored := entryJSON(*r.Stored)
		out.Stored = &stored
	}
	return out
}

func (r hypothesisReport) Text(w *cli.Writer) {
	w.Say("hypothesis-decided", w.Phrase("hypothesis-"+string(r.State)), r.ID, r.Hypothesis.Text)
	if r.Stored != nil {
		w.Say("hypothesis-holds", w.Dim(r.Stored.ID), r.Stored.Text)
	}
	for _, e := range r.Withdrawn {
		w.Say("replaced", w.Dim(e.ID), e.Text)
	}
}
