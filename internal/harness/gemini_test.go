package harness_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/harness"
	"github.com/dshkit/dshkit/pkg/transcript"
)

const (
	firstPrompt = "订单导出接口返回 500,帮我修一下。文档在 https://docs.acme.example/orders/export?v=2"
	monthFile   = "/home/dev/acme-orders/internal/export/month.go"
)

var geminiSamples = map[string]own{
	"gemini-cli/SessionStart.json":             {Kind: harness.Start, Source: "startup"},
	"gemini-cli/SessionStart.resume.json":      {Kind: harness.Start, Source: "resume"},
	"gemini-cli/BeforeAgent.json":              {Kind: harness.Prompt, Prompt: correction},
	"gemini-cli/BeforeAgent.self-context.json": {Kind: harness.Prompt, Prompt: firstPrompt},
	"gemini-cli/AfterAgent.json":               {Kind: harness.Stop, Reply: fixed},
	"gemini-cli/AfterTool.ok.json": {
		Kind: harness.ToolOK, Tool: harness.Tool{Name: "run_shell_command", Input: "make test", Output: passText},
	},
	"gemini-cli/AfterTool.exit-code.json": {
		Kind: harness.ToolFailed,
		Tool: harness.Tool{Name: "run_shell_command", Input: "go test ./internal/export/...", Output: failText, Error: failText, Failed: true},
	},
	"gemini-cli/AfterTool.error.json": {
		Kind: harness.ToolFailed,
		Tool: harness.Tool{
			Name: "read_file", Input: monthFile, Output: "File not found: " + monthFile, Error: "File not found: " + monthFile, Failed: true,
		},
	},
	"gemini-cli/AfterTool.mcp.json": {
		Kind: harness.ToolOK, Tool: harness.Tool{Name: "mcp_acme_search", Input: "{\n    \"q\": \"导出\"\n  }", Output: "2 results"},
	},
	"gemini-cli/PreCompress.json": {Kind: harness.Ignore, Reason: "auto"},
	"gemini-cli/SessionEnd.json":  {Kind: harness.End, Reason: "exit"},
}

func TestGeminiCompactsWhenAPersonAsks(t *testing.T) {
	ev := harness.Decode(harness.GeminiCLI, harness.ParsePayload([]byte(`{"hook_event_name":"PreCompress","trigger":"manual"}`)))
	if ev.Kind != harness.Compact {
		t.Errorf("kind %s, want %s", ev.Kind, harness.Compact)
	}
}

