package harness

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/dshkit/dshkit/internal/harness/jsontext"
)

// kiro is Kiro: the agents of its CLI 2, the hooks of its CLI 3 and IDE 1, and
// what the IDE 0.12 puts into a variable (spec/harness-hooks.md 18). The first
// spell an event with a small letter and name no session; the last names no
// event either.
type kiro struct{}

func (kiro) wrappers() []string { return nil }

func (k kiro) event(p Payload, ev *Event) {
	if ev.Name == "" && p.doc.Get("toolName") != nil {
		ev.Name = "postToolUse"
	}
	if ev.Session == "" {
		ev.Session = kiroSession(ev.Dir)
	}
	switch lowerFirst(ev.Name) {
	case "sessionStart", "agentSpawn":
		ev.Kind, ev.Source = Start, "startup"
	case "userPromptSubmit":
		readPrompt(p.words("prompt"), ev, k.wrappers())
	case "postToolUse":
		k.tools(p, ev)
	case "stop":
		ev.Kind = Stop
	}
}

// kiroSession is the session of agents that name none: one for each folder, the
// same for all that happens there. Its parts are told apart by their starts.
func kiroSession(dir string) string {
	sum := sha256.Sum256([]byte(dir))
	return "kiro-" + hex.EncodeToString(sum[:6])
}

// tools reads an answer; of several that were held back, the first that failed,
// else the last.
func (k kiro) tools(p Payload, ev *Event) {
	held := p.doc.Get("hook_events")
	if held == nil {
		k.tool(p, ev)
		return
	}
	for one := range held.Items() {
		if k.tool(Payload{doc: one}, ev); ev.Tool.Failed {
			return
		}
	}
}

// tool reads one answer: an object that says whether it went well, or prose.
func (k kiro) tool(p Payload, ev *Event) {
	ev.Kind, ev.Tool = ToolOK, Tool{
		ID:    p.text("tool_use_id"),
		Name:  p.either("tool_name", "toolName").String(),
		Input: toolInput(p.either("tool_input", "toolArgs")),
	}
	said, failed := kiroAnswer(ev.Tool.Name, p.either("tool_response", "toolResult"))
	if failed = failed || string(p.doc.Get("toolSuccess")) == "false"; failed {
		ev.fail(said)
	}
	ev.Tool.Output = clip(said)
}

// kiroAnswer takes an answer apart.
func kiroAnswer(tool string, answer jsontext.Value) (said string, failed bool) {
	if !answer.IsObject() {
		return kiroProse(tool, wordsOf(answer))
	}
	var lines []string
	failed = string(answer.Get("success")) == "false"
	for part := range answer.Get("result").Items() {
		text, wrong := kiroPart(part)
		failed = failed || wrong
		if text != "" {
			lines = append(lines, text)
		}
	}
	return strings.Join(lines, "\n"), failed
}

// kiroPart reads what a command printed and how it ended, "2" or "exit status: 2";
// or bare words.
func kiroPart(part jsontext.Value) (said string, failed bool) {
	if !part.IsObject() {
		return part.String(), false
	}
	status := strings.TrimPrefix(part.Get("exit_status").String(), "exit status: ")
	return toolOutput(part), status != "" && status != "0"
}

// kiroProse reads an answer that is prose alone. A shell's ends with its exit
// code; another tool's failure begins with a word that a program might print.
func kiroProse(tool, text string) (said string, failed bool) {
	head, line := lastLine(strings.TrimRight(text, "\n"))
	if code, ok := codeAfter(line, "Exit Code: "); ok {
		said = strings.TrimPrefix(strings.TrimRight(head, "\n"), "Output:\n")
		if said == "" && code != 0 {
			said = line
		}
		return said, code != 0
	}
	return text, strings.HasPrefix(text, "Error: ") && !kiroShell(tool)
}

// kiroShell reports whether a tool runs commands.
func kiroShell(tool string) bool {
	return strings.Contains(tool, "bash") || strings.Contains(tool, "shell") || strings.Contains(tool, "execute")
}

func (kiro) injects(ev Event) bool { return ev.Kind == Start || ev.Kind == Prompt }

// reply is the bare text: JSON would be shown to the model as it is.
func (kiro) reply(_ Event, context string) []byte {
	return []byte(strings.TrimRight(context, "\n") + "\n")
}

func (kiro) row() rowReader { return &kiroRows{} }
