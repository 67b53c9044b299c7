package selfipcmd_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/cli/selfipcmd"
	"github.com/dshkit/dshkit/internal/harness"
	"github.com/dshkit/dshkit/internal/testkit"
	"github.com/dshkit/dshkit/pkg/transcript"
)

// teller tells the sample story in the words of one harness.
type teller struct {
	harness string
	log     string // where it keeps its session log, below the home
	replies bool   // its hooks tell what the agent said
	payload func(kind string, r transcript.Record) (event string, fields map[string]any)
}

// snake is a teller whose payloads look like Claude Code's.
func snake(name, log, prompt, result, failed, stop, fault string, more map[string]any) teller {
	return teller{name, log, true, func(kind string, r transcript.Record) (string, map[string]any) {
		fields := map[string]any{"session_id": "story"}
		for key, value := range more {
			fields[key] = value
		}
		event := map[string]string{
			"start": "SessionStart", "prompt": prompt, "result": result, "failed": failed, "stop": stop, "fault": fault, "end": "SessionEnd",
		}[kind]
		switch kind {
		case "prompt":
			fields["prompt"], fields["submitted_prompt"] = r.Text, r.Text
		case "result", "failed":
			fields["tool_name"], fields["tool_use_id"] = r.Tool, r.ID
			fields["tool_input"] = map[string]any{"command": r.Input}
			fields["tool_response"], fields["error"] = map[string]any{"stdout": r.Text}, r.Text
		case "stop":
			fields["last_assistant_message"], fields["prompt_response"] = r.Text, r.Text
		case "fault":
			fields["error"], fields["error_details"] = "rate_limit", r.Text
		}
		fields["hook_event_name"] = event
		return event, fields
	}}
}

// tellers are the harnesses that tell their story by hooks.
func tellers() []teller {
	gemini := snake("gemini-cli", ".gemini/tmp/acme/chats/session-2026-12-01T10-30-story.jsonl", "BeforeAgent", "AfterTool", "AfterTool", "AfterAgent", "", map[string]any{"timestamp": "2026-12-01T10:30:00.000Z"})
	qwen := snake("qwen-code", ".qwen/projects/acme/chats/story.jsonl", "UserPromptSubmit", "PostToolUse", "PostToolUseFailure", "Stop", "StopFailure", map[string]any{"timestamp": "2026-12-01T10:30:00.000Z"})
	return []teller{
		snake("claude-code", ".claude/projects/acme/story.jsonl", "UserPromptSubmit", "PostToolUse", "PostToolUseFailure", "Stop", "StopFailure", nil),
		{gemini.harness, gemini.log, true, geminiPayload(gemini)},
		{qwen.harness, qwen.log, true, qwenPayload(qwen)},
		{"copilot-cli", ".copilot/session-state/story/events.jsonl", false, copilotPayload},
		{"cursor", ".cursor/projects/acme/agent-transcripts/story/story.jsonl", false, cursorPayload},
	}
}

// geminiPayload tells a failed command as Gemini CLI does, as a success.
func geminiPayload(plain teller) func(string, transcript.Record) (string, map[string]any) {
	return func(kind string, r transcript.Record) (string, map[string]any) {
		event, fields := plain.payload(kind, r)
		text := "Output: " + r.Text + "\nProcess Group PGID: 7"
		if kind == "failed" {
			text = "Output: " + r.Text + "\nExit Code: 1\nProcess Group PGID: 7"
		}
		delete(fields, "tool_use_id")
		if r.Tool != "Bash" {
			fields["tool_response"] = map[string]any{"llmContent": r.Text}
			if kind == "failed" {
				fields["tool_response"] = map[string]any{"llmContent": r.Text, "error": map[string]any{"message": r.Text}}
			}
			return event, fields
		}
		if kind == "result" || kind == "failed" {
			fields["tool_name"] = "run_shell_command"
			fields["tool_response"] = map[string]any{"llmContent": "<untrusted_context>\n" + text + "\n</untrusted_context>"}
		}
		return event, fields
	}
}

