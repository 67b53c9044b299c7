package selfipcmd_test

import (
	"testing"

	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/cli/selfipcmd"
	"github.com/dshkit/dshkit/internal/testkit"
)

func TestMain(m *testing.M) {
	testkit.Main(sweeping{m}, map[string]func(*cli.Env) *cobra.Command{"selfip": selfipcmd.New})
}

// TestScripts plays the commands as the manual tells of them.
func TestScripts(t *testing.T) { testkit.Scripts(t, "testdata/script") }
