package cli

// en holds the shared sentences in English. The comment above a group says who
// fills the verbs.
var en = Table{
	// Frames of lines on standard error: the program, the sentence.
	{"error-line", "%s: %s"},
	{"note-line", "%s: note: %s"},
	{"warning-line", "%s: warning: %s"},
	{"because", ": "},

	// Parsing. Hints: 1 is the program, 2 and up are the error's own.
	{"unknown-command", "unknown command %q for %q"},
	{"unknown-command.hint", "see %[3]s --help"},
	{"unknown-command-near", "unknown command %q for %q (did you mean %q?)"},
	{"unknown-flag", "unknown flag %s for %q"},
	{"unknown-flag.hint", "see %[3]s --help"},
	{"unknown-flag-near", "unknown flag %s for %q (did you mean %s?)"},
	{"flag-needs-value", "flag %s needs a value"},
	{"flag-bad-value", "bad value %q for flag %s (want %s)"},
	{"flag-bad-syntax", "bad flag %q"},
	{"too-few-arguments", "too few arguments for %q: want at least %d, got %d"},
	{"too-few-arguments.hint", "see %[2]s --help"},
	{"too-many-arguments", "too many arguments for %q: want at most %d, got %d"},
	{"too-many-arguments.hint", "quote a text that has blanks, or see %[2]s --help"},
	{"bad-arguments", "bad arguments for %q"},
	{"unknown-language", "unknown language %q (want en or zh-CN)"},
	{"unknown-shell", "unknown shell %q (want bash, zsh, fish or powershell)"},

	// The process.
	{"write-failed", "the answer could not be written"},
	{"no-current-folder", "the current folder is unknown"},
	{"no-current-folder.hint", "name the workspace with -C and a whole path"},
	{"panic", "internal error: %s"},
	{"panic.hint", "please report it; DSHKIT_DEBUG=1 shows where it happened"},
	{"interrupted", "interrupted"},
	{"terminated", "asked to stop before the work was done"},

	// Causes from the system.
	{"dry-run", "a dry run: this is what would be done, nothing was changed"},
	{"no-space", "no space left on the disk"},
	{"read-only-disk", "the disk is read-only"},
	{"link-loop", "symbolic links form a loop"},
	{"name-too-long", "the name is too long"},
	{"is-folder", "it is a folder"},
	{"not-folder", "it is not a folder"},
	{"too-many-files", "too many open files"},
	{"disk-error", "the disk reports an error"},
	{"not-there", "no such file or folder"},
	{"not-permitted", "permission denied"},
	{"already-there", "it exists already"},
	{"cancelled", "cancelled"},
	{"too-late", "not done in time"},

	// Headings of help.
	{"help-usage", "Usage:"},
	{"help-aliases", "Other names:"},
	{"help-example", "Examples:"},
	{"help-commands", "Commands:"},
	{"help-flags", "Flags:"},
	{"help-common-flags", "Flags of every command:"},
	{"help-exits", "Exit codes:"},
	{"help-default", " (default %s)"},

	// Flags that every command shares.
	{"flag.dir", "work in this workspace `DIRECTORY`"},
	{"flag.json", "write one JSON document"},
	{"flag.quiet", "no notes and warnings"},
	{"flag.verbose", "log what is done, on standard error"},
	{"flag.lang", "speak this `LANGUAGE`: en or zh-CN"},
	{"flag.help", "show help"},
	{"flag.dry-run", "show what would change, change nothing"},

	// Commands that every binary has.
	{"help.help.short", "Show the help of a command"},
	{"help.help.example", "{program} help completion"},
	{"help.completion.short", "Print a completion script for a shell"},
	{"help.completion.long", "Writes a script to standard output that makes the shell complete commands,\n" +
		"flags and words. In bash it needs the package bash-completion."},
	{"help.completion.example", "source <({program} completion bash)\n" +
		"source <({program} completion zsh)\n" +
		"{program} completion fish | source\n" +
		"{program} completion powershell | Out-String | Invoke-Expression"},

	// Exit codes.
	{"exit.0", "done; also nothing to do"},
	{"exit.1", "failed"},
	{"exit.3", "refused: policy, contract, budget, or the user said no"},
	{"exit.4", "no such thing"},
	{"exit.5", "conflict: stale revision or run, transition in flight, wrong mode"},
	{"exit.6", "busy: a lock or a host was not free in time"},
	{"exit.7", "plugin code failed"},
	{"exit.8", "timed out or cancelled"},
	{"exit.9", "no host running, or no page connected"},
	{"exit.10", "pending: accepted, awaiting approval, starting"},
	{"exit.11", "a write was completed in part, or nobody knows"},
	{"exit.64", "usage: the command line or a value is wrong"},
	{"exit.65", "a file on disk is damaged"},
	{"exit.70", "internal error"},
	{"exit.130", "interrupted"},

	// The generated reference: the program, then what the sentence names.
	{"reference-title", "The commands of %s"},
	{"reference-generated", "Written by scripts/gen from the help of the program; do not edit."},
	{"reference-exits", "Exit codes"},
	{"reference-exits-intro", "One table for all programs. None of them exits with 2: to a harness that means \"block\"."},
	{"reference-code", "Code"},
	{"reference-meaning", "Means"},
	{"reference-flag", "Flag"},

	// Scope: what is named, then what was wanted.
	{"unknown-scope", "unknown scope %q (want %s, %s or %s)"},
	{"global-dir-not-path", "%q is no folder for the global library: give a path that has a slash"},
	{"global-dir-workspace", "%q is this workspace itself: the global library needs a folder of its own"},
	{"global-dir-foreign", "%q is a Windows path and names no folder on this system"},
	{"scope-hides-workspace", "scope %[1]s no longer reads the workspace's library: its entries (%[2]d) disappear from injection and search at once; the files stay in %[3]s; switch back to workspace or both to see them again"},
	{"scope-hides-global", "scope %[1]s no longer reads the global library: its entries (%[2]d) disappear from injection and search at once; switch back to both or global to see them again"},
	{"scope-global-empty", "the global library has no entries yet (%s)"},

	// Workspace: the folder.
	{"workspace-missing", "the workspace folder %q does not exist"},
	{"workspace-loop", "the workspace folder %q is a loop of symbolic links"},
	{"workspace-not-folder", "the workspace %q is not a folder"},
	{"workspace-unusable", "the workspace folder %q cannot be used"},
	{"workspace-needed", "%q is no workspace, so nothing is written there"},
	{"workspace-needed.hint", "run in a project, or name the folder with -C"},
	{"workspace-is-home", "%q is the home directory or above it and counts as a workspace only when named with -C"},
	{"workspace-is-root", "%q is the root of the file system and counts as a workspace only when named with -C"},

	// Settings: faults.
	{"config-damaged", "%s cannot be understood"},
	{"config-damaged.hint", "nothing was changed there; mend that place by hand"},
	{"config-unreadable", "%s cannot be read"},
	{"config-too-large", "it has %d bytes, settings have %d at most"},
	{"config-not-object", "%s holds no object of settings and is not used"},
	{"config-not-json", "%s is not JSON: change it by hand"},
	{"config-no-home", "the home directory is unknown: no global library, no settings of the user"},
	{"config-no-home.hint", "set HOME or DSH_HOME"},
	{"unknown-setting", "unknown setting %q (known: %s)"},
	{"unknown-setting-near", "unknown setting %q (did you mean %q?)"},
	{"own-setting", "%s cannot be set for a workspace, which may be somebody else's: it counts only in your own settings and in the environment"},
	{"own-setting.hint", "%[1]s config set --global sets it for you, in all workspaces"},
	{"bad-setting", "bad value %q for the setting %s: want %s"},
	{"json-comment", "line %d, column %d: JSON has no comments"},
	{"json-trailing-comma", "line %d, column %d: a comma with nothing after it"},
	{"json-syntax", "line %d, column %d: unexpected %q"},
	{"json-end", "line %d, column %d: the text ends too early"},
	{"json-string", "line %d, column %d: a bad character or escape in a string"},
	{"json-utf8", "line %d, column %d: not UTF-8"},
	{"json-depth", "line %d, column %d: nested too deep"},
	{"config-syntax", "line %d, column %d: %s"},

	// Settings: what a value must be.
	{"want-scope", "workspace, global or both"},
	{"want-writes", "auto, ask or off"},
	{"want-language", "en, zh-CN or auto"},
	{"want-folder", "the path of a folder"},
	{"want-bool", "true or false"},
	{"want-number", "a whole number from %d to %d"},
	{"want-provider", "none, openai, anthropic or command"},
	{"want-address", "an address such as https://api.deepseek.com, without a key in it"},
	{"want-name", "a name of at most %d characters"},
	{"want-variable", "the name of an environment variable, not the key itself"},
	{"want-own-file", "the whole path of a file, or one that begins with ~/"},
	{"want-command", "a program and its arguments, those with blanks in quotes"},
	{"want-effort", "auto, off, or an effort that the model knows"},
	{"want-timeout", "a duration from %s to %s"},
	{"want-use", "off, or some of %s"},
	{"want-duration", "a duration such as 5s, %s at most"},

	// Settings: warnings. The file or variable, then what is wrong.
	{"config-unknown-key", "%s: unknown setting %q (known here: %s)"},
	{"config-unknown-key-near", "%s: unknown setting %q (did you mean %q?)"},
	{"config-unknown-variable", "the variable %s is no setting"},
	{"config-unknown-variable-near", "the variable %s is no setting (did you mean %s?)"},
	{"config-wrong-file", "%s: the setting %q has no effect here, it belongs in %s"},
	{"config-bad-value", "%s: bad value %s for %s: want %s"},
	{"config-duplicate-key", "%s: the setting %q occurs more than once, the last one counts"},
	{"config-two-files", "%s is not read, because there is %s"},
	{"config-backslash-home", "%s is used as the home of the harness; its name should be %s"},
	{"config-tilde-home", "%s: ~ is read as the home of the harness, because %s exists; write that path out (elsewhere ~ would mean %s)"},
	{"config-home-path", "DSH_HOME is %q, no absolute path of this system; it is not used"},
	{"config-foreign-path", "%s: %q is no path of this system and is not used"},
	{"config-no-base", "%s: the path %q is relative to nothing and is not used"},
	{"config-own-only", "%s: the setting %q is ignored here: a workspace may be somebody else's, so it counts only in your own settings (%s) and in the environment"},
	{"config-less-only", "%s: a workspace can only lower %s, so %v is more than counts"},
	{"config-safe-scope", "until %s is mended, the files do not set the scope: it is workspace"},
}
