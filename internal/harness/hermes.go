package harness

import (
	"strings"

	"github.com/dshkit/dshkit/internal/harness/jsontext"
)

// hermes is the Hermes Agent, after its documentation of autumn 2026
// (spec/harness-hooks.md 14). What an event tells stands under "extra".
type hermes struct{}

func (hermes) wrappers() []string { return nil }

func (h hermes) event(p Payload, ev *Event) {
	extra := func(key string) string { return p.text("extra", key) }
	switch ev.Name {
	case "on_session_start":
		ev.Kind, ev.Source = Start, "startup"
	case "on_session_reset":
		ev.Kind, ev.Source = Start, "clear"
	case "pre_llm_call":
		if ev.delegatedBy(extra("parent_session_id")); !ev.Delegated {
			readPrompt(p.words("extra", "user_message"), ev, h.wrappers())
		}
	case "post_tool_call":
		h.tool(p, ev)
	case "api_request_error":
		h.failure(p, ev)
	case "subagent_start":
		ev.Kind, ev.Agent, ev.Delegated, ev.Parent = SubagentStart, extra("child_session_id"), true, ev.Session
	case "subagent_stop":
		ev.Kind, ev.Agent, ev.Delegated, ev.Parent = SubagentStop, extra("child_session_id"), true, ev.Session
		ev.Reply = clip(p.words("extra", "child_summary"))
		if status := extra("child_status"); status != "completed" && status != "success" {
			ev.Reason = status
		}
	case "on_session_end": // of a turn, whatever it is called
		ev.Kind, ev.Reason = Stop, either(extra("turn_exit_reason"), extra("reason"))
	case "on_session_finalize":
		ev.Kind, ev.Reason = End, extra("reason")
	}
}

// tool reads an answer, which is JSON as text.
func (hermes) tool(p Payload, ev *Event) {
	ev.Kind, ev.Tool = ToolOK, readTool(p)
	ev.Tool.ID = p.text("extra", "tool_call_id")
	said, failed := hermesResult(p.words("extra", "result"))
	ev.Tool.Output = clip(said)
	if failed || p.text("extra", "status") == "error" {
		ev.fail(either(said, p.words("extra", "error_message")))
	}
}

// hermesResult reads the answer of a tool: what it printed or read, and whether
// it failed. One that only says so is empty.
func hermesResult(text string) (said string, failed bool) {
	result, _, whole := jsontext.First([]byte(text))
	if !whole || !result.IsObject() {
		return text, false
	}
	said = wordsOf(eitherOf(result, "output", "content"))
	message := messageOf(result.Get("error"))
	failed = message != "" || result.Get("exit_code").Int() != 0
	return either(said, message), failed
}

// failure reads a request that the model's service refused. It is told once for
// each attempt; those that follow the first are the same failure.
func (hermes) failure(p Payload, ev *Event) {
	if p.doc.Get("extra", "retry_count").Int() > 0 && p.flag("extra", "retryable") {
		return
	}
	err := p.doc.Get("extra", "error")
	ev.Kind, ev.Reason = AgentError, p.text("extra", "reason")
	said := []string{p.text("extra", "status_code"), err.Get("type").String(), messageOf(err)}
	ev.Error = clip(strings.TrimSpace(strings.Join(said, " ")))
}

// injects: the start of a session takes nothing, so that the first prompt has to
// carry what it would have.
func (hermes) injects(ev Event) bool { return ev.Name == "pre_llm_call" && ev.Kind == Prompt }

func (hermes) reply(_ Event, context string) []byte { return object("context", context) }

func (hermes) row() rowReader { return &hermesRows{} }
