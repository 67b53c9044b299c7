package selfipcmd

import "github.com/dshkit/dshkit/internal/cli"

// proposalsEnglish is what proposals, candidates and the setting writes say.
var proposalsEnglish = cli.Table{
	// Lists: how many; the id of an entry; who drew a candidate and when.
	{ID: "proposals-head", Text: "proposals that wait for a decision: %d"},
	{ID: "candidates-head", Text: "candidates that wait for your word: %d"},
	{ID: "candidates-bad", Text: "lines of proposals/candidates.jsonl that cannot be read: %d"},
	{ID: "candidate-replaces", Text: "  would replace %s"},
	{ID: "candidate-aside", Text: "it reads like an instruction to an agent; accepting it puts it into quarantine"},
	{ID: "candidate-from", Text: "  drawn by %s at %s"},
	{ID: "decided-pending", Text: "waiting"},
	{ID: "decided-waiting", Text: "waiting"},
	{ID: "decided-accepted", Text: "accepted"},
	{ID: "decided-rejected", Text: "rejected"},
	{ID: "decided-note", Text: "  reason: %s"},

	// Decisions: the id and the summary or the text.
	{ID: "proposal-accepted", Text: "accepted %s: %s"},
	{ID: "proposal-rejected", Text: "rejected %s: %s"},
	{ID: "candidate-put-aside", Text: "put into quarantine, for it reads like an instruction to an agent: %s"},
	{ID: "take-back", Text: "to take it back: selfip undo %s"},
	{ID: "learned-waiting", Text: "  candidates that wait for your word: %d (selfip proposals)"},
	{ID: "learned-unwanted", Text: "  left out, for you rejected the same before or too many wait: %d"},

	{ID: "no-proposals", Text: "no proposal waits for a decision"},
	{ID: "no-proposals.hint", Text: "a candidate is named by its id, which %[1]s proposals lists"},
	{ID: "no-proposal", Text: "no proposal %q waits for a decision"},
	{ID: "no-proposal.hint", Text: "%[1]s proposals lists those that wait"},
	{ID: "no-candidate", Text: "no candidate %q waits for a decision"},
	{ID: "no-candidate.hint", Text: "%[1]s proposals lists those that wait"},
	{ID: "proposal-decisions-damaged", Text: "the decisions in proposals/status.json cannot be read: line %d"},
	{ID: "writes-off", Text: "the setting writes is off: nothing is learned here"},
	{ID: "users-word", Text: "an agent cannot decide this: it takes the user's word"},
	{ID: "users-word.hint", Text: "the user can run the same command in a terminal of their own"},
	{ID: "awaits-word", Text: "entry %s waits for the user's word"},
	{ID: "awaits-word.hint", Text: "the user sees it with %[1]s proposals"},
	{ID: "rejected-before", Text: "the user does not want this kept (candidate %s)"},

	{ID: "help.proposals.short", Text: "What waits for the user's decision"},
	{ID: "help.proposals.long", Text: "Alone it lists the proposals, changes to the way of working, and the\n" +
		"candidates, entries that agents and engines would store while the setting\n" +
		"writes is ask. Nothing of it takes effect by itself."},
	{ID: "help.proposals.example", Text: "{program} proposals\n{program} proposals accept latest"},
	{ID: "help.proposals.list.short", Text: "List what waits"},
	{ID: "help.proposals.list.long", Text: "Lists the proposals and the candidates that wait, each with its id. With --all\n" +
		"those that were decided too. Nothing is changed."},
	{ID: "help.proposals.list.example", Text: "{program} proposals list --json"},
	{ID: "help.proposals.list.flag.all", Text: "list what was decided too"},
	{ID: "help.proposals.show.short", Text: "Show a proposal or a candidate"},
	{ID: "help.proposals.show.long", Text: "Shows the text of the proposal with this id, or the latest one; of a candidate\n" +
		"its entry, what it would replace and the evidence it was drawn from. Nothing\n" +
		"is changed."},
	{ID: "help.proposals.show.example", Text: "{program} proposals show\n{program} proposals show --json latest"},
	{ID: "help.proposals.accept.short", Text: "Accept proposals or candidates"},
	{ID: "help.proposals.accept.long", Text: "Records that the user accepts the proposal with this id, or the latest one,\n" +
		"with a remark if there is one. What it proposes is not carried out. A candidate\n" +
		"becomes an entry, and what it replaces is withdrawn; undo takes that back.\n" +
		"Several candidates can be named. Only the user decides on candidates."},
	{ID: "help.proposals.accept.example", Text: "{program} proposals accept\n{program} proposals accept latest on trial\n{program} proposals accept --all"},
	{ID: "help.proposals.accept.flag.all", Text: "accept everything that waits"},
	{ID: "help.proposals.accept.flag.note", Text: "the `REASON`, when it does not follow the ids"},
	{ID: "help.proposals.reject.short", Text: "Reject proposals or candidates"},
	{ID: "help.proposals.reject.long", Text: "Records that the user rejects the proposal with this id, or the latest one,\n" +
		"and stores a lesson with the reason, so that the like is not proposed again.\n" +
		"The proposal itself stays in its file. A rejected candidate is remembered: the\n" +
		"same does not come again. With a reason it leaves a lesson, too."},
	{ID: "help.proposals.reject.example", Text: "{program} proposals reject\n{program} proposals reject latest too slow for every commit\n" +
		"{program} proposals reject --all --note \"too trivial\""},
	{ID: "help.proposals.reject.flag.all", Text: "reject everything that waits"},
	{ID: "help.proposals.reject.flag.note", Text: "the `REASON`, when it does not follow the ids"},
}
