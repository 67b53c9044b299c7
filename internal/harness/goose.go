package harness

// goose is Goose, after its documentation of mid 2026 (spec/harness-hooks.md 17).
// It tells no answer of a tool, not even of one that failed, takes no context,
// and knows the folder only of tools: for the rest it is the process's.
type goose struct{}

func (goose) wrappers() []string { return nil }

func (g goose) event(p Payload, ev *Event) {
	ev.Name, ev.Dir = p.text("event"), p.text("working_dir")
	switch ev.Name {
	case "SessionStart":
		ev.Kind, ev.Source = Start, "startup"
	case "UserPromptSubmit":
		readPrompt(p.words("message"), ev, g.wrappers())
	case "PostToolUse":
		ev.Kind, ev.Tool = ToolOK, gooseTool(p)
	case "PostToolUseFailure":
		ev.Tool = gooseTool(p)
		ev.fail("")
	case "Stop":
		ev.Kind, ev.Reply = Stop, p.words("last_assistant_message")
	case "SessionEnd":
		ev.Kind = End
	}
}

func gooseTool(p Payload) Tool {
	tool := readTool(p)
	tool.ID = p.text("tool_call_id")
	return tool
}

func (goose) injects(Event) bool { return false }

// reply is never asked for: what a hook prints here counts as a broken one.
func (goose) reply(Event, string) []byte { return nil }

func (goose) row() rowReader { return &gooseRows{} }
