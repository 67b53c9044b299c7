package exchange

// Codes of the faults of this package. The comment behind each is its sentence;
// the tables of internal/cli/selfipcmd hold it in both languages.
const (
	codeReadInput   = "read-input"    // cannot read %s
	codeBadImport   = "bad-import"    // %s: line %d
	codeUnknownKind = "unknown-kind"  // unknown kind %q
	codeBadID       = "bad-id"        // the id %q has a character that cannot stand in a memory line
	codeBadMember   = "bad-member"    // the member %q has the wrong type
	codeNotObject   = "not-an-object" // it is not a JSON object
	codeLongRow     = "long-row"      // it is longer than %d MiB
	codeLongText    = "long-text"     // the text has more than %d characters
	codeEmptyNote   = "empty-note"    // there is nothing to remember
	codeNoStore     = "no-store"      // %s: this is not the export of a memory tool
	codeBadRow      = "bad-row"       // %s: observation %d
)
