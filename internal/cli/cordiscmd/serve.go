package cordiscmd

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/cordis"
	"github.com/dshkit/dshkit/internal/cordis/control"
	"github.com/dshkit/dshkit/internal/cordis/host"
	"github.com/dshkit/dshkit/pkg/fault"
	ptext "github.com/dshkit/dshkit/pkg/text"
)

// endTime is how long a host may take to undo all halves when it is asked to end.
const endTime = 45 * time.Second

func newServe(env *cli.Env) *cobra.Command {
	var (
		o        hostOptions
		detached bool
	)
	cmd := &cobra.Command{Use: "serve", Args: cli.ArgCount(0, 0), RunE: func(cmd *cobra.Command, _ []string) error {
		if err := o.check(); err != nil {
			return err
		}
		return runServe(cmd.Context(), env, o, detached)
	}}
	o.flags(cmd)
	cmd.Flags().BoolVar(&detached, "detached", false, "")
	_ = cmd.Flags().MarkHidden("detached") // for host start
	return cli.Exits(cmd, fault.Refused, fault.Conflict, fault.Busy, fault.Timeout)
}

// runServe is the host until it is asked to end, which is no failure.
func runServe(ctx context.Context, env *cli.Env, o hostOptions, detached bool) error {
	w, err := open(env)
	if err != nil {
		return err
	}
	cli.Patient(ctx, endTime)
	serve := cordis.ServeOptions{Trusted: o.trusted, Detached: detached, Idle: o.idle, Eval: o.eval}
	if !detached {
		serve.Line = func(l host.LogLine) { fmt.Fprintln(env.Err, ptext.Printable(l.String())) }
		serve.Ready = func(c control.Card) { env.Note("serving", w.Root(), c.PID) }
	}
	err = w.Serve(ctx, serve)
	if ctx.Err() != nil && err != nil && fault.KindOf(err) != fault.Conflict {
		return nil
	}
	return err
}
