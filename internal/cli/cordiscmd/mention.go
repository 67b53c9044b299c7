package cordiscmd

import (
	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/cordis/control"
	"github.com/dshkit/dshkit/pkg/fault"
)

func newMention(env *cli.Env) *cobra.Command {
	var (
		o    clientOptions
		text string
	)
	cmd := &cobra.Command{Use: "mention", Args: cli.ArgCount(0, 0), RunE: func(cmd *cobra.Command, _ []string) error {
		if text == "" {
			return fault.New(fault.Usage, "mention-no-text")
		}
		said := text
		if text == "-" {
			data, err := readInput(env, maxInput)
			if err != nil {
				return err
			}
			said = string(data)
		}
		var r control.MessagesResult
		raw, err := ask(cmd.Context(), env, o, "mention", func(session string) any { return control.MentionParams{Session: session, Texts: []string{said}} }, &r)
		if err != nil {
			return err
		}
		return env.Report(answer{raw, func(w *cli.Writer) {
			for _, m := range r.Messages {
				w.Line(m)
			}
		}})
	}}
	cmd.Flags().StringVar(&text, "text", "", "")
	sessionFlags(cmd, &o)
	return asks(cmd)
}
