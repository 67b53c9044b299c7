// Package selfipcmd is the command line of selfip: one file a command, each with
// what it was asked, how it runs, and what it reports. What the commands do
// lives in internal/selfip; how they speak, in the tables here.
package selfipcmd

import (
	"strings"

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
	env.Language = func() string { return settingsLanguage(env) }
	root := &cobra.Command{Use: "selfip"}
	cli.CommonFlags(env, root)
	for _, c := range commandsFor(env.Args) {
		root.AddCommand(c.build(env))
	}
	return root
}

// command is a command of the root: its name and how it is made.
type command struct {
	name  string
	build func(*cli.Env) *cobra.Command
}

// commands lists the commands of the root, in the order of help.
var commands = [...]command{
	{"remember", newRemember},
	{"memory", newMemory},
	{"search", newSearch},
	{"forget", newForget},
	{"restore", newRestore},
	{"why", newWhy},
	{"log", newLog},
	{"undo", newUndo},
	{"inject", newInject},
	{"scope", newScope},
	{"config", newConfig},
	{"playbook", newPlaybook},
	{"proposals", newProposals},
	{"quarantine", newQuarantine},
	{"feedback", newFeedback},
	{"promote", newPromote},
	{"export", newExport},
	{"import", newImport},
	{"sleep", newSleep},
	{"hypothesis", newHypothesis},
	{"retro", newRetro},
	{"queue", newQueue},
	{"compact", newCompact},
	{"prune", newPrune},
	{"session", newSession},
	{"hook", newHook},
	{"install", newInstall},
	{"uninstall", newUninstall},
	{"merge-driver", newMergeDriver},
	{"mcp", newMCP},
	{"schedule", newSchedule},
	{"panel", newPanel},
	{"status", newStatus},
	{"doctor", newDoctor},
	{"completion", cli.NewCompletion},
	{"version", cli.NewVersion},
}

// commandsFor returns the one command that the arguments name, or all when they
// name none of these: help, completion and mistakes need all, and a hook, which
// comes with every turn, should not pay for them.
func commandsFor(args []string) []command {
	name := firstWord(args)
	for i := range commands {
		if commands[i].name == name {
			return commands[i : i+1]
		}
	}
	return commands[:]
}

// firstWord returns the first argument that is no flag, "" behind a flag that it
// does not know.
func firstWord(args []string) string {
	for i := 0; i < len(args); i++ {
		switch arg := args[i]; {
		case arg == "-C" || arg == "--dir" || arg == "--lang":
			i++ // its value
		case arg == "--json" || arg == "--quiet" || arg == "-q" || arg == "--verbose" || arg == "-v" || strings.HasPrefix(arg, "--dir=") || strings.HasPrefix(arg, "--lang="):
		case strings.HasPrefix(arg, "-"):
			return ""
		default:
			return arg
		}
	}
	return ""
}

// settingsLanguage reads the language for what is said before a command has
// opened its workspace, such as help.
func settingsLanguage(env *cli.Env) string {
	o, err := open(env, env.Flags.Dir)
	if err != nil {
		return ""
	}
	return o.settings.Language
}
