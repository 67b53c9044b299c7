package cordiscmd

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/cordis/control"
	"github.com/dshkit/dshkit/internal/cordis/host"
	"github.com/dshkit/dshkit/pkg/fault"
)

type feedbackOptions struct {
	clientOptions
	wait         time.Duration
	kind, format string
	keep         bool
}

func newFeedback(env *cli.Env) *cobra.Command {
	var o feedbackOptions
	cmd := &cobra.Command{Use: "feedback", Args: cli.ArgCount(0, 0), RunE: func(cmd *cobra.Command, _ []string) error {
		switch {
		case o.kind != "" && o.kind != "steer" && o.kind != "context":
			return fault.New(fault.Usage, "bad-kind", o.kind)
		case o.format != "" && o.format != "json" && o.format != "text":
			return fault.New(fault.Usage, "bad-format", o.format)
		case o.wait < 0:
			return fault.New(fault.Usage, "bad-timeout", o.wait.String())
		}
		return runFeedback(cmd.Context(), env, o)
	}}
	flags := cmd.Flags()
	flags.DurationVar(&o.wait, "wait", 0, "")
	flags.StringVar(&o.kind, "kind", "", "")
	flags.BoolVar(&o.keep, "keep", false, "")
	flags.StringVar(&o.format, "format", "", "")
	cli.FlagWords(cmd, "kind", "steer", "context")
	cli.FlagWords(cmd, "format", "json", "text")
	sessionFlags(cmd, &o.clientOptions)
	return asks(cmd)
}

func runFeedback(ctx context.Context, env *cli.Env, o feedbackOptions) error {
	if o.format != "" {
		env.Flags.JSON = o.format == "json"
	}
	o.timeout += o.wait
	var r control.FeedbackResult
	raw, err := ask(ctx, env, o.clientOptions, "feedback", func(session string) any {
		return control.FeedbackParams{Session: session, Kind: o.kind, Keep: o.keep, WaitMS: o.wait.Milliseconds()}
	}, &r)
	if err != nil {
		return err
	}
	return env.Report(answer{raw, func(w *cli.Writer) { writeFeedback(w, r.Messages) }})
}

func writeFeedback(w *cli.Writer, list []host.Message) {
	if len(list) == 0 {
		w.Say("feedback-none")
		return
	}
	for i, m := range list {
		if i > 0 {
			w.Line("")
		}
		w.Say("feedback-head", m.Seq, w.Bold(string(m.Topic)), string(m.Kind), m.At.Format(time.TimeOnly))
		w.Line(m.Text)
	}
}
