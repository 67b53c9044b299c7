package selfip

// Codes of the faults of this package. The comment behind each is its sentence;
// the tables of internal/cli/selfipcmd hold it in both languages.
const (
	codeBadLine      = "bad-line"       // %s: line %d is not valid UTF-8 text
	codeEmptyNote    = "empty-note"     // there is nothing to remember
	codeQuarantined  = "quarantined"    // the text reads like an instruction to an agent (detector %d); it was put aside as %s
	codeFileChanged  = "file-changed"   // %q was changed by another program at the same moment; nothing was written
	codeNoEntry      = "no-entry"       // no entry matches %q
	codeNotWithdrawn = "not-withdrawn"  // no withdrawn entry matches %q
	codeNoWorkspace  = "no-workspace"   // there is no workspace here
	codeNoChange     = "no-change"      // there is no change %q in the journal
	codeNothingToDo  = "nothing-undone" // there is no change to undo
	codeUndoConflict = "undo-conflict"  // entry %s has been changed since
	codeNoSession    = "no-session"     // nothing is known of a session %q that has not been learned from yet
	codeNoProposal   = "no-proposal"    // no proposal %q waits for a decision
	codeNoProposals  = "no-proposals"   // no proposal waits for a decision
	codeNoPlaybook   = "no-playbook"    // there is no playbook %q
	codeWritesOff    = "writes-off"     // the setting writes is off: nothing is learned here
	codeNoCandidate  = "no-candidate"   // no candidate %q waits for a decision
	codeNoAside      = "no-aside"       // no text in quarantine has the id %q
	codeManyAsides   = "many-asides"    // %d texts in quarantine have an id that begins with %q
	codeBadAside     = "bad-aside"      // %s cannot be read as a text in quarantine
	codeNotShown     = "not-shown"      // a text in quarantine is not shown to an agent
	codeNoPlace      = "no-place"       // the folder of the user's settings is not known: nothing can be remembered as released
	codeNoFeedback   = "no-feedback"    // there is no feedback to note
	codeHostileWords = "hostile-words"  // the text reads like an instruction to an agent (detector %d)
	codeNoSessions   = "no-open"        // no session is known that has not been learned from yet
	codeBadSkills    = "bad-skills"     // %s cannot be read: it is no record of skills
	codeUsersWord    = "users-word"     // an agent cannot decide this: it takes the user's word
	codeNoRow        = "no-row"         // no row of the queue has the key %q

	codeModelBudget    = "model-budget"      // today's tokens are spent: %d of %d, and this call may need %d
	codeModelPaused    = "model-paused"      // the model's service wants no calls until %s
	codeModelCut       = "model-cut"         // the model's answer was cut off before it said anything
	codeModelShort     = "model-short"       // the model's answer %q is too short to be one
	codeStateUnusable  = "state-unusable"    // %s cannot be used, so that nothing can be booked
	codeCompacting     = "compacting"        // another process compacts %s at this moment
	codeAsleep         = "asleep"            // another process sleeps for %s
	codeNoHypothesis   = "no-hypothesis"     // there is no hypothesis %q
	codeIsDecided      = "is-decided"        // the hypothesis %s is %s already
	codeNoneHeard      = "no-sessions-heard" // no hook has told of a session here
	codeNoRetroSession = "no-retro-session"  // nothing is known of a session %q
	codeRowTaken       = "row-taken"         // another process learns from session %q at this moment
	codeEmptyLog       = "empty-log"         // nothing in %q can be read as a session log
)
