package harness_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/harness"
	"github.com/dshkit/dshkit/pkg/transcript"
)

var gooseSamples = map[string]own{
	"goose/SessionStart.json":     {Kind: harness.Start, Source: "startup"},
	"goose/UserPromptSubmit.json": {Kind: harness.Prompt, Prompt: correction},
	"goose/PostToolUse.json": {
		Kind: harness.ToolOK, Tool: harness.Tool{ID: "call_t9", Name: "developer__shell", Input: "make test"},
	},
	"goose/PostToolUseFailure.json": {
		Kind: harness.ToolFailed,
		Tool: harness.Tool{ID: "call_t1", Name: "developer__shell", Input: "go test ./internal/export/...", Failed: true},
	},
	"goose/Stop.json":       {Kind: harness.Stop, Reply: fixed},
	"goose/SessionEnd.json": {Kind: harness.End},
}

// TestGooseFolders: it tells the folder of a tool only.
func TestGooseFolders(t *testing.T) {
	tool := harness.Decode(harness.Goose, harness.ParsePayload(read(t, "testdata/hook-samples/goose/PostToolUse.json")))
	stop := harness.Decode(harness.Goose, harness.ParsePayload(read(t, "testdata/hook-samples/goose/Stop.json")))
	if tool.Dir != "/home/dev/acme-orders" || stop.Dir != "" || tool.Session != "20261201_1" || stop.Session != "20261201_1" {
		t.Errorf("tool %+v, stop %+v", tool, stop)
	}
}

func TestTranscriptOfGooseExport(t *testing.T) {
	log := `{"id":"20261201_1","working_dir":"/home/dev/acme","conversation":[
{"role":"user","created":1796121001,"content":[{"type":"text","text":"go"}],"metadata":{"userVisible":true}},
{"role":"user","created":1796121001,"content":[{"type":"text","text":"a summary of what was"}],"metadata":{"userVisible":false}},
{"role":"assistant","created":1796121001,"content":[{"type":"systemNotification","msg":"compacting"},{"type":"systemNotification","msg":"Error: overloaded"}]},
{"role":"user","created":1796121001,"content":[{"type":"toolResponse","id":"lost","toolResult":{"status":"error","error":{"message":"gone"}}}]}
],"message_count":4}`
	all, report := records(t, harness.Goose, []byte(log))
	for i := range all {
		if all[i].Dir != "/home/dev/acme" || all[i].Time.Year() != 2026 {
			t.Errorf("%+v", all[i])
		}
		all[i] = transcript.Record{Kind: all[i].Kind, Text: all[i].Text, ID: all[i].ID, Failed: all[i].Failed}
	}
	want := []transcript.Record{
		{Kind: transcript.Prompt, Text: "go"},
		{Kind: transcript.Fault, Text: "Error: overloaded", Failed: true},
		{Kind: transcript.Result, ID: "lost", Text: "gone", Failed: true},
	}
	if diff := cmp.Diff(want, all); diff != "" || report.Skipped() != 0 {
		t.Errorf("report %+v (-want +got):\n%s", report, diff)
	}
}
