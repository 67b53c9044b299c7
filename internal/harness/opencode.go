package harness

import (
	"strings"

	"github.com/dshkit/dshkit/internal/harness/jsontext"
)

// opencode is OpenCode 1.18.33 through the plugin that install writes
// (spec/harness-hooks.md 10): {hook, directory, worktree} and what OpenCode
// handed to that hook. Of a child session our plugin adds parentID, of a turn
// that is over the agent's last words as reply.
type opencode struct{}

func (opencode) wrappers() []string { return nil }

func (o opencode) event(p Payload, ev *Event) {
	ev.Name, ev.Dir = p.text("hook"), p.text("directory")
	ev.Session = firstText(p, "sessionID", "input.sessionID", "event.properties.sessionID")
	ev.delegatedBy(firstText(p, "parentID", "event.properties.info.parentID"))
	switch ev.Name {
	case "event":
		o.bus(p, ev)
	case "chat.message":
		if !ev.Delegated { // what an agent asks of another is no person's word
			readPrompt(openCodeWords(p.doc.Get("output", "parts")), ev, o.wrappers())
		}
	case "tool.execute.after":
		o.tool(p, ev)
	case "experimental.session.compacting":
		ev.Kind = Compact
	case "dispose":
		if ev.Session != "" {
			ev.Kind, ev.Reason = End, "dispose"
		}
	}
}

// bus reads an event of the bus, which is named like "session.idle".
func (o opencode) bus(p Payload, ev *Event) {
	ev.Name = p.text("event", "type")
	what := p.doc.Get("event", "properties")
	switch ev.Name {
	case "session.created":
		ev.Kind, ev.Source = Start, "startup"
	case "session.idle":
		ev.Kind = Stop
	case "session.status":
		o.status(what.Get("status"), ev)
	case "session.error":
		o.failure(what.Get("error"), ev)
	case "session.compacted":
		ev.Kind = Compact
	case "session.deleted":
		ev.Kind, ev.Reason = End, "deleted"
	case "message.part.updated":
		o.part(what.Get("part"), ev)
	}
	if ev.Kind == Stop {
		ev.Reply = p.words("reply")
	}
	if ev.Delegated {
		ev.delegatedKind()
	}
}

// status reads what a session is doing. A limit shows only as the first of
// several attempts.
func (opencode) status(status jsontext.Value, ev *Event) {
	switch status.Get("type").String() {
	case "idle":
		ev.Kind = Stop
	case "retry":
		if status.Get("attempt").Int() == 1 {
			ev.Kind, ev.Reason, ev.Error = AgentError, "retry", clip(status.Get("message").String())
		}
	}
}

// failure reads an error of the session; a person's own stop is none.
func (opencode) failure(err jsontext.Value, ev *Event) {
	name := err.Get("name").String()
	if name == "MessageAbortedError" {
		return
	}
	ev.Kind, ev.Reason = AgentError, name
	ev.Error = clip(strings.Trim(name+": "+err.Get("data", "message").String(), ": "))
}

// tool reads a tool that came to its end. One that could not even do that is
// told by its part of the message alone.
func (opencode) tool(p Payload, ev *Event) {
	in, out := p.doc.Get("input"), p.doc.Get("output")
	ev.Kind = ToolOK
	ev.Tool = Tool{
		ID: in.Get("callID").String(), Name: in.Get("tool").String(),
		Input: toolInput(in.Get("args")), Output: clip(wordsOf(out.Get("output"))),
	}
	if out.Get("metadata", "exit").Int() != 0 {
		ev.fail(ev.Tool.Output)
	}
}

func (opencode) part(part jsontext.Value, ev *Event) {
	state := part.Get("state")
	if part.Get("type").String() != "tool" || state.Get("status").String() != "error" {
		return
	}
	ev.Tool = Tool{ID: part.Get("callID").String(), Name: part.Get("tool").String(), Input: toolInput(state.Get("input"))}
	ev.fail(wordsOf(state.Get("error")))
}

func (opencode) injects(ev Event) bool { return ev.Kind == Prompt }

func (opencode) reply(_ Event, context string) []byte { return object("context", context) }

func (opencode) row() rowReader { return &openCodeRows{} }

// openCodeWords joins the parts of a message that are somebody's words.
func openCodeWords(parts jsontext.Value) string {
	var words []string
	for part := range parts.Items() {
		if part.Get("type").String() == "text" && part.Get("text").IsString() && !part.Get("synthetic").IsTrue() && !part.Get("ignored").IsTrue() {
			words = append(words, part.Get("text").String())
		}
	}
	return unquoted(strings.Join(words, "\n"))
}

// unquoted takes off the quotes that `opencode run` puts around a prompt which
// its shell handed over as one word.
func unquoted(said string) string {
	if n := len(said); n > 2 && said[0] == '"' && said[n-1] == '"' && !strings.Contains(said[1:n-1], `"`) {
		return said[1 : n-1]
	}
	return said
}
