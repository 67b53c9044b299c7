package harness

import (
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
		if said := humanWords(clip(userQuery(wordsOf(content))), unsaid); said != "" {
			out.add(transcript.Record{Kind: transcript.Prompt, Text: said})
		}
	case role.String() == "assistant":
		cursorAssistant(content, out)
	}
}

func cursorAssistant(content jsontext.Value, out *sink) {
	if content.IsString() {
		out.add(transcript.Record{Kind: transcript.Reply, Text: clip(content.String())})
		return
	}
	for block := range content.Items() {
		switch block.Get("type").String() {
		case "text":
			if words := clip(block.Get("text").String()); words != "" {
				out.add(transcript.Record{Kind: transcript.Reply, Text: words})
			}
		case "tool_use":
			out.add(transcript.Record{
				Kind: transcript.Call, ID: block.Get("id").String(), Tool: block.Get("name").String(), Input: toolInput(block.Get("input")),
			})
		}
	}
}
