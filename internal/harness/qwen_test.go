package harness_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/harness"
	"github.com/dshkit/dshkit/pkg/transcript"
)

var qwenSamples = map[string]own{
	"qwen-code/SessionStart.json":                  {Kind: harness.Start, Source: "startup"},
	"qwen-code/UserPromptSubmit.json":              {Kind: harness.Prompt, Prompt: correction},
	"qwen-code/UserPromptSubmit.continuation.json": {Kind: harness.Ignore},
	"qwen-code/PostToolUse.json": {
		Kind: harness.ToolOK, Tool: harness.Tool{ID: "call_t9", Name: "run_shell_command", Input: "make test", Output: passText},
	},
	"qwen-code/PostToolUseFailure.json": {
		Kind: harness.ToolFailed,
		Tool: harness.Tool{ID: "call_t1", Name: "run_shell_command", Input: "go test ./internal/export/...", Error: failText, Failed: true},
	},
	"qwen-code/Stop.json":         {Kind: harness.Stop, Reply: fixed},
	"qwen-code/StopFailure.json":  {Kind: harness.AgentError, Reason: "rate_limit", Error: "rate_limit: 429 请求过于频繁"},
	"qwen-code/SubagentStop.json": {Kind: harness.SubagentStop, Delegated: true, Reply: "已找到"},
	"qwen-code/PreCompact.json":   {Kind: harness.Compact, Reason: "auto"},
	"qwen-code/SessionEnd.json":   {Kind: harness.End, Reason: "prompt_input_exit"},
}

func TestQwenPrompts(t *testing.T) {
	cases := map[string]own{
		// before 0.24
		`{"hook_event_name":"UserPromptSubmit","prompt":"hello"}`: {Kind: harness.Prompt, Prompt: "hello"},

		`{"hook_event_name":"UserPromptSubmit","prompt":"go on","prompt_id":"p"}`: {Kind: harness.Ignore},

		`{"hook_event_name":"UserPromptSubmit","prompt":"x","prompt_id":"p","submitted_prompt":"<qwen:user-prompt-submit-context>c</qwen:user-prompt-submit-context>hi"}`: {Kind: harness.Prompt, Prompt: "hi"},

		`{"hook_event_name":"UserPromptSubmit","prompt_id":"p","submitted_prompt":[{"text":"a"},{"text":"b"}]}`: {Kind: harness.Prompt, Prompt: "a\nb"},
	}
	for payload, want := range cases {
		ev := harness.Decode(harness.QwenCode, harness.ParsePayload([]byte(payload)))
		if ev.Kind != want.Kind || ev.Prompt != want.Prompt {
			t.Errorf("%s: %s %q, want %s %q", payload, ev.Kind, ev.Prompt, want.Kind, want.Prompt)
		}
	}
}

func TestTranscriptOfQwenSkipsWhatNobodySaid(t *testing.T) {
	log := `{"type":"user","provenance":"hook","message":{"parts":[{"text":"injected"}]}}
{"type":"user","isSidechain":true,"message":{"parts":[{"text":"SUBTASK"}]}}
{"type":"assistant","message":{"parts":[{"text":"let me think","thought":true},{"text":"done"}]}}
{"type":"system","systemPayload":{"uiEvent":{"event.name":"qwen-code.api_error","error_message":"429","subagent_name":"explore"}}}
{"type":"user","message":{"parts":[{"text":"of an older version"}]}}`
	all, _ := records(t, harness.QwenCode, []byte(log))
	want := []transcript.Record{
		{Kind: transcript.Reply, Text: "done"},
		{Kind: transcript.Prompt, Text: "of an older version"},
	}
	if diff := cmp.Diff(want, all); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
