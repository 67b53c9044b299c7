package harness

import (
	"strings"
	"time"

	"github.com/dshkit/dshkit/internal/harness/jsontext"
	"github.com/dshkit/dshkit/pkg/transcript"
)

// gooseRows reads what `goose session export` writes as JSON, or its messages one
// a row (spec/harness-hooks.md 17).
type gooseRows struct {
	dir   string
	tools names
}

// list is the member of the document that holds the rows.
func (*gooseRows) list() string { return "conversation" }

// head reads what the document says of the session itself.
func (g *gooseRows) head(doc jsontext.Value) { g.dir = doc.Get("working_dir").String() }

func (g *gooseRows) read(row jsontext.Value, out *sink) {
	role, content := row.Get("role").String(), row.Get("content")
	out.dir = g.dir
	switch {
	case role == "":
		plainRow(row.Get("type"), row.Get("text"), row.Get("timestamp"), nil, out)
	case !content.IsArray():
		out.report.Odd++
	default:
		g.message(row, role, content, secondsOf(row.Get("created")), out)
	}
}

// message reads the parts of a message. Answers of tools come in the place of a
// person, and what no person sees is nobody's word.
func (g *gooseRows) message(row jsontext.Value, role string, content jsontext.Value, when time.Time, out *sink) {
	hidden := string(row.Get("metadata", "userVisible")) == "false"
	switch said := wordsOf(content); {
	case hidden:
	case role == "user":
		addPrompt(said, nil, when, out)
	case role == "assistant":
		addReply(said, when, out)
	}
	for part := range content.Items() {
		switch part.Get("type").String() {
		case "toolRequest":
			g.call(part, when, out)
		case "toolResponse":
			g.result(part, when, out)
		case "systemNotification":
			if message := part.Get("msg"); strings.HasPrefix(message.String(), "Error: ") {
				addFault(message, when, out)
			}
		}
	}
}

func (g *gooseRows) call(part jsontext.Value, when time.Time, out *sink) {
	id, call := part.Get("id").String(), part.Get("toolCall", "value")
	name := call.Get("name").String()
	g.tools.put(id, name)
	out.add(transcript.Record{Kind: transcript.Call, Time: when, ID: id, Tool: name, Input: toolInput(call.Get("arguments"))})
}

func (g *gooseRows) result(part jsontext.Value, when time.Time, out *sink) {
	id, result := part.Get("id").String(), part.Get("toolResult")
	rec := transcript.Record{Kind: transcript.Result, Time: when, ID: id, Tool: g.tools.take(id)}
	if result.Get("status").String() == "error" {
		rec.Text, rec.Failed = clip(messageOf(result.Get("error"))), true
	} else {
		value := result.Get("value")
		rec.Text, rec.Failed = clip(wordsOf(eitherOf(value, "content"))), value.Get("isError").IsTrue()
	}
	out.add(rec)
}
