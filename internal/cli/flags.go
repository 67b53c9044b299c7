package cli

import (
	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/pkg/fault"
)

// Annotations of a command that Run, help and the reference read.
const (
	alwaysZero = "exit"  // not empty: errors are told, the exit code is 0
	exitKinds  = "exits" // the kinds of fault it gives beyond the usual ones
)

// CommonFlags gives root and all its commands the flags that mean the same
// everywhere, parsed into env.Flags. Their texts are flag.NAME in the tables.
func CommonFlags(env *Env, root *cobra.Command) {
	flags := root.PersistentFlags()
	flags.StringVarP(&env.Flags.Dir, "dir", "C", "", "")
	flags.BoolVar(&env.Flags.JSON, "json", false, "")
	flags.BoolVarP(&env.Flags.Quiet, "quiet", "q", false, "")
	flags.BoolVarP(&env.Flags.Verbose, "verbose", "v", false, "")
	flags.StringVar(&env.Flags.Lang, "lang", "", "")
	flags.BoolP("help", "h", false, "")
	FlagWords(root, "lang", string(English), string(Chinese))
	_ = root.MarkPersistentFlagDirname("dir")
}

// FlagWords says what a shell completes for a flag of cmd.
func FlagWords(cmd *cobra.Command, flag string, words ...string) {
	if err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err) // cmd has no such flag
	}
}

// ArgWords says what a shell completes for the arguments of a command, place by
// place; nil is a place for any word.
func ArgWords(places ...[]string) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) < len(places) {
			return places[len(args)], cobra.ShellCompDirectiveNoFileComp
		}
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
}

// DryRunFlag gives cmd the flag --dry-run, parsed into env.Flags.DryRun: show
// what would change and change nothing.
func DryRunFlag(env *Env, cmd *cobra.Command) {
	cmd.Flags().BoolVarP(&env.Flags.DryRun, "dry-run", "n", false, "")
}

// Exits says which kinds of fault cmd gives beyond Failed, Usage and Internal,
// which every command can. Help shows them with their codes.
func Exits(cmd *cobra.Command, kinds ...fault.Kind) *cobra.Command {
	for _, kind := range kinds {
		annotate(cmd, exitKinds, cmd.Annotations[exitKinds]+string(kind)+" ")
	}
	return cmd
}

// AlwaysZero makes cmd exit 0 whatever happens, a recovered panic included: to a
// harness, any other code disturbs the user's turn (spec/harness-hooks.md 1).
// Errors still go to standard error, never to standard output.
func AlwaysZero(cmd *cobra.Command) *cobra.Command {
	annotate(cmd, alwaysZero, "0")
	return cmd
}

func annotate(cmd *cobra.Command, key, value string) {
	if cmd.Annotations == nil {
		cmd.Annotations = map[string]string{}
	}
	cmd.Annotations[key] = value
}
