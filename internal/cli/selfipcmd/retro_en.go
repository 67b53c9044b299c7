package selfipcmd

import "github.com/dshkit/dshkit/internal/cli"

// retroEnglish is what is said about retrospectives: the command, its faults, what
// came of one.
var retroEnglish = cli.Table{
	{ID: "help.retro.short", Text: "Look back on a session now"},
	{ID: "help.retro.long", Text: "Draws conclusions from a session and stores them, as the queue does when a\n" +
		"session has ended: with the model, if one is set up, else with the built-in\n" +
		"engine, which also stands in when the model fails. Without flags it is the\n" +
		"session that was heard of last. --transcript names the log of a session whose\n" +
		"hooks never ran; it may lie anywhere. A dry run asks no model."},
	{ID: "help.retro.example", Text: "{program} retro\n{program} retro --session 0b6f\n{program} retro --transcript session.jsonl --harness claude-code"},
	{ID: "help.retro.flag.session", Text: "the `ID` of the session"},
	{ID: "help.retro.flag.transcript", Text: "the log of a session, a `FILE` that its harness wrote"},
	{ID: "help.retro.flag.harness", Text: "the `HARNESS` that wrote the file"},

	{ID: "retro-whose", Text: "which harness wrote the file? --harness names one of: %s"},
	{ID: "retro-no-file", Text: "--harness says who wrote a file, and no file is named"},
	{ID: "retro-no-file.hint", Text: "add --transcript FILE"},
	{ID: "retro-no-session", Text: "no session is named"},
	{ID: "retro-file", Text: "the session log %q cannot be read"},
	{ID: "no-sessions-heard", Text: "no hook has told of a session here that has not been learned from yet"},
	{ID: "no-sessions-heard.hint", Text: "`%[1]s install` sets hooks up; --transcript FILE --harness NAME learns from a log"},
	{ID: "no-retro-session", Text: "nothing is known of a session %q"},
	{ID: "no-retro-session.hint", Text: "`%[1]s session` lists those that are known"},
	{ID: "row-taken", Text: "another process learns from session %q at this moment"},
	{ID: "empty-log", Text: "nothing in %q can be read as a session log"},
	{ID: "empty-log.hint", Text: "is it of the harness that --harness names?"},

	{ID: "queue-put-off", Text: "the rest was put off: %s"},
	{ID: "learned-playbook", Text: "  playbook  %s"},
	{ID: "learned-proposal", Text: "  proposal  %s (selfip proposals)"},
	{ID: "learned-withdrawn", Text: "  withdrawn, for they do not hold any more: %d"},
	{ID: "learned-dropped", Text: "  sections left out, for the answer was cut off: %d"},
	{ID: "learned-unclear", Text: "  no section could be recognised in the model's answer"},
	{ID: "learned-instead", Text: "  by the built-in engine, for the model could not: %s"},
	{ID: "learned-left", Text: "  not kept: %s"},
}
