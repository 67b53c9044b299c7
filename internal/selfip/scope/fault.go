package scope

// The codes of this package, each with its English sentence.
const (
	codeUnknown          = "unknown-scope"        // unknown scope %q (want %s, %s or %s)
	codeNotPath          = "global-dir-not-path"  // %q is not a folder: the global library needs a path with a slash
	codeIsWorkspace      = "global-dir-workspace" // %q is this workspace itself: the global library needs a folder of its own
	codeForeign          = "global-dir-foreign"   // %q has a Windows drive letter and names no folder here
	codeHidesWorkspace   = "scope-hides-workspace"
	codeHidesGlobal      = "scope-hides-global"
	codeGlobalStillEmpty = "scope-global-empty"
)
