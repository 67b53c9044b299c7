package quarantine

// The codes of the errors of this package.
const (
	codeNoBody = "quarantine-damaged" // a quarantine file has no heading %q, so its text cannot be told from its head
)
