package mnemoncmd

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/mnemon"
	"github.com/dshkit/dshkit/pkg/fault"
)

func newStrategy(env *cli.Env) *cobra.Command {
	cmd := &cobra.Command{Use: "strategy"}
	list := newStrategyList(env)
	cmd.AddCommand(list, newStrategyUse(env))
	cmd.Args = cli.Subcommands
	cmd.RunE = list.RunE
	return cmd
}

func newStrategyList(env *cli.Env) *cobra.Command {
	var limit time.Duration
	cmd := &cobra.Command{Use: "list", Args: cli.ArgCount(0, 0), RunE: func(cmd *cobra.Command, _ []string) error {
		return within(cmd.Context(), env, limit, func(ctx context.Context, w *mnemon.Workspace) error {
			found, err := w.Strategies(ctx)
			if err != nil {
				return err
			}
			warn(env, found.Warnings)
			return env.Report(strategiesReport{found})
		})
	}}
	timeoutFlag(cmd, &limit)
	return cli.Exits(cmd, fault.Refused, fault.Plugin, fault.Timeout, fault.Damaged)
}

func newStrategyUse(env *cli.Env) *cobra.Command {
	cmd := &cobra.Command{Use: "use TYPE", Args: cli.ArgCount(1, 1), RunE: func(cmd *cobra.Command, args []string) error {
		if err := checkTexts(args...); err != nil {
			return err
		}
		w, err := open(env)
		if err != nil {
			return err
		}
		if err := w.UseStrategy(cmd.Context(), args[0]); err != nil {
			return err
		}
		return env.Report(chosenReport{args[0]})
	}}
	cli.DryRunFlag(env, cmd)
	return cli.Exits(cmd, fault.Busy, fault.Damaged)
}

type strategiesReport struct{ mnemon.Strategies }

// StrategyJSON is an installed Strategy.
type StrategyJSON struct {
	TypeID      string   `json:"typeId"`
	InstanceKey string   `json:"instanceKey"`
	Slots       []string `json:"slots"`    // that extensions can fill
	Selected    bool     `json:"selected"` // composes the next turn
}

// StrategyListJSON is what strategy list writes with --json.
type StrategyListJSON struct {
	Strategies []StrategyJSON `json:"strategies"`
	Chosen     string         `json:"chosen,omitempty"` // by strategy use
}

func (r strategiesReport) JSON() any {
	out := StrategyListJSON{[]StrategyJSON{}, r.Chosen}
	for _, s := range r.All {
		out.Strategies = append(out.Strategies, StrategyJSON{s.TypeID, s.InstanceKey, s.Slots, s.Selected})
	}
	return out
}

func (r strategiesReport) Text(w *cli.Writer) {
	if len(r.All) == 0 {
		w.Say("strategies-none")
	}
	for _, s := range r.All {
		if s.Selected {
			w.Say("strategy-selected-row", s.TypeID, s.InstanceKey)
			continue
		}
		w.Say("strategy-row", s.TypeID, s.InstanceKey)
	}
}

type chosenReport struct{ typeID string }

// ChosenJSON is what strategy use writes with --json.
type ChosenJSON struct {
	Chosen string `json:"chosen"`
}

func (r chosenReport) JSON() any { return ChosenJSON{r.typeID} }

func (r chosenReport) Text(w *cli.Writer) { w.Say("strategy-chosen", r.typeID) }
