package harness

import (
	"strings"

	"github.com/dshkit/dshkit/internal/harness/jsontext"
)

// gemini is the Gemini CLI, 0.61.0 (spec/harness-hooks.md 7).
type gemini struct{}

func (gemini) wrappers() []string {
	return []string{"hook_context", "session_context", "untrusted_context"}
}

func (g gemini) event(p Payload, ev *Event) {
	switch ev.Name {
	case "SessionStart":
		ev.Kind, ev.Source = Start, p.text("source")
	case "BeforeAgent":
		readPrompt(p.words("prompt"), ev, g.wrappers())
	case "AfterAgent":
		ev.Kind, ev.Reply, ev.StopActive = Stop, p.words("prompt_response"), p.flag("stop_hook_active")
	case "AfterTool":
		g.tool(p, ev)
	case "PreCompress":
		if ev.Reason = p.text("trigger"); ev.Reason == "manual" { // auto comes before every request, compaction or not
			ev.Kind = Compact
		}
	case "SessionEnd":
		ev.Kind, ev.Reason = End, p.text("reason")
	}
}

// tool reads an answer. That of a shell is a success to Gemini, however the
// command ended.
func (gemini) tool(p Payload, ev *Event) {
	ev.Kind, ev.Tool = ToolOK, readTool(p)
	answer := p.doc.Get("tool_response")
	report := shellReportOf(ev.Tool.Name, wordsOf(answer.Get("llmContent")))
	ev.Tool.Output = clip(report.said())
	switch message := answer.Get("error", "message"); {
	case report.failed:
		ev.fail(ev.Tool.Output)
	case answer.Get("error").IsObject():
		ev.fail(either(report.said(), message.String()))
	}
}

func (gemini) injects(ev Event) bool {
	switch ev.Kind {
	case Start, Prompt, ToolOK, ToolFailed:
		return true
	}
	return false
}

func (gemini) reply(ev Event, context string) []byte { return nested(ev.Name, context) }

func (gemini) row() rowReader { return &geminiRows{} }

// either returns a, or b when a is empty.
func either(a, b string) string {
	if a == "" {
		return b
	}
	return a
}

// shellReport is what the shell tool of Gemini CLI, and of Qwen Code that came of
// it, tells a model of a command.
type shellReport struct {
	output string
	err    string // why the command could not run, "" for none
	code   string // the line of the exit code, "" for none
	failed bool
}

// shellReportOf takes the answer of a tool apart. Only a shell's has the form:
// lines of the harness before and after what the command printed. Those after it
// are read from the end, each once and in their order: what stands before them is
// output, whatever it looks like. Other answers are all output.
func shellReportOf(tool, text string) shellReport {
	text = strings.TrimSpace(text)
	if inner, ok := strings.CutPrefix(text, "<untrusted_context>"); ok {
		text = strings.TrimSpace(strings.TrimSuffix(inner, "</untrusted_context>"))
	}
	if tool != "run_shell_command" {
		return shellReport{output: text}
	}
	var r shellReport
	for _, mark := range [...]string{"Process Group PGID: ", "Background PIDs: ", "Signal: ", "Exit Code: ", "Error: "} {
		if head, line := lastLine(text); strings.HasPrefix(line, mark) {
			r.footer(line)
			text = head
		}
	}
	r.output = shellOutput(text)
	return r
}

// footer takes a line that the harness adds after the output of a command.
func (r *shellReport) footer(line string) {
	if code, ok := codeAfter(line, "Exit Code: "); ok {
		r.code, r.failed = line, code != 0
	}
	if message, ok := strings.CutPrefix(line, "Error: "); ok && message != "(none)" {
		r.err = message
	}
}

// lastLine splits text before its last line.
func lastLine(text string) (head, line string) {
	at := strings.LastIndexByte(text, '\n')
	return text[:max(at, 0)], text[at+1:]
}

// shellOutput drops what stands before the output of a command: of Qwen Code also
// the command, which can have several lines.
func shellOutput(text string) string {
	if command, ok := strings.CutPrefix(text, "Command: "); ok {
		if _, rest, ok := strings.Cut(command, "\nDirectory: "); ok {
			_, text, _ = strings.Cut(rest, "\n")
		}
	}
	if text = strings.TrimPrefix(text, "Output: "); text == "(empty)" {
		return ""
	}
	return text
}

// said is what is worth keeping of the report: the output with the error, else
// the exit code of a command that failed in silence.
func (r shellReport) said() string {
	said := strings.TrimSpace(r.output)
	if r.err != "" {
		said = strings.TrimSpace(said + "\n" + r.err)
	}
	if said == "" && r.failed {
		return r.code
	}
	return said
}

// functionResponse returns the text of an answer in the form of Google's
// interface, and whether it is an error.
func functionResponse(part jsontext.Value) (said string, failed bool) {
	response := part.Get("functionResponse", "response")
	if message := response.Get("error"); message != nil {
		return either(wordsOf(message), message.Get("message").String()), true
	}
	return wordsOf(response.Get("output")), false
}
