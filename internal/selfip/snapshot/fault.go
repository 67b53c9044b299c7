package snapshot

// The codes of the notes that a reader of evidence takes. Nothing here is an
// error: what can be read is read.
const (
	codeNUL     = "evidence-nul-skipped"    // %d NUL bytes were skipped
	codeBytes   = "evidence-bytes-replaced" // %d bytes that are no UTF-8 were replaced
	codeUnknown = "evidence-lines-unknown"  // %d lines fit no section and are kept as they are
	codeLeftOut = "evidence-lines-left-out" // %d lines over the limit were left out
)
