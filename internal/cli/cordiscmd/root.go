// Package cordiscmd is the command line of cordis: one file a noun, each with
// what it was asked, how it runs, and what it reports. What the commands do
// lives in internal/cordis and in the host process that they talk with; how
// they speak, in the tables here.
package cordiscmd

import (
	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/cordis/child"
)

// Run runs the program and gives its exit code: a command, or the process of one
// Host half, if that is what the arguments ask for. A host may start hundreds of
// the latter, and none needs the tree of commands.
func Run(env *cli.Env) (code int) {
	if child.IsChild(env.Args) {
		return child.Main(child.Machine{Now: env.Now, Random: env.Chance})
	}
	return cli.Run(env, New)
}

// New returns the root command.
func New(env *cli.Env) *cobra.Command {
	if len(env.Args) > 0 && env.Args[0] == "--version" { // what every other program takes
		env.Args = append([]string{"version"}, env.Args[1:]...)
	}
	for _, t := range tables {
		env.AddTables(t.english, t.chinese)
	}
	env.NameArgs("syntax", "half", "line", "column", "hint")
	root := &cobra.Command{Use: "cordis"}
	cli.CommonFlags(env, root)
	for _, g := range groups {
		root.AddGroup(&cobra.Group{ID: g.id})
		for _, build := range g.commands {
			cmd := build(env)
			cmd.GroupID = g.id
			root.AddCommand(cmd)
		}
	}
	withoutFiles(root)
	return root
}

// groups lists the commands of the root, in the order of help.
var groups = [...]struct {
	id       string
	commands []func(*cli.Env) *cobra.Command
}{
	{"plugins", []func(*cli.Env) *cobra.Command{newDefine, newRun, newStop, newUndefine, newInvoke, newInventory, newInspect}},
	{"person", []func(*cli.Env) *cobra.Command{newApprovals, newApprove, newDecline, newPanel, newPage, newGrant}},
	{"model", []func(*cli.Env) *cobra.Command{newMCP, newTool, newToolCall, newSchema, newMention, newPrompt, newFeedback, newGuide, newSkill}},
	{"host", []func(*cli.Env) *cobra.Command{newHost, newServe, newEvents, newJournal, newDoctor}},
	{"alone", []func(*cli.Env) *cobra.Command{newExec, newCheck, cli.NewCompletion, cli.NewVersion}},
}

// tables lists what the commands say, in both languages.
var tables = [...]struct{ english, chinese cli.Table }{
	{english, chinese},
	{faultsEnglish, faultsChinese},
	{helpEnglish, helpChinese},
}
