package mnemoncmd

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/mnemon"
	"github.com/dshkit/dshkit/pkg/fault"
)

func newTurn(env *cli.Env) *cobra.Command {
	cmd := &cobra.Command{Use: "turn"}
	list := &cobra.Command{Use: "list", Args: cli.ArgCount(0, 0), RunE: func(*cobra.Command, []string) error { return runTurnList(env) }}
	cli.Exits(list, fault.Damaged)
	cmd.AddCommand(list, newTurnBegin(env), newTurnShow(env), newTurnEnd(env))
	cmd.Args = cli.Subcommands
	cmd.RunE = list.RunE
	return cmd
}

func runTurnList(env *cli.Env) error {
	w, err := open(env)
	if err != nil {
		return err
	}
	turns, broken, err := w.Turns()
	if err != nil {
		return err
	}
	for _, err := range broken {
		env.Warn("turn-unreadable", err)
	}
	return env.Report(turnsReport{turns})
}

func newTurnBegin(env *cli.Env) *cobra.Command {
	var o mnemon.BeginOptions
	var limit time.Duration
	var budget []string
	cmd := &cobra.Command{
		Use:  "begin",
		Args: cli.ArgCount(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if o.Budget, err = parseBudget(budget); err != nil {
				return err
			}
			if err := checkTimeout(limit); err != nil {
				return err
			}
			if err := checkTexts(o.Agent, o.Session, o.Scenario, o.StrategyTypeID); err != nil {
				return err
			}
			ctx, cancel := context.WithTimeout(cmd.Context(), limit)
			defer cancel()
			return runTurnBegin(ctx, env, o)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&o.ID, "turn", "", "")
	flags.StringVar(&o.Agent, "agent", "", "")
	flags.StringVar(&o.Session, "session", "", "")
	flags.StringVar(&o.Scenario, "scenario", mnemon.DefaultScenario, "")
	flags.StringVar(&o.StrategyTypeID, "strategy", "", "")
	flags.StringArrayVar(&budget, "budget", nil, "")
	timeoutFlag(cmd, &limit)
	cli.FlagWords(cmd, "budget", mnemon.BudgetKeys()...)
	return cli.Exits(cmd, fault.Refused, fault.Conflict, fault.Busy, fault.Plugin, fault.Timeout, fault.Damaged)
}

// parseBudget reads KEY=NUMBER.
func parseBudget(pairs []string) (map[string]int, error) {
	members := map[string]int{}
	for _, pair := range pairs {
		key, value, _ := strings.Cut(pair, "=")
		n, err := strconv.Atoi(value)
		if err != nil || n < 1 || !slices.Contains(mnemon.BudgetKeys(), key) {
			return nil, fault.New(fault.Usage, "bad-budget", pair, strings.Join(mnemon.BudgetKeys(), ", "))
		}
		members[key] = n
	}
	return members, nil
}

func runTurnBegin(ctx context.Context, env *cli.Env, o mnemon.BeginOptions) error {
	w, err := open(env)
	if err != nil {
		return err
	}
	begun, err := w.Begin(ctx, o)
	if err != nil {
		return err
	}
	warn(env, begun.Warnings)
	return env.Report(turnReport{begun.Turn})
}

func newTurnShow(env *cli.Env) *cobra.Command {
	cmd := &cobra.Command{
		Use:  "show [TURN]",
		Args: cli.ArgCount(0, 1),
		RunE: func(_ *cobra.Command, args []string) error {
			t, err := turnNamed(env, first(args))
			if err != nil {
				return err
			}
			return env.Report(turnReport{t})
		},
	}
	return cli.Exits(cmd, fault.NotFound, fault.Damaged)
}

func newTurnEnd(env *cli.Env) *cobra.Command {
	cmd := &cobra.Command{
		Use:  "end [TURN]",
		Args: cli.ArgCount(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			t, err := turnNamed(env, first(args))
			if err != nil {
				return err
			}
			open, err := t.End(cmd.Context())
			if err != nil {
				return err
			}
			return env.Report(endReport{t.ID, open})
		},
	}
	return cli.Exits(cmd, fault.NotFound, fault.Busy, fault.Damaged)
}

// turnNamed returns the turn that a user names, or the open one begun last.
func turnNamed(env *cli.Env, id string) (*mnemon.Turn, error) {
	w, err := open(env)
	if err != nil {
		return nil, err
	}
	return w.Turn(id)
}

func first(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return args[0]
}

// firstLines returns the beginning of what a program printed, where npm says what
// is wrong.
func firstLines(out string) string {
	lines := strings.Split(strings.TrimSpace(out), "\n")
	return strings.Join(lines[:min(len(lines), 3)], "; ")
}
