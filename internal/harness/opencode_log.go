package harness

import (
	"time"

	"github.com/dshkit/dshkit/internal/harness/jsontext"
	"github.com/dshkit/dshkit/pkg/transcript"
)

// openCodeRows reads what `opencode export` prints, one message a row
// (spec/harness-hooks.md 10). OpenCode itself keeps them in a database.
type openCodeRows struct{ delegated bool }

// list is the member of the document that holds the rows.
func (*openCodeRows) list() string { return "messages" }

// head reads what the document says of the session itself.
func (o *openCodeRows) head(doc jsontext.Value) {
	o.delegated = doc.Get("info", "parentID").String() != ""
}

func (o *openCodeRows) read(row jsontext.Value, out *sink) {
	info, parts := row.Get("info"), row.Get("parts")
	if info == nil {
		plainRow(row.Get("type"), row.Get("text"), row.Get("timestamp"), nil, out)
		return
	}
	if !parts.IsArray() {
		out.report.Odd++
		return
	}
	when := timeOf(info.Get("time", "created"))
	switch info.Get("role").String() {
	case "user":
		if !o.delegated {
			addPrompt(openCodeWords(parts), nil, when, out)
		}
	case "assistant":
		o.assistant(parts, when, out)
		if err := info.Get("error"); err.Get("name").String() != "MessageAbortedError" {
			addFault(err.Get("data", "message"), when, out)
		}
	}
}

func (o *openCodeRows) assistant(parts jsontext.Value, when time.Time, out *sink) {
	for part := range parts.Items() {
		switch part.Get("type").String() {
		case "text":
			if !part.Get("synthetic").IsTrue() {
				addReply(part.Get("text").String(), when, out)
			}
		case "tool":
			o.tool(part, when, out)
		}
	}
}

// tool reads a call, and its answer when there is one.
func (*openCodeRows) tool(part jsontext.Value, when time.Time, out *sink) {
	id, name, state := part.Get("callID").String(), part.Get("tool").String(), part.Get("state")
	out.add(transcript.Record{Kind: transcript.Call, Time: when, ID: id, Tool: name, Input: toolInput(state.Get("input"))})
	rec := transcript.Record{Kind: transcript.Result, Time: when, ID: id, Tool: name}
	switch state.Get("status").String() {
	case "completed":
		rec.Text, rec.Failed = clip(wordsOf(state.Get("output"))), state.Get("metadata", "exit").Int() != 0
	case "error":
		rec.Text, rec.Failed = clip(wordsOf(state.Get("error"))), true
	default:
		return
	}
	out.add(rec)
}
