package mnemoncmd

import (
	"context"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/mnemon"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

func newInspect(env *cli.Env) *cobra.Command {
	var limit time.Duration
	cmd := &cobra.Command{Use: "inspect", Args: cli.ArgCount(0, 0), RunE: func(cmd *cobra.Command, _ []string) error {
		return within(cmd.Context(), env, limit, func(ctx context.Context, w *mnemon.Workspace) error {
			found, err := w.Inspect(ctx)
			if err != nil {
				return err
			}
			warn(env, found.Warnings)
			return env.Report(inspectReport{found})
		})
	}}
	timeoutFlag(cmd, &limit)
	return cli.Exits(cmd, fault.Refused, fault.Plugin, fault.Timeout, fault.Damaged)
}

// inspectReport is what the plugins of a workspace compile to.
type inspectReport struct{ mnemon.Inspection }

func (r inspectReport) JSON() any { return r.Report }

func (r inspectReport) Text(w *cli.Writer) {
	evaluation, _ := r.Report.Map("evaluation")
	state, _ := evaluation.Text("state")
	w.Say("inspect-state-" + state)
	selected, found := evaluation.Text("strategyInstanceKey")
	if found {
		w.Say("inspect-strategy", selected)
	}
	keys, _ := evaluation.Array("sourceInstanceKeys")
	for _, v := range keys {
		key, _ := jsonvalue.Text(v)
		w.Say("inspect-source", key)
	}
	each(evaluation, "diagnostics", func(o *jsonvalue.Object) {
		code, _ := o.Text("code")
		message, _ := o.Text("message")
		w.Say("view-diagnostic", code, message)
	})
	if found {
		return
	}
	switch len(r.Strategies) {
	case 0:
		w.Say("inspect-add-strategy")
	case 1: // it is another thing that is wrong
	default:
		w.Say("inspect-choose-strategy", strings.Join(r.Strategies, ", "))
	}
}
