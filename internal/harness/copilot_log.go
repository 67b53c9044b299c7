package harness

import (
	"time"

	"github.com/dshkit/dshkit/internal/harness/jsontext"
	"github.com/dshkit/dshkit/pkg/transcript"
)

// copilotRows reads the events of a session of the Copilot CLI
// (spec/harness-hooks.md 9).
type copilotRows struct{ tools names }

func (c *copilotRows) read(row jsontext.Value, out *sink) {
	var kind, data, when, text jsontext.Value
	for key, value := range row.Members() {
		switch string(key) {
		case "type":
			kind = value
		case "data":
			data = value
		case "timestamp":
			when = value
		case "text":
			text = value
		}
	}
	if data == nil {
		plainRow(kind, text, when, copilot{}.wrappers(), out)
		return
	}
	c.event(kind.String(), data, timeOf(when), out)
}

func (c *copilotRows) event(kind string, data jsontext.Value, when time.Time, out *sink) {
	switch kind {
	case "session.start":
		out.dir = data.Get("context", "cwd").String()
	case "":
		out.report.NoType++
	case "user.message":
		c.prompt(data, when, out)
	case "assistant.message":
		if data.Get("parentToolCallId") == nil {
			addReply(wordsOf(data.Get("content")), when, out)
		}
	case "tool.execution_start":
		id, name := data.Get("toolCallId").String(), data.Get("toolName").String()
		c.tools.put(id, name)
		out.add(transcript.Record{
			Kind: transcript.Call, Time: when, ID: id, Tool: name, Input: toolInput(data.Get("arguments")),
		})
	case "tool.execution_complete":
		c.result(data, when, out)
	case "session.error":
		addFault(data.Get("message"), when, out)
	}
}

// prompt reads a person's words; what goes to the model, transformedContent,
// holds ours beside them.
func (c *copilotRows) prompt(data jsontext.Value, when time.Time, out *sink) {
	content := data.Get("content")
	switch {
	case data.Get("parentToolCallId") != nil: // said to a delegated session
	case !content.IsString() && !content.IsArray():
		out.report.Odd++
	default:
		addPrompt(wordsOf(content), copilot{}.wrappers(), when, out)
	}
}

func (c *copilotRows) result(data jsontext.Value, when time.Time, out *sink) {
	id := data.Get("toolCallId").String()
	said, code := copilotAnswer(wordsOf(data.Get("result", "content")))
	if exit := data.Get("shellExecution", "exitCode"); exit != nil {
		code = int(exit.Int())
	}
	failed := code != 0 || string(data.Get("success")) == "false"
	out.add(transcript.Record{
		Kind: transcript.Result, Time: when, ID: id, Tool: c.tools.take(id),
		Text: clip(either(said, data.Get("error", "message").String())), Failed: failed,
	})
}
