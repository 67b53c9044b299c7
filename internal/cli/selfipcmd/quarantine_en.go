package selfipcmd

import "github.com/dshkit/dshkit/internal/cli"

// quarantineEnglish is what quarantine says. A row has the id, the claimed
// source, what the detector found, and the length.
var quarantineEnglish = cli.Table{
	{ID: "quarantine-empty", Text: "there is nothing in quarantine"},
	{ID: "quarantine-row", Text: "%s  source: %s; detector: %s; characters: %d"},
	{ID: "quarantine-head", Text: "%s  put aside at %s; source: %s; detector: %s"},
	{ID: "quarantine-unreadable", Text: "%s  cannot be read"},
	{ID: "source-unknown", Text: "not named"},
	{ID: "purged", Text: "removed for good: %s"},
	{ID: "purged-nothing", Text: "nothing to remove"},
	{ID: "op-release", Text: "release"},

	{ID: "no-aside", Text: "no text in quarantine has the id %q"},
	{ID: "no-aside.hint", Text: "%[1]s quarantine lists them"},
	{ID: "many-asides", Text: "%d texts in quarantine have an id that begins with %q"},
	{ID: "bad-aside", Text: "%s cannot be read as a text in quarantine"},
	{ID: "not-shown", Text: "a text in quarantine is not shown to an agent"},
	{ID: "not-shown.hint", Text: "the user can run the same command in a terminal of their own"},
	{ID: "no-place", Text: "the folder of the user's settings is not known: nothing can be remembered as released"},
	{ID: "release-awaits", Text: "nothing was released: read the text of %s and repeat the command with --yes"},
	{ID: "purge-what", Text: "name ids, or --all, or --older-than: one of the three"},
	{ID: "bad-age", Text: "%q is no age (want 30d, 2w or 12h)"},

	{ID: "help.quarantine.short", Text: "Texts that read like instructions to an agent"},
	{ID: "help.quarantine.long", Text: "Alone it lists the texts that were put aside, without showing them."},
	{ID: "help.quarantine.example", Text: "{program} quarantine"},
	{ID: "help.quarantine.list.short", Text: "List the texts"},
	{ID: "help.quarantine.list.long", Text: "Lists the texts by id, with the source that each claimed and what the detector\n" +
		"found. The texts themselves are not shown. Nothing is changed."},
	{ID: "help.quarantine.list.example", Text: "{program} quarantine list --json"},
	{ID: "help.quarantine.show.short", Text: "Show a text"},
	{ID: "help.quarantine.show.long", Text: "Shows the text with this id, or with the only id that begins so. It is for your\n" +
		"eyes: a process that an agent has started is refused. Nothing is changed."},
	{ID: "help.quarantine.show.example", Text: "{program} quarantine show 2026-09-14T21-10-00-000+08-00-1"},
	{ID: "help.quarantine.release.short", Text: "Store a text as an entry after all"},
	{ID: "help.quarantine.release.long", Text: "Shows the text and, with --yes, stores it as an entry in your name, as remember\n" +
		"does. Agents will read it: injection and search show this very text in this\n" +
		"library from now on, and no other. That is remembered in your own settings\n" +
		"folder, so a repository cannot release anything. An agent cannot do it."},
	{ID: "help.quarantine.release.example", Text: "{program} quarantine release 2026-09-14T21-10-00-000+08-00-1\n" +
		"{program} quarantine release --yes --kind lesson 2026-09-14T21-10-00-000+08-00-1"},
	{ID: "help.quarantine.release.flag.kind", Text: "the `KIND`: fact, preference, lesson, method or resource"},
	{ID: "help.quarantine.release.flag.yes", Text: "you have read the text and want it"},
	{ID: "help.quarantine.purge.short", Text: "Remove texts for good"},
	{ID: "help.quarantine.purge.long", Text: "Deletes the files of the texts with these ids, of all, or of those that were\n" +
		"put aside longer ago than an age. Nothing brings them back."},
	{ID: "help.quarantine.purge.example", Text: "{program} quarantine purge --older-than 30d --dry-run\n{program} quarantine purge --all"},
	{ID: "help.quarantine.purge.flag.all", Text: "remove all of them"},
	{ID: "help.quarantine.purge.flag.older-than", Text: "remove those older than `AGE`: 30d, 2w, 12h"},
}
