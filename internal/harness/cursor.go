package harness

import (
	"strings"

	"github.com/dshkit/dshkit/internal/harness/jsontext"
)

// cursor is Cursor, by the hook executor of its SDK 1.0.32, which the editor
// shares (spec/harness-hooks.md 8).
type cursor struct{}

func (cursor) wrappers() []string { return nil }

// unsaid are elements that Cursor puts beside a person's words.
var unsaid = []string{"system_reminder", "additional_context"}

func (c cursor) event(p Payload, ev *Event) {
	ev.Session = either(p.text("conversation_id"), ev.Session)
	ev.Dir = firstRoot(p.doc.Get("workspace_roots"), ev.Dir)
	switch ev.Name {
	case "sessionStart":
		ev.Kind, ev.Source = Start, "startup"
	case "beforeSubmitPrompt":
		readPrompt(userQuery(p.words("prompt")), ev, unsaid)
	case "postToolUse":
		c.tool(p, ev)
	case "postToolUseFailure":
		ev.Tool = readTool(p)
		if p.text("failure_type") != "permission_denied" && !p.flag("is_interrupt") { // a person's own doing is no failure
			ev.fail(p.words("error_message"))
		}
	case "stop":
		c.stop(p, ev)
	case "subagentStart", "subagentStop":
		c.subagent(p, ev)
	case "preCompact":
		ev.Kind, ev.Reason = Compact, p.text("trigger")
	case "sessionEnd":
		ev.Kind, ev.Reason = End, p.text("reason")
	}
}

// firstRoot is the first folder of a workspace, else cwd: hooks of a user run in
// Cursor's own folder, and a tool may run anywhere.
func firstRoot(roots jsontext.Value, cwd string) string {
	for root := range roots.Items() {
		dir := root.String()
		if len(dir) > 2 && dir[0] == '/' && dir[2] == ':' { // "/c:/Users"
			dir = dir[1:]
		}
		return dir
	}
	return cwd
}

// tool reads an answer: JSON as text, with the exit code of a command.
func (cursor) tool(p Payload, ev *Event) {
	ev.Kind, ev.Tool = ToolOK, readTool(p)
	said := p.words("tool_output")
	answer, _, whole := jsontext.First([]byte(said))
	if !whole || !answer.IsObject() || answer.Get("exitCode") == nil && answer.Get("stdout") == nil {
		ev.Tool.Output = clip(said)
		return
	}
	if ev.Tool.Output = toolOutput(answer); answer.Get("exitCode").Int() != 0 {
		ev.fail(either(ev.Tool.Output, "exit code "+answer.Get("exitCode").String()))
	}
}

// stop reads the end of a turn, which the agent's own failure is one kind of.
func (cursor) stop(p Payload, ev *Event) {
	ev.Kind, ev.Reason, ev.StopActive = Stop, p.text("status"), p.doc.Get("loop_count").Int() > 0
	if ev.Reason == "error" {
		ev.Kind, ev.Error = AgentError, clip(either(p.words("error_message"), "the turn ended with the status error"))
	}
}

func (cursor) subagent(p Payload, ev *Event) {
	ev.Agent, ev.Delegated = p.text("subagent_id"), true
	ev.Parent = either(p.text("parent_conversation_id"), ev.Session)
	if ev.Name == "subagentStart" {
		ev.Kind = SubagentStart
		return
	}
	ev.Kind, ev.Reply = SubagentStop, p.words("summary")
	if status := p.text("status"); status != "completed" {
		ev.Reason = clip(either(p.words("error_message"), status))
	}
}

// userQuery returns a person's words out of what Cursor made of them.
func userQuery(text string) string {
	const open, closing = "<user_query>", "</user_query>"
	_, inner, ok := strings.Cut(text, open)
	if !ok {
		return text
	}
	if end := strings.LastIndex(inner, closing); end >= 0 {
		inner = inner[:end]
	}
	return inner
}

func (cursor) injects(ev Event) bool {
	switch ev.Kind {
	case Start, Prompt, ToolOK, ToolFailed:
		return true
	}
	return false // a stop takes a message that goes on with the turn
}

func (cursor) reply(_ Event, context string) []byte { return object("additional_context", context) }

func (cursor) row() rowReader { return cursorRows{} }
