package harness

import (
	"strings"

	"github.com/dshkit/dshkit/internal/harness/jsontext"
)

// dshNative reads what the plugin that install writes passes on from inside DSH
// (spec/harness-hooks.md 13).
func dshNative(p Payload, ev *Event) {
	ev.delegatedBy(p.text("parent_session_id"))
	ev.Delegated = ev.Delegated || p.text("origin") == "subagent"
	switch ev.Name {
	case "agent/session-start":
		ev.Kind, ev.Source = Start, p.text("source")
	case "agent/pre-step":
		if said := dshSaid(p.doc.Get("messages")); !ev.Delegated {
			readPrompt(said, ev, nil)
		}
	case "tools/result":
		dshTool(p, ev)
	case "agent/error":
		ev.Kind, ev.Reason = AgentError, p.text("error", "code")
		ev.Error = clip(strings.Trim(ev.Reason+": "+p.words("error", "message"), ": "))
	case "agent/turn-stopping", "session/flush":
		ev.Kind, ev.Reply = Stop, p.words("reply")
	case "agent/status":
		if p.text("status") == "idle" {
			ev.Kind = Idle
		}
	case "session/event":
		if p.text("event", "type") == "feedback/record" {
			ev.Kind, ev.Prompt = Feedback, clip(p.words("event", "data", "text"))
		}
	case "messageFeedback.list":
		dshFeedback(p.doc.Get("value", "items"), ev)
	case "subagent/end":
		dshSubagent(p, ev)
	case "agent/disposed":
		ev.Kind = End
	}
	if ev.Delegated {
		ev.delegatedKind()
	}
}

// dshSaid joins the messages of a step that a person wrote.
func dshSaid(messages jsontext.Value) string {
	var said []string
	for message := range messages.Items() {
		if message.Get("source", "kind").String() == "user" {
			said = append(said, wordsOf(message.Get("content")))
		}
	}
	return strings.Join(said, "\n")
}

func dshTool(p Payload, ev *Event) {
	result := p.doc.Get("result")
	ev.Kind = ToolOK
	ev.Tool = Tool{
		ID: p.text("call_id"), Name: p.text("tool_name"),
		Input: toolInput(p.doc.Get("arguments")), Output: clip(wordsOf(result.Get("content"))),
	}
	if result.Get("isError").IsTrue() || result.Get("value", "exitCode").Int() != 0 {
		ev.fail(ev.Tool.Output)
	}
}

// dshFeedback takes the last judgement of a list: our plugin passes each on once.
func dshFeedback(items jsontext.Value, ev *Event) {
	for item := range items.Items() {
		ev.Kind, ev.Prompt = Feedback, clip(wordsOf(item.Get("note")))
		if ev.Tool.ID = item.Get("version").String(); ev.Prompt == "" {
			ev.Prompt = item.Get("rating").String()
		}
	}
}

// dshSubagent reads how a delegated run ended; only a bad end has a reason for us.
func dshSubagent(p Payload, ev *Event) {
	ev.Kind, ev.Delegated, ev.Agent = SubagentStop, true, p.text("id")
	switch reason := p.text("reason"); reason {
	case "completed", "success", "done":
	default:
		ev.Reason = reason
	}
}
