package harness

import (
	"bytes"
	"time"

	"github.com/dshkit/dshkit/internal/harness/jsontext"
	"github.com/dshkit/dshkit/pkg/transcript"
)

// geminiRows reads a chat of the Gemini CLI (spec/harness-hooks.md 7). A message
// is written again whenever more of it is known, so each waits until the next
// one begins. Rows that patch the head of the file say nothing of the talk.
type geminiRows struct {
	waiting   jsontext.Value // the last message, "" for none
	id        string         // of it
	delegated bool
}

func (g *geminiRows) read(row jsontext.Value, out *sink) {
	var id, kind, text, when, set jsontext.Value
	content := false
	for key, value := range row.Members() {
		switch string(key) {
		case "id":
			id = value
		case "type":
			kind = value
		case "text":
			text = value
		case "timestamp":
			when = value
		case "content":
			content = true
		case "kind":
			g.delegated = value.String() == "subagent"
		case "$set", "$rewindTo", "sessionId":
			set = value
		}
	}
	switch {
	case content && id != nil:
		if id.String() != g.id {
			g.end(out)
		}
		g.id, g.waiting = id.String(), append(g.waiting[:0], row...)
	case content:
		g.message(row, out)
	case set == nil:
		plainRow(kind, text, when, gemini{}.wrappers(), out)
	}
}

// end reads the message that waits.
func (g *geminiRows) end(out *sink) {
	if len(g.waiting) > 0 {
		g.message(bytes.Clone(g.waiting), out)
	}
	g.waiting, g.id = g.waiting[:0], ""
}

func (g *geminiRows) message(row jsontext.Value, out *sink) {
	when := timeOf(row.Get("timestamp"))
	content := row.Get("content")
	switch row.Get("type").String() {
	case "":
		out.report.NoType++
	case "user":
		g.user(row, content, when, out)
	case "gemini":
		addReply(wordsOf(content), when, out)
		for call := range row.Get("toolCalls").Items() {
			g.call(call, when, out)
		}
	case "error":
		addFault(content, when, out)
	}
}

// user reads a person's words, as they were shown if that is told: what goes to
// the model holds the harness's and ours beside them.
func (g *geminiRows) user(row, content jsontext.Value, when time.Time, out *sink) {
	if shown := row.Get("displayContent"); shown != nil {
		content = shown
	}
	switch {
	case g.delegated:
	case !content.IsString() && !content.IsArray():
		out.report.Odd++
	default:
		addPrompt(wordsOf(content), gemini{}.wrappers(), when, out)
	}
}

// call reads a call of a tool; it has an answer unless the session broke off.
func (g *geminiRows) call(call jsontext.Value, when time.Time, out *sink) {
	id, name := call.Get("id").String(), call.Get("name").String()
	out.add(transcript.Record{
		Kind: transcript.Call, Time: when, ID: id, Tool: name, Input: toolInput(call.Get("args")),
	})
	status := call.Get("status").String()
	var said string
	answered, failed := status == "error", status == "error"
	for part := range call.Get("result").Items() {
		text, wrong := functionResponse(part)
		said, answered, failed = either(said, text), true, failed || wrong
	}
	if !answered {
		return
	}
	report := shellReportOf(name, said)
	out.add(transcript.Record{
		Kind: transcript.Result, Time: when, ID: id, Tool: name, Text: clip(report.said()), Failed: failed || report.failed,
	})
}
