package harness

// vscode is the agent of VS Code, after its documentation of autumn 2026
// (spec/harness-hooks.md 9). Its events are those of Claude Code under names of
// their own; nothing is known of its session log, which is read as plain rows.
type vscode struct{}

func (vscode) wrappers() []string { return nil }

func (v vscode) event(p Payload, ev *Event) {
	ev.Name = either(ev.Name, p.text("hookEventName"))
	ev.Session = either(ev.Session, p.text("sessionId"))
	readCommon(p, ev, v.wrappers())
	ev.Source = startSource(ev.Source)
}

// injects is as with Claude Code. A failed command is no failure to VS Code, and
// its answer is the bare output, which proves nothing.
func (vscode) injects(ev Event) bool { return claude{}.injects(ev) }

func (vscode) reply(ev Event, context string) []byte { return nested(ev.Name, context) }

func (vscode) row() rowReader { return plainRows{} }
