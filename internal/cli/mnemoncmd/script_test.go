package mnemoncmd_test

import (
	"testing"

	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/cli/mnemoncmd"
	"github.com/dshkit/dshkit/internal/testkit"
)

func TestMain(m *testing.M) {
	testkit.Main(m, map[string]func(*cli.Env) *cobra.Command{"dsh-mnemon": mnemoncmd.New})
}

// TestScripts plays the commands as the manual tells of them. $PLUGINS is the
// folder of the published packages.
func TestScripts(t *testing.T) {
	testkit.Scripts(t, "testdata/script", "PLUGINS="+testkit.Plugins(t))
}

func TestMessagesAreComplete(t *testing.T) {
	testkit.CheckTables(t, mnemoncmd.English, mnemoncmd.Chinese, "internal/cli/mnemoncmd", "internal/mnemon",
		"internal/mnemon/assembly", "internal/mnemon/approval", "internal/mnemon/fetch", "internal/mnemon/ledger",
		"internal/workspace", "pkg/filestore")
}

func TestHelpIsComplete(t *testing.T) {
	testkit.CheckHelp(t, func(env *cli.Env) *cobra.Command {
		root := mnemoncmd.New(env)
		if !root.Runnable() {
			cli.Group(root) // as cli.Run does
		}
		return root
	})
}
