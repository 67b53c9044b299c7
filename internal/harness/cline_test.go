package harness_test

import (
	"testing"

	"github.com/dshkit/dshkit/internal/harness"
)

var clineSamples = map[string]own{
	"cline/vscode.TaskStart.json":        {Kind: harness.Start, Source: "startup"},
	"cline/vscode.TaskResume.json":       {Kind: harness.Start, Source: "resume"},
	"cline/vscode.UserPromptSubmit.json": {Kind: harness.Prompt, Prompt: correction},
	"cline/vscode.PostToolUse.json": {
		Kind: harness.ToolFailed, Tool: harness.Tool{Name: "execute_command", Input: "make test", Output: monthFailure, Error: monthFailure, Failed: true},
	},
	"cline/vscode.TaskComplete.json":      {Kind: harness.Stop, Reply: fixed},
	"cline/vscode.TaskCancel.json":        {Kind: harness.End, Reason: "cancelled"},
	"cline/vscode.PreCompact.json":        {Kind: harness.Compact, Reason: "standard-truncation-lastquarter"},
	"cline/vscode.Notification.json":      {Kind: harness.Idle},
	"cline/sdk.agent_start.json":          {Kind: harness.Start, Source: "startup"},
	"cline/sdk.agent_resume.json":         {Kind: harness.Start, Source: "resume"},
	"cline/sdk.prompt_submit.json":        {Kind: harness.Prompt, Prompt: correction},
	"cline/sdk.agent_end.json":            {Kind: harness.Stop, Reply: fixed},
	"cline/sdk.agent_abort.json":          {Kind: harness.Stop, Reason: "user cancelled"},
	"cline/sdk.agent_error.json":          {Kind: harness.AgentError, Reason: "ProviderError", Error: "ProviderError: 429 请求过于频繁"},
	"cline/sdk.session_shutdown.json":     {Kind: harness.End, Reason: "cancelled"},
	"cline/sdk.agent_start.subagent.json": {Kind: harness.SubagentStart, Delegated: true},
	"cline/sdk.tool_result.error.json": {
		Kind: harness.ToolFailed,
		Tool: harness.Tool{
			ID: "call_t1", Name: "run_commands", Input: "go test ./internal/export/...", Output: failText, Error: failText, Failed: true,
		},
	},
}

// TestClineCommonMembers: a session goes by its first agent, and both dialects
// name the folder.
func TestClineCommonMembers(t *testing.T) {
	for file, want := range map[string]harness.Event{
		"vscode.TaskStart":         {Session: "1796121000000"},
		"sdk.agent_start":          {Session: "92f58f4e-8ef1-4179-af3c-2eec38dad2fa"},
		"sdk.agent_start.subagent": {Session: "92f58f4e-8ef1-4179-af3c-2eec38dad2fa", Agent: "agent_sub1", Parent: "92f58f4e-8ef1-4179-af3c-2eec38dad2fa"},
	} {
		ev := harness.Decode(harness.Cline, harness.ParsePayload(read(t, "testdata/hook-samples/cline/"+file+".json")))
		if ev.Session != want.Session || ev.Agent != want.Agent || ev.Parent != want.Parent || ev.Dir != "/home/dev/acme-orders" {
			t.Errorf("%s: %+v", file, ev)
		}
	}
}

// TestClineDelegated: of a delegated session its end counts, not its words.
func TestClineDelegated(t *testing.T) {
	for rest, want := range map[string]harness.Event{
		`"hookName":"agent_end","turn":{"outputText":"found","status":"completed"}`: {Kind: harness.SubagentStop, Reply: "found"},
		`"hookName":"agent_end","turn":{"outputText":"","status":"failed"}`:         {Kind: harness.SubagentStop, Reason: "failed"},
		`"hookName":"prompt_submit","userPromptSubmit":{"prompt":"SUBTASK"}`:        {Kind: harness.Ignore, Prompt: "SUBTASK"},
	} {
		ev := decodedFrom(harness.Cline, `{"clineVersion":"3","agent_id":"a","parent_agent_id":"p","taskId":"s",`+rest+`}`)
		if ev.Kind != want.Kind || ev.Reply != want.Reply || ev.Reason != want.Reason || !ev.Delegated || harness.Injects(ev) {
			t.Errorf("%s: %+v", rest, ev)
		}
	}
}

// TestClineInputs: one call may run several commands or read several files.
func TestClineInputs(t *testing.T) {
	for input, want := range map[string]string{
		`{"commands":["make","make test"]}`:           "make\nmake test",
		`{"commands":"[\"make\"]"}`:                   "make",
		`{"files":[{"path":"a.go"},{"path":"b.go"}]}`: "a.go\nb.go",
		`{"path":"a.go"}`:                             "a.go",
		`{"commands":[]}`:                             `{"commands":[]}`,
	} {
		ev := decodedFrom(harness.Cline, `{"clineVersion":"4","hookName":"PostToolUse","postToolUse":{"toolName":"t","success":true,"parameters":`+input+`}}`)
		if ev.Tool.Input != want || ev.Kind != harness.ToolOK {
			t.Errorf("%s: %+v, want %q", input, ev.Tool, want)
		}
	}
}
