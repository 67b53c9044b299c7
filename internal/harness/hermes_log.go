package harness

import (
	"time"

	"github.com/dshkit/dshkit/internal/harness/jsontext"
	"github.com/dshkit/dshkit/pkg/transcript"
)

// hermesRows reads rows of the table "messages" in which Hermes keeps its
// sessions, one JSON object a row or all in a list (spec/harness-hooks.md 14).
// "api_content" is what was sent, with our own text in it: it is not read.
type hermesRows struct{ listed }

func (h *hermesRows) read(row jsontext.Value, out *sink) {
	role, content := row.Get("role").String(), row.Get("content")
	when := secondsOf(row.Get("timestamp"))
	if role != "" && !content.IsString() && !content.IsArray() && !content.IsNull() {
		out.report.Odd++
		return
	}
	switch role {
	case "":
		plainRow(row.Get("type"), row.Get("text"), row.Get("timestamp"), nil, out)
	case "user":
		addPrompt(wordsOf(content), hermes{}.wrappers(), when, out)
	case "assistant":
		h.assistant(row, wordsOf(content), when, out)
	case "tool":
		said, failed := hermesResult(wordsOf(content))
		out.add(transcript.Record{
			Kind: transcript.Result, Time: when, ID: row.Get("tool_call_id").String(), Tool: row.Get("tool_name").String(),
			Text: clip(said), Failed: failed,
		})
	}
}

func (*hermesRows) assistant(row jsontext.Value, said string, when time.Time, out *sink) {
	addReply(said, when, out)
	for call := range unfolded(row.Get("tool_calls")).Items() {
		function := call.Get("function")
		out.add(transcript.Record{
			Kind: transcript.Call, Time: when, ID: call.Get("id").String(), Tool: function.Get("name").String(),
			Input: toolInput(unfolded(function.Get("arguments"))),
		})
	}
	if row.Get("finish_reason").String() == "error" { // why is not written down
		out.add(transcript.Record{Kind: transcript.Fault, Time: when, Text: either(clip(said), "the turn ended with the finish reason error"), Failed: true})
	}
}

// listed is of a log that may come as one list: what a query of a database
// prints, a file of messages.
type listed struct{}

// list says that the document itself is the list.
func (listed) list() string { return "" }

func (listed) head(jsontext.Value) {}

// unfolded is a value that may be written as text.
func unfolded(value jsontext.Value) jsontext.Value {
	if !value.IsString() {
		return value
	}
	inner, _, whole := jsontext.First([]byte(value.String()))
	if !whole || !inner.IsObject() && !inner.IsArray() {
		return value
	}
	return inner
}

// secondsOf reads a time in seconds, whole or not; the zero time is none. Other
// forms are those of timeOf.
func secondsOf(v jsontext.Value) time.Time {
	if n := v.Int(); v.IsNumber() && n > 0 && n < 1<<33 {
		return time.Unix(n, 0).UTC()
	}
	return timeOf(v)
}
