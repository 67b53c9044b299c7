package harness

import (
	"strings"

	"github.com/dshkit/dshkit/internal/harness/jsontext"
)

// copilot is the Copilot CLI, 1.0.102 (spec/harness-hooks.md 9). An event comes
// in one of two spellings, by the name it has in the settings: native names bring
// camel case and no name at all, names like Claude's bring snake case.
type copilot struct{}

func (copilot) wrappers() []string { return []string{"system_reminder", "current_datetime"} }

func (c copilot) event(p Payload, ev *Event) {
	if ev.Name == "" {
		ev.Name = either(copilotName(p), copilotShape(p))
	}
	ev.Session = either(ev.Session, p.text("sessionId"))
	ev.Transcript = either(ev.Transcript, p.text("transcriptPath"))
	switch lowerFirst(ev.Name) {
	case "sessionStart":
		ev.Kind, ev.Source = Start, startSource(p.text("source"))
	case "userPromptSubmitted", "userPromptSubmit":
		readPrompt(p.words("prompt"), ev, c.wrappers())
	case "postToolUse":
		c.tool(p, ev)
	case "postToolUseFailure":
		ev.Tool = copilotTool(p)
		ev.fail(messageOf(p.doc.Get("error")))
	case "errorOccurred":
		ev.Kind, ev.Reason = AgentError, p.either("errorContext", "error_context").String()
		ev.Error = clip(messageOf(p.doc.Get("error")))
	case "agentStop", "stop":
		ev.Kind, ev.StopActive = Stop, p.flag("stop_hook_active")
	case "subagentStart":
		ev.Kind, ev.Delegated, ev.Parent = SubagentStart, true, ev.Session
	case "subagentStop":
		ev.Kind, ev.Delegated, ev.Parent = SubagentStop, true, ev.Session
		ev.Agent, ev.Reply = p.either("agentId", "agent_id").String(), p.words("response")
	case "preCompact":
		ev.Kind, ev.Reason = Compact, p.text("trigger")
	case "notification":
		if p.text("notification_type") == "agent_idle" {
			ev.Kind = Idle
		}
	case "sessionEnd":
		ev.Kind, ev.Reason = End, p.text("reason")
	}
}

// lowerFirst returns name with a small first letter.
func lowerFirst(name string) string {
	if name == "" {
		return ""
	}
	return strings.ToLower(name[:1]) + name[1:]
}

// startSource gives a new session the name that others give it.
func startSource(source string) string {
	if source == "new" {
		return "startup"
	}
	return source
}

// copilotName is the event that the command line names, which is ours: nothing in
// a native payload does.
func copilotName(p Payload) string {
	for i := range len(p.named) {
		if c := p.named[i] | 0x20; c < 'a' || c > 'z' {
			return ""
		}
	}
	return p.named
}

// copilotShape tells a native event by its members, for commands that somebody
// wrote without the name of the event.
func copilotShape(p Payload) string {
	has := func(keys ...string) bool {
		for _, key := range keys {
			if p.doc.Get(key) == nil {
				return false
			}
		}
		return true
	}
	switch {
	case has("hookName"):
		return p.text("hookName")
	case has("transformedPrompt"):
		return "userPromptTransformed"
	case has("prompt"):
		return "userPromptSubmitted"
	case has("toolName", "toolResult"):
		return "postToolUse"
	case has("toolName", "error"):
		return "postToolUseFailure"
	case has("toolName"):
		return "preToolUse"
	case has("error"):
		return "errorOccurred"
	case has("agentId"):
		return "subagentStop"
	case has("agentName"):
		return "subagentStart"
	case has("stopReason"):
		return "agentStop"
	case has("trigger"):
		return "preCompact"
	case has("source"):
		return "sessionStart"
	case has("reason"):
		return "sessionEnd"
	}
	return ""
}

// copilotTool reads a call.
func copilotTool(p Payload) Tool {
	input := p.either("toolArgs", "tool_input")
	if input.IsString() { // JSON as text
		if inner, _, ok := jsontext.First([]byte(input.String())); ok && inner.IsObject() {
			input = inner
		}
	}
	return Tool{Name: p.either("toolName", "tool_name").String(), Input: toolInput(input)}
}

// tool reads an answer. A command that failed is a success to Copilot: the last
// line tells.
func (copilot) tool(p Payload, ev *Event) {
	result := p.either("toolResult", "tool_result")
	said, code := copilotAnswer(wordsOf(eitherOf(result, "textResultForLlm", "text_result_for_llm")))
	ev.Kind, ev.Tool = ToolOK, copilotTool(p)
	ev.Tool.Output = clip(said)
	if kind := eitherOf(result, "resultType", "result_type").String(); code != 0 || kind == "failure" || kind == "error" {
		ev.fail(said)
	}
}

// copilotAnswer parts the text of a shell from the line after it, and reads the
// exit code there, 0 if there is none.
func copilotAnswer(text string) (said string, code int) {
	head, line := lastLine(strings.TrimRight(text, "\n"))
	if _, tail, ok := strings.Cut(line, " completed with exit code "); ok && strings.HasPrefix(line, "<shellId: ") {
		code, ok = codeAfter(tail, "")
		if said = strings.TrimRight(head, "\n"); ok && said == "" && code != 0 {
			return line, code
		}
		return said, code
	}
	return text, 0
}

// messageOf is the text of an error, or its message.
func messageOf(err jsontext.Value) string { return either(wordsOf(err), err.Get("message").String()) }

func (copilot) injects(ev Event) bool {
	switch ev.Kind {
	case Start, Prompt, ToolOK, ToolFailed:
		return true
	}
	return false
}

// reply is flat: Copilot passes over the nested form.
func (copilot) reply(_ Event, context string) []byte { return object("additionalContext", context) }

func (copilot) row() rowReader { return &copilotRows{} }
