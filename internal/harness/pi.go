package harness

import (
	"strings"

	"github.com/dshkit/dshkit/internal/harness/jsontext"
)

// pi is pi 1.6.0 through the extension that install writes
// (spec/harness-hooks.md 11): {cwd, sessionFile, sessionId, event}. Of a session
// that another one started our extension adds parentSession.
type pi struct{}

func (pi) wrappers() []string { return nil }

func (d pi) event(p Payload, ev *Event) {
	ev.Name, ev.Session, ev.Dir, ev.Transcript = p.text("event", "type"), p.text("sessionId"), p.text("cwd"), p.text("sessionFile")
	ev.delegatedBy(p.text("parentSession"))
	switch ev.Name {
	case "session_start":
		ev.Kind, ev.Source = Start, piSource(p.text("event", "reason"))
	case "before_agent_start":
		if !ev.Delegated {
			readPrompt(p.words("event", "prompt"), ev, d.wrappers())
		}
	case "tool_result":
		d.tool(p.doc.Get("event"), ev)
	case "turn_end":
		piFailure(p.doc.Get("event", "message"), ev)
	case "agent_end":
		ev.Kind, ev.Reply = Stop, lastReplyOf(p.doc.Get("event", "messages"))
	case "agent_settled":
		ev.Kind = Idle
	case "session_before_compact", "session_compact":
		ev.Kind, ev.Reason = Compact, p.text("event", "reason")
	case "session_shutdown":
		if ev.Kind, ev.Reason = End, p.text("event", "reason"); ev.Reason == "reload" {
			ev.Kind = Stop // the same session goes on
		}
	}
	if ev.Delegated {
		ev.delegatedKind()
	}
}

// piSource is pi's reason of a start in the words that others have for it.
func piSource(reason string) string {
	switch reason {
	case "new":
		return "startup"
	case "reload":
		return "resume"
	}
	return reason
}

func (pi) tool(event jsontext.Value, ev *Event) {
	ev.Kind = ToolOK
	ev.Tool = Tool{
		ID: event.Get("toolCallId").String(), Name: event.Get("toolName").String(),
		Input: toolInput(event.Get("input")), Output: clip(wordsOf(event.Get("content"))),
	}
	if event.Get("isError").IsTrue() {
		ev.fail(ev.Tool.Output)
	}
}

// piFailure reads the failure of a turn. What else a turn held is told by others.
func piFailure(message jsontext.Value, ev *Event) {
	if message.Get("stopReason").String() == "error" {
		ev.Kind, ev.Reason, ev.Error = AgentError, "error", clip(message.Get("errorMessage").String())
	}
}

// lastReplyOf returns the words of the last message of an agent in a list.
func lastReplyOf(messages jsontext.Value) string {
	last := ""
	for message := range messages.Items() {
		if message.Get("role").String() == "assistant" {
			last = wordsOf(message.Get("content"))
		}
	}
	return strings.TrimSpace(last)
}

// injects leaves out the start: pi takes a message before the agent starts.
func (pi) injects(ev Event) bool { return ev.Kind == Prompt }

func (pi) reply(_ Event, context string) []byte { return object("context", context) }

func (pi) row() rowReader { return &piRows{} }
