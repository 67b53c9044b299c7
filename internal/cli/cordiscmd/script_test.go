package cordiscmd_test

import (
	"testing"

	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/cli/cordiscmd"
	"github.com/dshkit/dshkit/internal/testkit"
)

func TestMain(m *testing.M) {
	testkit.Main(m, map[string]func(*cli.Env) *cobra.Command{"cordis": cordiscmd.New})
}

func TestMessagesAreComplete(t *testing.T) {
	testkit.CheckTables(t, cordiscmd.English, cordiscmd.Chinese, "internal/cli/cordiscmd", "internal/cordis",
		"internal/cordis/control", "internal/cordis/grant", "internal/cordis/host", "internal/cordis/inspect", "internal/cordis/registry",
		"internal/cordis/tool", "internal/cordis/catalog", "internal/workspace", "pkg/filestore")
}

func TestHelpIsComplete(t *testing.T) {
	testkit.CheckHelp(t, func(env *cli.Env) *cobra.Command {
		root := cordiscmd.New(env)
		if !root.Runnable() {
			cli.Group(root) // as cli.Run does
		}
		return root
	})
}
