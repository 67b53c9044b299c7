package harness

import (
	"time"

	"github.com/dshkit/dshkit/internal/harness/jsontext"
	"github.com/dshkit/dshkit/pkg/transcript"
)

// cursorRows reads a transcript of Cursor's agent (spec/harness-hooks.md 8). It
// holds neither the answers of tools nor times nor failures of its service:
// hooks tell the first and the last.
type cursorRows struct{}

func (cursorRows) read(row jsontext.Value, out *sink) {
	role, content := row.Get("role"), row.Get("message", "content")
	switch {
	case row.Get("message") == nil:
		plainRow(row.Get("type"), row.Get("text"), row.Get("timestamp"), nil, out)
	case !content.IsString() && !content.IsArray():
		out.report.Odd++
	case role.String() == "user":
		addPrompt(userQuery(wordsOf(content)), unsaid, time.Time{}, out)
	case role.String() == "assistant":
		cursorAssistant(content, out)
	}
}

func cursorAssistant(content jsontext.Value, out *sink) {
	if content.IsString() {
		addReply(content.String(), time.Time{}, out)
		return
	}
	for block := range content.Items() {
		switch block.Get("type").String() {
		case "text":
			addReply(block.Get("text").String(), time.Time{}, out)
		case "tool_use":
			out.add(transcript.Record{
				Kind: transcript.Call, ID: block.Get("id").String(), Tool: block.Get("name").String(), Input: toolInput(block.Get("input")),
			})
		}
	}
}
