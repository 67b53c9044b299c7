package harness

// qwen is Qwen Code, 0.24.4 (spec/harness-hooks.md 12). Its hooks are those of
// Claude Code with some differences.
type qwen struct{}

func (qwen) wrappers() []string {
	return []string{"qwen:user-prompt-submit-context", "system-reminder"}
}

func (q qwen) event(p Payload, ev *Event) {
	readClaude(p, ev, q.wrappers())
	switch ev.Name {
	case "UserPromptSubmit":
		q.prompt(p, ev)
	case "PostToolUse":
		report := shellReportOf(ev.Tool.Name, wordsOf(p.doc.Get("tool_response", "llmContent")))
		ev.Tool.Output = clip(report.said())
	case "PostToolUseFailure":
		if ev.Tool.Failed {
			ev.Tool.Error = clip(shellReportOf(ev.Tool.Name, p.words("error")).said())
		}
	}
	if id := p.text("tool_call_id"); id != "" && ev.Tool.ID != "" {
		ev.Tool.ID = id // the session's log has this one
	}
}

// prompt reads what a person submitted. The event comes again for each answer of
// a tool, then without those words; versions before had one prompt and no id.
func (q qwen) prompt(p Payload, ev *Event) {
	ev.Kind, ev.Prompt = Ignore, ""
	switch submitted := p.doc.Get("submitted_prompt"); {
	case submitted != nil:
		readPrompt(wordsOf(submitted), ev, q.wrappers())
	case p.doc.Get("prompt_id") == nil:
		readPrompt(p.words("prompt"), ev, q.wrappers())
	}
}

func (qwen) injects(ev Event) bool { return claude{}.injects(ev) }

func (qwen) reply(ev Event, context string) []byte { return nested(ev.Name, context) }

func (qwen) row() rowReader { return &qwenRows{} }
