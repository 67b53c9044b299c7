package testkit_test

import (
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/testkit"
)

func TestMain(m *testing.M) {
	testkit.Main(m, map[string]func(*cli.Env) *cobra.Command{"now": now})
}

// now prints what a script's process is given.
func now(env *cli.Env) *cobra.Command {
	return &cobra.Command{Use: "now", Args: cobra.NoArgs, RunE: func(*cobra.Command, []string) error {
		w := env.Writer()
		w.Line(env.Now().Format(time.RFC3339) + " " + env.NewID("id-"))
		return w.Flush()
	}}
}

func TestScripts(t *testing.T) { testkit.Scripts(t, "testdata/script") }

func TestUsedIDs(t *testing.T) {
	got := slices.Sorted(maps.Keys(testkit.UsedIDs(t, "internal/testkit/testdata/source")))
	if diff := cmp.Diff([]string{"is-busy", "is-gone", "is-odd", "said"}, got); diff != "" {
		t.Errorf("ids (-want +got):\n%s", diff)
	}
}

func TestVerbs(t *testing.T) {
	for _, row := range []struct {
		sentence string
		want     []string
	}{
		{"nothing, 100%%", nil},
		{"%s then %d", []string{"1s", "2d"}},
		{"%[2]d then %[1]s", []string{"1s", "2d"}},
		{"%[2]q and on %s", []string{"2q", "3s"}},
		{"%s %[1]s", []string{"1s"}},
		{"%-5.2f|%+d", []string{"1f", "2d"}},
	} {
		if diff := cmp.Diff(row.want, testkit.Verbs(row.sentence)); diff != "" {
			t.Errorf("verbs of %q (-want +got):\n%s", row.sentence, diff)
		}
	}
}
