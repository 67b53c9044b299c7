package archtest_test

import (
	"path/filepath"
	"testing"

	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/cli/cordiscmd"
	"github.com/dshkit/dshkit/internal/cli/mnemoncmd"
	"github.com/dshkit/dshkit/internal/cli/selfipcmd"
	"github.com/dshkit/dshkit/internal/testkit"
)

// TestGeneratedFilesAreUpToDate makes what scripts/gen makes and compares it
// with what is committed; UPDATE=1 writes it.
func TestGeneratedFilesAreUpToDate(t *testing.T) {
	for _, newRoot := range []func(*cli.Env) *cobra.Command{selfipcmd.New, mnemoncmd.New, cordiscmd.New} {
		files, err := cli.Generate(cli.System(), newRoot)
		if err != nil {
			t.Fatal(err)
		}
		for path, text := range files {
			testkit.Golden(t, filepath.Join(testkit.Root(t), path), text)
		}
	}
}
