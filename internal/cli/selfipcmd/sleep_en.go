package selfipcmd

import "github.com/dshkit/dshkit/internal/cli"

// sleepEnglish holds what sleep, hypothesis and schedule say.
var sleepEnglish = cli.Table{
	{ID: "help.sleep.short", Text: "Consolidate the memory"},
	{ID: "help.sleep.long", Text: "Goes over the whole library that the scope writes: merges entries that say the\n" +
		"same, groups lessons that recur into principles, makes hypotheses of entries\n" +
		"that contradict each other, picks what the next session should know first, and\n" +
		"lists what is due for review. It quotes entries and invents nothing. A model,\n" +
		"when one is set up, is shown the library after that, part by part, and may merge\n" +
		"more; what it says is taken over only as far as the entries bear it. No entry is\n" +
		"deleted: one that another stands for is withdrawn, and undo brings it back. With\n" +
		"--due it does this at most every six hours, and not while others are at it."},
	{ID: "help.sleep.example", Text: "{program} sleep\n{program} sleep --dry-run\n{program} sleep --due"},
	{ID: "help.sleep.flag.due", Text: "only when it is time and something has changed"},

	// The reason.
	{ID: "sleep-awake", Text: "nothing to do: %s"},
	{ID: "awake-not-due", Text: "the last sleep is less than six hours ago"},
	{ID: "awake-nothing-new", Text: "nothing has changed since the last sleep"},
	{ID: "awake-no-entries", Text: "there are no entries"},
	{ID: "awake-queue-runs", Text: "a retro is at work"},
	{ID: "awake-asleep", Text: "another process is at it"},
	{ID: "awake-read-only", Text: "the setting writes says that nothing is learned"},

	{ID: "op-sleep", Text: "sleep"},

	// What came of it: an id and a text, a text, a count.
	{ID: "slept", Text: "consolidated the %s library (%s)"},
	{ID: "sleep-nothing", Text: "nothing was changed"},
	{ID: "sleep-merged", Text: "kept %s: %s"},
	{ID: "sleep-merged-of", Text: "  withdrawn in its favour: %s: %s"},
	{ID: "sleep-confirmed", Text: "still holds: %s: %s"},
	{ID: "sleep-principle", Text: "principle: %s"},
	{ID: "sleep-hypothesis", Text: "hypothesis %s: %s"},
	{ID: "sleep-prefetch", Text: "to know first: %s"},
	{ID: "sleep-due", Text: "due for review, days: %d: %s: %s"},
	{ID: "sleep-more", Text: "due for review beyond these: %d"},
	{ID: "sleep-waiting", Text: "contradictions that wait until open hypotheses are decided: %d"},
	{ID: "sleep-candidates", Text: "merges that wait for your word in proposals: %d"},
	{ID: "sleep-aside", Text: "lines that went into quarantine: %d"},
	{ID: "sleep-stale", Text: "merges that no longer fitted what is there: %d"},
	{ID: "sleep-refused", Text: "not taken over (%s): %s"},
	{ID: "refused-invented", Text: "no entry says so"},
	{ID: "refused-reversed", Text: "it says the opposite of the entries"},
	{ID: "refused-reworded", Text: "it words anew what the user has said"},
	{ID: "sleep-dropped", Text: "the answer was cut; not used: %s"},
	{ID: "sleep-failed", Text: "the model could not do its part and is asked again in half an hour: %s"},
	{ID: "status-slept", Text: "  last sleep: %s"},
	{ID: "asleep", Text: "another process consolidates %s at this moment"},
	{ID: "asleep.hint", Text: "wait until it is done"},

	{ID: "help.hypothesis.short", Text: "List what is worth checking, and decide on it"},
	{ID: "help.hypothesis.long", Text: "Shows the hypotheses that sleep has drawn, or that somebody wrote into\n" +
		"memory/hypotheses.md. Agents are shown the open ones."},
	{ID: "help.hypothesis.example", Text: "{program} hypothesis"},
	{ID: "help.hypothesis.list.short", Text: "List the hypotheses"},
	{ID: "help.hypothesis.list.long", Text: "Lists the hypotheses of the libraries that the scope reads, the decided ones\n" +
		"too. Nothing is changed."},
	{ID: "help.hypothesis.list.example", Text: "{program} hypothesis list --json"},
	{ID: "help.hypothesis.confirm.short", Text: "Say that a hypothesis holds"},
	{ID: "help.hypothesis.confirm.long", Text: "Of two entries that contradict each other the newer one then holds: the older is\n" +
		"withdrawn, the newer counts as verified today. Any other hypothesis becomes a\n" +
		"fact. undo takes it back."},
	{ID: "help.hypothesis.confirm.example", Text: "{program} hypothesis confirm h1a2b3c4d --note \"asked operations\""},
	{ID: "help.hypothesis.confirm.flag.note", Text: "how it was checked: `TEXT`"},
	{ID: "help.hypothesis.refute.short", Text: "Say that a hypothesis does not hold"},
	{ID: "help.hypothesis.refute.long", Text: "It is not shown to agents any more, and not drawn again. No entry is changed:\n" +
		"of two that contradict each other both stay, and forget withdraws the wrong one."},
	{ID: "help.hypothesis.refute.example", Text: "{program} hypothesis refute h1a2b3c4d"},
	{ID: "help.hypothesis.refute.flag.note", Text: "how it was checked: `TEXT`"},
	{ID: "no-hypotheses", Text: "there are no hypotheses"},
	{ID: "hypothesis-open", Text: "open"},
	{ID: "hypothesis-confirmed", Text: "confirmed"},
	{ID: "hypothesis-refuted", Text: "refuted"},
	{ID: "hypothesis-decided", Text: "%s: %s: %s"},
	{ID: "hypothesis-holds", Text: "holds: %s: %s"},
	{ID: "no-hypothesis", Text: "there is no hypothesis %q"},
	{ID: "no-hypothesis.hint", Text: "%[1]s hypothesis lists them with their ids"},
	{ID: "is-decided", Text: "the hypothesis %s is %s already"},
	{ID: "is-decided.hint", Text: "%[1]s undo takes a decision back"},

	{ID: "help.schedule.short", Text: "Print what a scheduler needs"},
	{ID: "help.schedule.long", Text: "Prints lines for cron, units for systemd or property lists for launchd that\n" +
		"start \"sleep --due\" and \"queue run\" for this workspace, with whole paths.\n" +
		"Nothing is written. Hooks do this work as well: both may run at once, from as\n" +
		"many schedulers as you like."},
	{ID: "help.schedule.example", Text: "{program} schedule\n{program} schedule systemd\n{program} schedule launchd --json"},
	{ID: "schedule-file", Text: "# %s"},
	{ID: "schedule-how-cron", Text: "Add these lines to your crontab with: crontab -e"},
	{ID: "schedule-how-systemd", Text: "Write each part into the file above it, then:\n" +
		"systemctl --user daemon-reload && systemctl --user enable --now TIMER"},
	{ID: "schedule-how-launchd", Text: "Write each part into the file above it, then:\nfor each file: launchctl bootstrap gui/$(id -u) FILE"},
	{ID: "unknown-scheduler", Text: "unknown scheduler %q (want one of %s)"},
	{ID: "unschedulable", Text: "the path %q holds a line end, which no scheduler can name"},
}
