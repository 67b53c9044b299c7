package selfipcmd

import "github.com/dshkit/dshkit/internal/cli"

// feedbackEnglish is what feedback says: the session and the words; the reply.
var feedbackEnglish = cli.Table{
	{ID: "feedback-none", Text: "there is no feedback"},
	{ID: "feedback-bad", Text: "%s  bad: %s"},
	{ID: "feedback-good", Text: "%s  good: %s"},
	{ID: "feedback-about", Text: "  about: %s"},

	{ID: "no-feedback", Text: "there is no feedback to note"},
	{ID: "hostile-words", Text: "the text reads like an instruction to an agent (detector %d)"},
	{ID: "hostile-words.hint", Text: "say it in other words"},
	{ID: "no-open", Text: "no session is known that has not been learned from yet"},
	{ID: "no-open.hint", Text: "%[1]s session lists the sessions that hooks have told of"},

	{ID: "help.feedback.short", Text: "What you think of an agent's replies"},
	{ID: "help.feedback.long", Text: "Alone it lists your feedback. In a retro it counts more than anything else\n" +
		"that happened in the session."},
	{ID: "help.feedback.example", Text: "{program} feedback"},
	{ID: "help.feedback.list.short", Text: "List the feedback"},
	{ID: "help.feedback.list.long", Text: "Lists your feedback with the beginning of the reply it is about, of sessions\n" +
		"that have not been learned from yet, and from the session logs that are left:\n" +
		"these keep what was bad. Nothing is changed."},
	{ID: "help.feedback.list.example", Text: "{program} feedback list --json"},
	{ID: "help.feedback.add.short", Text: "Say what was bad, or good"},
	{ID: "help.feedback.add.long", Text: "Notes what you think of the last reply, in the session that was heard of last\n" +
		"or in a named one. It goes to the log of the session and to its retro. Only you\n" +
		"can give feedback: a process that an agent has started is refused."},
	{ID: "help.feedback.add.example", Text: "{program} feedback add \"the tests were not run before the commit\"\n" +
		"{program} feedback add --good \"short and to the point\""},
	{ID: "help.feedback.add.flag.session", Text: "about the session with this `ID`"},
	{ID: "help.feedback.add.flag.good", Text: "you liked the reply"},
}
