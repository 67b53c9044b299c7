package harness

import (
	"strings"
	"time"

	"github.com/dshkit/dshkit/internal/harness/jsontext"
	"github.com/dshkit/dshkit/pkg/transcript"
)

// kiroRows reads a session of Kiro's CLI 2 (spec/harness-hooks.md 18). Only
// prompts have a time; what follows one is given the same. Rows that nothing
// pairs with are left as they are.
type kiroRows struct {
	when  time.Time
	tools names
}

func (k *kiroRows) read(row jsontext.Value, out *sink) {
	kind, content := row.Get("kind").String(), row.Get("data", "content")
	switch {
	case kind == "":
		plainRow(row.Get("type"), row.Get("text"), row.Get("timestamp"), nil, out)
	case !content.IsArray():
		out.report.Odd++
	case kind == "Prompt":
		if when := secondsOf(row.Get("data", "meta", "timestamp")); !when.IsZero() {
			k.when = when
		}
		addPrompt(kiroWords(content), nil, k.when, out)
	case kind == "AssistantMessage":
		k.assistant(content, out)
	case kind == "ToolResults":
		for part := range content.Items() {
			if part.Get("kind").String() == "toolResult" {
				k.result(part.Get("data"), out)
			}
		}
	}
}

// kiroWords joins the parts of a message that are words.
func kiroWords(content jsontext.Value) string {
	var words []string
	for part := range content.Items() {
		if part.Get("kind").String() == "text" && part.Get("data").IsString() {
			words = append(words, part.Get("data").String())
		}
	}
	return strings.Join(words, "\n")
}

// assistant reads what the agent said and did. That its service failed stands
// there as words of its own.
func (k *kiroRows) assistant(content jsontext.Value, out *sink) {
	said := kiroWords(content)
	if message, ok := strings.CutPrefix(said, "Request failed: "); ok {
		out.add(transcript.Record{Kind: transcript.Fault, Time: k.when, Text: clip(message), Failed: true})
	} else {
		addReply(said, k.when, out)
	}
	for part := range content.Items() {
		if part.Get("kind").String() != "toolUse" {
			continue
		}
		use := part.Get("data")
		id, name := use.Get("toolUseId").String(), use.Get("name").String()
		k.tools.put(id, name)
		out.add(transcript.Record{Kind: transcript.Call, Time: k.when, ID: id, Tool: name, Input: toolInput(use.Get("input"))})
	}
}

// result reads the answer of a tool, for which a command that failed is a
// success.
func (k *kiroRows) result(answer jsontext.Value, out *sink) {
	id := answer.Get("toolUseId").String()
	failed := answer.Get("status").String() == "error"
	var lines []string
	for part := range answer.Get("content").Items() {
		text, wrong := kiroPart(part.Get("data"))
		failed = failed || wrong
		lines = append(lines, text)
	}
	out.add(transcript.Record{
		Kind: transcript.Result, Time: k.when, ID: id, Tool: k.tools.take(id), Text: clip(strings.Join(lines, "\n")), Failed: failed,
	})
}
