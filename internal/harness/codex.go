package harness

import "strings"

// codex is the Codex CLI, 0.171.0 (spec/harness-hooks.md 6).
type codex struct{}

// notifyType is the type of the second, trust-free channel: its payload is the
// last argument of a command, and nothing is read from that command.
const notifyType = "agent-turn-complete"

func (codex) wrappers() []string {
	return []string{"environment_context", "skills_instructions", "user_instructions"}
}

func (c codex) event(p Payload, ev *Event) {
	if p.text("type") == notifyType {
		c.notify(p, ev)
		return
	}
	readCommon(p, ev, c.wrappers())
	if ev.Kind == ToolOK && codexFailed(ev.Tool.Output) {
		ev.fail(ev.Tool.Output)
	}
}

func (c codex) notify(p Payload, ev *Event) {
	ev.Name, ev.Kind, ev.Session = notifyType, Stop, p.text("thread-id")
	ev.Reply = p.words("last-assistant-message")
	for message := range p.doc.Get("input-messages").Items() {
		ev.Prompt = humanWords(message.String(), c.wrappers())
	}
}

// codexFailed reports whether the answer of a tool begins with words of Codex's
// own that say it failed. The hook's payload holds no exit code, and what a
// program prints proves nothing: the rollout tells such failures.
func codexFailed(output string) bool {
	for _, mark := range [...]string{"Exit code: ", "Process exited with code "} {
		if code, ok := codeAfter(output, mark); ok {
			return code != 0
		}
	}
	for _, mark := range [...]string{"apply_patch verification failed", "execution error: ", "exec_command failed"} {
		if strings.HasPrefix(output, mark) {
			return true
		}
	}
	return false
}

// injects leaves out whatever Codex's schemas do not know context for: a field
// outside the schema voids the whole reply.
func (codex) injects(ev Event) bool {
	switch ev.Name {
	case "SessionStart", "UserPromptSubmit", "PostToolUse":
		return ev.Kind != Ignore
	}
	return false
}

func (codex) reply(ev Event, context string) []byte { return nested(ev.Name, context) }

func (codex) row() rowReader { return &codexRows{} }
