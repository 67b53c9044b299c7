package cordiscmd

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/cordis/control"
)

func newPrompt(env *cli.Env) *cobra.Command {
	var o clientOptions
	cmd := &cobra.Command{Use: "prompt", Args: cli.ArgCount(0, 0), RunE: func(cmd *cobra.Command, _ []string) error {
		return runPrompt(cmd.Context(), env, o)
	}}
	hostFlags(cmd, &o)
	return asks(cmd)
}

// runPrompt writes nothing else to standard output, for it goes into a prompt.
func runPrompt(ctx context.Context, env *cli.Env, o clientOptions) error {
	var r control.PromptResult
	raw, err := ask(ctx, env, o, "prompt", func(string) any { return nil }, &r)
	if err != nil {
		return err
	}
	for _, piece := range r.Skipped {
		env.Warn("prompt-skipped", piece.Name, piece.Message)
	}
	said := promptText(r)
	if said == "" {
		env.Note("prompt-none")
	}
	return env.Report(answer{raw, func(w *cli.Writer) {
		if said != "" {
			w.Line(said)
		}
	}})
}

// promptText is all that plugins add, as one text.
func promptText(r control.PromptResult) string {
	parts := slices.DeleteFunc([]string{r.System, r.Tools, r.Context}, func(s string) bool { return s == "" })
	return strings.Join(parts, "\n\n")
}
