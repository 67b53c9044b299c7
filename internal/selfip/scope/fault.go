package scope

// The codes of this package, each with its English sentence.
const (
	codeUnknown          = "unknown-scope"         // unknown scope %q (want %s, %s or %s)
	codeNotPath          = "global-dir-not-path"   // %q is no folder for the global library: give a path that has a slash
	codeIsWorkspace      = "global-dir-workspace"  // %q is this workspace itself: the global library needs a folder of its own
	codeForeign          = "global-dir-foreign"    // %q is a Windows path and names no folder on this system
	codeHidesWorkspace   = "scope-hides-workspace" // scope %[1]s no longer reads the workspace's library: its %[2]d entries disappear from injection and search at once; the files stay in %[3]s; switch back to workspace or both to see them again
	codeHidesGlobal      = "scope-hides-global"    // scope %[1]s no longer reads the global library: its %[2]d entries disappear from injection and search at once; switch back to both or global to see them again
	codeGlobalStillEmpty = "scope-global-empty"    // the global library has no entries yet (%s)
)
