package harness

import (
	"strings"

	"github.com/dshkit/dshkit/internal/harness/jsontext"
)

// cline is Cline, its extension and its SDK with the CLI, which name the same
// events in two ways (spec/harness-hooks.md 16). What an event of the extension
// tells stands in an object of the event's name, which the SDK has too.
type cline struct{}

func (cline) wrappers() []string { return []string{"environment_details"} }

func (c cline) event(p Payload, ev *Event) {
	ev.Name = p.text("hookName")
	ev.Session = firstText(p, "sessionContext.rootSessionId", "taskId")
	ev.Dir = firstRoot(p.doc.Get("workspaceRoots"), p.text("workspaceInfo", "rootPath"))
	if p.text("parent_agent_id") != "" {
		ev.Agent, ev.Delegated, ev.Parent = p.text("agent_id"), true, ev.Session
	}
	switch ev.Name {
	case "TaskStart", "agent_start":
		ev.Kind, ev.Source = Start, "startup"
	case "TaskResume", "agent_resume":
		ev.Kind, ev.Source = Start, "resume"
	case "UserPromptSubmit", "prompt_submit":
		readPrompt(p.words("userPromptSubmit", "prompt"), ev, c.wrappers())
	case "PostToolUse", "tool_result":
		c.tool(p, ev)
	case "TaskComplete", "agent_end", "agent_abort":
		c.stop(p, ev)
	case "TaskError", "agent_error":
		err := p.doc.Get("error")
		ev.Kind, ev.Reason = AgentError, err.Get("name").String()
		ev.Error = clip(strings.Trim(ev.Reason+": "+messageOf(err), ": "))
	case "PreCompact":
		ev.Kind, ev.Reason = Compact, p.text("preCompact", "compactionStrategy")
	case "Notification":
		if p.flag("notification", "waitingForUserInput") {
			ev.Kind = Idle
		}
	case "TaskCancel", "SessionShutdown", "session_shutdown":
		ev.Kind, ev.Reason = End, firstText(p, "reason", "taskCancel.taskMetadata.completionStatus")
	}
	if ev.Delegated {
		ev.delegatedKind()
	}
}

// stop reads the end of a turn, or of a delegated session.
func (cline) stop(p Payload, ev *Event) {
	ev.Reply = firstText(p, "taskComplete.taskMetadata.result", "turn.outputText")
	status := firstText(p, "reason", "turn.status")
	if status != "completed" {
		ev.Reason = status
	}
	if ev.Kind = Stop; ev.Delegated {
		ev.Kind = SubagentStop
	}
}

// tool reads an answer.
func (cline) tool(p Payload, ev *Event) {
	ev.Kind = ToolOK
	told, result := p.doc.Get("postToolUse"), p.doc.Get("tool_result")
	ev.Tool = Tool{
		ID:     result.Get("id").String(),
		Name:   either(result.Get("name").String(), told.Get("toolName").String()),
		Input:  clineInput(eitherOf(result, "input")),
		Output: clip(either(wordsOf(result.Get("output")), wordsOf(told.Get("result")))),
	}
	if ev.Tool.Input == "" {
		ev.Tool.Input = clineInput(told.Get("parameters"))
	}
	message := messageOf(result.Get("error"))
	if message != "" || string(told.Get("success")) == "false" {
		ev.fail(either(message, ev.Tool.Output))
	}
}

// clineInput says what was asked of a tool, of which some take several commands
// or files at once.
func clineInput(input jsontext.Value) string {
	var lines []string
	for command := range unfolded(input.Get("commands")).Items() {
		lines = append(lines, command.String())
	}
	for file := range unfolded(input.Get("files")).Items() {
		lines = append(lines, either(file.Get("path").String(), file.String()))
	}
	if len(lines) > 0 {
		return clip(strings.Join(lines, "\n"))
	}
	return toolInput(input)
}

// injects: the SDK runs the hooks of a start and a prompt apart, and takes
// nothing from them.
func (cline) injects(ev Event) bool {
	switch ev.Kind {
	case ToolOK, ToolFailed:
		return true
	case Start, Prompt:
		return ev.Name != "" && ev.Name[0] <= 'Z'
	}
	return false
}

func (cline) reply(_ Event, context string) []byte {
	doc := object("contextModification", context)
	return append([]byte(`{"cancel":false,`), doc[1:]...)
}

func (cline) row() rowReader { return &clineRows{} }
