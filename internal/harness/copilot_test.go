package harness_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/harness"
	"github.com/dshkit/dshkit/pkg/transcript"
)

var copilotSamples = map[string]own{
	"copilot-cli/sessionStart.json":           {Kind: harness.Start, Source: "startup"},
	"copilot-cli/sessionStart.resume.json":    {Kind: harness.Start, Source: "resume"},
	"copilot-cli/SessionStart.snake.json":     {Kind: harness.Start, Source: "startup"},
	"copilot-cli/userPromptSubmitted.json":    {Kind: harness.Prompt, Prompt: correction},
	"copilot-cli/UserPromptSubmit.snake.json": {Kind: harness.Prompt, Prompt: correction},
	"copilot-cli/postToolUse.exit-code.json": {
		Kind: harness.ToolFailed,
		Tool: harness.Tool{Name: "bash", Input: "go test ./internal/export/...", Output: failText, Error: failText, Failed: true},
	},
	"copilot-cli/PostToolUse.snake.json": {
		Kind: harness.ToolOK, Tool: harness.Tool{Name: "Bash", Input: "make test", Output: passText},
	},
	"copilot-cli/postToolUseFailure.json": {
		Kind: harness.ToolFailed,
		Tool: harness.Tool{Name: "view", Input: monthFile, Error: "Path does not exist: " + monthFile, Failed: true},
	},
	"copilot-cli/errorOccurred.json": {
		Kind: harness.AgentError, Reason: "model_call", Error: `{"type":"rate_limit_error","message":"请求过于频繁"}`,
	},
	"copilot-cli/ErrorOccurred.snake.json": {Kind: harness.AgentError, Reason: "model_call", Error: `{"type":"rate_limit_error"}`},
	"copilot-cli/agentStop.json":           {Kind: harness.Stop},
	"copilot-cli/Stop.snake.json":          {Kind: harness.Stop},
	"copilot-cli/subagentStart.json":       {Kind: harness.SubagentStart, Delegated: true},
	"copilot-cli/subagentStop.json":        {Kind: harness.SubagentStop, Delegated: true, Reply: "找到 internal/dates/month.go"},
	"copilot-cli/preCompact.json":          {Kind: harness.Compact, Reason: "auto"},
	"copilot-cli/notification.json":        {Kind: harness.Idle},
	"copilot-cli/sessionEnd.json":          {Kind: harness.End, Reason: "complete"},
	"copilot-cli/sessionEnd.error.json":    {Kind: harness.End, Reason: "error"},
	"copilot-cli/SessionEnd.snake.json":    {Kind: harness.End, Reason: "user_exit"},
}

// TestCopilotEventsByTheCommandLine: a native payload does not name its event,
// the command does; a payload that does is believed.
func TestCopilotEventsByTheCommandLine(t *testing.T) {
	files := []string{"agentStop", "errorOccurred", "sessionEnd", "sessionStart", "userPromptSubmitted", "postToolUseFailure", "preCompact", "subagentStop"}
	for _, name := range files {
		p := harness.ParsePayload(read(t, "testdata/hook-samples/copilot-cli/"+name+".json"))
		named, shaped := harness.Decode(harness.CopilotCLI, p.Named(name)), harness.Decode(harness.CopilotCLI, p)
		if diff := cmp.Diff(named, shaped); diff != "" || named.Name != name {
			t.Errorf("%s is called %q (-named +by its shape):\n%s", name, named.Name, diff)
		}
		if named.Session != "e44b4bd7-07c5-40bc-a861-5b21f850fb41" || named.Dir != "/home/dev/acme-orders" {
			t.Errorf("%s: session %q, dir %q", name, named.Session, named.Dir)
		}
	}
	stop := read(t, "testdata/hook-samples/copilot-cli/Stop.snake.json")
	ev := harness.Decode(harness.CopilotCLI, harness.ParsePayload(stop).Named("sessionEnd"))
	if ev.Kind != harness.Stop || ev.Name != "Stop" || !strings.HasSuffix(ev.Transcript, "/events.jsonl") {
		t.Errorf("a payload that names its event: %+v", ev)
	}
	ev = harness.Decode(harness.CopilotCLI, harness.ParsePayload([]byte(`{"sessionId":"s","reason":"x"}`)).Named(`{"a":1}`))
	if ev.Name != "sessionEnd" {
		t.Errorf("an argument that is no name: %q", ev.Name)
	}
	unknown := harness.Decode(harness.CopilotCLI, harness.ParsePayload([]byte(`{"sessionId":"s","timestamp":1}`)))
	if unknown.Kind != harness.Ignore || unknown.Name != "" {
		t.Errorf("a payload of no shape: %+v", unknown)
	}
}

func TestCopilotFailuresByText(t *testing.T) {
	cases := []struct {
		result string
		said   string
		failed bool
	}{
		{`{"resultType":"success","textResultForLlm":"boom\n<shellId: 3 completed with exit code 2>\n"}`, "boom", true},
		{`{"resultType":"success","textResultForLlm":"<shellId: 3 completed with exit code 2>"}`, "<shellId: 3 completed with exit code 2>", true},
		{`{"resultType":"success","textResultForLlm":"x\n<shellId: 3 completed with exit code 0>"}`, "x", false},
		{`{"resultType":"success","textResultForLlm":"<shellId: 3 completed with exit code 2>\nwas printed"}`, "<shellId: 3 completed with exit code 2>\nwas printed", false},
		{`{"resultType":"success","textResultForLlm":"it completed with exit code 2>"}`, "it completed with exit code 2>", false},
		{`{"resultType":"failure","textResultForLlm":"no such tool"}`, "no such tool", true},
		{`{"resultType":"denied","textResultForLlm":"the user said no"}`, "the user said no", false},
	}
	for _, c := range cases {
		payload := `{"sessionId":"s","timestamp":1,"toolName":"bash","toolArgs":"{\"command\":\"make\"}","toolResult":` + c.result + `}`
		ev := harness.Decode(harness.CopilotCLI, harness.ParsePayload([]byte(payload)).Named("postToolUse"))
		if ev.Tool.Output != c.said || ev.Tool.Failed != c.failed || ev.Tool.Input != "make" {
			t.Errorf("%s: %+v, want %q, %v", c.result, ev.Tool, c.said, c.failed)
		}
	}
}

func TestTranscriptOfCopilotSkipsDelegatedTalk(t *testing.T) {
	log := `{"type":"user.message","data":{"content":"SUBTASK","parentToolCallId":"a"}}
{"type":"assistant.message","data":{"content":"found","parentToolCallId":"a"}}
{"type":"tool.execution_start","data":{"toolCallId":"b","toolName":"bash","arguments":{"command":"make"}}}
{"type":"tool.execution_complete","data":{"toolCallId":"b","success":true,"result":{"content":"x\n<shellId: 0 completed with exit code 4>"}}}`
	all, _ := records(t, harness.CopilotCLI, []byte(log))
	want := []transcript.Record{
		{Kind: transcript.Call, ID: "b", Tool: "bash", Input: "make"},
		{Kind: transcript.Result, ID: "b", Tool: "bash", Text: "x", Failed: true},
	}
	if diff := cmp.Diff(want, all); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
