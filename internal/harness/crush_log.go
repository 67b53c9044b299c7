package harness

import (
	"strings"
	"time"

	"github.com/dshkit/dshkit/internal/harness/jsontext"
	"github.com/dshkit/dshkit/pkg/transcript"
)

// crushRows reads rows of the table "messages" in which Crush keeps its sessions,
// one JSON object a row or all in a list (spec/harness-hooks.md 19).
type crushRows struct{ listed }

func (c *crushRows) read(row jsontext.Value, out *sink) {
	role, parts := row.Get("role").String(), unfolded(row.Get("parts"))
	switch {
	case role == "":
		plainRow(row.Get("type"), row.Get("text"), row.Get("timestamp"), nil, out)
		return
	case !parts.IsArray():
		out.report.Odd++
		return
	case row.Get("is_summary_message").Int() != 0: // of a conversation that was shortened
		return
	}
	when := secondsOf(row.Get("created_at"))
	said := crushWords(parts)
	switch role {
	case "user":
		addPrompt(said, nil, when, out)
	case "assistant":
		addReply(said, when, out)
	}
	for part := range parts.Items() {
		c.part(part.Get("type").String(), part.Get("data"), when, out)
	}
}

// crushWords joins the parts of a message that are words.
func crushWords(parts jsontext.Value) string {
	var words []string
	for part := range parts.Items() {
		if said := part.Get("data", "text"); part.Get("type").String() == "text" && said.IsString() {
			words = append(words, said.String())
		}
	}
	return strings.Join(words, "\n")
}

func (*crushRows) part(kind string, data jsontext.Value, when time.Time, out *sink) {
	switch kind {
	case "tool_call":
		out.add(transcript.Record{
			Kind: transcript.Call, Time: when, ID: data.Get("id").String(), Tool: data.Get("name").String(),
			Input: toolInput(unfolded(data.Get("input"))),
		})
	case "tool_result":
		name := data.Get("name").String()
		said, failed := crushAnswer(name, data.Get("content").String())
		out.add(transcript.Record{
			Kind: transcript.Result, Time: when, ID: data.Get("tool_call_id").String(), Tool: name,
			Text: clip(said), Failed: failed || data.Get("is_error").IsTrue(),
		})
	case "finish":
		if data.Get("reason").String() == "error" {
			said := strings.Trim(data.Get("message").String()+": "+data.Get("details").String(), ": ")
			out.add(transcript.Record{Kind: transcript.Fault, Time: when, Text: either(clip(said), "error"), Failed: true})
		}
	}
}

// crushAnswer parts the text of a shell from the line after it. A command that
// failed is a success to Crush.
func crushAnswer(tool, text string) (said string, failed bool) {
	if tool != "bash" {
		return text, false
	}
	head, line := lastLine(strings.TrimRight(text, "\n"))
	code, ok := codeAfter(line, "Exit code ")
	if !ok {
		return text, false
	}
	return either(head, line), code != 0
}
