package harness

// The codes of this package. The comment is the English sentence; the tables of
// sentences live in internal/cli.
const (
	codePayloadNone    = "payload-none"     // no payload arrived on standard input
	codePayloadTimeout = "payload-timeout"  // standard input held no complete payload in time (%d bytes read)
	codePayloadCut     = "payload-cut"      // the payload ends in the middle, after %d bytes
	codePayloadTooLong = "payload-too-long" // the payload is longer than %d bytes
	codeLogUnreadable  = "log-unreadable"   // the session log cannot be read past row %d
)
