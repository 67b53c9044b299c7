package harness

import (
	"strings"
	"time"

	"github.com/dshkit/dshkit/internal/harness/jsontext"
	"github.com/dshkit/dshkit/pkg/transcript"
)

// codexRows reads a rollout of Codex (spec/harness-hooks.md 6), also those of
// versions that told a person's words twice.
type codexRows struct {
	tools     names
	failed    map[string]bool // commands that ended before their answer was written
	delegated bool            // a subagent's rollout: nobody there is a person
	said      string          // the last prompt, and the type of row that told it
	saidBy    string
}

func (c *codexRows) read(row jsontext.Value, out *sink) {
	var kind, payload, when, text jsontext.Value
	for key, value := range row.Members() {
		switch string(key) {
		case "type":
			kind = value
		case "payload":
			payload = value
		case "timestamp":
			when = value
		case "text":
			text = value
		}
	}
	switch name := kind.String(); name {
	case "session_meta":
		c.delegated = payload.Get("source").IsObject()
		out.dir = payload.Get("cwd").String()
	case "turn_context":
		if dir := payload.Get("cwd").String(); dir != "" {
			out.dir = dir
		}
	case "response_item", "event_msg":
		if !payload.IsObject() {
			out.report.Odd++
			return
		}
		c.item(name, payload, timeOf(when), out)
	default:
		plainRow(kind, text, when, codex{}.wrappers(), out)
	}
}

func (c *codexRows) item(row string, p jsontext.Value, when time.Time, out *sink) {
	switch p.Get("type").String() {
	case "message":
		c.message(p, when, out)
	case "function_call", "custom_tool_call", "local_shell_call":
		c.call(p, when, out)
	case "function_call_output", "custom_tool_call_output":
		c.result(p, when, out)
	case "item_completed":
		c.completed(p.Get("item"), when, out)
	case "user_message":
		c.prompt(row, wordsOf(p.Get("message")), when, out)
	case "task_complete":
		addFault(p.Get("error", "message"), when, out)
	case "error":
		addFault(p.Get("message"), when, out)
	}
}

func (c *codexRows) message(p jsontext.Value, when time.Time, out *sink) {
	words := clip(wordsOf(p.Get("content")))
	switch p.Get("role").String() {
	case "assistant":
		addReply(words, when, out)
	case "user":
		if isUserText(p.Get("internal_chat_message_metadata_passthrough", "content_item_kinds")) {
			c.prompt("response_item", words, when, out)
		}
	}
}

// isUserText reports whether kinds, the kinds of a message's parts, name a
// person's words. Older rollouts have none; there the wrappers tell.
func isUserText(kinds jsontext.Value) bool {
	for kind := range kinds.Items() {
		if kind.String() == "user.text" {
			return true
		}
	}
	return !kinds.IsArray()
}

// prompt adds a person's words, once when two types of rows tell the same.
func (c *codexRows) prompt(row, words string, when time.Time, out *sink) {
	said := humanWords(clip(words), codex{}.wrappers())
	if said == "" || c.delegated {
		return
	}
	if said == c.said && row != c.saidBy {
		c.said = ""
		return
	}
	c.said, c.saidBy = said, row
	out.add(transcript.Record{Kind: transcript.Prompt, Time: when, Text: said})
}

func (c *codexRows) call(p jsontext.Value, when time.Time, out *sink) {
	id, name := p.Get("call_id").String(), p.Get("name").String()
	input := p.Get("arguments")
	switch {
	case input.IsString(): // JSON as text
		inner, _, _ := jsontext.First([]byte(input.String()))
		input = inner
	case input == nil:
		input = p.Get("input")
	}
	if action := p.Get("action"); action.IsObject() {
		name, input = "local_shell", action
	}
	c.tools.put(id, name)
	out.add(transcript.Record{Kind: transcript.Call, Time: when, ID: id, Tool: name, Input: toolInput(input)})
}

func (c *codexRows) result(p jsontext.Value, when time.Time, out *sink) {
	id := p.Get("call_id").String()
	text, failed, known := codexAnswer(p.Get("output"))
	if !known {
		failed = c.failed[id]
	}
	delete(c.failed, id)
	out.add(transcript.Record{
		Kind: transcript.Result, Time: when, ID: id, Tool: c.tools.take(id), Text: clip(text), Failed: failed,
	})
}

// codexAnswer takes an output apart: the text a program gave, and whether the
// words around it say how it ended. Those stand above the line "Output:", where
// no program can write.
func codexAnswer(output jsontext.Value) (text string, failed, known bool) {
	if success := output.Get("success"); success != nil {
		return wordsOf(output.Get("content")), !success.IsTrue(), true
	}
	text = wordsOf(output)
	if doc, _, whole := jsontext.First([]byte(text)); whole && doc.Get("metadata").IsObject() {
		code := doc.Get("metadata", "exit_code")
		return wordsOf(doc.Get("output")), code.Int() != 0, code.IsNumber()
	}
	head, body, ok := strings.Cut(text, "\nOutput:\n")
	if !ok {
		return text, codexFailed(text), codexFailed(text)
	}
	for line := range strings.SplitSeq(head, "\n") {
		for _, mark := range [...]string{"Process exited with code ", "Exit code: "} {
			if code, ok := codeAfter(line, mark); ok {
				return body, code != 0, true
			}
		}
	}
	return body, false, false
}

// completed remembers how a command ended. One whose answer was written while it
// still ran has no other place to tell its failure.
func (c *codexRows) completed(item jsontext.Value, when time.Time, out *sink) {
	if item.Get("type").String() != "CommandExecution" || item.Get("exit_code").Int() == 0 {
		return
	}
	id := item.Get("id").String()
	if _, waiting := c.tools[id]; waiting {
		if c.failed == nil || len(c.failed) >= maxNames {
			c.failed = map[string]bool{}
		}
		c.failed[id] = true
		return
	}
	out.add(transcript.Record{
		Kind: transcript.Result, Time: when, ID: id, Failed: true,
		Text: clip(wordsOf(item.Get("aggregated_output"))),
	})
}
