package mnemoncmd

import (
	"context"
	"errors"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/mnemon"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

func newView(env *cli.Env) *cobra.Command {
	cmd := &cobra.Command{Use: "view"}
	show := newViewShow(env)
	cmd.AddCommand(show, newViewRoute(env), newViewAction(env))
	return cli.Group(cmd)
}

func newViewShow(env *cli.Env) *cobra.Command {
	var turn string
	cmd := &cobra.Command{
		Use:  "show",
		Args: cli.ArgCount(0, 0),
		RunE: func(*cobra.Command, []string) error {
			t, err := turnNamed(env, turn)
			if err != nil {
				return err
			}
			return env.Report(viewReport{t.View.Raw()})
		},
	}
	turnFlag(cmd, &turn)
	return cli.Exits(cmd, fault.NotFound, fault.Damaged)
}

func turnFlag(cmd *cobra.Command, turn *string) { cmd.Flags().StringVar(turn, "turn", "", "") }

// operation is what view route and view action were asked.
type operation struct {
	turn, id, input string
	authorize       bool
	timeout         time.Duration
}

func newViewRoute(env *cli.Env) *cobra.Command {
	var o operation
	cmd := &cobra.Command{
		Use:  "route ID",
		Args: cli.ArgCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.id = args[0]
			return runViewRoute(cmd.Context(), env, o)
		},
	}
	operationFlags(cmd, &o)
	return cli.Exits(cmd, fault.Refused, fault.NotFound, fault.Conflict, fault.Busy, fault.Plugin, fault.Timeout, fault.Damaged)
}

func operationFlags(cmd *cobra.Command, o *operation) {
	turnFlag(cmd, &o.turn)
	cmd.Flags().StringVarP(&o.input, "input", "i", "{}", "")
	timeoutFlag(cmd, &o.timeout)
}

func runViewRoute(ctx context.Context, env *cli.Env, o operation) error {
	t, input, err := prepare(env, o)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, o.timeout)
	defer cancel()
	evidence, err := t.Route(ctx, o.id, input)
	if err != nil {
		return err
	}
	return env.Report(evidenceReport{evidence})
}

// prepare finds the turn and reads the input, "-" from standard input.
func prepare(env *cli.Env, o operation) (*mnemon.Turn, any, error) {
	if err := checkTimeout(o.timeout); err != nil {
		return nil, nil, err
	}
	text, err := o.read(env)
	if err != nil {
		return nil, nil, err
	}
	input, err := jsonvalue.Parse(text)
	if err != nil {
		return nil, nil, fault.New(fault.Usage, "bad-input", err.Error())
	}
	t, err := turnNamed(env, o.turn)
	return t, input, err
}

// read returns the input as text. A standard input that stays silent is not
// waited for longer than plugins are.
func (o operation) read(env *cli.Env) ([]byte, error) {
	if o.input != "-" {
		return []byte(o.input), nil
	}
	text, err := io.ReadAll(io.LimitReader(cli.Timed(env.In, o.timeout), maxInput+1))
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, fault.New(fault.Timeout, "stdin-timeout")
	case err != nil:
		return nil, fault.New(fault.Failed, "no-stdin").Because(err)
	case len(text) > maxInput:
		return nil, fault.New(fault.Usage, "long-input", maxInput>>20)
	}
	return text, nil
}

// maxInput bounds, in bytes, what is read of standard input.
const maxInput = 16 << 20

func newViewAction(env *cli.Env) *cobra.Command {
	var o operation
	cmd := &cobra.Command{
		Use:  "action ID",
		Args: cli.ArgCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.id = args[0]
			return runViewAction(cmd.Context(), env, o)
		},
	}
	operationFlags(cmd, &o)
	cmd.Flags().BoolVar(&o.authorize, "authorize", false, "")
	return cli.Exits(cmd, fault.Refused, fault.NotFound, fault.Conflict, fault.Busy, fault.Plugin, fault.Timeout, fault.Pending, fault.Partial, fault.Damaged)
}

func runViewAction(ctx context.Context, env *cli.Env, o operation) error {
	t, input, err := prepare(env, o)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, o.timeout)
	defer cancel()
	receipt, err := t.Action(ctx, o.id, input, o.authorize)
	if err != nil {
		return err
	}
	return env.ReportWith(receiptReport{receipt}, completionFault(receipt))
}

// completionFault is why a write that has a Receipt is no success, nil when it
// is committed (design/product.md 4).
func completionFault(receipt *jsonvalue.Object) error {
	completion, _ := receipt.Text("completion")
	switch completion {
	case "committed":
		return nil
	case "accepted", "candidate":
		return fault.New(fault.Pending, "write-"+completion)
	case "failed":
		return fault.New(fault.Failed, "write-failed-receipt")
	}
	return fault.New(fault.Partial, "write-"+completion)
}
