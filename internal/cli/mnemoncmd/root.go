// Package mnemoncmd is the command line of dsh-mnemon: one file a noun, each with
// what it was asked, how it runs, and what it reports. What the commands do
// lives in internal/mnemon; how they speak, in the tables here.
package mnemoncmd

import (
	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
)

// New returns the root command.
func New(env *cli.Env) *cobra.Command {
	if len(env.Args) > 0 && env.Args[0] == "--version" { // what every other program takes
		env.Args = append([]string{"version"}, env.Args[1:]...)
	}
	for _, t := range tables {
		env.AddTables(t.english, t.chinese)
	}
	root := &cobra.Command{Use: "dsh-mnemon"}
	cli.CommonFlags(env, root)
	for _, build := range commands {
		root.AddCommand(build(env))
	}
	return root
}

// commands lists the commands of the root, in the order of help.
var commands = [...]func(*cli.Env) *cobra.Command{
	newInit, newPlugin, newStrategy, newInspect, newTurn, newView, newWake, cli.NewCompletion, cli.NewVersion,
}

// tables lists what the commands say, in both languages.
var tables = [...]struct{ english, chinese cli.Table }{
	{english, chinese},
	{faultsEnglish, faultsChinese},
	{helpEnglish, helpChinese},
}
