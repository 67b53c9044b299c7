package selfipcmd_test

import (
	"slices"
	"testing"

	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/cli/selfipcmd"
)

// tree is the root for the given arguments.
func tree(args ...string) *cobra.Command {
	env := cli.System()
	env.Args = args
	return selfipcmd.New(env)
}

func names(root *cobra.Command) (out []string) {
	for _, c := range root.Commands() {
		out = append(out, c.Name())
	}
	return out
}

// TestOneCommandIsBuilt: who names a command gets this one alone, whatever flags
// stand before it, and it is the one that the whole tree has.
func TestOneCommandIsBuilt(t *testing.T) {
	all := tree()
	for _, c := range all.Commands() {
		for _, before := range [][]string{nil, {"-C", "/tmp"}, {"--json", "--dir=x", "--lang", "en"}} {
			args := append(slices.Clone(before), c.Name(), "--help")
			one := tree(args...)
			if got := names(one); !slices.Equal(got, []string{c.Name()}) {
				t.Errorf("%q builds %q, want %s alone", args, got, c.Name())
				continue
			}
			if got := one.Commands()[0]; got.UseLine() != c.UseLine() || len(got.Commands()) != len(c.Commands()) {
				t.Errorf("%q builds %s, want %s", args, got.UseLine(), c.UseLine())
			}
		}
	}
}

// TestAllCommandsAreBuilt: help, completion, other names and mistakes see all.
func TestAllCommandsAreBuilt(t *testing.T) {
	want := names(tree())
	for _, args := range [][]string{
		{"help", "search"}, {"--help"}, {"recall", "x"}, {"serch"}, {cobra.ShellCompRequestCmd, "se"}, {"--dry-run", "remember"}, {"-C"}, {"-Cx", "search"},
	} {
		if got := names(tree(args...)); !slices.Equal(got, want) {
			t.Errorf("%q builds %q, want all", args, got)
		}
	}
}
