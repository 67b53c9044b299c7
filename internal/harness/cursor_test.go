package harness_test

import (
	"testing"

	"github.com/dshkit/dshkit/internal/harness"
)

var vscodeSamples = map[string]own{
	"vscode/SessionStart.json": {Kind: harness.Start, Source: "startup"},
	"vscode/PostToolUse.json": {
		Kind: harness.ToolOK,
		Tool: harness.Tool{
			ID: "tool-123", Name: "runInTerminal", Input: "make test",
			Output: "--- FAIL: TestExportMonth (0.01s)\n    export_test.go:77: 月份越界: got \"2026-13-01\", want \"2027-01-01\"\nmake: *** [Makefile:14: test] Error 1",
		},
	},
}

var cursorSamples = map[string]own{
	"cursor/sessionStart.json":                     {Kind: harness.Start, Source: "startup"},
	"cursor/sessionStart.windows.json":             {Kind: harness.Start, Source: "startup"},
	"cursor/beforeSubmitPrompt.json":               {Kind: harness.Prompt, Prompt: correction},
	"cursor/imported-claude.UserPromptSubmit.json": {Kind: harness.Prompt, Prompt: correction},
	"cursor/postToolUse.json": {
		Kind: harness.ToolOK, Tool: harness.Tool{ID: "tool_t9", Name: "Shell", Input: "make test", Output: passText},
	},
	"cursor/postToolUseFailure.json": {
		Kind: harness.ToolFailed,
		Tool: harness.Tool{ID: "tool_t1", Name: "Shell", Input: "go test ./internal/export/...", Error: "Exit code 1: " + failText, Failed: true},
	},
	"cursor/postToolUseFailure.timeout.json": {
		Kind: harness.ToolFailed, Tool: harness.Tool{ID: "tool_t98", Name: "Shell", Input: "sleep 999", Error: "timed out", Failed: true},
	},
	"cursor/stop.json":          {Kind: harness.Stop, Reason: "completed"},
	"cursor/stop.aborted.json":  {Kind: harness.Stop, Reason: "aborted", StopActive: true},
	"cursor/stop.error.json":    {Kind: harness.AgentError, Reason: "error", Error: "the turn ended with the status error"},
	"cursor/subagentStart.json": {Kind: harness.SubagentStart, Delegated: true},
	"cursor/subagentStop.json":  {Kind: harness.SubagentStop, Delegated: true, Reason: "subagent crashed: 上下文超限"},
	"cursor/preCompact.json":    {Kind: harness.Compact, Reason: "auto"},
	"cursor/sessionEnd.json":    {Kind: harness.End, Reason: "completed"},
}

func TestCursorWorkspace(t *testing.T) {
	cases := map[string]string{
		`{"workspace_roots":["/home/dev/acme","/b"],"cwd":"/home/dev/acme/sub"}`: "/home/dev/acme",
		`{"workspace_roots":["/c:/Users/dev/acme"]}`:                             "c:/Users/dev/acme",
		`{"workspace_roots":[],"cwd":"/x"}`:                                      "/x",
		`{"cwd":"/x"}`:                                                           "/x",
		`{"workspace_roots":"/a"}`:                                               "",
	}
	for payload, want := range cases {
		if ev := harness.Decode(harness.Cursor, harness.ParsePayload([]byte(payload))); ev.Dir != want {
			t.Errorf("%s: dir %q, want %q", payload, ev.Dir, want)
		}
	}
}

func TestCursorEvents(t *testing.T) {
	cases := []struct {
		id, payload string
		kind        harness.Kind
		said        string // prompt, error of a tool, or reason
	}{
		{"wrapped-prompt", `{"hook_event_name":"beforeSubmitPrompt","prompt":"<attached_files>x</attached_files><user_query>\nhi\n</user_query>"}`, harness.Prompt, "hi"},
		{"only-ours", `{"hook_event_name":"beforeSubmitPrompt","prompt":"[selfip]\na\n[/selfip]"}`, harness.Ignore, ""},
		{"failed-command", `{"hook_event_name":"postToolUse","tool_output":"{\"exitCode\":1,\"stdout\":\"a\",\"stderr\":\"b\"}"}`, harness.ToolFailed, "a\nb"},
		{"silent-failure", `{"hook_event_name":"postToolUse","tool_output":"{\"exitCode\":1,\"stdout\":\"\"}"}`, harness.ToolFailed, "exit code 1"},
		{"plain-output", `{"hook_event_name":"postToolUse","tool_output":"{\"hits\":2}"}`, harness.ToolOK, ""},
		{"interrupted", `{"hook_event_name":"postToolUseFailure","error_message":"x","is_interrupt":true}`, harness.Ignore, ""},
		{"not-allowed", `{"hook_event_name":"postToolUseFailure","error_message":"x","failure_type":"permission_denied"}`, harness.Ignore, ""},
		{"subagent-well", `{"hook_event_name":"subagentStop","status":"completed","subagent_id":"a"}`, harness.SubagentStop, ""},
		{"subagent-aborted", `{"hook_event_name":"subagentStop","status":"aborted","subagent_id":"a"}`, harness.SubagentStop, "aborted"},
	}
	for _, c := range cases {
		t.Run(c.id, func(t *testing.T) {
			ev := harness.Decode(harness.Cursor, harness.ParsePayload([]byte(c.payload)))
			if got := ev.Prompt + ev.Tool.Error + ev.Reason; ev.Kind != c.kind || got != c.said {
				t.Errorf("%s: %s %q, want %s %q", c.payload, ev.Kind, got, c.kind, c.said)
			}
		})
	}
	ev := harness.Decode(harness.Cursor, harness.ParsePayload(read(t, "testdata/hook-samples/cursor/subagentStop.json")))
	if ev.Agent != "ddc6e2b2-24d0-4d82-a669-202258386936" || ev.Parent != "e67be795-5066-4604-a9b9-c646911c80d7" || ev.Session != ev.Parent {
		t.Errorf("subagent %+v", ev)
	}
}
