package harness

import "strings"

// claude is Claude Code, 2.1.332 (spec/harness-hooks.md 5).
type claude struct{}

func (claude) wrappers() []string { return []string{"system-reminder"} }

func (c claude) event(p Payload, ev *Event) { readClaude(p, ev, c.wrappers()) }

// readClaude reads the events of Claude Code, which Qwen Code took over.
func readClaude(p Payload, ev *Event, wrappers []string) {
	readCommon(p, ev, wrappers)
	switch ev.Name {
	case "PostToolUseFailure":
		if ev.Tool = readTool(p); !p.flag("is_interrupt") { // a person's own stop is no failure
			ev.fail(p.words("error"))
		}
	case "StopFailure":
		ev.Kind, ev.Reason = AgentError, p.text("error")
		ev.Error = clip(strings.Trim(ev.Reason+": "+p.words("error_details"), ": "))
	case "SubagentStop":
		if p.text("agent_type") == "" { // a compaction fires it for its own helper
			ev.Kind = Ignore
		}
	case "Notification":
		if p.text("notification_type") == "idle_prompt" {
			ev.Kind = Idle
		}
	}
}

func (claude) injects(ev Event) bool {
	switch ev.Kind {
	case Start, Prompt, ToolOK, ToolFailed:
		return true
	}
	return false // on a stop, context would continue the turn
}

func (claude) reply(ev Event, context string) []byte { return nested(ev.Name, context) }

func (claude) row() rowReader { return &claudeRows{} }
