package selfipcmd

import "github.com/dshkit/dshkit/internal/cli"

// helpEnglish holds the help of every command and flag. {program} stands for
// the name of the program. The command completion has its text in the shared table.
var helpEnglish = cli.Table{
	{ID: "help.short", Text: "Memory for coding agents, in plain files"},
	{ID: "help.long", Text: "Carries what an agent learned from one conversation to the next: facts,\n" +
		"preferences, lessons, methods and resources, one line each, in text files\n" +
		"below self-improvement/ in your project. It needs no service, no account and\n" +
		"no model, and sends nothing anywhere unless you set up a model. No entry is\n" +
		"ever deleted: what was forgotten can be restored, what was changed undone."},
	{ID: "help.example", Text: "{program} install claude-code\n" +
		"{program} remember \"lesson: npm ci fails -> stale lock file -> npm install first\"\n" +
		"{program} memory npm\n" +
		"{program} status"},

	{ID: "help.remember.short", Text: "Store an entry"},
	{ID: "help.remember.long", Text: "Stores one entry in the library that the scope writes. A kind before the first\n" +
		"colon, or --kind, says what it is; without one it is a fact. Credentials are\n" +
		"taken out first. What is known already is refreshed and not stored twice. A\n" +
		"text that reads like an instruction to an agent goes into quarantine instead,\n" +
		"where no agent is shown it."},
	{ID: "help.remember.example", Text: "{program} remember The staging database is read-only on Sundays\n" +
		"{program} remember \"resource: Go proxy | https://proxy.golang.org | modules\"\n" +
		"{program} remember --kind preference --importance 9 \"Commit messages in English\"\n" +
		"{program} remember --replaces \"port 8080\" \"fact: the server listens on port 9090\""},
	{ID: "help.remember.flag.kind", Text: "the `KIND`: fact, preference, lesson, method or resource"},
	{ID: "help.remember.flag.importance", Text: "how much it weighs: `N` from 1 to 10, else that of its kind"},
	{ID: "help.remember.flag.source", Text: "where the knowledge is from: `SOURCE` user, agent, web, tool or doc"},
	{ID: "help.remember.flag.replaces", Text: "withdraw the entries that `TEXT|ID` means in favour of this one"},

	{ID: "help.memory.short", Text: "List the entries, or search them"},
	{ID: "help.memory.long", Text: "Lists the live entries of the libraries that the scope reads, each with its\n" +
		"id. With a query it shows the ten entries that fit best; with a query and --kind\n" +
		"or --all it lists those that contain it. No entry is changed, and unlike with\n" +
		"search a hit does not count as used."},
	{ID: "help.memory.example", Text: "{program} memory\n{program} memory --kind lesson\n{program} memory docker build\n{program} memory --all port"},
	{ID: "help.memory.flag.kind", Text: "list only this `KIND`: fact, preference, lesson, method or resource"},
	{ID: "help.memory.flag.all", Text: "list withdrawn entries too, marked"},

	{ID: "help.search.short", Text: "Find entries by their words"},
	{ID: "help.search.long", Text: "Shows the entries that fit the query, best first, from the libraries that the\n" +
		"scope reads and their archives. Chinese, Japanese and Korean need no blanks\n" +
		"between words. A mark says when an entry is from outside, was inferred, or may\n" +
		"be out of date. The first hits count as used, which adds to their weight.\n" +
		"Withdrawn entries and those that read like instructions are not shown."},
	{ID: "help.search.example", Text: "{program} search flaky test\n{program} search --limit 3 --json 数据库 端口"},
	{ID: "help.search.flag.limit", Text: "at most `N` entries, however long"},

	{ID: "help.forget.short", Text: "Withdraw entries"},
	{ID: "help.forget.long", Text: "Withdraws every live entry with this id, this text, or this part of a text. A\n" +
		"part has at least four letters or two Chinese characters, or is a whole word.\n" +
		"Nothing is deleted: a withdrawn entry stays in its file and is not shown any\n" +
		"more, and restore or undo brings it back."},
	{ID: "help.forget.example", Text: "{program} forget \"the server listens on port 8080\"\n{program} forget --dry-run docker"},

	{ID: "help.restore.short", Text: "Bring withdrawn entries back"},
	{ID: "help.restore.long", Text: "Makes every withdrawn entry with this id, this text, or this part of a text\n" +
		"live again. Live entries stay as they are."},
	{ID: "help.restore.example", Text: "{program} restore \"the server listens on port 8080\""},

	{ID: "help.why.short", Text: "Explain an entry: where it is from and how it stands"},
	{ID: "help.why.long", Text: "Shows of every entry with this id, this text, or this part of a text,\n" +
		"withdrawn ones too: its file, which way it came in, how far it is trusted,\n" +
		"what its score is made of, and each change of it with the evidence it was\n" +
		"drawn from. Nothing is changed."},
	{ID: "help.why.example", Text: "{program} why docker\n{program} why --json \"port 9090\""},

	{ID: "help.log.short", Text: "Show the changes of entries"},
	{ID: "help.log.long", Text: "Lists the changes, oldest first: id, time, what was done and by whom; below, +\n" +
		"is a new entry, ~ an altered one, - a withdrawn one. With a text or an id only\n" +
		"the changes that name it. Nothing is changed."},
	{ID: "help.log.example", Text: "{program} log\n{program} log --limit 0 docker"},
	{ID: "help.log.flag.limit", Text: "only the last `N` changes; 0 for all"},

	{ID: "help.undo.short", Text: "Take a change back"},
	{ID: "help.undo.long", Text: "Takes back the last change that has not been taken back, or the one with this\n" +
		"id from log. A new entry is withdrawn, a changed one gets its earlier line\n" +
		"back. If one of its entries has been changed since, nothing is done. Undoing\n" +
		"is a change itself and can be undone by its id."},
	{ID: "help.undo.example", Text: "{program} undo\n{program} undo --dry-run"},

	{ID: "help.inject.short", Text: "Print what a session is given to read"},
	{ID: "help.inject.long", Text: "Prints the text that a session begins with, within the budget of the setting\n" +
		"injectChars. With --explain it prints instead what became of every live entry:\n" +
		"its score, the parts of it, and why it is shown or left out. No entry is\n" +
		"changed."},
	{ID: "help.inject.example", Text: "{program} inject\n{program} inject --explain"},
	{ID: "help.inject.flag.explain", Text: "tell of every entry why it is shown or left out"},

	{ID: "help.scope.short", Text: "Show or set how far experience travels"},
	{ID: "help.scope.long", Text: "Shows the scope, or writes it into the config.json of the workspace:\n" +
		"  workspace  read and write this workspace alone (the default)\n" +
		"  global     read and write the library that all workspaces share\n" +
		"  both       read both, write this workspace alone\n" +
		"A change of scope moves no entry. It says what is no longer seen, and how to\n" +
		"see it again."},
	{ID: "help.scope.example", Text: "{program} scope\n{program} scope both\n{program} scope --global workspace"},
	{ID: "help.scope.flag.global", Text: "set it for all workspaces that set none, in the config.json of the user"},

	{ID: "help.config.short", Text: "Show or change settings"},
	{ID: "help.config.long", Text: "Alone it shows the settings in effect. Strongest first they come from the\n" +
		"environment, a file of the workspace, a file of the user, the default."},
	{ID: "help.config.example", Text: "{program} config\n{program} config show --origin"},
	{ID: "help.config.show.short", Text: "Show the settings in effect"},
	{ID: "help.config.show.long", Text: "Shows every setting with its value, and with --origin the file or the variable\n" +
		"that it came from. Nothing is changed."},
	{ID: "help.config.show.example", Text: "{program} config show --origin"},
	{ID: "help.config.show.flag.origin", Text: "show where each value came from"},
	{ID: "help.config.set.short", Text: "Set a setting"},
	{ID: "help.config.set.long", Text: "Writes one setting into the file it belongs in: scope, globalDir and\n" +
		"autoPromote into config.json, the others into settings.json. Everything else\n" +
		"in the file stays as it is. A file that is damaged, or is not JSON, is not\n" +
		"touched."},
	{ID: "help.config.set.example", Text: "{program} config set language zh-CN\n" +
		"{program} config set --global injectChars 4000\n" +
		"{program} config set globalDir ~/notes/agents"},
	{ID: "help.config.set.flag.global", Text: "set it for all workspaces that do not set it themselves"},
	{ID: "help.config.unset.short", Text: "Take a setting out of its file"},
	{ID: "help.config.unset.long", Text: "Takes one setting out of the file it belongs in, so that the next place\n" +
		"decides. Everything else in the file stays as it is."},
	{ID: "help.config.unset.example", Text: "{program} config unset language\n{program} config unset --global injectChars"},
	{ID: "help.config.unset.flag.global", Text: "take it out of the file for all workspaces"},

	{ID: "help.promote.short", Text: "Explain why nothing is promoted to the global library"},
	{ID: "help.promote.long", Text: "Copying what a workspace learned into the library that all workspaces share is\n" +
		"refused in every scope. Sharing goes one way: what was learned in one project,\n" +
		"perhaps in confidence, would be shown in all others.\n" +
		"What every project may know is remembered in scope global, which writes to the\n" +
		"shared library directly. Nothing is ever changed here; a count is accepted and\n" +
		"makes no difference."},
	{ID: "help.promote.example", Text: "{program} promote"},

	{ID: "help.queue.short", Text: "Sessions that wait for their retro"},
	{ID: "help.queue.long", Text: "A session that has ended waits here for its retro, which draws lessons, facts,\n" +
		"methods and resources from what happened in it. Alone it lists the queue.\n" +
		"Nothing that is queued gets lost: what failed too often becomes a dead letter."},
	{ID: "help.queue.example", Text: "{program} queue\n{program} queue run"},
	{ID: "help.queue.list.short", Text: "List the sessions that wait"},
	{ID: "help.queue.list.example", Text: "{program} queue list"},
	{ID: "help.queue.dead.short", Text: "List the dead letters"},
	{ID: "help.queue.dead.long", Text: "Lists the sessions whose retro was given up, with the reason and the last\n" +
		"error. Their session logs are still there; retry brings them back."},
	{ID: "help.queue.dead.example", Text: "{program} queue dead"},
	{ID: "help.queue.run.short", Text: "Run the retros that are due"},
	{ID: "help.queue.run.long", Text: "Takes up sessions that were killed, then draws conclusions from every session\n" +
		"that is due: with the model, if one is set up, else with the built-in engine,\n" +
		"which needs no network. Each line names its evidence and is checked as by\n" +
		"remember. What fails is tried five times, half an hour apart. A run that is\n" +
		"killed loses nothing, and two at once do not get in each other's way, so it\n" +
		"suits a timer. Hooks start it by themselves."},
	{ID: "help.queue.run.example", Text: "{program} queue run\n{program} queue run --detach -C ~/code/app"},
	{ID: "help.queue.run.flag.detach", Text: "go on in the background and return at once"},
	{ID: "help.queue.retry.short", Text: "Bring dead letters back to the queue"},
	{ID: "help.queue.retry.long", Text: "Brings back all dead letters, or the one with this key, as if they had never\n" +
		"been tried."},
	{ID: "help.queue.retry.example", Text: "{program} queue retry"},
	{ID: "help.queue.drop.short", Text: "Take a session out of the queue"},
	{ID: "help.queue.drop.long", Text: "Takes the row with this key out of the queue for good, so that nothing is\n" +
		"learned from that session. Its log stays in self-improvement/logs. Dead\n" +
		"letters are not dropped; they do no harm where they are."},
	{ID: "help.queue.drop.example", Text: "{program} queue drop --dry-run session-1.md"},

	{ID: "help.session.short", Text: "Sessions that have not been learned from yet"},
	{ID: "help.session.long", Text: "Alone it lists the sessions that hooks have told of and that have not been\n" +
		"learned from yet."},
	{ID: "help.session.example", Text: "{program} session"},
	{ID: "help.session.list.short", Text: "List the sessions"},
	{ID: "help.session.list.long", Text: "Lists the sessions with what was counted in each, and how many characters it\n" +
		"was given to read. Nothing is changed."},
	{ID: "help.session.list.example", Text: "{program} session list --json"},
	{ID: "help.session.show.short", Text: "Show what is known of a session"},
	{ID: "help.session.show.long", Text: "Prints the log of a session as the retro would read it, without credentials.\n" +
		"Nothing is changed."},
	{ID: "help.session.show.example", Text: "{program} session show 0f3c2a71-5d0e-4a53-9a54-5f3f6a1d2b11"},
	{ID: "help.session.end.short", Text: "End a session whose harness did not"},
	{ID: "help.session.end.long", Text: "Writes the log of a session and puts it into the queue, as its harness does\n" +
		"when it ends. A session in which nothing happened leaves nothing behind."},
	{ID: "help.session.end.example", Text: "{program} session end 0f3c2a71-5d0e-4a53-9a54-5f3f6a1d2b11"},

	{ID: "help.hook.short", Text: "Answer an event of a harness"},
	{ID: "help.hook.long", Text: "A harness calls this with an event as JSON on standard input; install arranges\n" +
		"it. The start of a session is answered with the whole block, a prompt with\n" +
		"what is new for this session; errors and replies are written down, and the end\n" +
		"puts the session into the queue. It asks no model and no network, waits for\n" +
		"nobody, and exits with 0 whatever happens; what went wrong is recorded for\n" +
		"status and doctor. In a folder that is no workspace it does nothing."},
	{ID: "help.hook.example", Text: "{program} hook claude-code SessionStart < event.json\n{program} hook codex < event.json"},

	{ID: "help.install.short", Text: "Wire the hooks into a harness"},
	{ID: "help.install.long", Text: "Adds our hooks to the settings of a harness. Without a name it tells which ones\n" +
		"it knows; {program} doctor tells which have none yet. Where hooks have a file of\n" +
		"their own, it makes one. Other people's hooks, their order and every other byte\n" +
		"stay as they are, and a backup is kept beside the file. A file that cannot be\n" +
		"understood is not touched: what to add by hand is printed. Installing again\n" +
		"changes nothing, or mends what has changed. A project's settings are shared with\n" +
		"others, so hooks there call the bare word {program}.\n\n" +
		"Agents without hooks learn the commands from a skill (--skill) or from a block\n" +
		"in AGENTS.md (--agents-md), or are given the tools of {program} mcp (--mcp)."},
	{ID: "help.install.example", Text: "{program} install claude-code\n" +
		"{program} install codex --dry-run\n" +
		"{program} install claude-code --scope project\n" +
		"{program} install claude-code --events SessionStart,UserPromptSubmit,SessionEnd\n" +
		"{program} install --skill\n" +
		"{program} install codex --mcp --print"},
	{ID: "help.install.flag.scope", Text: "whose settings: `SCOPE` user or project"},
	{ID: "help.install.flag.events", Text: "only these `EVENTS`, with commas between them"},
	{ID: "help.install.flag.trace", Text: "hear of tool calls that succeed, too"},
	{ID: "help.install.flag.print", Text: "print what to add by hand and change nothing"},
	{ID: "help.uninstall.short", Text: "Take the hooks out of a harness"},
	{ID: "help.uninstall.long", Text: "Removes our hooks from the settings and what install made for them, nothing\n" +
		"else. What was learned stays where it is. Uninstalling twice is no error."},
	{ID: "help.uninstall.example", Text: "{program} uninstall claude-code\n{program} uninstall codex --dry-run\n{program} uninstall --skill"},
	{ID: "help.uninstall.flag.scope", Text: "whose settings: `SCOPE` user or project"},

	{ID: "help.status.short", Text: "Show how the memory stands"},
	{ID: "help.status.long", Text: "Shows the scope, the libraries with their counts, the length of the injection,\n" +
		"the queue, proposals, quarantine, hand-off, sessions, and the last failures of\n" +
		"hooks. No entry is changed."},
	{ID: "help.status.example", Text: "{program} status\n{program} status --json -C ~/code/app"},

	{ID: "help.doctor.short", Text: "Look for what does not work"},
	{ID: "help.doctor.long", Text: "Examines the settings, the libraries and their locks, the queue, and the hooks\n" +
		"of every harness: whether each is there once, whether the program they call\n" +
		"exists, and when an event last arrived. It mends nothing. When it finds\n" +
		"trouble it exits with 1."},
	{ID: "help.doctor.example", Text: "{program} doctor"},

	{ID: "help.version.short", Text: "Show the version"},
	{ID: "help.version.long", Text: "Shows the version of the program; with --json also how it was built. The flag\n" +
		"--version in the place of a command does the same."},
	{ID: "help.version.example", Text: "{program} version --json"},
}
