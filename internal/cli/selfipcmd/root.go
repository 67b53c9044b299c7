// Package selfipcmd is the command line of selfip: one file a command, each with
// what it was asked, how it runs, and what it reports. What the commands do
// lives in internal/selfip; how they speak, in the two message tables here.
package selfipcmd

import (
	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
)

// New returns the root command.
func New(env *cli.Env) *cobra.Command {
	env.AddTables(english, chinese)
	env.AddTables(faultsEnglish, faultsChinese)
	env.AddTables(helpEnglish, helpChinese)
	env.Language = func() string { return settingsLanguage(env) }
	root := &cobra.Command{Use: "selfip"}
	cli.CommonFlags(env, root)
	root.AddCommand(
		newRemember(env), newMemory(env), newSearch(env), newForget(env), newRestore(env),
		newWhy(env), newLog(env), newUndo(env), newInject(env), newScope(env), newConfig(env),
		newPlaybook(env), newProposals(env), newPromote(env), newExport(env), newImport(env),
		newQueue(env), newSession(env),
		newHook(env), newInstall(env), newUninstall(env),
		newStatus(env), newDoctor(env), cli.NewCompletion(env), newVersion(env),
	)
	return root
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
