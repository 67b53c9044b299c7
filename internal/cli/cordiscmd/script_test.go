package cordiscmd_test

import (
	"maps"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/cli/cordiscmd"
	"github.com/dshkit/dshkit/internal/testkit"
	"github.com/dshkit/dshkit/internal/testkit/hosts"
	"github.com/dshkit/dshkit/internal/testkit/page"
)

func TestMain(m *testing.M) {
	testkit.MainWith(m, map[string]func(*cli.Env) int{"cordis": cordiscmd.Run})
}

// TestScripts plays the commands as the manual tells of them, against real hosts,
// which are ended with their script. They show CR-A1 and CR-A2 (define_errors), CR-A3
// and CR-A6 (define_run), CR-A4 (approvals), CR-A10 (define_run), CR-A13 (tools,
// inspect), CR-A14 and CR-W23 (panel).
func TestScripts(t *testing.T) {
	// CR-A1, CR-A2, CR-A3, CR-A4, CR-A6, CR-A10, CR-A13, CR-A14, CR-W23
	words := maps.Clone(hosts.Words)
	words["page"] = page.Command
	testkit.ScriptsWith(t, "testdata/script", words, func(e *testscript.Env) error {
		e.Defer(func() {
			if err := hosts.End(e.WorkDir); err != nil {
				t.Error(err)
			}
		})
		e.Cd = filepath.Join(e.WorkDir, "ws") // the home beside it makes the folder above none
		return os.MkdirAll(e.Cd, 0o777)
	})
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