// TestShellReports: how a command ended is told by the lines after its output,
// never by the output.
func TestShellReports(t *testing.T) {
	cases := []struct {
		id     string
		h      harness.Harness
		tool   string
		text   string
		said   string
		failed bool
	}{
		{"gemini-failed", harness.GeminiCLI, "run_shell_command", "Output: boom\nExit Code: 3\nProcess Group PGID: 7", "boom", true},
		{"gemini-silent", harness.GeminiCLI, "run_shell_command", "Output: (empty)\nExit Code: 1\nProcess Group PGID: 7", "Exit Code: 1", true},
		{"gemini-killed", harness.GeminiCLI, "run_shell_command", "Output: a\nExit Code: 137\nSignal: 9\nBackground PIDs: 4, 5\nProcess Group PGID: 7", "a", true},
		{"gemini-could-not-run", harness.GeminiCLI, "run_shell_command", "Output: (empty)\nError: spawn ENOENT\nExit Code: 1", "spawn ENOENT", true},
		{"gemini-printed", harness.GeminiCLI, "run_shell_command", "Output: Exit Code: 1\nall fine\nProcess Group PGID: 7", "Exit Code: 1\nall fine", false},
		{"gemini-printed-error", harness.GeminiCLI, "run_shell_command", "Output: FAIL: none\nProcess Group PGID: 7", "FAIL: none", false},
		{"gemini-other-tool", harness.GeminiCLI, "read_file", "Output: x\nExit Code: 1", "Output: x\nExit Code: 1", false},
		{"gemini-untrusted", harness.GeminiCLI, "web_fetch", "<untrusted_context>\npage\n</untrusted_context>", "page", false},
		{"gemini-nothing", harness.GeminiCLI, "run_shell_command", "", "", false},
		{"qwen-passed", harness.QwenCode, "run_shell_command", "Command: a\nb\nDirectory: (root)\nOutput: out\nError: (none)\nExit Code: 0\nSignal: (none)\nProcess Group PGID: 1", "out", false},
		{"qwen-printed", harness.QwenCode, "run_shell_command", "Command: a\nDirectory: x\nOutput: Exit Code: 2\nError: (none)\nExit Code: 0\nSignal: (none)\nProcess Group PGID: 1", "Exit Code: 2", false},
	}
	for _, c := range cases {
		t.Run(c.id, func(t *testing.T) {
			event := map[harness.Harness]string{harness.GeminiCLI: "AfterTool", harness.QwenCode: "PostToolUse"}[c.h]
			payload := `{"hook_event_name":"` + event + `","tool_name":"` + c.tool + `","tool_response":{"llmContent":` + quoted(c.text) + `}}`
			ev := harness.Decode(c.h, harness.ParsePayload([]byte(payload)))
			if ev.Tool.Output != c.said || ev.Tool.Failed != c.failed || (ev.Kind == harness.ToolFailed) != c.failed {
				t.Errorf("%q: output %q, failed %v, kind %s; want %q, %v", c.text, ev.Tool.Output, ev.Tool.Failed, ev.Kind, c.said, c.failed)
			}
		})
	}
}

// TestTranscriptOfGeminiTakesTheLastWord: of a message that is written again and
// again the last state counts, also at the end of the file.
func TestTranscriptOfGeminiTakesTheLastWord(t *testing.T) {
	log := `{"sessionId":"s","kind":"main"}
{"$set":{"messages":[{"id":"0","type":"user","content":[{"text":"a summary of what was"}]}]}}
{"id":"1","type":"user","content":"hello <hook_context>&lt;x&gt;</hook_context>"}
{"id":"2","type":"gemini","content":"wor"}
{"$set":{"lastUpdated":"x"}}
{"id":"2","type":"gemini","content":"working","toolCalls":[{"id":"a","name":"read_file","args":{"path":"x.go"},"status":"executing"}]}
{"$rewindTo":"9"}
{"id":"2","type":"gemini","content":"working","toolCalls":[{"id":"a","name":"read_file","args":{"path":"x.go"},"status":"error","result":[{"functionResponse":{"response":{"error":{"message":"no such file"}}}}]}]}
{"id":"3","type":"info","content":"update available"}
{"id":"4","type":"gemini","content":"","toolCalls":[{"id":"b","name":"run_shell_command","args":{"command":"make"},"status":"cancelled"}]}`
	all, report := records(t, harness.GeminiCLI, []byte(log))
	want := []transcript.Record{
		{Kind: transcript.Prompt, Text: "hello"},
		{Kind: transcript.Reply, Text: "working"},
		{Kind: transcript.Call, ID: "a", Tool: "read_file", Input: "x.go"},
		{Kind: transcript.Result, ID: "a", Tool: "read_file", Text: "no such file", Failed: true},
		{Kind: transcript.Call, ID: "b", Tool: "run_shell_command", Input: "make"},
	}
	if diff := cmp.Diff(want, all); diff != "" || report.Skipped() != 0 {
		t.Errorf("report %+v (-want +got):\n%s", report, diff)
	}
	sub := "{\"sessionId\":\"s\",\"kind\":\"subagent\"}\n" + `{"id":"1","type":"user","content":"SUBTASK"}`
	if all, _ := records(t, harness.GeminiCLI, []byte(sub)); len(all) != 0 {
		t.Errorf("of a delegated session: %+v", all)
	}
}