// qwenPayload also sends the event of a prompt again, as Qwen Code does after
// each answer of a tool.
func qwenPayload(plain teller) func(string, transcript.Record) (string, map[string]any) {
	return func(kind string, r transcript.Record) (string, map[string]any) {
		event, fields := plain.payload(kind, r)
		fields["prompt_id"] = "p"
		if kind == "result" {
			fields["tool_response"] = map[string]any{"llmContent": r.Text}
		}
		return event, fields
	}
}

func copilotPayload(kind string, r transcript.Record) (string, map[string]any) {
	fields := map[string]any{"sessionId": "story", "timestamp": 1796121000000}
	call := func(answer map[string]any) map[string]any {
		answer["toolName"], answer["toolArgs"] = r.Tool, map[string]any{"command": r.Input}
		return answer
	}
	switch kind {
	case "start":
		fields["source"] = "new"
		return "sessionStart", fields
	case "prompt":
		fields["prompt"] = r.Text
		return "userPromptSubmitted", fields
	case "result":
		fields["toolResult"] = map[string]any{"resultType": "success", "textResultForLlm": r.Text + "\n<shellId: 0 completed with exit code 0>"}
		return "postToolUse", call(fields)
	case "failed":
		fields["toolResult"] = map[string]any{"resultType": "success", "textResultForLlm": r.Text + "\n<shellId: 0 completed with exit code 1>"}
		return "postToolUse", call(fields)
	case "stop":
		fields["stopReason"] = "end_turn"
		return "agentStop", fields
	case "fault":
		fields["error"], fields["errorContext"] = map[string]any{"message": r.Text}, "model_call"
		return "errorOccurred", fields
	}
	fields["reason"] = "complete"
	return "sessionEnd", fields
}

func cursorPayload(kind string, r transcript.Record) (string, map[string]any) {
	fields := map[string]any{"conversation_id": "story", "session_id": "story", "cursor_version": "3.14.7"}
	event := ""
	switch kind {
	case "start":
		event = "sessionStart"
	case "prompt":
		event, fields["prompt"] = "beforeSubmitPrompt", r.Text
	case "result":
		event = "postToolUse"
		out, _ := json.Marshal(map[string]any{"exitCode": 0, "stdout": r.Text})
		fields["tool_output"] = string(out)
	case "failed":
		event, fields["error_message"], fields["failure_type"] = "postToolUseFailure", r.Text, "error"
	case "stop":
		event, fields["status"] = "stop", "completed"
	case "fault":
		event, fields["status"], fields["error_message"] = "stop", "error", r.Text
	case "end":
		event, fields["reason"] = "sessionEnd", "completed"
	}
	fields["tool_name"], fields["tool_use_id"], fields["tool_input"] = r.Tool, r.ID, map[string]any{"command": r.Input}
	fields["hook_event_name"] = event
	return event, fields
}

// storyRecords are the records of the sample story, with the inputs of calls on
// their results, as hooks know them.
func storyRecords(t *testing.T) []transcript.Record {
	t.Helper()
	log := sampleLog(t, "claude-code")
	var report harness.Report
	var all []transcript.Record
	inputs := map[string]string{}
	for r, err := range harness.Transcript(harness.ClaudeCode, bytes.NewReader(log), &report) {
		if err != nil {
			t.Fatal(err)
		}
		if r.Kind == transcript.Call {
			inputs[r.ID] = r.Input
		}
		r.Input = inputs[r.ID]
		all = append(all, r)
	}
	return all
}

