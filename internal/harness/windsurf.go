package harness

// windsurf is Cascade, the agent of Windsurf, after an adapter that somebody else
// wrote for it (spec/harness-hooks.md 20). Nobody knows what it takes from a
// hook, so that it is told nothing, nor how it keeps its sessions.
type windsurf struct{}

func (windsurf) wrappers() []string { return nil }

func (w windsurf) event(p Payload, ev *Event) {
	ev.Name, ev.Session = p.text("agent_action_name"), p.text("trajectory_id")
	ev.Dir = p.text("tool_info", "cwd")
	tool := func(name, input, output string) {
		ev.Kind, ev.Tool = ToolOK, Tool{Name: name, Input: clip(input), Output: clip(output)}
	}
	switch ev.Name {
	case "pre_user_prompt":
		readPrompt(p.words("tool_info", "user_prompt"), ev, w.wrappers())
	case "post_run_command":
		tool("run_command", p.text("tool_info", "command_line"), "")
	case "post_write_code":
		tool("write_code", p.text("tool_info", "file_path"), "")
	case "post_mcp_tool_use":
		tool(p.text("tool_info", "mcp_tool_name"), toolInput(p.doc.Get("tool_info", "mcp_tool_arguments")), p.words("tool_info", "mcp_result"))
	case "post_cascade_response":
		ev.Kind, ev.Reply = Stop, p.words("tool_info", "response")
	}
}

func (windsurf) injects(Event) bool { return false }

// reply is never asked for.
func (windsurf) reply(Event, string) []byte { return nil }

func (windsurf) row() rowReader { return plainRows{} }
