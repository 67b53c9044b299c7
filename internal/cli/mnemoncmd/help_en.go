package mnemoncmd

import "github.com/dshkit/dshkit/internal/cli"

// helpEnglish holds the help of every command and flag. {program} stands for
// the name of the program. The command completion has its text in the shared table.
var helpEnglish = cli.Table{
	{ID: "help.short", Text: "Memory for coding agents, composed of plugins"},
	{ID: "help.long", Text: "Composes what an agent remembers in a turn out of Sources, each of which keeps\n" +
		"its own memory, and a Strategy, which decides what is shown and what can be read\n" +
		"and written. The result is a View: it does not change while the turn lasts.\n" +
		"Plugins are npm packages or folders; their code runs only after you allowed it."},
	{ID: "help.example", Text: "{program} init\n" +
		"{program} plugin add dsh-mnemon-source-runtime\n" +
		"{program} plugin add dsh-mnemon-strategy-default-three-tier\n" +
		"{program} turn begin\n" +
		"{program} wake"},

	{ID: "help.init.short", Text: "Prepare a workspace"},
	{ID: "help.init.long", Text: "Makes the folder .mnemon with an empty list of plugins. What is there stays as it is."},
	{ID: "help.init.example", Text: "{program} init\n{program} init --dir ~/code/shop"},

	{ID: "help.plugin.short", Text: "Plugins of the workspace"},
	{ID: "help.plugin.long", Text: "Shows and changes the list of plugins in .mnemon/mnemon.yml. Without a verb it\nlists them."},
	{ID: "help.plugin.example", Text: "{program} plugin\n{program} plugin add ./plugins/notes"},
	{ID: "help.plugin.list.short", Text: "List the plugins"},
	{ID: "help.plugin.list.long", Text: "Lists the Entries in their order, each with its id, its name and whether it runs."},
	{ID: "help.plugin.list.example", Text: "{program} plugin list\n{program} plugin list --json"},
	{ID: "help.plugin.add.short", Text: "Add a plugin and allow its code to run"},
	{ID: "help.plugin.add.long", Text: "SPEC is a folder or file (./notes), an archive (notes.tgz) or an npm package\n" +
		"(dsh-mnemon-source-runtime, @me/notes@1.2.0). A folder stays where it is; all\n" +
		"else is installed below .mnemon/plugins by your npm, with scripts off, together\n" +
		"with the plugin packages that it stands on and those that its configuration\n" +
		"names. Its code may then run on this machine: it reads and writes the memory\n" +
		"folders, and what --allow names beyond. It is allowed as it is now: changed code\n" +
		"or configuration needs your word again, but for a folder of yours that you\n" +
		"--follow."},
	{ID: "help.plugin.add.example", Text: "{program} plugin add dsh-mnemon-source-runtime\n" +
		"{program} plugin add ./plugins/notes --id work --config path='${workspace}/notes.txt'\n" +
		"{program} plugin add dsh-mnemon-source-documents --allow fs:read=."},
	{ID: "help.plugin.add.flag.id", Text: "the `ID` of the Entry, of which Source keys are made"},
	{ID: "help.plugin.add.flag.config", Text: "a member of its configuration: `KEY=VALUE` with JSON or a text"},
	{ID: "help.plugin.add.flag.allow", Text: "let it reach `WHAT` beyond its data: fs:read=FOLDER, fs:write=FOLDER, net=HOST, run=PROGRAM, env=NAME"},
	{ID: "help.plugin.add.flag.disabled", Text: "add it without starting it"},
	{ID: "help.plugin.add.flag.follow", Text: "allow its folder also after it changes: for one that you work on"},
	{ID: "help.plugin.install.short", Text: "Install the packages that are missing"},
	{ID: "help.plugin.install.long", Text: "A workspace that you cloned names packages that are not on this machine yet. This\n" +
		"has your npm install them below .mnemon/plugins, with scripts off: those that the\n" +
		"Entries name, and those that their configuration names, as Providers are. Versions\n" +
		"are those of .mnemon/plugins/package-lock.json, if it is there. Nothing of it runs\n" +
		"before you allowed it."},
	{ID: "help.plugin.install.example", Text: "{program} plugin install\n{program} plugin install --dry-run"},
	{ID: "help.plugin.show.short", Text: "Show a plugin"},
	{ID: "help.plugin.show.long", Text: "Shows an Entry with its configuration, what it may reach, and why it cannot run."},
	{ID: "help.plugin.show.example", Text: "{program} plugin show work"},
	{ID: "help.plugin.allow.short", Text: "Allow the code of a plugin to run on this machine"},
	{ID: "help.plugin.allow.long", Text: "A workspace that you cloned names plugins that you have not seen. Look at the\n" +
		"code, then allow it. What it may reach stays as it was, unless --allow or\n" +
		"--nothing-more say otherwise."},
	{ID: "help.plugin.allow.example", Text: "{program} plugin allow work\n{program} plugin allow work --allow net=api.mem0.ai --allow env=MEM0_API_KEY"},
	{ID: "help.plugin.allow.flag.allow", Text: "let it reach `WHAT` beyond its data, in place of what it could before"},
	{ID: "help.plugin.allow.flag.nothing-more", Text: "let it reach its data alone"},
	{ID: "help.plugin.allow.flag.follow", Text: "allow its folder also after it changes: for one that you work on"},
	{ID: "help.plugin.enable.short", Text: "Enable a plugin"},
	{ID: "help.plugin.enable.long", Text: "The plugin takes part in turns that are begun from now on."},
	{ID: "help.plugin.enable.example", Text: "{program} plugin enable work"},
	{ID: "help.plugin.disable.short", Text: "Disable a plugin"},
	{ID: "help.plugin.disable.long", Text: "The plugin takes no part in turns that are begun from now on. What it keeps stays,\nand turns that were begun with it go on."},
	{ID: "help.plugin.disable.example", Text: "{program} plugin disable work"},
	{ID: "help.plugin.configure.short", Text: "Change the configuration of a plugin"},
	{ID: "help.plugin.configure.long", Text: "Sets members of the configuration. VALUE is JSON, or else a text; without a value\n" +
		"the member is taken away. ${workspace} and ${home} in a text are filled in when\nthe plugin starts."},
	{ID: "help.plugin.configure.example", Text: "{program} plugin configure light maxProjectionCharacters=2048\n{program} plugin configure work path="},
	{ID: "help.plugin.test.short", Text: "Run the tests of a plugin"},
	{ID: "help.plugin.test.long", Text: "Runs test files, or those that a folder holds (*.test.ts, *.test.js, ...); without\n" +
		"PATH, of the current folder. Tests are written with node:test and node:assert, and\n" +
		"mount the plugin with the MemoryCompositionRunner of dsh-mnemon/testing. Each file\n" +
		"reads its own package and has a fresh home and temporary folder; what your Sources\n" +
		"keep is out of reach. What tests print goes to standard error."},
	{ID: "help.plugin.test.example", Text: "{program} plugin test ./plugins/notes\n{program} plugin test notes.test.ts --allow net=localhost"},
	{ID: "help.plugin.test.flag.allow", Text: "let the tests reach `WHAT`, as with plugin add"},
	{ID: "help.plugin.rm.short", Text: "Remove a plugin from the list"},
	{ID: "help.plugin.rm.long", Text: "Takes the Entry from the list and withdraws what was allowed. What the plugin keeps\nand what npm installed stay."},
	{ID: "help.plugin.rm.example", Text: "{program} plugin rm work"},

	{ID: "help.strategy.short", Text: "Which Strategy composes"},
	{ID: "help.strategy.long", Text: "One Strategy composes a turn. Without a verb it lists those that are installed."},
	{ID: "help.strategy.example", Text: "{program} strategy\n{program} strategy use default-three-tier"},
	{ID: "help.strategy.list.short", Text: "List the Strategies"},
	{ID: "help.strategy.list.long", Text: "Starts the plugins and lists the Strategies among them. A star marks the one that\ncomposes the next turn."},
	{ID: "help.strategy.list.example", Text: "{program} strategy list"},
	{ID: "help.strategy.list.flag.timeout", Text: "how long plugins may take: a `DURATION` like 30s or 5m"},
	{ID: "help.strategy.use.short", Text: "Choose the Strategy"},
	{ID: "help.strategy.use.long", Text: "Turns that are begun from now on are composed by the Strategy of this type. When it\n" +
		"is not there and one other is, that one composes, and the turn says so."},
	{ID: "help.strategy.use.example", Text: "{program} strategy use general"},

	{ID: "help.inspect.short", Text: "Show whether the plugins compose"},
	{ID: "help.inspect.long", Text: "Starts the plugins and shows what they compile to: the Strategy, the Sources, and\nwhat is missing or refused."},
	{ID: "help.inspect.example", Text: "{program} inspect\n{program} inspect --json"},
	{ID: "help.inspect.flag.timeout", Text: "how long plugins may take: a `DURATION` like 30s or 5m"},

	{ID: "help.turn.short", Text: "Turns"},
	{ID: "help.turn.long", Text: "A turn is a View that an agent works with. Without a verb it lists them."},
	{ID: "help.turn.example", Text: "{program} turn begin\n{program} turn end"},
	{ID: "help.turn.list.short", Text: "List the turns"},
	{ID: "help.turn.list.long", Text: "Lists the turns that are open or were released lately, the last one first."},
	{ID: "help.turn.list.example", Text: "{program} turn list"},
	{ID: "help.turn.begin.short", Text: "Compose a View and begin a turn with it"},
	{ID: "help.turn.begin.long", Text: "Starts the plugins, composes a View and stores it below .mnemon/turns. Reads and\n" +
		"writes of the turn go by this View, whatever changes meanwhile. With --turn a\n" +
		"second call returns the turn that is there."},
	{ID: "help.turn.begin.example", Text: "{program} turn begin\n{program} turn begin --turn session-7-3 --agent main --budget maxProjectionCharacters=4000"},
	{ID: "help.turn.begin.flag.turn", Text: "the `ID` of the turn, else a new one"},
	{ID: "help.turn.begin.flag.agent", Text: "for which `AGENT`"},
	{ID: "help.turn.begin.flag.session", Text: "in which `SESSION`"},
	{ID: "help.turn.begin.flag.scenario", Text: "for what: the `SCENARIO` that Sources and Strategy are told"},
	{ID: "help.turn.begin.flag.strategy", Text: "compose by the Strategy of this `TYPE`"},
	{ID: "help.turn.begin.flag.budget", Text: "a member of the budget: `KEY=NUMBER`"},
	{ID: "help.turn.begin.flag.timeout", Text: "how long plugins may take: a `DURATION` like 30s or 5m"},
	{ID: "help.turn.show.short", Text: "Show a turn"},
	{ID: "help.turn.show.long", Text: "Shows a turn with its View; without a name the open one that was begun last."},
	{ID: "help.turn.show.example", Text: "{program} turn show\n{program} turn show session-7-3 --json"},
	{ID: "help.turn.end.short", Text: "Release a turn"},
	{ID: "help.turn.end.long", Text: "Ends a turn; without a name the open one that was begun last. It can be looked at\nfor a while, but nothing is read or written by it any more."},
	{ID: "help.turn.end.example", Text: "{program} turn end\n{program} turn end session-7-3"},

	{ID: "help.view.short", Text: "Read and write by the View of a turn"},
	{ID: "help.view.long", Text: "The routes and actions of a View are what its turn can read and write."},
	{ID: "help.view.example", Text: "{program} view show\n{program} view route source:work/read"},
	{ID: "help.view.show.short", Text: "Show a View with its texts"},
	{ID: "help.view.show.long", Text: "Shows the View of a turn: what it shows, which routes and actions it offers. With\n--json it is the View as it was composed."},
	{ID: "help.view.show.example", Text: "{program} view show\n{program} view show --json"},
	{ID: "help.view.show.flag.turn", Text: "of this `TURN`, else the open one that was begun last"},
	{ID: "help.view.route.short", Text: "Read by a route"},
	{ID: "help.view.route.long", Text: "Reads through the Source that offers the route, within the limits of the View: a\nroute has so many calls in a turn, and a failed one counts too."},
	{ID: "help.view.route.example", Text: "{program} view route source:work/read\n{program} view route source:documents/search --input '{\"query\":\"cache\"}'"},
	{ID: "help.view.route.flag.turn", Text: "of this `TURN`, else the open one that was begun last"},
	{ID: "help.view.route.flag.input", Text: "the input as `JSON`; - reads it from standard input"},
	{ID: "help.view.route.flag.timeout", Text: "how long plugins may take: a `DURATION` like 30s or 5m"},
	{ID: "help.view.action.short", Text: "Write by an action"},
	{ID: "help.view.action.long", Text: "Writes through the Source that offers the action. An offer is no permission: without\n" +
		"--authorize nothing is written. The exit code says what the Receipt says: 0\n" +
		"committed, 10 accepted or waiting, 11 partial or unknown, 1 failed."},
	{ID: "help.view.action.example", Text: "{program} view action source:runtime/mutate --authorize \\\n  --input '{\"action\":\"add\",\"target\":\"memory\",\"content\":\"Uses pnpm.\"}'"},
	{ID: "help.view.action.flag.turn", Text: "of this `TURN`, else the open one that was begun last"},
	{ID: "help.view.action.flag.input", Text: "the input as `JSON`; - reads it from standard input"},
	{ID: "help.view.action.flag.authorize", Text: "permit this write"},
	{ID: "help.view.action.flag.timeout", Text: "how long plugins may take: a `DURATION` like 30s or 5m"},

	{ID: "help.wake.short", Text: "Print what a prompt gets of a turn"},
	{ID: "help.wake.long", Text: "Prints the Strategy's guidance, the texts that the View shows, and the routes and\nactions that the agent can call, for a hook to put into a prompt."},
	{ID: "help.wake.example", Text: "{program} wake\n{program} wake --turn session-7-3 --json"},
	{ID: "help.wake.flag.turn", Text: "of this `TURN`, else the open one that was begun last"},

	{ID: "help.version.short", Text: "Print the version"},
	{ID: "help.version.long", Text: "Prints the version of the program; with --json also what it was built from."},
	{ID: "help.version.example", Text: "{program} version\n{program} version --json"},
}
