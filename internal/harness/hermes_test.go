package harness_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/harness"
	"github.com/dshkit/dshkit/pkg/transcript"
)

var hermesSamples = map[string]own{
	"hermes/on_session_start.json":        {Kind: harness.Start, Source: "startup"},
	"hermes/on_session_reset.json":        {Kind: harness.Start, Source: "clear"},
	"hermes/pre_llm_call.json":            {Kind: harness.Prompt, Prompt: correction},
	"hermes/pre_llm_call.multimodal.json": {Kind: harness.Prompt, Prompt: "看这张图"},
	"hermes/post_tool_call.json": {
		Kind: harness.ToolOK, Tool: harness.Tool{ID: "call_t9", Name: "terminal", Input: "make test", Output: passText},
	},
	"hermes/post_tool_call.error.json": {
		Kind: harness.ToolFailed,
		Tool: harness.Tool{ID: "call_t1", Name: "terminal", Input: "go test ./internal/export/...", Output: failText, Error: failText, Failed: true},
	},
	"hermes/api_request_error.json":   {Kind: harness.AgentError, Reason: "rate_limit", Error: "429 RateLimitError 请求过于频繁"},
	"hermes/subagent_start.json":      {Kind: harness.SubagentStart, Delegated: true},
	"hermes/subagent_stop.json":       {Kind: harness.SubagentStop, Delegated: true, Reply: "找到 internal/dates/month.go", Reason: "failed"},
	"hermes/on_session_end.json":      {Kind: harness.Stop, Reason: "stop"},
	"hermes/on_session_end.exit.json": {Kind: harness.Stop, Reason: "cli_exit"},
	"hermes/on_session_finalize.json": {Kind: harness.End, Reason: "exit"},
}

// decodedFrom decodes a payload that is written down in a test.
func decodedFrom(h harness.Harness, payload string) harness.Event {
	return harness.Decode(h, harness.ParsePayload([]byte(payload)))
}

// TestHermesAttempts: each attempt at a request is told, and one failure is one.
func TestHermesAttempts(t *testing.T) {
	for extra, want := range map[string]harness.Kind{
		`"retry_count":0,"retryable":true`:  harness.AgentError,
		`"retry_count":2,"retryable":true`:  harness.Ignore,
		`"retry_count":2,"retryable":false`: harness.AgentError,
	} {
		if ev := decodedFrom(harness.Hermes, `{"hook_event_name":"api_request_error","extra":{`+extra+`,"error":"down"}}`); ev.Kind != want {
			t.Errorf("%s: %s, want %s", extra, ev.Kind, want)
		}
	}
}

// TestHermesDelegated: what an agent asks of another is no person's word.
func TestHermesDelegated(t *testing.T) {
	ev := decodedFrom(harness.Hermes, `{"hook_event_name":"pre_llm_call","session_id":"c","extra":{"parent_session_id":"p","user_message":"SUBTASK"}}`)
	if ev.Kind != harness.Ignore || ev.Session != "p" || ev.Agent != "c" || ev.Prompt != "" {
		t.Errorf("%+v", ev)
	}
	ev = decodedFrom(harness.Hermes, `{"hook_event_name":"subagent_stop","session_id":"p","extra":{"child_session_id":"c","child_status":"completed"}}`)
	if ev.Reason != "" || ev.Agent != "c" || ev.Parent != "p" {
		t.Errorf("one that went well: %+v", ev)
	}
}

func TestHermesResults(t *testing.T) {
	cases := []struct {
		result, said string
		failed       bool
	}{
		{`{"output":"x","exit_code":0}`, "x", false},
		{`{"output":"","exit_code":3,"error":"Exit code 3"}`, "Exit code 3", true},
		{`{"error":{"message":"no such file"}}`, "no such file", true},
		{`{"success":true}`, "", false},
		{`plain words`, "plain words", false},
		{`{"output":"cut`, `{"output":"cut`, false},
	}
	for _, c := range cases {
		ev := decodedFrom(harness.Hermes, `{"hook_event_name":"post_tool_call","tool_name":"t","extra":{"result":`+quoted(c.result)+`}}`)
		if ev.Tool.Output != c.said || ev.Tool.Failed != c.failed {
			t.Errorf("%s: %+v, want %q, %v", c.result, ev.Tool, c.said, c.failed)
		}
	}
}

// TestTranscriptAsOneList: what a query of a database prints, and files of
// messages, are one list, also over several lines.
func TestTranscriptAsOneList(t *testing.T) {
	logs := map[harness.Harness]string{
		harness.Hermes: `[{"role":"user","content":"first","timestamp":1796121001.5},
 {"role":"assistant","content":null,"tool_calls":"[{\"id\":\"a\",\"function\":{\"name\":\"terminal\",\"arguments\":\"{\\\"command\\\":\\\"make\\\"}\"}}]","timestamp":1796121001.5}]`,
		harness.Crush: `[
{"role":"user","parts":"[{\"type\":\"text\",\"data\":{\"text\":\"first\"}}]","created_at":1796121001},
{"role":"assistant","parts":"[{\"type\":\"tool_call\",\"data\":{\"id\":\"a\",\"name\":\"terminal\",\"input\":\"{\\\"command\\\":\\\"make\\\"}\"}}]","created_at":1796121001}]`,
		harness.Cline: "[ {\"role\":\"user\",\"content\":\"first\",\"ts\":1796121001000}, 7, {\n\"role\":\"assistant\",\"content\":[{\"type\":\"tool_use\",\"id\":\"a\",\"name\":\"terminal\",\"input\":{\"command\":\"make\"}}],\"ts\":1796121001000}\n]\n",
	}
	for h, log := range logs {
		all, report := records(t, h, []byte(log))
		if len(all) != 2 || report.Broken != 0 {
			t.Errorf("%s: %+v, report %+v", h, all, report)
			continue
		}
		for i := range all {
			if all[i].Time.Unix() != 1796121001 {
				t.Errorf("%s: time %s", h, all[i].Time)
			}
			all[i].Time = all[0].Time
		}
		want := []transcript.Record{
			{Kind: transcript.Prompt, Text: "first", Time: all[0].Time},
			{Kind: transcript.Call, ID: "a", Tool: "terminal", Input: "make", Time: all[0].Time},
		}
		if diff := cmp.Diff(want, all); diff != "" {
			t.Errorf("%s (-want +got):\n%s", h, diff)
		}
	}
	all, report := records(t, harness.Hermes, []byte("[]\n[1,2]\n{\"role\":\"user\",\"content\":\"x\"}\n"))
	if len(all) != 1 || report.NotObject != 2 {
		t.Errorf("lists that hold no rows: %+v, report %+v", all, report)
	}
}
