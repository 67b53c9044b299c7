package selfipcmd

import "github.com/dshkit/dshkit/internal/cli"

// exchangeEnglish holds what export and import say.
var exchangeEnglish = cli.Table{
	{ID: "standard-input", Text: "standard input"},
	{ID: "imported", Text: "imported: %d into the %s library; known already: %d"},
	{ID: "import-replaced", Text: "entries withdrawn in favour of an imported one: %d"},
	{ID: "import-redacted", Text: "entries with credentials taken out: %d"},
	{ID: "import-archived", Text: "entries moved to the archive for lack of room: %d"},
	{ID: "import-quarantined", Text: "number %d of the input reads like an instruction to an agent (detector %d); it was put aside as %s"},
	{ID: "into-written", Text: "entries: %d, written into %s"},
	{ID: "left-out-blocked", Text: "entries left out because they read like instructions: %d"},
	{ID: "into-same", Text: "%s says all of this already"},

	{ID: "as-of", Text: "as of %s"},
	{ID: "bad-instant", Text: "%q is no point in time (want a date, a date and time, or how long ago: 90m, 36h, 7d, 2w)"},

	{ID: "read-input", Text: "cannot read %s"},
	{ID: "long-row", Text: "it is longer than %d MiB"},
	{ID: "long-text", Text: "the text has more than %d characters"},
	{ID: "bad-import", Text: "%s: line %d cannot be imported"},
	{ID: "bad-import.hint", Text: "nothing was imported; a line is a JSON object with a text"},
	{ID: "into-format", Text: "what goes into a file of somebody else is %s"},
	{ID: "into-format.hint", Text: "leave out --format, or write to standard output"},
	{ID: "import-nothing", Text: "there is nothing to import"},
	{ID: "import-nothing.hint", Text: "name a file, - for standard input, or the tool with --format claude-mem or --format engram"},
	{ID: "import-project", Text: "only the store of a tool has projects"},
	{ID: "import-project.hint", Text: "say which tool with --format"},
	{ID: "import-not-text", Text: "%s is not text, or longer than %d MiB"},
	{ID: "import-not-text.hint", Text: "nothing was imported; the store of a tool is read with --format"},
	{ID: "no-store", Text: "%s is not the export of a memory tool"},
	{ID: "no-store.hint", Text: "nothing was imported; it is a database of SQLite, or JSON with a list of observations"},
	{ID: "bad-row", Text: "%s: observation %d cannot be read"},
	{ID: "bad-row.hint", Text: "nothing was imported"},
	{ID: "no-project", Text: "%s has nothing of the project %q; it knows %s"},
	{ID: "no-project.hint", Text: "name another with --project, or all with --project '*'"},
	{ID: "no-home-for-store", Text: "nobody knows your home directory, where %s keeps its store"},
	{ID: "no-home-for-store.hint", Text: "name the file"},
	{ID: "no-store-there", Text: "%s keeps no store at %q"},
	{ID: "no-store-there.hint", Text: "name the file, or one that the tool exported"},
	{ID: "no-sqlite", Text: "%q is a database of %s, and the program sqlite3 that reads it is not on the path"},
	{ID: "no-sqlite.hint", Text: "install sqlite3, or name a file that the tool exported as JSON"},
	{ID: "store-too-long", Text: "%s is longer than %d MiB"},
	{ID: "program-timeout", Text: "%s did not end within %d seconds"},
	{ID: "program-failed", Text: "%s failed: %s"},

	{ID: "help.memory.flag.as-of", Text: "list what was believed at `TIME`: a date, a date and time, or 7d for a week ago"},

	{ID: "help.export.short", Text: "Write the entries for other places"},
	{ID: "help.export.long", Text: "Writes the live entries of the libraries that the scope reads, and of their\n" +
		"archives, to standard output: one JSON object a line, or a list for people with\n" +
		"--format markdown. Both are what import reads. With --into the list becomes a\n" +
		"marked block of a file such as CLAUDE.md or AGENTS.md; another export replaces\n" +
		"that block, and what stands around it is not touched. No entry is changed."},
	{ID: "help.export.example", Text: "{program} export > memory.jsonl\n{program} export --all > everything.jsonl\n{program} export --into CLAUDE.md --dry-run"},
	{ID: "help.export.flag.all", Text: "withdrawn entries too"},
	{ID: "help.export.flag.format", Text: "the `FORMAT`: jsonl or markdown"},
	{ID: "help.export.flag.into", Text: "write into `FILE`, as a block of its own"},

	{ID: "help.import.short", Text: "Store entries from other places"},
	{ID: "help.import.long", Text: "Stores what files or standard input (-) hold in the library that the scope\n" +
		"writes, all in one change. Each text is checked as by remember.\n\n" +
		"  jsonl      a line is {\"id\"?, \"t\"?, \"kind\"?, \"text\"}; what export writes\n" +
		"             besides is read too. A known id with another text withdraws the\n" +
		"             entry it had.\n" +
		"  markdown   a list for people, a memory file, CLAUDE.md, AGENTS.md, MEMORY.md:\n" +
		"             points and paragraphs, of the kind that the heading names.\n" +
		"  claude-mem, engram\n" +
		"             the store of that tool, or a file that it exported. It is only\n" +
		"             read, by the tool itself or by the program sqlite3. Without a file\n" +
		"             it is looked for in your home, and what it has of this project is\n" +
		"             taken.\n\n" +
		"Without --format a file that ends in .md is Markdown, any other is JSON lines.\n" +
		"If anything cannot be read, nothing is imported."},
	{ID: "help.import.example", Text: "{program} import memory.jsonl\n{program} import --dry-run CLAUDE.md\n{program} import --format claude-mem"},
	{ID: "help.import.flag.format", Text: "the `FORMAT`: jsonl, markdown, claude-mem or engram"},
	{ID: "help.import.flag.project", Text: "what a tool knows of this `PROJECT`; '*' for all"},
}
