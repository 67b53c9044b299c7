package cordis

// The codes of this package, each with its English sentence.
const (
	codeStart     = "host-start"      // the host could not be started
	codeStartLate = "host-start-late" // the host did not answer within %s
	codeStartDied = "host-start-died" // the host ended while it started: %s
	codeStopLate  = "host-stop-late"  // the host was asked to end and had not after %s
	codeHeld      = "host-held"       // another process holds %q and gives no answer
	codeRunning   = "host-running"    // a host runs already: process %d, since %s
	codeNoState   = "no-state-folder" // the home directory is unknown, so nothing can be granted
	codeNoLog     = "no-log"          // there is no log yet: %s
	codeNoJournal = "no-journal"      // nothing was recorded here yet
)
