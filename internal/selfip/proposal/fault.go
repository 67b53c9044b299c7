package proposal

// Codes of the faults of this package.
const (
	codeBadDecisions = "proposal-decisions-damaged" // the decisions on proposals cannot be read: line %d
)
