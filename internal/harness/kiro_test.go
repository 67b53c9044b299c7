package harness_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/harness"
	"github.com/dshkit/dshkit/pkg/transcript"
)

const monthFailure = "--- FAIL: TestExportMonth (0.01s)\n    export_test.go:77: 月份越界: got \"2026-13-01\", want \"2027-01-01\"\nmake: *** [Makefile:14: test] Error 1"

var kiroSamples = map[string]own{
	"kiro/v2.agentSpawn.json":       {Kind: harness.Start, Source: "startup"},
	"kiro/v2.userPromptSubmit.json": {Kind: harness.Prompt, Prompt: correction},
	"kiro/v2.postToolUse.json": {
		Kind: harness.ToolFailed, Tool: harness.Tool{Name: "execute_bash", Input: "make test", Output: monthFailure, Error: monthFailure, Failed: true},
	},
	"kiro/v2.postToolUse.deferred.json": {Kind: harness.ToolOK, Tool: harness.Tool{Name: "fs_write", Input: "str_replace"}},
	"kiro/v2.stop.json":                 {Kind: harness.Stop},
	"kiro/v3.SessionStart.json":         {Kind: harness.Start, Source: "startup"},
	"kiro/v3.UserPromptSubmit.json":     {Kind: harness.Prompt, Prompt: correction},
	"kiro/v3.PostToolUse.json": {
		Kind: harness.ToolFailed, Tool: harness.Tool{Name: "execute_bash", Output: monthFailure, Error: monthFailure, Failed: true},
	},
	"kiro/v3.PostToolUse.read-error.json": {
		Kind: harness.ToolFailed,
		Tool: harness.Tool{
			Name: "read_file", Output: "Error: File not found: internal/export/month.go", Error: "Error: File not found: internal/export/month.go", Failed: true,
		},
	},
	"kiro/v3.PostToolUse.write.json": {Kind: harness.ToolOK, Tool: harness.Tool{Name: "str_replace", Output: "Replaced text in .env.test"}},
	"kiro/v3.Stop.json":              {Kind: harness.Stop},
	"kiro/ide012.USER_PROMPT.json":   {Kind: harness.ToolOK, Tool: harness.Tool{Name: "fs_write", Output: "Created the .env.test file."}},
}

// TestKiroSessions: agents of CLI 2 name no session. One folder is one.
func TestKiroSessions(t *testing.T) {
	session := func(payload string) string { return decodedFrom(harness.Kiro, payload).Session }
	a, b := session(`{"hook_event_name":"agentSpawn","cwd":"/a"}`), session(`{"hook_event_name":"agentSpawn","cwd":"/b"}`)
	if a == b || a != session(`{"hook_event_name":"stop","cwd":"/a"}`) || !strings.HasPrefix(a, "kiro-") || len(a) != len("kiro-")+12 {
		t.Errorf("sessions %q and %q", a, b)
	}
	if got := session(`{"session_id":"sess_1","hook_event_name":"Stop","cwd":"/a"}`); got != "sess_1" {
		t.Errorf("a session that is named: %q", got)
	}
}

func TestKiroProse(t *testing.T) {
	cases := []struct {
		tool, answer, said string
		failed             bool
	}{
		{"execute_bash", `"Output:\nx\n\nExit Code: 0"`, "x", false},
		{"execute_bash", `"Output:\nExit Code: 1\nfine\n\nExit Code: 0\n"`, "Exit Code: 1\nfine", false},
		{"execute_bash", `"Exit Code: 7"`, "Exit Code: 7", true},
		{"execute_bash", `"Error: printed by a program"`, "Error: printed by a program", false},
		{"shell", `"Error: printed by a program"`, "Error: printed by a program", false},
		{"read_file", `"Error: nothing there"`, "Error: nothing there", true},
		{"execute_bash", `{"success":true,"result":[{"exit_status":"exit status: 2","stdout":"a","stderr":"b"},"c"]}`, "a\nb\nc", true},
		{"execute_bash", `{"success":true,"result":[{"exit_status":"0","stdout":"a"}]}`, "a", false},
		{"fs_read", `{"success":false,"result":["no such file"]}`, "no such file", true},
	}
	for _, c := range cases {
		ev := decodedFrom(harness.Kiro, `{"hook_event_name":"PostToolUse","session_id":"sess_1","tool_name":"`+c.tool+`","tool_response":`+c.answer+`}`)
		if ev.Tool.Output != c.said || ev.Tool.Failed != c.failed {
			t.Errorf("%s %s: %+v, want %q, %v", c.tool, c.answer, ev.Tool, c.said, c.failed)
		}
	}
}

// TestKiroHeldBack: of several answers the one that failed counts.
func TestKiroHeldBack(t *testing.T) {
	one := func(name string, success string) string {
		return `{"tool_name":"` + name + `","tool_response":{"success":` + success + `,"result":["x"]}}`
	}
	ev := decodedFrom(harness.Kiro, `{"hook_event_name":"postToolUse","cwd":"/a","hook_events":[`+one("a", "true")+`,`+one("b", "false")+`,`+one("c", "true")+`]}`)
	if ev.Kind != harness.ToolFailed || ev.Tool.Name != "b" || ev.Tool.Error != "x" {
		t.Errorf("%+v", ev)
	}
	ev = decodedFrom(harness.Kiro, `{"hook_event_name":"postToolUse","cwd":"/a","hook_events":[`+one("a", "true")+`,`+one("c", "true")+`]}`)
	if ev.Kind != harness.ToolOK || ev.Tool.Name != "c" {
		t.Errorf("%+v", ev)
	}
	if ev = decodedFrom(harness.Kiro, `{"toolName":"fs_write","toolResult":"no","toolSuccess":false}`); ev.Kind != harness.ToolFailed || ev.Tool.Error != "no" {
		t.Errorf("of the IDE 0.12: %+v", ev)
	}
}

// TestTranscriptOfKiroSkipsOrphans: a call that was too large is there without an
// answer, and an answer without its call.
func TestTranscriptOfKiroSkipsOrphans(t *testing.T) {
	log := `{"kind":"AssistantMessage","data":{"content":[{"kind":"toolUse","data":{"toolUseId":"a","name":"write","input":{"path":"x"}}}]}}
{"kind":"ToolResults","data":{"content":[{"kind":"toolResult","data":{"toolUseId":"b","content":[{"kind":"text","data":"?"}],"status":"success"}}]}}
{"kind":"Compaction","data":{"content":[]}}`
	all, report := records(t, harness.Kiro, []byte(log))
	want := []transcript.Record{
		{Kind: transcript.Call, ID: "a", Tool: "write", Input: "x"},
		{Kind: transcript.Result, ID: "b", Text: "?"},
	}
	if diff := cmp.Diff(want, all); diff != "" || report.Skipped() != 0 {
		t.Errorf("report %+v (-want +got):\n%s", report, diff)
	}
}
