package harness

import (
	"bufio"
	"bytes"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/dshkit/dshkit/internal/harness/jsontext"
	"github.com/dshkit/dshkit/pkg/transcript"
)

// zstdMagic begins a frame; DSH writes one for each batch of rows.
var zstdMagic = []byte{0x28, 0xB5, 0x2F, 0xFD}

// maxWindow bounds the memory of the decoder. DSH's frames need far less.
const maxWindow = 32 << 20

// unpacked returns the plain bytes of a log and what to call at the end. Only
// DSH packs its logs, and not always.
func unpacked(h Harness, r *bufio.Reader) (*bufio.Reader, func(), error) {
	if head, _ := r.Peek(len(zstdMagic)); h != DSH || !bytes.Equal(head, zstdMagic) {
		return r, func() {}, nil
	}
	decoder, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
	if err != nil {
		return nil, nil, err
	}
	return bufio.NewReaderSize(decoder, bufferSize), decoder.Close, nil
}

// dshRows reads the log of a DSH session (spec/harness-hooks.md 13).
type dshRows struct {
	tools     names
	delegated bool
}

func (d *dshRows) read(row jsontext.Value, out *sink) {
	var kind, data, when, text jsontext.Value
	for key, value := range row.Members() {
		switch string(key) {
		case "type":
			kind = value
		case "data":
			data = value
		case "time", "timestamp":
			when = value
		case "text":
			text = value
		}
	}
	if kind.String() == "session" {
		d.delegated = row.Get("delegationDepth").Int() > 0 || row.Get("origin").String() == "subagent"
		out.dir = row.Get("cwd").String()
		return
	}
	if data == nil {
		plainRow(kind, text, when, nil, out)
		return
	}
	d.event(kind.String(), data, timeOf(when), out)
}

func (d *dshRows) event(kind string, data jsontext.Value, when time.Time, out *sink) {
	switch kind {
	case "user/message":
		d.prompt(data, when, out)
	case "assistant/message":
		addReply(wordsOf(data.Get("message", "content")), when, out)
	case "tool/call":
		d.call(data, when, out)
	case "tool/result":
		d.result(data, when, out)
	case "turn/end":
		addFault(data.Get("reason", "error", "message"), when, out)
	case "feedback/record":
		if words := clip(data.Get("text").String()); words != "" {
			out.add(transcript.Record{Kind: transcript.Feedback, Time: when, Text: words})
		}
	}
}

func (d *dshRows) prompt(data jsontext.Value, when time.Time, out *sink) {
	content := data.Get("content")
	switch {
	case d.delegated || data.Get("source", "kind").String() != "user":
	case !content.IsArray() && !content.IsString():
		out.report.Odd++
	default:
		addPrompt(wordsOf(content), nil, when, out)
	}
}

func (d *dshRows) call(data jsontext.Value, when time.Time, out *sink) {
	id, name := data.Get("callId").String(), data.Get("name").String()
	input := data.Get("arguments")
	if input.IsString() {
		inner, _, _ := jsontext.First([]byte(input.String()))
		input = inner
	}
	d.tools.put(id, name)
	out.add(transcript.Record{Kind: transcript.Call, Time: when, ID: id, Tool: name, Input: toolInput(input)})
}

func (d *dshRows) result(data jsontext.Value, when time.Time, out *sink) {
	for part := range data.Get("message", "content").Items() {
		id := part.Get("toolCallId").String()
		text := clip(wordsOf(part.Get("content")))
		code, _ := dshExitCode(text)
		out.add(transcript.Record{
			Kind: transcript.Result, Time: when, ID: id, Tool: d.tools.take(id), Text: text,
			Failed: code != 0 || part.Get("isError").IsTrue(),
		})
	}
}
