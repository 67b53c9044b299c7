package harness

import (
	"strings"
	"time"

	"github.com/dshkit/dshkit/internal/harness/jsontext"
	"github.com/dshkit/dshkit/pkg/transcript"
)

// qwenRows reads a chat of Qwen Code (spec/harness-hooks.md 12). Side chains are
// left out: each has a log of its own.
type qwenRows struct{ tools names }

func (q *qwenRows) read(row jsontext.Value, out *sink) {
	var kind, message, text, when, origin jsontext.Value
	aside := false
	for key, value := range row.Members() {
		switch string(key) {
		case "type":
			kind = value
		case "message":
			message = value
		case "text":
			text = value
		case "timestamp":
			when = value
		case "provenance":
			origin = value
		case "cwd":
			out.dir = value.String()
		case "isSidechain":
			aside = value.IsTrue()
		}
	}
	switch name := kind.String(); {
	case aside:
	case name == "system":
		q.system(row.Get("systemPayload", "uiEvent"), timeOf(when), out)
	case message == nil:
		plainRow(kind, text, when, qwen{}.wrappers(), out)
	case !message.IsObject():
		out.report.Odd++
	case name == "user" && (origin == nil || origin.String() == "real_user"):
		q.user(row, message.Get("parts"), timeOf(when), out)
	case name == "assistant":
		q.assistant(message.Get("parts"), timeOf(when), out)
	case name == "tool_result":
		q.results(row, message.Get("parts"), timeOf(when), out)
	}
}

// user reads a person's words, as they were shown if that is told.
func (q *qwenRows) user(row, parts jsontext.Value, when time.Time, out *sink) {
	if shown := row.Get("systemPayload", "displayText"); shown.IsString() {
		parts = shown
	}
	if !parts.IsString() && !parts.IsArray() {
		out.report.Odd++
		return
	}
	addPrompt(wordsOf(parts), qwen{}.wrappers(), when, out)
}

func (q *qwenRows) assistant(parts jsontext.Value, when time.Time, out *sink) {
	for part := range parts.Items() {
		words, call := part.Get("text"), part.Get("functionCall")
		switch {
		case call.IsObject():
			id, name := call.Get("id").String(), call.Get("name").String()
			q.tools.put(id, name)
			out.add(transcript.Record{
				Kind: transcript.Call, Time: when, ID: id, Tool: name, Input: toolInput(call.Get("args")),
			})
		case words.String() != "" && !part.Get("thought").IsTrue():
			addReply(words.String(), when, out)
		}
	}
}

func (q *qwenRows) results(row, parts jsontext.Value, when time.Time, out *sink) {
	wrong := row.Get("toolCallResult", "status").String() == "error"
	for part := range parts.Items() {
		if !part.Get("functionResponse").IsObject() {
			continue
		}
		id := part.Get("functionResponse", "id").String()
		said, failed := functionResponse(part)
		report := shellReportOf(part.Get("functionResponse", "name").String(), said)
		out.add(transcript.Record{
			Kind: transcript.Result, Time: when, ID: id, Tool: q.tools.take(id), Text: clip(report.said()),
			Failed: wrong || failed || report.failed,
		})
	}
}

// system reads what the harness noted of itself: that the model's service failed.
func (q *qwenRows) system(event jsontext.Value, when time.Time, out *sink) {
	name := event.Get("event.name").String()
	if strings.HasSuffix(name, "api_error") && event.Get("subagent_name") == nil {
		addFault(event.Get("error_message"), when, out)
	}
}
