package harness_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/harness"
	"github.com/dshkit/dshkit/pkg/transcript"
)

var crushSamples = map[string]own{
	"crush/PreToolUse.json":      {Kind: harness.Start, Source: "resume"},
	"crush/PreToolUse.edit.json": {Kind: harness.Start, Source: "resume"},
	"crush/PreToolUse.mcp.json":  {Kind: harness.Start, Source: "resume"},
}

var windsurfSamples = map[string]own{
	"windsurf/pre_user_prompt.json":  {Kind: harness.Prompt, Prompt: correction},
	"windsurf/post_run_command.json": {Kind: harness.ToolOK, Tool: harness.Tool{Name: "run_command", Input: "make test"}},
	"windsurf/post_write_code.json":  {Kind: harness.ToolOK, Tool: harness.Tool{Name: "write_code", Input: "/home/dev/acme-orders/.env.test"}},
	"windsurf/post_mcp_tool_use.json": {
		Kind: harness.ToolOK, Tool: harness.Tool{Name: "recall", Input: "端口", Output: "{}"},
	},
	"windsurf/post_cascade_response.json": {Kind: harness.Stop, Reply: fixed},
}

// TestCrushNeverAllows: a decision of ours would skip the question that a person
// is asked.
func TestCrushNeverAllows(t *testing.T) {
	ev := harness.Decode(harness.Crush, harness.ParsePayload(read(t, "testdata/hook-samples/crush/PreToolUse.json")))
	got := string(harness.Reply(ev, "fact", cutNote))
	if got != "{\"version\":1,\"decision\":null,\"context\":\"fact\"}\n" || strings.Contains(got, "allow") {
		t.Errorf("%s", got)
	}
	if ev.Session != "daecc0bd-2864-4cc5-a093-82a3e1e50911" || ev.Dir != "/home/dev/acme-orders" {
		t.Errorf("%+v", ev)
	}
}

func TestTranscriptOfCrushReadsTheLineAfter(t *testing.T) {
	row := func(role, kind, data string) string {
		return `{"role":"` + role + `","is_summary_message":0,"parts":[{"type":"` + kind + `","data":` + data + `}]}` + "\n"
	}
	log := row("tool", "tool_result", `{"tool_call_id":"a","name":"bash","content":"boom\nExit code 2"}`) +
		row("tool", "tool_result", `{"tool_call_id":"b","name":"bash","content":"Exit code 1\nwas printed"}`) +
		row("tool", "tool_result", `{"tool_call_id":"c","name":"view","content":"x\nExit code 1"}`) +
		row("tool", "tool_result", `{"tool_call_id":"d","name":"bash","content":"Exit code 1"}`) +
		row("assistant", "finish", `{"reason":"error","message":"","details":""}`) +
		`{"role":"assistant","is_summary_message":1,"parts":[{"type":"text","data":{"text":"a summary"}}]}`
	all, _ := records(t, harness.Crush, []byte(log))
	want := []transcript.Record{
		{Kind: transcript.Result, ID: "a", Tool: "bash", Text: "boom", Failed: true},
		{Kind: transcript.Result, ID: "b", Tool: "bash", Text: "Exit code 1\nwas printed"},
		{Kind: transcript.Result, ID: "c", Tool: "view", Text: "x\nExit code 1"},
		{Kind: transcript.Result, ID: "d", Tool: "bash", Text: "Exit code 1", Failed: true},
		{Kind: transcript.Fault, Text: "error", Failed: true},
	}
	if diff := cmp.Diff(want, all); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
