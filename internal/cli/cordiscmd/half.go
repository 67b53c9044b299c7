package cordiscmd

import (
	"os"

	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/cordis/child"
)

// newHalf is the process that one Host half runs in. A host starts it; nobody
// else has a use for it.
func newHalf(env *cli.Env) *cobra.Command {
	return &cobra.Command{Use: child.Args()[0], Hidden: true, Args: cli.ArgCount(0, 0), RunE: func(*cobra.Command, []string) error {
		os.Exit(child.Main(child.Machine{Now: env.Now, Random: env.Chance}))
		return nil
	}}
}
