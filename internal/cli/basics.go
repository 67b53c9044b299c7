package cli

import (
	"io"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/pkg/fault"
)

// NewCompletion returns the command that prints a completion script for a shell.
func NewCompletion(env *Env) *cobra.Command {
	return &cobra.Command{
		Use:               "completion bash|zsh|fish|powershell",
		ValidArgsFunction: ArgWords(Shells),
		Args:              ArgCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			env.Localize(cmd.Root())
			w := env.Writer()
			if err := complete(&w.buf, cmd.Root(), args[0]); err != nil {
				return err
			}
			return w.Flush()
		},
	}
}

// Shells lists the shells that completion scripts exist for.
var Shells = []string{"bash", "zsh", "fish", "powershell"}

func complete(out io.Writer, root *cobra.Command, shell string) error {
	switch shell {
	case "bash":
		return root.GenBashCompletionV2(out, true)
	case "zsh":
		return root.GenZshCompletion(out)
	case "fish":
		return root.GenFishCompletion(out, true)
	case "powershell":
		return root.GenPowerShellCompletionWithDesc(out)
	}
	return fault.New(fault.Usage, "unknown-shell", shell)
}

// newHelp returns the command "help", which shows the help of another.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:  "help [COMMAND]",
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			found, rest, err := cmd.Root().Find(args)
			if err == nil && len(rest) > 0 && found.HasSubCommands() {
				err = unknownCommand(found, rest[0])
			}
			if err != nil {
				return err
			}
			return found.Help()
		},
	}
}

// BuildVersion returns the version of this program as the Go tools recorded it,
// and the revision it was built from; "devel" and "" when they recorded none.
func BuildVersion() (version, revision string) {
	version = "devel"
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return version, ""
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		version = v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			revision = s.Value
		}
	}
	return version, revision
}
