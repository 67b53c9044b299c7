package learn_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/dshkit/dshkit/pkg/transcript"
)

// A reader of the sample transcripts, as small as the tests need it.

type row struct {
	Type             string
	Timestamp        time.Time
	Time             int64
	IsSidechain      bool
	IsMeta           bool
	IsCompactSummary bool
	IsAPIError       bool `json:"isApiErrorMessage"`
	Message          struct {
		Role    string
		Content json.RawMessage
	}
	Payload json.RawMessage
	Data    json.RawMessage
}

type part struct {
	Type, Text, ID, Name string
	Input                map[string]any
	Content              json.RawMessage
	ToolUseID            string `json:"tool_use_id"`
	IsError              bool   `json:"is_error"`
}

func inputOf(m map[string]any) string {
	for _, key := range []string{"command", "cmd", "file_path", "path", "url"} {
		if s, ok := m[key].(string); ok {
			return s
		}
	}
	return ""
}

// textOf returns the text of a string or of text parts.
func textOf(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	var parts []part
	_ = json.Unmarshal(raw, &parts)
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(p.Text)
	}
	return b.String()
}

func readClaude(rows []row) (records []transcript.Record) {
	for _, r := range rows {
		if r.IsSidechain || r.IsMeta || r.IsCompactSummary || r.Type != "user" && r.Type != "assistant" {
			continue
		}
		if s := textOf(r.Message.Content); s != "" {
			kind := transcript.Prompt
			if r.Type == "assistant" {
				kind = transcript.Reply
			}
			if r.IsAPIError {
				kind = transcript.Fault
			}
			records = append(records, transcript.Record{Kind: kind, Time: r.Timestamp, Text: s, Failed: r.IsAPIError})
			continue
		}
		var parts []part
		_ = json.Unmarshal(r.Message.Content, &parts)
		for _, p := range parts {
			switch p.Type {
			case "tool_use":
				records = append(records, transcript.Record{Kind: transcript.Call, Time: r.Timestamp, ID: p.ID, Tool: p.Name, Input: inputOf(p.Input)})
			case "tool_result":
				records = append(records, transcript.Record{Kind: transcript.Result, Time: r.Timestamp, ID: p.ToolUseID, Text: textOf(p.Content), Failed: p.IsError})
			}
		}
	}
	return records
}

func readCodex(rows []row) (records []transcript.Record) {
	for _, r := range rows {
		var p struct {
			Type, Role, Name, Arguments, Input string
			CallID                             string `json:"call_id"`
			Output                             string
			Content                            json.RawMessage
			Error                              struct{ Message string }
			Passthrough                        struct {
				Kinds []string `json:"content_item_kinds"`
			} `json:"internal_chat_message_metadata_passthrough"`
		}
		_ = json.Unmarshal(r.Payload, &p)
		rec := transcript.Record{Time: r.Timestamp, ID: p.CallID, Tool: p.Name}
		switch {
		case r.Type == "event_msg" && p.Type == "task_complete":
			rec.Kind, rec.Text = transcript.Fault, p.Error.Message
		case r.Type != "response_item":
			continue
		case p.Type == "message" && p.Role == "user" && len(p.Passthrough.Kinds) > 0 && p.Passthrough.Kinds[0] == "user.text":
			rec.Kind, rec.Text = transcript.Prompt, textOf(p.Content)
		case p.Type == "message" && p.Role == "assistant":
			rec.Kind, rec.Text = transcript.Reply, textOf(p.Content)
		case p.Type == "function_call":
			var args map[string]any
			_ = json.Unmarshal([]byte(p.Arguments), &args)
			rec.Kind, rec.Input = transcript.Call, inputOf(args)
		case p.Type == "custom_tool_call":
			rec.Kind = transcript.Call
			for line := range strings.SplitSeq(p.Input, "\n") {
				if file, ok := strings.CutPrefix(line, "*** Update File: "); ok {
					rec.Input = file
				}
			}
		case strings.HasSuffix(p.Type, "_output"):
			rec.Kind, rec.Text = transcript.Result, p.Output
		default:
			continue
		}
		records = append(records, rec)
	}
	return records
}

func readDSH(rows []row) (records []transcript.Record) {
	for _, r := range rows {
		var d struct {
			CallID, Name, Arguments, Text string
			Content                       json.RawMessage
			Source                        struct{ Kind string }
			Message                       struct{ Content json.RawMessage }
			Reason                        struct{ Error struct{ Message string } }
		}
		_ = json.Unmarshal(r.Data, &d)
		rec := transcript.Record{Time: time.UnixMilli(r.Time).UTC(), ID: d.CallID, Tool: d.Name}
		switch {
		case r.Type == "user/message" && d.Source.Kind == "user":
			rec.Kind, rec.Text = transcript.Prompt, textOf(d.Content)
		case r.Type == "assistant/message":
			rec.Kind, rec.Text = transcript.Reply, textOf(d.Message.Content)
		case r.Type == "tool/call":
			var args map[string]any
			_ = json.Unmarshal([]byte(d.Arguments), &args)
			rec.Kind, rec.Input = transcript.Call, inputOf(args)
		case r.Type == "tool/result":
			var results []struct {
				ToolCallID string
				Content    json.RawMessage
				IsError    bool
			}
			_ = json.Unmarshal(d.Message.Content, &results)
			rec.Kind, rec.ID, rec.Text, rec.Failed = transcript.Result, results[0].ToolCallID, textOf(results[0].Content), results[0].IsError
		case r.Type == "turn/end" && d.Reason.Error.Message != "":
			rec.Kind, rec.Text = transcript.Fault, d.Reason.Error.Message
		case r.Type == "feedback/record":
			rec.Kind, rec.Text = transcript.Feedback, d.Text
		default:
			continue
		}
		records = append(records, rec)
	}
	return records
}

var readers = map[string]func([]row) []transcript.Record{"claude-code": readClaude, "codex": readCodex, "dsh": readDSH}

// sample returns the records of one harness's transcript of the sample story.
func sample(t testing.TB, harness string) []transcript.Record {
	data, err := os.ReadFile(filepath.Join("testdata", "hook-samples", harness, "transcript.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var rows []row
	scanner := bufio.NewScanner(bytes.NewReader(data))
	scanner.Buffer(nil, 1<<20)
	for scanner.Scan() {
		var r row
		if err := json.Unmarshal(scanner.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, r)
	}
	return readers[harness](rows)
}