func sampleLog(t testing.TB, h string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(testkit.Root(t), "internal", "harness", "testdata", "hook-samples", h, "transcript.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// sampleHere is the log of a sample as if the session had been in the workspace:
// what happened elsewhere is not learned from.
func (b *box) sampleHere(h string) string {
	return strings.ReplaceAll(string(sampleLog(b.t, h)), `"/home/dev/acme-orders"`, jsonLine(b.t, b.ws))
}

// send gives one event of the story to the hook and returns the reply.
func (b *box) send(told teller, kind string, r transcript.Record) string {
	b.t.Helper()
	event, fields := told.payload(kind, r)
	if event == "" {
		return ""
	}
	fields["cwd"] = b.ws
	fields["workspace_roots"] = []string{b.ws}
	log := filepath.Join(b.home, filepath.FromSlash(told.log))
	if told.harness == "copilot-cli" {
		fields["transcriptPath"] = log
	} else {
		fields["transcript_path"] = log
	}
	b.clock = b.clock.Add(3 * time.Second)
	got := b.feed(jsonLine(b.t, fields), "hook", told.harness, event)
	if got.code != 0 || got.err != "" || strings.Count(got.out, "\n") != 1 {
		b.t.Fatalf("%s %s: exit %d, stdout %q, stderr %q", told.harness, event, got.code, got.out, got.err)
	}
	return got.out
}

// tell sends the whole story but for its end.
func (b *box) tell(told teller, records []transcript.Record) {
	b.t.Helper()
	b.send(told, "start", transcript.Record{})
	for _, r := range records {
		switch {
		case r.Kind == transcript.Prompt:
			b.send(told, "prompt", r)
		case r.Kind == transcript.Result && r.Failed:
			b.send(told, "failed", r)
		case r.Kind == transcript.Result:
			b.send(told, "result", r)
		case r.Kind == transcript.Reply:
			b.send(told, "stop", r)
		case r.Kind == transcript.Fault:
			for range 6 { // once for each retry
				b.send(told, "fault", r)
			}
		}
	}
}

// storySecrets are the credentials of the story.
var storySecrets = []string{"ghp_FAKEfakeFAKEfakeFAKE0000", "sk-fake0123456789abcdef0123", "Fake#Passw0rd!!"}

// storyEntries is what the story comes to. The lesson about the month ends with
// the agent's words where the harness tells them.
func storyEntries(reply bool) []string {
	why := ""
	if reply {
		why = `; the agent: "月份换算改用 time.AddDate"`
	}
	return []string{
		"`go test ./internal/export/...` failed: dial tcp 127.0.0.1:5432: connect: connection refused -> the user: \"测试库端口是 5433,不是 5432\"; edited /home/dev/acme-orders/.env.test -> `make test` passed",
		"`make test` failed: 月份越界: got \"2026-13-01\", want \"2027-01-01\" -> edited /home/dev/acme-orders/internal/dates/month.go" + why + " -> `make test` passed",
		"`/home/dev/acme-orders/internal/export/month.go` does not exist -> the file is `/home/dev/acme-orders/internal/dates/month.go`",
		"never commit .env.test",
		"跑测试都用 make test,不要直接 go test",
		"Write the PR text in English",
		"测试库端口是 5433,不是 5432",
		"Runbook | https://wiki.acme.example/runbooks/export | given by the user",
		"文档 | https://docs.acme.example/orders/export?v=2 | 订单导出接口返回 500",
		"docs.acme.example | https://docs.acme.example/errors/E4001 | named in the error: curl: (22) The requested URL returned error: 400",
		"to run the tests -> `make test` -> the user asked for it and it passed",
	}
}

// fromPerson is the part of storyEntries that only the person's words make.
func fromPerson(entries []string) []string { return entries[3:9] }

// TestDialectsTellTheStory: told by the hooks of any harness the story comes to
// the same figures and the same entries, and no secret of it is stored.
func TestDialectsTellTheStory(t *testing.T) {
	records := storyRecords(t)
	for _, told := range tellers() {
		t.Run(told.harness, func(t *testing.T) {
			b := newBox(t)
			b.tell(told, records)
			var shown struct{ Sessions []selfipcmd.SessionJSON }
			if b.json(&shown, "session", "list"); len(shown.Sessions) != 1 {
				t.Fatalf("sessions %+v, want one", shown.Sessions)
			}
			got := shown.Sessions[0]
			got.Injected, got.Blocks = 0, 0
			want := selfipcmd.SessionJSON{Session: "story", Prompts: 4, ToolCalls: 9, ToolErrors: 4, Errors: 5}
			if told.harness == "gemini-cli" {
				want.Errors = 4 // no event tells that its service failed; the log does
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("figures (-want +got):\n%s", diff)
			}
			b.send(told, "end", transcript.Record{})
			b.unreadable(storySecrets, b.ws)
			b.ok("queue", "run")
			if diff := cmp.Diff(storyEntries(told.replies), b.entries()); diff != "" {
				t.Errorf("entries (-want +got):\n%s", diff)
			}
			b.unreadable(storySecrets, b.ws)
		})
	}
}

// TestDialectsLearnFromTheirLogs: a session of which hooks told only the end is
// learned from by the log that its harness kept.
func TestDialectsLearnFromTheirLogs(t *testing.T) {
	for _, told := range tellers() {
		t.Run(told.harness, func(t *testing.T) {
			b := newBox(t)
			log := strings.ReplaceAll(string(sampleLog(t, told.harness)), `"cwd":"/home/dev/acme-orders"`, `"cwd":`+jsonLine(t, b.ws))
			lay(t, filepath.Join(b.home, filepath.FromSlash(told.log)), log)
			b.send(told, "stop", transcript.Record{})
			b.send(told, "end", transcript.Record{})
			b.ok("queue", "run")
			want := storyEntries(true)
			if told.harness == "cursor" { // its log holds no answer of a tool
				want = fromPerson(want)
			}
			if diff := cmp.Diff(want, b.entries()); diff != "" {
				t.Errorf("entries (-want +got):\n%s", diff)
			}
			b.unreadable(storySecrets, b.ws)
		})
	}
}

// TestHooksOfOneAgentInAnother: Cursor runs the hooks of Claude Code's settings
// too, so each event comes twice when both have ours. One of them is answered.
func TestHooksOfOneAgentInAnother(t *testing.T) {
	b := newBox(t)
	b.ok("remember", "tests: make test")
	cursor := tellers()[4]
	event, fields := cursor.payload("start", transcript.Record{})
	fields["workspace_roots"] = []string{b.ws}
	foreign := func() string { return b.feed(jsonLine(t, fields), "hook", "claude-code", "SessionStart").out }
	if got := foreign(); !strings.Contains(got, `{"additional_context":"`) || !strings.Contains(got, "make test") {
		t.Errorf("without hooks of its own Cursor gets %q, want its own form", got)
	}
	lay(t, filepath.Join(b.home, ".cursor", "hooks.json"), "{}")
	lay(t, filepath.Join(b.home, ".config", "dshkit", "installs.json"), `{"version":1,"installs":[{"harness":"cursor","scope":"user","file":"`+
		filepath.Join(b.home, ".cursor", "hooks.json")+`","entries":[{"event":"sessionStart","command":"selfip hook cursor sessionStart"}]}]}`)
	b.clock = b.clock.Add(time.Hour)
	if got := foreign(); got != "{}\n" {
		t.Errorf("with hooks of its own the imported one says %q, want nothing", got)
	}
	if got := b.feed(jsonLine(t, fields), "hook", "cursor", event).out; !strings.Contains(got, "make test") {
		t.Errorf("its own hook says %q", got)
	}
}

// TestHooksOfAnotherProject: that VS Code has hooks of its own in one project says
// nothing of another, where it runs those of Claude Code's settings.
func TestHooksOfAnotherProject(t *testing.T) {
	b := newBox(t)
	b.ok("remember", "tests: make test")
	other := filepath.Join(b.root, "other")
	for project, want := range map[string]bool{other: true, b.ws: false} {
		file := lay(t, filepath.Join(project, ".github", "hooks", "selfip-vscode.json"), "{}")
		lay(t, filepath.Join(b.home, ".config", "dshkit", "installs.json"), `{"version":1,"installs":[{"harness":"vscode","scope":"project","file":"`+
			file+`","entries":[{"event":"SessionStart","command":"selfip hook vscode SessionStart"}]}]}`)
		b.clock = b.clock.Add(time.Hour)
		payload := map[string]any{"sessionId": "v", "hookEventName": "SessionStart", "source": "new", "timestamp": "2026-12-01T10:30:00.000Z", "cwd": b.ws}
		if got := b.feed(jsonLine(t, payload), "hook", "claude-code", "SessionStart").out; strings.Contains(got, "make test") != want {
			t.Errorf("with hooks in %s the imported one says %q, want the block: %v", filepath.Base(project), got, want)
		}
	}
}

// TestHookAnswersABadCommandLine: what a harness waits for comes even when the
// command line is wrong, and the exit code is 0.
func TestHookAnswersABadCommandLine(t *testing.T) {
	cases := []struct {
		args []string
		out  string
	}{
		{[]string{"hook"}, "{}\n"},
		{[]string{"hook", "emacs"}, "{}\n"},
		{[]string{"hook", "--nonsense", "cursor", "stop"}, "{}\n"},
		{[]string{"hook", "cursor", "--lang", "xx"}, "{}\n"},
		{[]string{"hook", "--nonsense", "goose"}, ""},
		{[]string{"hook", "cline", "--nonsense"}, "{\"cancel\":false}\n"},
	}
	for _, c := range cases {
		b := newBox(t)
		r := b.feed("{}", c.args...)
		if r.code != 0 || r.out != c.out || strings.Count(r.err, "\n") != 1 {
			t.Errorf("selfip %q: exit %d, stdout %q, stderr %q; want 0, %q and one line", c.args, r.code, r.out, r.err, c.out)
		}
	}
}

// TestHeartbeatsAreBounded: a payload cannot make files by making up names.
func TestHeartbeatsAreBounded(t *testing.T) {
	b := newBox(t)
	for i := range 50 {
		for _, h := range []string{"claude-code", "gemini-cli", "copilot-cli"} {
			b.feed(jsonLine(t, map[string]any{
				"session_id": "s", "sessionId": "s", "cwd": b.ws, "hook_event_name": strings.Repeat("X", i+1), "timestamp": "2026",
			}), "hook", h)
		}
	}
	b.hook("claude-code", b.event("s", "Stop"))
	names, err := os.ReadDir(b.path("run/heartbeat"))
	if err != nil || len(names) != 1 {
		t.Errorf("heartbeats %v, error %v; want that of the one event that is known", names, err)
	}
}

// TestLogsOfEveryHarness holds the table of docs/learning.md: what is learned from
// the log of each harness alone.
func TestLogsOfEveryHarness(t *testing.T) {
	logs, err := filepath.Glob(filepath.Join(testkit.Root(t), "internal", "harness", "testdata", "hook-samples", "*", "transcript.jsonl"))
	if err != nil || len(logs) < 15 {
		t.Fatalf("%d logs, error %v", len(logs), err)
	}
	told := tableOfHarnesses(t)
	for _, file := range logs {
		h := harness.Harness(filepath.Base(filepath.Dir(file)))
		t.Run(string(h), func(t *testing.T) {
			b := newBox(t)
			log := lay(t, filepath.Join(b.home, "log.jsonl"), b.sampleHere(string(h)))
			lay(t, b.path("logs/s-7.md"), "# Session s-7 @ 2026-09-01T10:00:00.000+00:00\ntoolCalls=0 toolErrors=0 agentErrors=0\n")
			lay(t, b.path("logs/pending.md"), jsonLine(t, map[string]any{
				"t": "2026-09-01T10:00:00.000+00:00", "file": "logs/s-7.md", "session": "s-7", "transcript": log, "harness": string(h),
			})+"\n")
			b.ok("queue", "run")
			want := storyEntries(true)
			switch h {
			case harness.Cursor: // its log holds no answer of a tool
				want = fromPerson(want)
			case harness.DSH: // it has a button for feedback, and logs it
				want = slices.Insert(want, 0, `the user did not like a reply -> the user: "这次端口又弄错了"`)
			case harness.OpenCode: // its sample goes on for two more turns
				want = slices.Insert(want, 7, "顺便 | https://acme.example/changelog | given by the user")
			}
			if diff := cmp.Diff(want, b.entries()); diff != "" {
				t.Errorf("entries (-want +got):\n%s", diff)
			}
			right := 0
			for _, line := range want {
				if !wrongLines[line] {
					right++
				}
			}
			if diff := cmp.Diff([2]int{len(want), right}, told[h]); diff != "" {
				t.Errorf("docs/learning.md tells of other numbers of entries and right ones (-want +got):\n%s", diff)
			}
			b.unreadable(storySecrets, b.ws)
		})
	}
	if len(told) != len(logs) {
		t.Errorf("docs/learning.md tells of %d harnesses, there are logs of %d", len(told), len(logs))
	}
}

// wrongLines are the entries of the story that a person who knows it would not
// have written down as they stand. docs/learning.md says why.
var wrongLines = map[string]bool{
	"Write the PR text in English": true,
	"文档 | https://docs.acme.example/orders/export?v=2 | 订单导出接口返回 500": true,
	"顺便 | https://acme.example/changelog | given by the user":         true,
}

// tableOfHarnesses reads the table of docs/learning.md: how many entries are
// learned from the log of each harness, and how many of them are right.
func tableOfHarnesses(t *testing.T) map[harness.Harness][2]int {
	t.Helper()
	page, err := os.ReadFile(filepath.Join(testkit.Root(t), "docs", "learning.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, table, found := strings.Cut(string(page), "| Log of | Entries | Right | Remarks |\n| --- | --- | --- | --- |\n")
	if !found {
		t.Fatal("docs/learning.md has no table of harnesses")
	}
	table, _, _ = strings.Cut(table, "\n\n")
	told := map[harness.Harness][2]int{}
	for row := range strings.Lines(table) {
		cells := strings.Split(row, " | ")
		entries, right := 0, 0
		if _, err := fmt.Sscan(cells[1]+" "+cells[2], &entries, &right); err != nil {
			t.Fatalf("row %q: %v", row, err)
		}
		for name := range strings.SplitSeq(strings.TrimPrefix(cells[0], "| "), ", ") {
			id := harness.Harness(strings.ReplaceAll(strings.ToLower(name), " ", "-"))
			if !id.Known() {
				t.Errorf("row %q: unknown harness %q", row, name)
			}
			told[id] = [2]int{entries, right}
		}
	}
	return told
}

// TestRepeatedFaults: a harness tells of each attempt at one request; what comes
// again soon, with nothing else in between, is the same failure.
func TestRepeatedFaults(t *testing.T) {
	b := newBox(t)
	copilot := tellers()[3]
	fault := func(text string) { b.send(copilot, "fault", transcript.Record{Text: text}) }
	b.send(copilot, "start", transcript.Record{})
	for range 6 {
		fault("429") // one
	}
	fault("500") // another
	b.clock = b.clock.Add(3 * time.Minute)
	fault("500") // much later
	b.send(copilot, "prompt", transcript.Record{Text: "try again"})
	fault("500") // of another request
	var shown struct{ Sessions []selfipcmd.SessionJSON }
	b.json(&shown, "session", "list")
	if len(shown.Sessions) != 1 || shown.Sessions[0].Errors != 4 {
		t.Errorf("sessions %+v, want one with 4 errors", shown.Sessions)
	}
}
