package cordiscmd

import "github.com/dshkit/dshkit/internal/cli"

// helpEnglish holds the help of every command and flag. {program} stands for
// the name of the program.
var helpEnglish = cli.Table{
	{ID: "help.short", Text: "Dynamic plugins for coding agents"},
	{ID: "help.long", Text: "Runs plugins that an agent writes while it works, and undoes them without a trace.\n" +
		"A plugin has a Host half, which runs here in a process of its own, a Client half,\n" +
		"which runs in a page after a person allowed it, or both. One host process per\n" +
		"workspace holds them, in memory alone: when it ends, they are gone. Nothing\n" +
		"outside of the workspace's own data can be reached until you grant it.\n" +
		"The sandbox prevents accidents. It is no security boundary against what you grant."},
	{ID: "help.example", Text: "{program} host start\n" +
		"{program} define --new clock --name Clock --purpose \"tell the time\" --host-file clock.js\n" +
		"{program} run clock-1 pkg-1\n" +
		"{program} invoke clock-1 now\n" +
		"{program} host stop"},
	{ID: "help.group.plugins", Text: "Plugins:"},
	{ID: "help.group.person", Text: "What a person decides:"},
	{ID: "help.group.model", Text: "For agents and harnesses:"},
	{ID: "help.group.host", Text: "The host:"},
	{ID: "help.group.alone", Text: "Without a host:"},

	{ID: "flag.autostart", Text: "start the host if there is none"},
	{ID: "flag.timeout", Text: "give up after this `DURATION`, like 30s or 5m"},
	{ID: "flag.session", Text: "act for this `SESSION`, else $CORDIS_SESSION, else default"},
	{ID: "flag.trusted", Text: "run Host halves in the host's own process: a plugin can then end it"},

	{ID: "help.define.short", Text: "Define a version of a plugin"},
	{ID: "help.define.long", Text: "Checks the syntax of the halves and keeps them as a Package, which never changes. It\n" +
		"runs nothing: that is what run does. --new begins a plugin, with a prefix of three\n" +
		"to six small letters; --plugin adds a version to one that is there. A FILE that is\n" +
		"- is standard input; --from takes the arguments of the tool cordis_define.\n" +
		"The host numbers plugins and Packages through all Sessions: take the ids it prints."},
	{ID: "help.define.example", Text: "{program} define --new clock --name Clock --purpose \"tell the time\" --host-file clock.js\n" +
		"{program} define --plugin clock-1 --name \"Clock 2\" --purpose \"tell it better\" --host-file clock.js --client-file face.js\n" +
		"cat call.json | {program} define --from - --json"},
	{ID: "help.define.flag.new", Text: "begin a plugin whose id has this `PREFIX`"},
	{ID: "help.define.flag.plugin", Text: "add a version to this `PLUGIN`"},
	{ID: "help.define.flag.name", Text: "what it is called: a `TEXT`"},
	{ID: "help.define.flag.purpose", Text: "what it is for: a `TEXT`"},
	{ID: "help.define.flag.host-file", Text: "the `FILE` of the Host half"},
	{ID: "help.define.flag.client-file", Text: "the `FILE` of the Client half"},
	{ID: "help.define.flag.from", Text: "all of it as `JSON`, or - for standard input"},

	{ID: "help.run.short", Text: "Run a version of a plugin"},
	{ID: "help.run.long", Text: "Runs a Package. With --mode run a plugin starts, starts again, or goes back to its\n" +
		"current version after an update that failed; --mode update switches to another\n" +
		"version, an older one too. A Package with a Client half needs a page, and the\n" +
		"first time a person: then it exits 10 at once and what becomes of it is told by\n" +
		"feedback. --wait stays until it is settled: exit 0 when it runs, 3 when it was\n" +
		"declined, 7 when it failed, 8 when it was cancelled or the time was over. The\n" +
		"value of --wait is written with =."},
	{ID: "help.run.example", Text: "{program} run clock-1 pkg-1\n{program} run clock-1 pkg-2 --mode update --wait=2m"},
	{ID: "help.run.flag.mode", Text: "`run` or update"},
	{ID: "help.run.flag.wait", Text: "wait until it is settled, at most this `DURATION`"},

	{ID: "help.stop.short", Text: "Stop a plugin"},
	{ID: "help.stop.long", Text: "Undoes all that the plugin did, a start in flight included. Its versions stay, and\nwhich one is current. A plugin that does not run is fine."},
	{ID: "help.stop.example", Text: "{program} stop clock-1"},
	{ID: "help.undefine.short", Text: "Remove a plugin"},
	{ID: "help.undefine.long", Text: "Stops the plugin and forgets its versions and what a person allowed for it."},
	{ID: "help.undefine.example", Text: "{program} undefine clock-1"},

	{ID: "help.invoke.short", Text: "Call a handler of a plugin"},
	{ID: "help.invoke.long", Text: "Calls what the Host half declared with harness.handle, as its Client half would.\nThe argument is JSON, null when it is left out, - for standard input."},
	{ID: "help.invoke.example", Text: "{program} invoke clock-1 now\n{program} invoke clock-1 now '{\"zone\":\"UTC\"}' --json"},
	{ID: "help.invoke.flag.run", Text: "only if this `RUN` is the active one"},

	{ID: "help.inventory.short", Text: "List the plugins of all Sessions"},
	{ID: "help.inventory.long", Text: "Lists every plugin with its Session, how it stands, what runs, which version is\ncurrent and which comes next. No source is shown."},
	{ID: "help.inventory.example", Text: "{program} inventory\n{program} inventory --json"},

	{ID: "help.inspect.short", Text: "What plugin code can use, and what a Session has"},
	{ID: "help.inspect.long", Text: "Providers describe what is there for plugin code: services, events, builtins, tools,\nand with a page slots and the theme. Without a verb they are listed."},
	{ID: "help.inspect.example", Text: "{program} inspect\n{program} inspect query host Service listService --input '{\"service\":\"fs\"}'\n{program} inspect self clock-1"},
	{ID: "help.inspect.list.short", Text: "List the providers"},
	{ID: "help.inspect.list.long", Text: "Lists the providers of the host, then those that a page has told of."},
	{ID: "help.inspect.list.example", Text: "{program} inspect list"},
	{ID: "help.inspect.query.short", Text: "Ask a provider"},
	{ID: "help.inspect.query.long", Text: "Asks one method of a provider. A question to the client wants a page that has\nconnected, and waits for its answer until the time is over."},
	{ID: "help.inspect.query.example", Text: "{program} inspect query host Builtin listBuiltins\n{program} inspect query client Slots listSubTree --timeout 5s"},
	{ID: "help.inspect.query.flag.input", Text: "the input as `JSON`, or - for standard input"},
	{ID: "help.inspect.self.short", Text: "Show the plugins of a Session, one plugin, or one version with its source"},
	{ID: "help.inspect.self.long", Text: "Without a name the plugins of the Session; with PLUGIN its versions; with PACKAGE the\nsource of that version and how it stands."},
	{ID: "help.inspect.self.example", Text: "{program} inspect self\n{program} inspect self clock-1 pkg-1"},

	{ID: "help.approvals.short", Text: "List what waits for a person or a page"},
	{ID: "help.approvals.long", Text: "Lists the runs that are asked for and not settled: those that a person has to allow,\nand those that a page has yet to carry out."},
	{ID: "help.approvals.example", Text: "{program} approvals"},
	{ID: "help.approve.short", Text: "Allow a run"},
	{ID: "help.approve.long", Text: "Allows the Client half of that version, or with --future also all later versions of\n" +
		"the plugin, and hands the run to a page. Without a page it exits 10: the run is\n" +
		"allowed, and the first page that connects carries it out."},
	{ID: "help.approve.example", Text: "{program} approve approval-1\n{program} approve approval-1 --future"},
	{ID: "help.approve.flag.future", Text: "allow all later versions of the plugin too"},
	{ID: "help.decline.short", Text: "Decline a run"},
	{ID: "help.decline.long", Text: "Declines what was asked for. Nothing of it is executed, and the agent is told not to\nask again."},
	{ID: "help.decline.example", Text: "{program} decline approval-1"},

	{ID: "help.panel.short", Text: "Do what a person does in the panel of a page"},
	{ID: "help.panel.long", Text: "Runs, stops and removes plugins of any Session as a person's own act: the agent is\ntold in its next step and not woken."},
	{ID: "help.panel.example", Text: "{program} panel stop clock-1"},
	{ID: "help.panel.run.short", Text: "Run a version of a plugin"},
	{ID: "help.panel.run.long", Text: "Runs a Package as a person does: nobody has to allow it any more. A Client half needs\na page."},
	{ID: "help.panel.run.example", Text: "{program} panel run clock-1 pkg-1"},
	{ID: "help.panel.run.flag.mode", Text: "`run` or update"},
	{ID: "help.panel.stop.short", Text: "Stop a plugin"},
	{ID: "help.panel.stop.long", Text: "Stops a plugin of any Session."},
	{ID: "help.panel.stop.example", Text: "{program} panel stop clock-1"},
	{ID: "help.panel.remove.short", Text: "Remove a plugin"},
	{ID: "help.panel.remove.long", Text: "Stops a plugin of any Session and forgets it."},
	{ID: "help.panel.remove.example", Text: "{program} panel remove clock-1"},

	{ID: "help.page.short", Text: "The page that runs Client halves"},
	{ID: "help.page.long", Text: "Tells where the page is that a host serves."},
	{ID: "help.page.example", Text: "{program} page url"},
	{ID: "help.page.url.short", Text: "Print the address of the page"},
	{ID: "help.page.url.long", Text: "Prints the address, which holds a secret: whoever has it can act as you."},
	{ID: "help.page.url.example", Text: "{program} page url"},
	{ID: "help.page.open.short", Text: "Print where to open the page"},
	{ID: "help.page.open.long", Text: "Prints the address as page url does, for you to open in a browser: no browser is\nstarted."},
	{ID: "help.page.open.example", Text: "{program} page open"},

	{ID: "help.grant.short", Text: "What plugins of the workspace may reach"},
	{ID: "help.grant.long", Text: "Plugins may read and write their own data. What they may reach beyond is granted\n" +
		"here, for the workspace and on this machine; it lies in your own folder, so that a\n" +
		"repository that you clone brings no grants. Without a verb they are listed. A\n" +
		"change counts at once."},
	{ID: "help.grant.example", Text: "{program} grant\n{program} grant allow fs:read ./docs\n{program} grant allow shell git"},
	{ID: "help.grant.list.short", Text: "List the grants"},
	{ID: "help.grant.list.long", Text: "Lists what plugins of this workspace may reach."},
	{ID: "help.grant.list.example", Text: "{program} grant list"},
	{ID: "help.grant.allow.short", Text: "Let plugins reach something"},
	{ID: "help.grant.allow.long", Text: "KIND is fs:read or fs:write with a folder or file, shell with a program (or * for any\n" +
		"line), or web with a host (example.org, *.example.org, or * for all public ones).\n" +
		"A path is taken from the workspace."},
	{ID: "help.grant.allow.example", Text: "{program} grant allow fs:write ./out\n{program} grant allow web api.example.org"},
	{ID: "help.grant.revoke.short", Text: "Take a grant back"},
	{ID: "help.grant.revoke.long", Text: "Plugins can no longer reach it, from their next call on."},
	{ID: "help.grant.revoke.example", Text: "{program} grant revoke shell git"},

	{ID: "help.mcp.short", Text: "Serve an agent over MCP"},
	{ID: "help.mcp.long", Text: "Speaks the Model Context Protocol on standard input and output, one message a line,\n" +
		"until the input ends. An agent gets the seven tools of cordis and the tools that\n" +
		"plugins of its Session register; it is told when these change. A host that ends\n" +
		"meanwhile is found again at the next call; --autostart starts it."},
	{ID: "help.mcp.example", Text: "{program} mcp --autostart\n{program} mcp -C ~/src/project --session review"},

	{ID: "help.tool.short", Text: "Tools that plugins have registered"},
	{ID: "help.tool.long", Text: "Lists and calls what plugins offer to the agent of a Session. Without a verb it\nlists."},
	{ID: "help.tool.example", Text: "{program} tool\n{program} tool call translate '{\"word\":\"two\"}'"},
	{ID: "help.tool.list.short", Text: "List the tools"},
	{ID: "help.tool.list.long", Text: "Lists the tools that the Session can call, the seven of cordis not among them."},
	{ID: "help.tool.list.example", Text: "{program} tool list --json"},
	{ID: "help.tool.call.short", Text: "Call a tool"},
	{ID: "help.tool.call.long", Text: "Calls a tool with arguments that are JSON, {} when left out, - for standard input.\nIt prints what the tool renders for a model; --json has the value too."},
	{ID: "help.tool.call.example", Text: "{program} tool call translate '{\"word\":\"two\"}'"},

	{ID: "help.tool-call.short", Text: "Call one of the seven tools as an agent does"},
	{ID: "help.tool-call.long", Text: "For bridges to harnesses: takes the arguments of cordis_define, cordis_run and the\nothers as JSON, and prints the text for the model, or with --json the value."},
	{ID: "help.tool-call.example", Text: "{program} tool-call cordis_inspect_self '{}' --json"},
	{ID: "help.schema.short", Text: "Print the schemas of the seven tools"},
	{ID: "help.schema.long", Text: "Prints what a model is told of the tools; with NAME and --json the JSON Schema of\nthat tool's arguments alone."},
	{ID: "help.schema.example", Text: "{program} schema cordis_define --json"},
	{ID: "help.mention.short", Text: "Print what @PLUGIN in a text stands for"},
	{ID: "help.mention.long", Text: "Prints the context that belongs to a user's text which names plugins with @: for a\nharness to put behind it."},
	{ID: "help.mention.example", Text: "{program} mention --text \"make @clock-1 tick slower\""},
	{ID: "help.mention.flag.text", Text: "what the user wrote: a `TEXT`, or - for standard input"},
	{ID: "help.prompt.short", Text: "Print what plugins add to the prompt of an agent"},
	{ID: "help.prompt.long", Text: "Prints what plugins have registered with systemPrompt and still run: sections, then\nadvice on tools, then context. A harness asks before each turn; --json keeps the\nparts apart. An agent over MCP is offered it as the prompt \"plugins\"."},
	{ID: "help.prompt.example", Text: "{program} prompt\n{program} prompt --json"},
	{ID: "help.feedback.short", Text: "Take what the agent of a Session is to be told"},
	{ID: "help.feedback.long", Text: "Prints and removes what waits for a Session: a steer wakes the agent or enters its\nnext step, context comes with the next step. --keep leaves them there."},
	{ID: "help.feedback.example", Text: "{program} feedback\n{program} feedback --wait 30s --kind steer --json"},
	{ID: "help.feedback.flag.wait", Text: "wait for the first one, at most this `DURATION`"},
	{ID: "help.feedback.flag.kind", Text: "only `steer` or context"},
	{ID: "help.feedback.flag.keep", Text: "leave them in the queue"},
	{ID: "help.feedback.flag.format", Text: "`json` or text"},
	{ID: "help.guide.short", Text: "Print what an agent is told of dynamic plugins"},
	{ID: "help.guide.long", Text: "Prints the section for an agent's prompt: enough to write a plugin that works."},
	{ID: "help.guide.example", Text: "{program} guide >> AGENTS.md"},
	{ID: "help.skill.short", Text: "Print the skill for writing plugins"},
	{ID: "help.skill.long", Text: "Prints the longer text with examples and recipes, for an agent to load when it\nwrites a plugin."},
	{ID: "help.skill.example", Text: "{program} skill\n{program} skill --lang zh-CN --json"},

	{ID: "help.host.short", Text: "The host process of the workspace"},
	{ID: "help.host.long", Text: "One host per workspace holds the plugins. It ends when it is stopped, with all that\nit holds."},
	{ID: "help.host.example", Text: "{program} host start\n{program} host status\n{program} host stop"},
	{ID: "help.host.start.short", Text: "Start the host in the background"},
	{ID: "help.host.start.long", Text: "Starts the host, apart from this terminal, and returns when it answers. One that runs\nalready is fine. It writes to .cordis/host.log."},
	{ID: "help.host.start.example", Text: "{program} host start\n{program} host start --idle 2h"},
	{ID: "help.host.start.flag.eval-timeout", Text: "stop an evaluation that does not give way for this `DURATION` (5s)"},
	{ID: "help.host.start.flag.idle", Text: "end after this `DURATION` without clients and running plugins"},
	{ID: "help.host.status.short", Text: "Show the host"},
	{ID: "help.host.status.long", Text: "Shows the process, the socket, how long it runs, and how many plugins, runs and\nrequests there are."},
	{ID: "help.host.status.example", Text: "{program} host status --json"},
	{ID: "help.host.stop.short", Text: "Stop the host"},
	{ID: "help.host.stop.long", Text: "Asks the host to end and waits until all plugins are undone. No host is fine."},
	{ID: "help.host.stop.example", Text: "{program} host stop"},
	{ID: "help.host.logs.short", Text: "Print what host and plugins logged"},
	{ID: "help.host.logs.long", Text: "Prints the end of .cordis/host.log, also after the host has ended."},
	{ID: "help.host.logs.example", Text: "{program} host logs\n{program} host logs -f"},
	{ID: "help.host.logs.flag.follow", Text: "go on with what is added"},
	{ID: "help.host.logs.flag.lines", Text: "so many `LINES` from the end; 0 means all"},
	{ID: "help.serve.short", Text: "Be the host, in the foreground"},
	{ID: "help.serve.long", Text: "Is the host until it is interrupted or stopped, for service managers and for looking\non: what plugins log goes to standard error."},
	{ID: "help.serve.example", Text: "{program} serve\n{program} serve --idle 30m"},
	{ID: "help.serve.flag.eval-timeout", Text: "stop an evaluation that does not give way for this `DURATION` (5s)"},
	{ID: "help.serve.flag.idle", Text: "end after this `DURATION` without clients and running plugins"},
	{ID: "help.events.short", Text: "Print what pages are told"},
	{ID: "help.events.long", Text: "Prints the events that are kept, a line each; with --follow also those that come.\nWith --json each line is a JSON document."},
	{ID: "help.events.example", Text: "{program} events --follow --json"},
	{ID: "help.events.flag.since", Text: "only those after this `NUMBER`"},
	{ID: "help.events.flag.follow", Text: "go on with those that come"},
	{ID: "help.journal.short", Text: "Print what happened in the workspace"},
	{ID: "help.journal.long", Text: "Prints the end of .cordis/journal.jsonl: definitions, runs, decisions, failures, of\nearlier hosts too. It is for reading; nothing is restored from it."},
	{ID: "help.journal.example", Text: "{program} journal\n{program} journal --lines 0 --json"},
	{ID: "help.journal.flag.lines", Text: "so many `LINES` from the end; 0 means all"},
	{ID: "help.doctor.short", Text: "Look whether everything is in order"},
	{ID: "help.doctor.long", Text: "Looks at the workspace, the host, the grants, and whether a Host half can run. It\nchanges nothing."},
	{ID: "help.doctor.example", Text: "{program} doctor\n{program} doctor --json"},

	{ID: "help.exec.short", Text: "Run one Host half without a host"},
	{ID: "help.exec.long", Text: "Evaluates and applies the half, invokes and calls in the order of the flags, and\n" +
		"undoes it: for tests and scripts. What it logs goes to standard error, what the\n" +
		"calls answer to standard output. It ends when they are done: a half that\n" +
		"only sets timers or listens needs --for to live until they fire. It has the grants\n" +
		"of the workspace."},
	{ID: "help.exec.example", Text: "{program} exec clock.js --invoke 'now {\"zone\":\"UTC\"}'\n{program} exec ticker.js --for 3s"},
	{ID: "help.exec.flag.for", Text: "stay so long after the calls: a `DURATION`"},
	{ID: "help.exec.flag.invoke", Text: "invoke a handler: `'METHOD [JSON]'`"},
	{ID: "help.exec.flag.call", Text: "call a tool that it registers: `'NAME [JSON]'`"},
	{ID: "help.check.short", Text: "Check the syntax of a half"},
	{ID: "help.check.long", Text: "Checks a file as define does, and runs nothing. Exit 64 names line and column."},
	{ID: "help.check.example", Text: "{program} check clock.js\n{program} check --client face.js --json"},
	{ID: "help.check.flag.client", Text: "it is a Client half"},
	{ID: "help.version.short", Text: "Print the version"},
	{ID: "help.version.long", Text: "Prints the version of the program; with --json also what it was built from."},
	{ID: "help.version.example", Text: "{program} version\n{program} version --json"},
}
