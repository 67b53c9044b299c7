package cli

import (
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// CheckTree lists what the help of a tree lacks in the language of env: a
// summary, an example, the text of a flag; and commands that cobra would answer
// itself, in English: those that cannot run, or take any argument.
func CheckTree(env *Env, cmd *cobra.Command) []string {
	var problems []string
	complain := func(format string, args ...any) {
		problems = append(problems, cmd.CommandPath()+": "+fmt.Sprintf(format, args...))
	}
	for _, part := range []string{"short", "example"} {
		if env.helpText(cmd, part) == "" {
			complain("no text %s.%s", helpKey(cmd), part)
		}
	}
	flag := func(f *pflag.Flag) {
		if !f.Hidden && env.flagText(cmd, f.Name) == "" {
			complain("no text flag.%s", f.Name)
		}
	}
	cmd.LocalNonPersistentFlags().VisitAll(flag)
	cmd.PersistentFlags().VisitAll(flag)
	for _, g := range cmd.Groups() {
		if !env.Has("help.group." + g.ID) {
			complain("no text help.group.%s", g.ID)
		}
	}
	if !cmd.Runnable() {
		complain("cannot run: use Group")
	}
	if cmd.Args == nil {
		complain("takes any argument: set Args")
	}
	for _, c := range cmd.Commands() {
		problems = append(problems, CheckTree(env, c)...)
	}
	return problems
}
