package harness

import (
	"strings"
	"time"

	"github.com/dshkit/dshkit/internal/harness/jsontext"
	"github.com/dshkit/dshkit/pkg/transcript"
)

// claudeRows reads the transcript of Claude Code (spec/harness-hooks.md 5).
// Side chains are left out: each has a log of its own.
type claudeRows struct{ tools names }

// claudeRow is what a row says at its top.
type claudeRow struct {
	kind, message, text, when, dir jsontext.Value
	aside                          bool // not said by the person or the agent to each other
	apiError                       bool
}

func newClaudeRow(row jsontext.Value) claudeRow {
	var r claudeRow
	for key, value := range row.Members() {
		switch string(key) {
		case "type":
			r.kind = value
		case "message":
			r.message = value
		case "text":
			r.text = value
		case "timestamp":
			r.when = value
		case "cwd":
			r.dir = value
		case "isSidechain", "isMeta", "isCompactSummary", "isVisibleInTranscriptOnly":
			r.aside = r.aside || value.IsTrue()
		case "isApiErrorMessage":
			r.apiError = value.IsTrue()
		}
	}
	return r
}

func (c *claudeRows) read(row jsontext.Value, out *sink) {
	r := newClaudeRow(row)
	kind := r.kind.String()
	out.dir = r.dir.String()
	switch {
	case r.aside:
	case r.message == nil || kind != "user" && kind != "assistant":
		plainRow(r.kind, r.text, r.when, claude{}.wrappers(), out)
	case !r.message.IsObject():
		out.report.Odd++
	case kind == "user":
		c.user(r.message.Get("content"), timeOf(r.when), out)
	case r.apiError:
		out.add(transcript.Record{
			Kind: transcript.Fault, Time: timeOf(r.when), Failed: true,
			Text: clip(wordsOf(r.message.Get("content"))),
		})
	default:
		c.assistant(r.message.Get("content"), timeOf(r.when), out)
	}
}

// user reads what came to the agent: a person's words, or the answers of tools.
func (c *claudeRows) user(content jsontext.Value, when time.Time, out *sink) {
	if !content.IsString() && !content.IsArray() {
		out.report.Odd++
		return
	}
	for block := range content.Items() {
		if block.Get("type").String() == "tool_result" {
			c.result(block, when, out)
		}
	}
	said := humanWords(clip(wordsOf(content)), claude{}.wrappers())
	if said != "" && !isClaudeNote(said) {
		out.add(transcript.Record{Kind: transcript.Prompt, Time: when, Text: said})
	}
}

func (c *claudeRows) result(block jsontext.Value, when time.Time, out *sink) {
	id := block.Get("tool_use_id").String()
	out.add(transcript.Record{
		Kind: transcript.Result, Time: when, ID: id, Tool: c.tools.take(id),
		Text: clip(wordsOf(block.Get("content"))), Failed: block.Get("is_error").IsTrue(),
	})
}

// claudeNotes begin texts that Claude Code writes in a person's place.
var claudeNotes = [...]string{
	"<command-name>", "<command-message>", "<command-args>", "<local-command-", "<bash-input>",
	"<bash-stdout>", "<bash-stderr>", "<task-notification>", "[Request interrupted by user",
}

func isClaudeNote(said string) bool {
	for _, note := range claudeNotes {
		if strings.HasPrefix(said, note) {
			return true
		}
	}
	return false
}

// assistant reads what the agent said and did; one message may span rows.
func (c *claudeRows) assistant(content jsontext.Value, when time.Time, out *sink) {
	if content.IsString() {
		addReply(content.String(), when, out)
		return
	}
	for block := range content.Items() {
		switch block.Get("type").String() {
		case "text":
			addReply(block.Get("text").String(), when, out)
		case "tool_use":
			id, name := block.Get("id").String(), block.Get("name").String()
			c.tools.put(id, name)
			out.add(transcript.Record{
				Kind: transcript.Call, Time: when, ID: id, Tool: name, Input: toolInput(block.Get("input")),
			})
		}
	}
}
