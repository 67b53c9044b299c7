package harness_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/harness"
	"github.com/dshkit/dshkit/pkg/transcript"
)

// The harnesses that have no command hooks: a file of ours runs inside them and
// calls the binary (spec/harness-hooks.md 10, 11, 13, 15).

// isInside reports a sample that a file of ours wraps.
func isInside(name string) bool {
	for _, prefix := range []string{"opencode/", "pi/", "openclaw/", "dsh/native."} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// insideEvents is what TestDecodeSamples expects of their samples; every other
// one is not for us.
func insideEvents() map[string]own {
	tool := func(name, id, input, output string, failed bool) harness.Tool {
		out := harness.Tool{Name: name, ID: id, Input: input, Output: output, Failed: failed}
		if failed {
			out.Error = output
		}
		return out
	}
	const limit = "请求过于频繁"
	const said = "[stderr]\n" + failText + "\n[exit code: 1]"
	return map[string]own{
		"opencode/event.session.created.json":       {Kind: harness.Start, Source: "startup"},
		"opencode/event.session.created.child.json": {Kind: harness.SubagentStart, Delegated: true},
		"opencode/chat.message.json":                {Kind: harness.Prompt, Prompt: correction},
		"opencode/tool.execute.after.json":          {Kind: harness.ToolOK, Tool: tool("bash", "call_t9", "make test", passText, false)},
		"opencode/tool.execute.after.exit-code.json": {
			Kind: harness.ToolFailed, Tool: tool("bash", "call_t1", "go test ./internal/export/...", failText, true),
		},
		"opencode/event.session.error.json":             {Kind: harness.AgentError, Reason: "APIError", Error: "APIError: bad request"},
		"opencode/event.session.idle.json":              {Kind: harness.Stop},
		"opencode/event.session.idle.child.json":        {Kind: harness.Stop}, // the bus does not tell; our plugin does
		"opencode/event.session.status.idle.json":       {Kind: harness.Stop},
		"opencode/event.session.compacted.json":         {Kind: harness.Compact},
		"opencode/experimental.session.compacting.json": {Kind: harness.Compact},
		"opencode/event.session.deleted.json":           {Kind: harness.End, Reason: "deleted"},

		"pi/session_start.json":        {Kind: harness.Start, Source: "startup"},
		"pi/session_start.resume.json": {Kind: harness.Start, Source: "resume"},
		"pi/before_agent_start.json":   {Kind: harness.Prompt, Prompt: correction},
		"pi/tool_result.json":          {Kind: harness.ToolOK, Tool: tool("bash", "call_t9", "make test", passText, false)},
		"pi/tool_result.error.json": {
			Kind: harness.ToolFailed,
			Tool: tool("bash", "call_t1", "go test ./internal/export/...", failText+"\n\n\nCommand exited with code 1", true),
		},
		"pi/turn_end.error.json":   {Kind: harness.AgentError, Reason: "error", Error: "429: " + limit},
		"pi/agent_end.json":        {Kind: harness.Stop, Reply: fixed},
		"pi/agent_end.error.json":  {Kind: harness.Stop},
		"pi/agent_settled.json":    {Kind: harness.Idle},
		"pi/session_compact.json":  {Kind: harness.Compact, Reason: "threshold"},
		"pi/session_shutdown.json": {Kind: harness.End, Reason: "quit"},

		"openclaw/plugin.session_start.json":       {Kind: harness.Start, Source: "startup"},
		"openclaw/plugin.before_prompt_build.json": {Kind: harness.Prompt, Prompt: correction},
		"openclaw/plugin.after_tool_call.json": {
			Kind: harness.ToolFailed,
			Tool: harness.Tool{Name: "exec", ID: "call_t4", Input: "make test", Error: "Command exited with code 2", Failed: true},
		},
		"openclaw/plugin.agent_end.json":       {Kind: harness.Stop, Reply: fixed},
		"openclaw/plugin.agent_end.error.json": {Kind: harness.AgentError, Reason: "error", Error: "429 " + limit},
		"openclaw/plugin.session_end.json":     {Kind: harness.End, Reason: "idle"},

		"dsh/native.agent.session-start.json":           {Kind: harness.Start, Source: "startup"},
		"dsh/native.agent.session-start.delegated.json": {Kind: harness.SubagentStart, Delegated: true},
		"dsh/native.agent.pre-step.json":                {Kind: harness.Prompt, Prompt: correction},
		"dsh/native.tools.result.json":                  {Kind: harness.ToolFailed, Tool: tool("bash", "call_t1", "go test ./internal/export/...", said, true)},
		"dsh/native.tools.result.error.json": {
			Kind: harness.ToolFailed,
			Tool: tool("read", "call_t6", "internal/export/month.go", "Error: file not found: internal/export/month.go", true),
		},
		"dsh/native.agent.error.json":          {Kind: harness.AgentError, Reason: "RATE_LIMITED", Error: "RATE_LIMITED: " + limit},
		"dsh/native.agent.turn-stopping.json":  {Kind: harness.Stop},
		"dsh/native.session.flush.json":        {Kind: harness.Stop},
		"dsh/native.agent.status.idle.json":    {Kind: harness.Idle},
		"dsh/native.feedback.record.json":      {Kind: harness.Feedback, Prompt: "这次端口又弄错了"},
		"dsh/native.messageFeedback.list.json": {Kind: harness.Feedback, Prompt: "又用了 go test", Tool: harness.Tool{ID: "3bfc2695-94ef-4492-a8e9-a74bab00f042"}},
		"dsh/native.subagent.end.json":         {Kind: harness.SubagentStop, Delegated: true, Reason: "error"},
		"dsh/native.agent.disposed.json":       {Kind: harness.End},
	}
}

func TestDecodeInsideCommonMembers(t *testing.T) {
	cases := []struct {
		h                                         harness.Harness
		file, name, session, agent, dir, log, par string
	}{
		{harness.OpenCode, "chat.message.json", "chat.message", "ses_dd0f88dacffeU8iwZHnzo4xbW5", "", "/home/dev/acme-orders", "", ""},
		{harness.OpenCode, "event.session.idle.json", "session.idle", "ses_dd0f88dacffeU8iwZHnzo4xbW5", "", "/home/dev/acme-orders", "", ""},
		{
			harness.OpenCode, "event.session.created.child.json", "session.created", "ses_dd0f88dacffeU8iwZHnzo4xbW5",
			"ses_child0000000000000000001", "/home/dev/acme-orders", "", "ses_dd0f88dacffeU8iwZHnzo4xbW5",
		},
		{
			harness.Pi, "session_start.json", "session_start", "01a22f09-39ba-7000-a41c-d0506d213cac", "", "/home/dev/acme-orders",
			"/home/dev/.pi/agent/sessions/--home-dev-acme-orders--/2026-12-01T10-30-00-000Z_01a22f09-39ba-7000-a41c-d0506d213cac.jsonl", "",
		},
		{harness.OpenClaw, "plugin.session_end.json", "session_end", "a1b3a459-f00f-4dab-a155-bd72ca0202db", "", "/home/dev/acme-orders", "", ""},
		{harness.OpenClaw, "internal.command.new.json", "command:new", "a1b3a459-f00f-4dab-a155-bd72ca0202db", "", "/home/dev/acme-orders", "", ""},
		{
			harness.DSH, "native.agent.session-start.delegated.json", "agent/session-start", "session-55512bf7-2ce6-4bd6-af9c-8ba1821c00c6",
			"session-2a5060a6-2b2a-465c-a4f2-7fc37d096d76", "/home/dev/acme-orders",
			"/home/dev/.dsh/sessions/--home-dev-acme-orders--/session-55512bf7-2ce6-4bd6-af9c-8ba1821c00c6/session.jsonl.zstd",
			"session-55512bf7-2ce6-4bd6-af9c-8ba1821c00c6",
		},
	}
	for _, c := range cases {
		ev := harness.Decode(c.h, harness.ParsePayload(read(t, "testdata/hook-samples/"+string(c.h)+"/"+c.file)))
		want := []string{c.name, c.session, c.agent, c.dir, c.log, c.par}
		if diff := cmp.Diff(want, []string{ev.Name, ev.Session, ev.Agent, ev.Dir, ev.Transcript, ev.Parent}); diff != "" {
			t.Errorf("%s %s (-want +got):\n%s", c.h, c.file, diff)
		}
	}
}

// TestDecodeInsideVariants has what the samples do not show.
func TestDecodeInsideVariants(t *testing.T) {
	cases := []struct {
		id      string
		h       harness.Harness
		payload string
		want    own
	}{
		{
			"opencode-child-told-by-the-plugin", harness.OpenCode,
			`{"hook":"event","parentID":"p","event":{"type":"session.idle","properties":{"sessionID":"c"}}}`,
			own{Kind: harness.Ignore, Delegated: true},
		},
		{
			"opencode-reply", harness.OpenCode, `{"hook":"event","reply":"done","event":{"type":"session.idle","properties":{"sessionID":"s"}}}`,
			own{Kind: harness.Stop, Reply: "done"},
		},
		{
			"opencode-retry", harness.OpenCode,
			`{"hook":"event","event":{"type":"session.status","properties":{"sessionID":"s","status":{"type":"retry","attempt":1,"message":"limit"}}}}`,
			own{Kind: harness.AgentError, Reason: "retry", Error: "limit"},
		},
		{
			"opencode-aborted", harness.OpenCode,
			`{"hook":"event","event":{"type":"session.error","properties":{"sessionID":"s","error":{"name":"MessageAbortedError"}}}}`,
			own{Kind: harness.Ignore},
		},
		{
			"opencode-broken-tool", harness.OpenCode,
			`{"hook":"event","event":{"type":"message.part.updated","properties":{"sessionID":"s","part":{"type":"tool","tool":"read","callID":"c","state":{"status":"error","input":{"filePath":"/a"},"error":"File not found"}}}}}`,
			own{Kind: harness.ToolFailed, Tool: harness.Tool{ID: "c", Name: "read", Input: "/a", Error: "File not found", Failed: true}},
		},
		{"opencode-our-own-words", harness.OpenCode, `{"hook":"chat.message","output":{"parts":[{"type":"text","text":"x","synthetic":true}]}}`, own{Kind: harness.Ignore}},
		{
			"opencode-run-quotes", harness.OpenCode, `{"hook":"chat.message","output":{"parts":[{"type":"text","text":"\"use trunk\""}]}}`,
			own{Kind: harness.Prompt, Prompt: "use trunk"},
		},
		{
			"opencode-own-quotes", harness.OpenCode, `{"hook":"chat.message","output":{"parts":[{"type":"text","text":"\"a\" or \"b\""}]}}`,
			own{Kind: harness.Prompt, Prompt: `"a" or "b"`},
		},
		{"opencode-dispose", harness.OpenCode, `{"hook":"dispose","sessionID":"s"}`, own{Kind: harness.End, Reason: "dispose"}},
		{"pi-new", harness.Pi, `{"sessionFile":"f","event":{"type":"session_start","reason":"new"}}`, own{Kind: harness.Start, Source: "startup"}},
		{"pi-reload", harness.Pi, `{"sessionFile":"f","event":{"type":"session_start","reason":"reload"}}`, own{Kind: harness.Start, Source: "resume"}},
		{"pi-reload-end", harness.Pi, `{"sessionFile":"f","event":{"type":"session_shutdown","reason":"reload"}}`, own{Kind: harness.Stop, Reason: "reload"}},
		{
			"pi-delegated", harness.Pi, `{"sessionId":"c","parentSession":"p","event":{"type":"before_agent_start","prompt":"SUBTASK"}}`,
			own{Kind: harness.Ignore, Delegated: true},
		},
		{
			"openclaw-request", harness.OpenClaw, `{"hook":"before_prompt_build","event":{"prompt":"said before\ngo","currentUserMessage":"go"}}`,
			own{Kind: harness.Prompt, Prompt: "go"},
		},
		{
			"openclaw-no-request", harness.OpenClaw, `{"hook":"before_prompt_build","event":{"prompt":"said before","currentUserMessage":""}}`,
			own{Kind: harness.Ignore},
		},
		{
			"openclaw-delegated", harness.OpenClaw,
			`{"hook":"before_prompt_build","event":{"prompt":"SUBTASK"},"ctx":{"sessionKey":"agent:main:subagent:1","sessionId":"c"}}`,
			own{Kind: harness.Ignore, Delegated: true},
		},
		{
			"openclaw-output-and-error", harness.OpenClaw,
			`{"hook":"after_tool_call","event":{"toolName":"exec","result":{"content":[{"type":"text","text":"boom"}]},"error":"code 2"}}`,
			own{Kind: harness.ToolFailed, Tool: harness.Tool{Name: "exec", Output: "boom", Error: "boom\ncode 2", Failed: true}},
		},
		{
			"dsh-delegated-step", harness.DSH,
			`{"hook_event_name":"agent/pre-step","session_id":"c","parent_session_id":"p","messages":[{"source":{"kind":"user"},"content":"SUBTASK"}]}`,
			own{Kind: harness.Ignore, Delegated: true},
		},
		{
			"dsh-step-of-a-plugin", harness.DSH,
			`{"hook_event_name":"agent/pre-step","session_id":"s","messages":[{"source":{"kind":"plugin"},"content":"x"}]}`,
			own{Kind: harness.Ignore},
		},
		{"dsh-subagent-well", harness.DSH, `{"hook_event_name":"subagent/end","id":"c","reason":"completed"}`, own{Kind: harness.SubagentStop, Delegated: true}},
		{
			"dsh-rating-without-words", harness.DSH, `{"hook_event_name":"messageFeedback.list","value":{"items":[{"rating":"negative","version":"v"}]}}`,
			own{Kind: harness.Feedback, Prompt: "negative", Tool: harness.Tool{ID: "v"}},
		},
	}
	for _, c := range cases {
		t.Run(c.id, func(t *testing.T) {
			ev := harness.Decode(c.h, harness.ParsePayload([]byte(c.payload)))
			got := own{ev.Kind, ev.Source, ev.Reason, ev.Prompt, ev.Reply, ev.Error, ev.Delegated, ev.StopActive, ev.Tool}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.payload, diff)
			}
		})
	}
}

