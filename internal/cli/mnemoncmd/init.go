package mnemoncmd

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/mnemon"
	"github.com/dshkit/dshkit/pkg/fault"
)

func newInit(env *cli.Env) *cobra.Command {
	cmd := &cobra.Command{
		Use:  "init",
		Args: cli.ArgCount(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error { return runInit(cmd.Context(), env) },
	}
	cli.DryRunFlag(env, cmd)
	return cli.Exits(cmd, fault.Refused, fault.Busy)
}

func runInit(ctx context.Context, env *cli.Env) error {
	w, err := open(env)
	if err != nil {
		return err
	}
	report, err := w.Init(ctx)
	if err != nil {
		return err
	}
	return env.Report(initReport{report})
}

type initReport struct{ mnemon.InitReport }

// InitJSON is what init --json writes.
type InitJSON struct {
	Folder string   `json:"folder"`
	Made   []string `json:"made"` // files that were not there before
}

func (r initReport) JSON() any { return InitJSON{r.Folder, r.Made} }

func (r initReport) Text(w *cli.Writer) {
	if len(r.Made) == 0 {
		w.Say("init-there", r.Folder)
		return
	}
	w.Say("init-made", r.Folder, strings.Join(r.Made, ", "))
}
