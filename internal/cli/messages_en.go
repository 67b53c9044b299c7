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
	{"too-few-arguments", "%q needs %d argument(s) or more, got %d"},
	{"too-few-arguments.hint", "see %[2]s --help"},
	{"too-many-arguments", "%q takes %d argument(s) at most, got %d"},
	{"too-many-arguments.hint", "quote a text that has blanks, or see %[2]s --help"},
	{"bad-arguments", "bad arguments for %q"},
	{"unknown-language", "unknown language %q (want en or zh-CN)"},
	{"unknown-shell", "unknown shell %q (want bash, zsh, fish or powershell)"},

	// The process.
	{"write-failed", "the answer could not be written"},
	{"panic", "internal error: %s"},
	{"panic.hint", "please report it; DSHKIT_DEBUG=1 shows where it happened"},
	{"interrupted", "interrupted"},
	{"terminated", "asked to stop before the work was done"},

	// Causes from the system.
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
	{"help-default", "(default %s)"},

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
	{"help.completion.example", "source <({program} completion bash)"},

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
}