// export is the document that `opencode export` prints, of rows.
func export(rows []byte, indent string) []byte {
	list := bytes.Join(bytes.Split(bytes.TrimSpace(rows), []byte("\n")), []byte(",\n"+indent))
	return []byte("{\n  \"info\": {\"id\": \"ses_1\"},\n  \"messages\": [\n" + indent + string(list) + "\n  ]\n}\n")
}

// TestTranscriptOfOpenCodeReadsADocument: one document says what its rows say,
// also when it is longer than any buffer.
func TestTranscriptOfOpenCodeReadsADocument(t *testing.T) {
	log := sample(t, harness.OpenCode)
	plain, _ := records(t, harness.OpenCode, log)
	for _, times := range []int{1, 40} {
		got, report := records(t, harness.OpenCode, export(bytes.Repeat(log, times), "    "))
		if diff := cmp.Diff(plain, got[:len(plain)]); diff != "" || len(got) != times*len(plain) || report.Skipped() != 0 {
			t.Errorf("%d times: %d records, report %+v (-plain +document):\n%s", times, len(got), report, diff)
		}
	}
	all, _ := records(t, harness.OpenCode, read(t, "testdata/hook-samples/opencode/export.json"))
	want := []transcript.Kind{transcript.Prompt, transcript.Reply, transcript.Call, transcript.Result}
	var kinds []transcript.Kind
	for _, rec := range all {
		kinds = append(kinds, rec.Kind)
	}
	if diff := cmp.Diff(want, kinds); diff != "" || !all[3].Failed || all[3].Text != failText {
		t.Errorf("the sample export: %+v (-want +got):\n%s", all, diff)
	}
}

