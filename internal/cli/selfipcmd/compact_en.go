package selfipcmd

import "github.com/dshkit/dshkit/internal/cli"

// compactEnglish is what compact, prune and the plot of status say.
var compactEnglish = cli.Table{
	{ID: "help.compact.short", Text: "Say the same in fewer lines"},
	{ID: "help.compact.long", Text: "Shortens the files of the library that the scope writes, or the one that is\n" +
		"named by its file or by a kind. Of entries that say the same one stays, with\n" +
		"the best of their metadata. With a model, entries about one thing are merged,\n" +
		"when each number, name, path and denial is still there; an answer that loses\n" +
		"more is rejected and nothing is changed. Merged entries go into the archive as\n" +
		"withdrawn ones, the text before is kept beside the file as backup-FILE, and\n" +
		"undo takes it all back. Workers do this by themselves, for files of 4000\n" +
		"characters and more, at most every half hour for each."},
	{ID: "help.compact.example", Text: "{program} compact --dry-run\n{program} compact facts\n{program} compact lesson --local"},
	{ID: "help.compact.flag.local", Text: "without a model: only entries that say the same"},
	{ID: "help.compact.flag.due", Text: "only when a file is long and was not compacted lately, as a worker does"},
	{ID: "no-partition", Text: "there is no file or kind %q"},
	{ID: "no-partition.hint", Text: "the files are lessons, facts, resources and methods"},
	{ID: "compacting", Text: "another process compacts %s at this moment"},
	{ID: "compacting.hint", Text: "try again in a minute"},
	{ID: "compact-none", Text: "there is nothing to compact"},
	// File; lengths before and after, entries before and after, who did it.
	{ID: "compact-nothing", Text: "%s: nothing is said twice"},
	{ID: "compact-rejected", Text: "%s: the answer of %s was rejected: %s; nothing was changed"},
	{ID: "compact-done", Text: "%s: characters: %d -> %d, entries: %d -> %d (%s)"},
	{ID: "compact-parts", Text: "  said by another: %d, merged: %d into %d, moved to the archive: %d"},
	{ID: "compact-missing", Text: "  not in the answer, and kept: %d"},
	{ID: "compact-stale", Text: "  merges left undone, for an entry had changed meanwhile: %d"},
	{ID: "compact-low", Text: "  left, and hardly found in the answer: %s"},
	{ID: "compact-stood-in", Text: "the built-in engine stood in for the model: %s"},
	{ID: "compact-undo", Text: "  text before: %s; to take it back: selfip undo %s"},
	{ID: "op-compact", Text: "compacted"},
	{ID: "by-compact", Text: "a compaction"},
	{ID: "origin-compact", Text: "through a compaction"},
	{ID: "compact-why-cut", Text: "it was cut off"},
	{ID: "compact-why-short", Text: "it is too short"},
	{ID: "compact-why-no-bullets", Text: "it holds no entries"},
	{ID: "compact-why-unfaithful", Text: "more than half of the entries are not found in it"},

	{ID: "help.prune.short", Text: "Remove what is old and of no use any more"},
	{ID: "help.prune.long", Text: "Removes what is older than the setting keepDays says: session logs and\n" +
		"snapshots that were learned from, quarantined texts, backups, dead letters\n" +
		"whose session is gone, old rows of logs. Never an entry, and nothing that was\n" +
		"not learned from. A worker does this once a day; logs/prune.md tells what\n" +
		"went."},
	{ID: "help.prune.example", Text: "{program} prune --dry-run\n{program} prune --days 30"},
	{ID: "help.prune.flag.days", Text: "from this age on, `N` days, instead of that of the settings"},
	{ID: "help.prune.flag.due", Text: "only when it has not been done for a day, as a worker does"},
	{ID: "bad-days", Text: "the age %d is not a number of days from 1 on"},
	{ID: "prune-off", Text: "the setting keepDays is 0: everything is kept"},
	{ID: "prune-off.hint", Text: "%[1]s prune --days N removes what is older than N days all the same"},
	{ID: "prune-nothing", Text: "nothing is older than %d days and of no use any more"},
	// Library; what; files, rows, bytes.
	{ID: "pruned", Text: "%s: %s, files: %d, rows: %d, bytes: %d"},
	{ID: "prune-logs", Text: "session logs"},
	{ID: "prune-snapshots", Text: "snapshots"},
	{ID: "prune-quarantine", Text: "quarantined texts"},
	{ID: "prune-backups", Text: "backups"},
	{ID: "prune-dead", Text: "dead letters"},
	{ID: "prune-rows", Text: "rows of logs"},
	{ID: "prune-failures", Text: "failures"},
	{ID: "prune-heartbeats", Text: "signs of harnesses"},

	{ID: "help.status.flag.plot", Text: "show how entries, injected text and tokens went from day to day"},
	{ID: "help.status.flag.days", Text: "with --plot: the last `N` days"},
	{ID: "bad-plot-days", Text: "%d is not a number of days from 1 to %d"},
	{ID: "plot-size", Text: "entries, archived ones with them (%s)"},
	{ID: "plot-injected", Text: "characters that sessions were given to read, a day"},
	{ID: "plot-tokens", Text: "tokens of the model, a day"},
	{ID: "plot-sums", Text: "%d days: sessions: %d, characters: %d, tokens: %d"},
}
