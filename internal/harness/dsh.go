package harness

import "strings"

// dsh is the DeepSeek Harness: through a plugin of ours inside it, or through its
// Claude and Codex bridges, which agree in all that is used here
// (spec/harness-hooks.md 13).
type dsh struct{}

func (dsh) wrappers() []string { return nil }

func (d dsh) event(p Payload, ev *Event) {
	if isNative(*ev) {
		dshNative(p, ev)
		return
	}
	readCommon(p, ev, d.wrappers())
	if ev.Agent == ev.Session {
		ev.Parent = "" // the bridge tells the child's session only
	}
	if ev.Kind == ToolOK && dshFailed(ev.Tool) {
		ev.fail(ev.Tool.Output)
	}
}

// isNative reports an event that a plugin of ours inside DSH passes on.
func isNative(ev Event) bool { return strings.ContainsAny(ev.Name, "/.") }

// dshFailed reads a failure from the text of an answer: a shell ends with the
// exit code, other tools begin with the error.
func dshFailed(t Tool) bool {
	if code, ok := dshExitCode(t.Output); ok {
		return code != 0
	}
	return t.Name != "bash" && strings.HasPrefix(t.Output, "Error: ")
}

// dshExitCode returns the N of a last line "[exit code: N]".
func dshExitCode(output string) (int, bool) {
	output = strings.TrimRight(output, "\n")
	return codeAfter(output[strings.LastIndexByte(output, '\n')+1:], "[exit code: ")
}

func (dsh) injects(ev Event) bool {
	if isNative(ev) {
		return ev.Kind == Prompt
	}
	switch ev.Kind {
	case Start, Prompt, ToolOK, ToolFailed:
		return true
	}
	return false // its stops have no cap: context there would never end
}

func (dsh) reply(ev Event, context string) []byte {
	if isNative(ev) {
		return object("context", context)
	}
	return nested(ev.Name, context)
}

func (dsh) row() rowReader { return &dshRows{} }
