package scope

// A Line is one sentence of a report: the code finds it in the tables of the
// user's language, the arguments fill it.
type Line struct {
	Code string
	Args []any
}

// Counts holds the live entries that a change of scope is measured against:
// those of the four partitions that nobody withdrew.
type Counts struct {
	Workspace    int    // of the workspace's library
	Global       int    // of the global library that is in use before the change
	NewGlobal    int    // of the global library that is in use after it
	WorkspaceDir string // where the workspace's files stay, .../self-improvement/memory
	GlobalDir    string // where the global library's files will be
}

// Echo tells what a change of scope hides or fails to bring, in the order of
// spec/selfip.md 7.3. It is nil when the scope stays the same and when nothing
// disappears.
func Echo(before, after Scope, n Counts) []Line {
	if before == after {
		return nil
	}
	now, later := before.Switches(), after.Switches()
	var lines []Line
	if now.ReadWorkspace && !later.ReadWorkspace && n.Workspace > 0 {
		lines = append(lines, Line{codeHidesWorkspace, []any{string(after), n.Workspace, n.WorkspaceDir}})
	}
	if now.ReadGlobal && !later.ReadGlobal && n.Global > 0 {
		lines = append(lines, Line{codeHidesGlobal, []any{string(after), n.Global}})
	}
	if !now.ReadGlobal && later.ReadGlobal && n.NewGlobal == 0 {
		lines = append(lines, Line{codeGlobalStillEmpty, []any{n.GlobalDir}})
	}
	return lines
}
