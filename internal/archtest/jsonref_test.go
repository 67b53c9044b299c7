package archtest_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/cli/cordiscmd"
	"github.com/dshkit/dshkit/internal/cli/mnemoncmd"
	"github.com/dshkit/dshkit/internal/cli/selfipcmd"
	"github.com/dshkit/dshkit/internal/testkit"
	"github.com/dshkit/dshkit/internal/testkit/jsonref"
)

// described are the programs, and of each the commands that write no document of
// their own; the page says why.
var described = []struct {
	program     jsonref.Program
	newRoot     func(*cli.Env) *cobra.Command
	undescribed []string
}{
	{jsonref.Selfip, selfipcmd.New, []string{"completion", "hook", "mcp", "promote", "export"}},
	{jsonref.Mnemon, mnemoncmd.New, []string{"completion", "view show", "view route", "view action", "wake", "inspect"}},
	{jsonref.Cordis, cordiscmd.New, []string{
		"define", "run", "undefine", "invoke", "inventory", "inspect list", "inspect self", "approvals", "approve", "panel run", "panel stop",
		"panel remove", "tool list", "tool call", "tool-call", "mention", "prompt", "feedback", "host status", "serve", "events", "mcp", "completion",
	}},
}

// TestJSONReference holds that the pages of documents are up to date and have a
// table for every command; UPDATE=1 writes them.
func TestJSONReference(t *testing.T) {
	for _, d := range described {
		page, err := d.program.Page(testkit.Root(t))
		if err != nil {
			t.Fatal(err)
		}
		testkit.Golden(t, filepath.Join(testkit.Root(t), d.program.Path), page)
		told := d.undescribed
		for line := range strings.Lines(string(page)) {
			if heading, ok := strings.CutPrefix(strings.TrimSpace(line), "## "); ok {
				noun, _, _ := strings.Cut(heading, " ")
				for part := range strings.SplitSeq(heading, " and ") {
					told = append(told, part, noun+" "+part)
				}
			}
		}
		for _, cmd := range commandsOf(d.newRoot(cli.System()), "") {
			if !slices.Contains(told, cmd) {
				t.Errorf("%s has no table for %s", d.program.Path, cmd)
			}
		}
	}
}

// commandsOf lists the commands below one that do something, by their words. A
// bare noun does what its list does.
func commandsOf(cmd *cobra.Command, words string) (list []string) {
	for _, c := range cmd.Commands() {
		path := strings.TrimSpace(words + " " + c.Name())
		switch {
		case c.Name() == "help" || c.Hidden:
		case c.HasSubCommands():
			list = append(list, commandsOf(c, path)...)
		default:
			list = append(list, path)
		}
	}
	return list
}
