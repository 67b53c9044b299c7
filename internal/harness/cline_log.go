package harness

import (
	"strings"
	"time"

	"github.com/dshkit/dshkit/internal/harness/jsontext"
	"github.com/dshkit/dshkit/pkg/transcript"
)

// clineRows reads the messages of a session of Cline, a list or one a row
// (spec/harness-hooks.md 16).
type clineRows struct {
	listed
	tools names
}

func (c *clineRows) read(row jsontext.Value, out *sink) {
	content, when := row.Get("content"), timeOf(row.Get("ts"))
	role := row.Get("role").String()
	switch {
	case role == "":
		plainRow(row.Get("type"), row.Get("text"), row.Get("timestamp"), nil, out)
	case !content.IsString() && !content.IsArray():
		out.report.Odd++
	case role == "user":
		c.user(content, when, out)
	case role == "assistant":
		c.assistant(content, when, out)
	}
}

// user reads what came to the agent: a person's words, or the answers of tools.
func (c *clineRows) user(content jsontext.Value, when time.Time, out *sink) {
	for block := range content.Items() {
		if block.Get("type").String() == "tool_result" {
			id := block.Get("tool_use_id").String()
			out.add(transcript.Record{
				Kind: transcript.Result, Time: when, ID: id, Tool: c.tools.take(id),
				Text: clip(wordsOf(block.Get("content"))), Failed: block.Get("is_error").IsTrue(),
			})
		}
	}
	addPrompt(wordsOf(content), cline{}.wrappers(), when, out)
}

// assistant reads what the agent said and did. That its service failed stands
// there as words of its own.
func (c *clineRows) assistant(content jsontext.Value, when time.Time, out *sink) {
	said := wordsOf(content)
	if message, ok := strings.CutPrefix(said, "API error: "); ok {
		out.add(transcript.Record{Kind: transcript.Fault, Time: when, Text: clip(message), Failed: true})
	} else {
		addReply(said, when, out)
	}
	for block := range content.Items() {
		if block.Get("type").String() == "tool_use" {
			id, name := block.Get("id").String(), block.Get("name").String()
			c.tools.put(id, name)
			out.add(transcript.Record{Kind: transcript.Call, Time: when, ID: id, Tool: name, Input: clineInput(block.Get("input"))})
		}
	}
}
