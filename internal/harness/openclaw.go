package harness

import (
	"strings"

	"github.com/dshkit/dshkit/internal/harness/jsontext"
)

// openclaw is OpenClaw 2026.9.6 through the plugin folder that install writes
// (spec/harness-hooks.md 15): {hook, event, ctx}. Events of its other system,
// the internal hooks, are not for us: the plugin is told the same.
type openclaw struct{}

func (openclaw) wrappers() []string { return nil }

func (o openclaw) event(p Payload, ev *Event) {
	ev.Name = p.text("hook")
	if ev.Name == "" {
		ev.Name = strings.Trim(p.text("type")+":"+p.text("action"), ":")
	}
	ev.Session = firstText(p, "ctx.sessionId", "event.sessionId", "context.sessionId")
	ev.Dir = firstText(p, "ctx.workspaceDir", "context.workspaceDir")
	ev.Transcript = firstText(p, "event.sessionFile", "ctx.sessionFile")
	if strings.Contains(p.text("ctx", "sessionKey"), ":subagent:") {
		ev.Agent, ev.Delegated = ev.Session, true
	}
	switch ev.Name {
	case "session_start":
		if ev.Kind, ev.Source = Start, "startup"; p.text("event", "resumedFrom") != "" {
			ev.Source = "resume"
		}
	case "before_prompt_build":
		if !ev.Delegated {
			readPrompt(openClawWords(p.doc.Get("event")), ev, o.wrappers())
		}
	case "after_tool_call":
		o.tool(p, ev)
	case "agent_end":
		o.turn(p, ev)
	case "before_compaction", "after_compaction":
		ev.Kind, ev.Reason = Compact, p.text("event", "reason")
	case "session_end":
		ev.Kind, ev.Reason = End, p.text("event", "reason")
	}
	if ev.Delegated {
		ev.delegatedKind()
	}
}

// openClawWords returns the request itself where it is told apart from the prompt,
// which may hold what was said before too.
func openClawWords(event jsontext.Value) string {
	if request := event.Get("currentUserMessage"); request.IsString() {
		return request.String()
	}
	return wordsOf(event.Get("prompt"))
}

func (openclaw) tool(p Payload, ev *Event) {
	event := p.doc.Get("event")
	ev.Kind = ToolOK
	ev.Tool = Tool{
		ID: event.Get("toolCallId").String(), Name: event.Get("toolName").String(),
		Input: toolInput(event.Get("params")), Output: toolOutput(event.Get("result")),
	}
	if message := event.Get("error").String(); message != "" {
		ev.fail(strings.TrimPrefix(ev.Tool.Output+"\n"+message, "\n"))
	}
}

// turn reads the end of a turn, which may be a failure of the model's service.
func (openclaw) turn(p Payload, ev *Event) {
	ev.Kind, ev.Reply = Stop, lastReplyOf(p.doc.Get("event", "messages"))
	if message := p.words("event", "error"); message != "" && !p.flag("event", "success") {
		ev.Kind, ev.Reason, ev.Error = AgentError, "error", clip(message)
	}
}

func (openclaw) injects(ev Event) bool { return ev.Kind == Prompt }

func (openclaw) reply(_ Event, context string) []byte { return object("context", context) }

func (openclaw) row() rowReader { return &piRows{} }