func TestTranscriptOfOpenCodeForgivesDocuments(t *testing.T) {
	message := func(text string) string {
		return `{"info":{"role":"user"},"parts":[{"type":"text","text":"` + text + `"}]}`
	}
	long := message(strings.Repeat("x", harness.MaxRow))
	cases := []struct {
		id, log string
		want    []string
		report  harness.Report
	}{
		{"cut", `{"info":{},"messages":[` + message("a") + `,` + message("b")[:30], []string{"a"}, harness.Report{Rows: 2, Records: 1, Torn: 1}},
		{"odd-items", `{"messages":[1, "]", [{"info":{}}], null, ` + message("a") + `,{"info":{"role":"user"},"parts":7}]}`, []string{"a"}, harness.Report{Rows: 4, Records: 1, NotObject: 2, Odd: 1}},
		{"too-long", `{"messages":[` + long + `,` + message("b") + `]}`, []string{"b"}, harness.Report{Rows: 2, Records: 1, TooLong: 1}},
		{"empty", `{"info":{},"messages":[]}`, nil, harness.Report{}},
		{"child", `{"info":{"parentID":"p"},"messages":[` + message("SUBTASK") + `]}`, nil, harness.Report{Rows: 1}},
		{"mark", "\xEF\xBB\xBF {\"messages\":[" + message("a") + "]}", []string{"a"}, harness.Report{Rows: 1, Records: 1}},
	}
	for _, c := range cases {
		t.Run(c.id, func(t *testing.T) {
			all, report := records(t, harness.OpenCode, []byte(c.log))
			if diff := cmp.Diff(c.want, texts(all, transcript.Prompt)); diff != "" {
				t.Errorf("prompts (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(c.report, report); diff != "" {
				t.Errorf("report (-want +got):\n%s", diff)
			}
		})
	}
}

// TestTranscriptOfPiFollowsTheLastLeaf: what a person took back does not count.
func TestTranscriptOfPiFollowsTheLastLeaf(t *testing.T) {
	row := func(id, parent, said string) string {
		return fmt.Sprintf(`{"type":"message","id":%q,"parentId":%q,"message":{"role":"user","content":%q}}`, id, parent, said) + "\n"
	}
	tree := row("a", "", "first") + row("b", "a", "wrong way") + row("c", "b", "further") + row("d", "a", "right way") + row("e", "d", "end")
	for log, want := range map[string][]string{
		tree:                               {"first", "right way", "end"},
		tree + row("f", "c", "back again"): {"first", "wrong way", "further", "back again"},
		tree + row("g", "gone", "orphan"):  {"first", "right way", "end", "orphan"},
		tree + `{"type":"user","text":"plain"}` + "\n": {"first", "right way", "end", "plain"},
	} {
		all, report := records(t, harness.Pi, []byte(log))
		if diff := cmp.Diff(want, texts(all, transcript.Prompt)); diff != "" || report.Records != len(want) {
			t.Errorf("report %+v (-want +got):\n%s", report, diff)
		}
	}
}

// TestTranscriptOfPiHoldsBackALimitedPart: of a session that is longer than what
// is held back, every row of a straight way still comes, once and in order.
func TestTranscriptOfPiHoldsBackALimitedPart(t *testing.T) {
	var log strings.Builder
	const rows = 2500
	filler := strings.Repeat("words ", 2000)
	for i := range rows {
		fmt.Fprintf(&log, `{"type":"message","id":"n%d","parentId":"n%d","message":{"role":"user","content":"%d %s"}}`+"\n", i, i-1, i, filler)
	}
	all, report := records(t, harness.Pi, []byte(log.String()))
	if len(all) != rows || report.Records != rows {
		t.Fatalf("%d records, report %+v; want %d", len(all), report, rows)
	}
	for i, rec := range all {
		if !strings.HasPrefix(rec.Text, fmt.Sprintf("%d ", i)) {
			t.Fatalf("record %d is %.20q", i, rec.Text)
		}
	}
}
