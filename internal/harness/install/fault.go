package install

// The codes of this package, with the English sentence of each; the tables of
// sentences live in internal/cli. %s:%d:%d is a file, a line and a column.
const (
	codeComment        = "settings-comment"          // %s:%d:%d: a comment, which the harness does not read in this file
	codeTrailingComma  = "settings-trailing-comma"   // %s:%d:%d: a comma before a closing bracket
	codeUnexpected     = "settings-unexpected"       // %s:%d:%d: this is not JSON
	codeCut            = "settings-cut"              // %s:%d:%d: the file ends in the middle
	codeTooDeep        = "settings-too-deep"         // %s:%d:%d: nested too deep
	codeBOM            = "settings-bom"              // %s:%d:%d: begins with a byte order mark, which the harness rejects
	codeNotObject      = "settings-not-object"       // %s:%d:%d: the file does not hold a JSON object
	codeHooksNotObject = "settings-hooks-not-object" // %s:%d:%d: "hooks" is not an object
	codeEventNotArray  = "settings-event-not-array"  // %s:%d:%d: %q under "hooks" is not a list
	codeTwice          = "settings-key-twice"        // %s:%d:%d: %q stands there twice
	codeNotYAML        = "patch-not-yaml"            // %s:%d:%d: this is not YAML
	codeNotList        = "patch-not-list"            // %s:%d:%d: the file does not hold a plain list of rows
	codeByHand         = "patch-by-hand"             // %s:%d:%d: this row cannot be changed safely: change it by hand

	codeRelative    = "install-binary-relative" // the path %q of the binary is not absolute
	codeBinaryName  = "install-binary-name"     // the binary %q is not called %q: its entries could not be found again
	codeBinaryChars = "install-binary-chars"    // the path %q of the binary holds control characters
	codeEvent       = "install-event-unknown"   // %s has no event %q for us (want one of %s)
	codeScope       = "install-scope-unknown"   // %s has no settings of the scope %q (want --scope %s)
	codeHarness     = "install-harness-unknown" // there is no way yet to install into %s
	codePlace       = "install-place-unknown"   // the settings of %s would be at %q, which is no absolute path: set HOME
	codeBridge      = "install-bridge-missing"  // the package %q is not there: a row that names it would stop DSH at its start
	codeOwnChanged  = "install-own-changed"     // %s was changed by hand since it was written: it is left as it is
	codeOwnForeign  = "install-own-foreign"     // %s is in our place and not ours: it is left as it is
	codeOwnTaken    = "install-own-taken"       // %s is somebody else's, and an event has one file: it is left as it is
	codeUnwired     = "install-unwired"         // how %s is wired to hooks is not known
	codeWindows     = "install-windows"         // the hooks of %s are of another shell on Windows, in which nobody has tried them
	codeNotMapping  = "config-not-mapping"      // %s:%d:%d: this is not a mapping of YAML in lines of its own
	codeBlock       = "agents-block"            // %s:%d: the lines around our block are not one of each, in order
	codeMCPPlace    = "mcp-place"               // where %s keeps its MCP servers is not known for sure: %s
	codeMCPUnknown  = "mcp-unknown"             // how %s is told of an MCP server is not known
	codeMCPForeign  = "mcp-foreign"             // %s:%d:%d: the MCP server %q there is not ours
	codeMCPShape    = "mcp-shape"               // %s:%d:%d: %q is not an object
	codeNoEvents    = "install-no-events"       // the file in %s passes on all events that count: there are none to choose
	codeBroken      = "install-check-failed"    // the change of %s did not come out as planned; nothing is written
)

// The codes of notes.
const (
	noteTrust      = "note-codex-trust"     // Codex runs new hooks only after you trust them: open Codex, type /hooks and trust the entries of %s
	noteTrustAgain = "note-codex-untrusted" // the changed entries of %s must be trusted again: open Codex, type /hooks
	noteDisabled   = "note-hooks-disabled"  // %s sets %q, so that the harness runs no hook of ours
	noteBareWord   = "note-bare-word"       // %s calls the bare word %q: everyone who uses the project needs it on the PATH
	noteOpenClaw   = "note-openclaw"        // OpenClaw has to be told of it: openclaw plugins install --link %s --force ...
	noteKiroAgents = "note-kiro-agents"     // agents of Kiro's CLI 2 need the hooks in their own files: selfip install kiro --agent
	noteNoContext  = "note-no-context"      // Goose takes nothing from a hook: selfip install --skill or --agents-md
	noteSkill      = "note-skill"           // the skill teaches the shell commands: selfip install --skill
	noteHermes     = "note-hermes-consent"  // Hermes asks once whether a hook may run; until its user agrees those in %s stay off
	noteSandbox    = "note-dsh-sandbox"     // %s: under the bridge, hooks of DSH may write only in the session's directory: the global library is read-only there
)
