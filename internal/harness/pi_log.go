package harness

import (
	"time"

	"github.com/dshkit/dshkit/internal/harness/jsontext"
	"github.com/dshkit/dshkit/pkg/transcript"
)

// maxTree bounds, in bytes of text, how much of a session is held back until it
// is known which branch of its tree counts.
const maxTree = 8 << 20

// piRows reads a session file of pi, version 3, which OpenClaw wrote too
// (spec/harness-hooks.md 11, 15). The rows are a tree: a person may go back and
// try again. What counts is the way from the root to the last row.
type piRows struct {
	nodes []piNode
	byID  map[string]int
	bytes int
}

// piNode is a row of the tree.
type piNode struct {
	parent  int // -1: the first that is still held
	records []transcript.Record
}

func (p *piRows) read(row jsontext.Value, out *sink) {
	var node piNode
	inner := sink{report: &Report{}, yield: func(rec transcript.Record, _ error) bool {
		node.records = append(node.records, rec)
		return true
	}}
	switch kind := row.Get("type"); kind.String() {
	case "message":
		p.message(row, &inner)
	case "session":
		out.dir = row.Get("cwd").String()
	default:
		plainRow(kind, row.Get("text"), row.Get("timestamp"), nil, &inner)
	}
	out.report.Odd += inner.report.Odd
	out.report.NoType += inner.report.NoType
	p.grow(row, node, out)
}

// grow adds a row to the tree: after the row that it names, else after the last.
func (p *piRows) grow(row jsontext.Value, node piNode, out *sink) {
	node.parent = len(p.nodes) - 1
	if parent, ok := p.byID[row.Get("parentId").String()]; ok {
		node.parent = parent
	}
	if id := row.Get("id").String(); id != "" {
		if p.byID == nil {
			p.byID = map[string]int{}
		}
		p.byID[id] = len(p.nodes)
		p.bytes += len(id)
	}
	for _, rec := range node.records {
		p.bytes += len(rec.Text) + len(rec.Input) + len(rec.ID)
	}
	p.nodes = append(p.nodes, node)
	p.bytes += 64
	if p.bytes > maxTree {
		p.end(out)
	}
}

// end gives the records of the way to the last row, and forgets the tree.
func (p *piRows) end(out *sink) {
	var way []int
	for at := len(p.nodes) - 1; at >= 0; at = p.nodes[at].parent {
		way = append(way, at)
	}
	for i := len(way) - 1; i >= 0; i-- {
		for _, rec := range p.nodes[way[i]].records {
			out.add(rec)
		}
	}
	*p = piRows{}
}

func (p *piRows) message(row jsontext.Value, out *sink) {
	message, when := row.Get("message"), timeOf(row.Get("timestamp"))
	content := message.Get("content")
	if !content.IsString() && !content.IsArray() {
		if message.Get("role").String() != "bashExecution" { // a person's own command
			out.report.Odd++
		}
		return
	}
	switch message.Get("role").String() {
	case "user":
		addPrompt(wordsOf(content), nil, when, out)
	case "assistant":
		p.assistant(content, when, out)
		if message.Get("stopReason").String() == "error" {
			addFault(message.Get("errorMessage"), when, out)
		}
	case "toolResult":
		out.add(transcript.Record{
			Kind: transcript.Result, Time: when, ID: message.Get("toolCallId").String(), Tool: message.Get("toolName").String(),
			Text: clip(wordsOf(content)), Failed: message.Get("isError").IsTrue(),
		})
	}
}

func (*piRows) assistant(content jsontext.Value, when time.Time, out *sink) {
	addReply(wordsOf(content), when, out)
	for part := range content.Items() {
		if part.Get("type").String() == "toolCall" {
			out.add(transcript.Record{
				Kind: transcript.Call, Time: when, ID: part.Get("id").String(), Tool: part.Get("name").String(),
				Input: toolInput(part.Get("arguments")),
			})
		}
	}
}
