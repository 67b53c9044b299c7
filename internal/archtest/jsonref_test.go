package archtest_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/cli/selfipcmd"
	"github.com/dshkit/dshkit/internal/testkit"
	"github.com/dshkit/dshkit/internal/testkit/jsonref"
)

// undescribed are the commands that write no document of their own; the page says
// of each why.
var undescribed = []string{"completion", "hook", "mcp", "promote", "export"}

// TestJSONReference holds that the page of documents is up to date and has a table
// for every command; UPDATE=1 writes it.
func TestJSONReference(t *testing.T) {
	page, err := jsonref.Page(testkit.Root(t))
	if err != nil {
		t.Fatal(err)
	}
	testkit.Golden(t, filepath.Join(testkit.Root(t), jsonref.Path), page)
	told := undescribed
	for line := range strings.Lines(string(page)) {
		if heading, ok := strings.CutPrefix(strings.TrimSpace(line), "## "); ok {
			noun, _, _ := strings.Cut(heading, " ")
			for part := range strings.SplitSeq(heading, " and ") {
				told = append(told, part, noun+" "+part)
			}
		}
	}
	for _, cmd := range commandsOf(selfipcmd.New(cli.System()), "") {
		if !slices.Contains(told, cmd) {
			t.Errorf("docs/reference/json.md has no table for %s", cmd)
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
