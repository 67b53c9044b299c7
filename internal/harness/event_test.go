package harness_test

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/dshkit/dshkit/internal/harness"
)

const (
	correction = "不对,测试库端口是 5433,不是 5432。以后跑测试都用 make test,不要直接 go test。"
	fixed      = "修好了:月份换算改用 time.AddDate,测试库端口改成 5433,`make test` 全部通过。"
	failText   = "--- FAIL: TestExportCSV (0.02s)\n    export_test.go:41: dial tcp 127.0.0.1:5432: connect: connection refused\nFAIL\tacme.example/orders/internal/export\t0.031s\nFAIL"
	passText   = "ok  \tacme.example/orders/internal/export\t0.044s\nok  \tacme.example/orders/internal/dates\t0.012s"
)

// own is the part of an event that its kind fills; the common part is checked
// apart.
type own struct {
	Kind           harness.Kind
	Source, Reason string
	Prompt, Reply  string
	Error          string
	Delegated      bool
	StopActive     bool
	Tool           harness.Tool
}

func TestDecodeSamples(t *testing.T) {
	test := func(name, command string) harness.Tool { return harness.Tool{Name: name, Input: command} }
	bash := test("Bash", "go test ./internal/export/...")
	withError := func(tool harness.Tool, id, message string) harness.Tool {
		tool.ID, tool.Error, tool.Failed = id, message, true
		return tool
	}
	withOutput := func(tool harness.Tool, id, output string) harness.Tool {
		tool.ID, tool.Output = id, output
		return tool
	}
	dshFailed := withError(test("bash", "go test ./internal/export/..."), "call_t1", "[stderr]\n"+failText+"\n[exit code: 1]")
	dshFailed.Output = dshFailed.Error
	want := map[string]own{
		"claude-code/SessionStart.startup.json": {Kind: harness.Start, Source: "startup"},
		"claude-code/SessionStart.resume.json":  {Kind: harness.Start, Source: "resume"},
		"claude-code/SessionStart.clear.json":   {Kind: harness.Start, Source: "clear"},
		"claude-code/SessionStart.compact.json": {Kind: harness.Start, Source: "compact"},
		"claude-code/SessionStart.fork.json":    {Kind: harness.Start, Source: "fork"},
		"claude-code/SessionStart.windows.json": {Kind: harness.Start, Source: "startup"},
		"claude-code/UserPromptSubmit.json":     {Kind: harness.Prompt, Prompt: correction},
		"claude-code/UserPromptSubmit.secret.json": {
			Kind: harness.Prompt, Prompt: "CI 要用这个 token: ghp_FAKEfakeFAKEfakeFAKE0000 ,密码：Fake#Passw0rd!!",
		},
		"claude-code/PostToolUse.json":        {Kind: harness.ToolOK, Tool: withOutput(test("Bash", "make test"), "toolu_01T9", passText)},
		"claude-code/PostToolUse.edit.json":   {Kind: harness.ToolOK, Tool: withOutput(test("Edit", "/home/dev/acme-orders/.env.test"), "toolu_01T3", "")},
		"claude-code/PostToolUseFailure.json": {Kind: harness.ToolFailed, Tool: withError(bash, "toolu_01T1", "Exit code 1\n"+failText)},
		"claude-code/PostToolUseFailure.subagent.json": {
			Kind: harness.ToolFailed, Delegated: true,
			Tool: withError(test("Read", "/home/dev/acme-orders/internal/export/month.go"), "toolu_01T6", "File does not exist."),
		},
		"claude-code/Stop.json":                  {Kind: harness.Stop, Reply: fixed},
		"claude-code/Stop.active.json":           {Kind: harness.Stop, Reply: fixed, StopActive: true},
		"claude-code/StopFailure.json":           {Kind: harness.AgentError, Reason: "rate_limit", Error: "rate_limit: 429 请求过于频繁"},
		"claude-code/SubagentStart.json":         {Kind: harness.SubagentStart, Delegated: true},
		"claude-code/SubagentStop.json":          {Kind: harness.SubagentStop, Delegated: true, Reply: "找到了:month.go 在 internal/dates 下。"},
		"claude-code/SubagentStop.internal.json": {Kind: harness.Ignore, Delegated: true, Reply: "Summary: fixed month overflow."},
		"claude-code/PreCompact.json":            {Kind: harness.Compact, Reason: "auto"},
		"claude-code/Notification.json":          {Kind: harness.Idle},
		"claude-code/SessionEnd.json":            {Kind: harness.End, Reason: "prompt_input_exit"},

		"codex/SessionStart.startup.json":   {Kind: harness.Start, Source: "startup"},
		"codex/SessionStart.ephemeral.json": {Kind: harness.Start, Source: "startup"},
		"codex/SessionStart.resume.json":    {Kind: harness.Start, Source: "resume"},
		"codex/SessionStart.compact.json":   {Kind: harness.Start, Source: "compact"},
		"codex/UserPromptSubmit.json":       {Kind: harness.Prompt, Prompt: correction},
		"codex/PostToolUse.ok.json":         {Kind: harness.ToolOK, Tool: withOutput(test("Bash", "make test"), "call_t9", passText)},
		"codex/PostToolUse.failed.json":     {Kind: harness.ToolOK, Tool: withOutput(bash, "call_t1", failText)},
		"codex/PostToolUse.apply_patch.json": {
			Kind: harness.ToolOK,
			Tool: withOutput(test("apply_patch", ".env.test"), "call_t3", "Success. Updated the following files:\nM .env.test\n"),
		},
		"codex/Stop.json":          {Kind: harness.Stop, Reply: fixed},
		"codex/Stop.active.json":   {Kind: harness.Stop, Reply: fixed, StopActive: true},
		"codex/SubagentStart.json": {Kind: harness.SubagentStart, Delegated: true},
		"codex/SubagentStop.json":  {Kind: harness.SubagentStop, Delegated: true, Reply: "month.go 在 internal/dates。"},
		"codex/PreCompact.json":    {Kind: harness.Compact, Reason: "auto"},
		"codex/SessionEnd.json":    {Kind: harness.End, Reason: "other"},
		"codex/notify.json":        {Kind: harness.Stop, Prompt: correction, Reply: fixed},

		"dsh/claude-bridge.SessionStart.json":                 {Kind: harness.Start, Source: "startup"},
		"dsh/claude-bridge.UserPromptSubmit.json":             {Kind: harness.Prompt, Prompt: correction},
		"dsh/claude-bridge.UserPromptSubmit.own-context.json": {Kind: harness.Ignore},
		"dsh/claude-bridge.PostToolUse.json":                  {Kind: harness.ToolFailed, Tool: dshFailed},
		"dsh/claude-bridge.Stop.json":                         {Kind: harness.Stop},
		"dsh/claude-bridge.SubagentStart.json":                {Kind: harness.SubagentStart, Delegated: true},
		"dsh/claude-bridge.SubagentStop.json":                 {Kind: harness.SubagentStop, Delegated: true},
		"dsh/codex-bridge.SessionStart.json":                  {Kind: harness.Start, Source: "startup"},
		"dsh/codex-bridge.UserPromptSubmit.json":              {Kind: harness.Prompt, Prompt: correction},
		"dsh/codex-bridge.PostToolUse.json":                   {Kind: harness.ToolOK, Tool: withOutput(test("bash", "make test"), "call_t9", passText)},
		"dsh/codex-bridge.Stop.json":                          {Kind: harness.Stop},
	}
	maps.Copy(want, insideEvents())
	for _, more := range []map[string]own{geminiSamples, qwenSamples, copilotSamples, vscodeSamples, cursorSamples, hermesSamples, gooseSamples, kiroSamples, clineSamples, crushSamples, windsurfSamples} {
		maps.Copy(want, more)
	}
	for name, data := range payloads(t) {
		folder, _, _ := strings.Cut(name, "/")
		ev := harness.Decode(harness.Harness(folder), harness.ParsePayload(data))
		expected, ok := want[name]
		if !ok {
			expected = own{Kind: harness.Ignore}
		}
		got := own{ev.Kind, ev.Source, ev.Reason, ev.Prompt, ev.Reply, ev.Error, ev.Delegated, ev.StopActive, ev.Tool}
		if diff := cmp.Diff(expected, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		delete(want, name)
	}
	for name := range want {
		t.Errorf("no sample %s", name)
	}
}

func TestDecodeCommonMembers(t *testing.T) {
	decode := func(h harness.Harness, file string) harness.Event {
		return harness.Decode(h, harness.ParsePayload(read(t, "testdata/hook-samples/"+string(h)+"/"+file)))
	}
	ev := decode(harness.ClaudeCode, "SessionStart.windows.json")
	if ev.Dir != `C:\Users\dev\acme-orders` || !strings.HasSuffix(ev.Transcript, `\355b1bbf-c967-45cd-ae8f-4a2708fda310.jsonl`) {
		t.Errorf("windows: %+v", ev)
	}
	ev = decode(harness.ClaudeCode, "PostToolUseFailure.subagent.json")
	if ev.Parent != ev.Session || ev.Parent == "" || ev.Agent != "a1ac8f8130f0edf54" {
		t.Errorf("subagent: %+v", ev)
	}
	ev = decode(harness.Codex, "SessionStart.ephemeral.json")
	if ev.Transcript != "" || ev.Session == "" || ev.Name != "SessionStart" || ev.Harness != harness.Codex {
		t.Errorf("ephemeral: %+v", ev)
	}
	ev = decode(harness.Codex, "notify.json")
	if ev.Session != "01a22eff-2481-7133-bf6b-c8f85e5142af" || ev.Name != "agent-turn-complete" || ev.Dir != "/home/dev/acme-orders" {
		t.Errorf("notify: %+v", ev)
	}
	ev = decode(harness.DSH, "claude-bridge.SubagentStop.json")
	if ev.Parent != "" || ev.Agent != ev.Session {
		t.Errorf("a subagent of DSH, whose parent is not told: %+v", ev)
	}
	ev = decode(harness.DSH, "native.agent.session-start.delegated.json")
	if ev.Parent != "session-55512bf7-2ce6-4bd6-af9c-8ba1821c00c6" {
		t.Errorf("native: %+v", ev)
	}
}

func TestDecodeForgives(t *testing.T) {
	cases := []struct {
		id, payload string
		want        harness.Event
	}{
		{"number-as-session", `{"session_id":42,"hook_event_name":"Stop"}`, harness.Event{Kind: harness.Stop, Session: "42"}},
		{"object-as-session", `{"session_id":{"a":1},"hook_event_name":"Stop"}`, harness.Event{Kind: harness.Stop}},
		{"number-as-prompt", `{"hook_event_name":"UserPromptSubmit","prompt":7}`, harness.Event{Kind: harness.Ignore}},
		{"parts-as-prompt", `{"hook_event_name":"UserPromptSubmit","prompt":[{"type":"text","text":"a"},{"type":"image"},"b"]}`, harness.Event{Kind: harness.Prompt, Prompt: "a\nb"}},
		{"text-as-flag", `{"hook_event_name":"Stop","stop_hook_active":"true"}`, harness.Event{Kind: harness.Stop}},
		{"last-key-wins", `{"hook_event_name":"Stop","hook_event_name":"PreCompact"}`, harness.Event{Kind: harness.Compact}},
		{"escaped-key-is-unknown", `{"hook_event_name":"PreCompact","\u0074rigger":"x"}`, harness.Event{Kind: harness.Compact}},
		{"surrogates", `{"hook_event_name":"UserPromptSubmit","prompt":"\ud83d\udc69 \ud83d \udc69x \u00e9 \q"}`, harness.Event{Kind: harness.Prompt, Prompt: "👩 \uFFFD \uFFFDx é q"}},
		{"nul-and-broken", "{\"hook_event_name\":\"UserPromptSubmit\",\"prompt\":\"a\\u0000b\x00c\xFF\"}", harness.Event{Kind: harness.Prompt, Prompt: "abc\uFFFD"}},
		{"raw-line-feed", "{\"hook_event_name\":\"UserPromptSubmit\",\"prompt\":\"a\nb\"}", harness.Event{Kind: harness.Prompt, Prompt: "a\nb"}},
		{"unknown-event", `{"hook_event_name":"FutureEvent"}`, harness.Event{Kind: harness.Ignore}},
		{"interrupted-tool", `{"hook_event_name":"PostToolUseFailure","error":"x","is_interrupt":true}`, harness.Event{Kind: harness.Ignore}},
		{"cut", `{"hook_event_name":"PreCompact","session_id":"s","prompt":"ab`, harness.Event{Kind: harness.Compact, Session: "s"}},
		{"not-an-object", `[1]`, harness.Event{Kind: harness.Ignore}},
		{"nothing", ``, harness.Event{Kind: harness.Ignore}},
	}
	for _, c := range cases {
		t.Run(c.id, func(t *testing.T) {
			got := harness.Decode(harness.ClaudeCode, harness.ParsePayload([]byte(c.payload)))
			c.want.Harness, c.want.Name = harness.ClaudeCode, got.Name
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.payload, diff)
			}
		})
	}
}

func TestDecodeStripsWhatNoPersonSaid(t *testing.T) {
	cases := []struct {
		id   string
		h    harness.Harness
		said string
		want string
	}{
		{"own-block", harness.ClaudeCode, "[selfip]\nfact\n[/selfip]\nhello", "hello"},
		{"own-block-behind", harness.DSH, "hello\n[selfip] a\n[/selfip]", "hello"},
		{"own-block-twice", harness.DSH, "[selfip]a[/selfip]x[selfip]b[/selfip]", "x"},
		{"only-ours", harness.Codex, " [selfip]\nfact\n[/selfip]\n", ""},
		{"unclosed-up-to-a-blank-line", harness.DSH, "[selfip] a\nb\n\nhello", "hello"},
		{"mark-in-a-sentence", harness.ClaudeCode, "what does [selfip] mean?", "what does [selfip] mean?"},
		{"other-binaries", harness.ClaudeCode, "[dsh-mnemon]\nx\n[/dsh-mnemon]\n[cordis]y[/cordis]go", "go"},
		{"reminder", harness.ClaudeCode, "<system-reminder>x</system-reminder>go", "go"},
		{"reminder-unclosed", harness.ClaudeCode, "<system-reminder> go", "<system-reminder> go"},
		{"not-codex-reminder", harness.Codex, "<system-reminder>x</system-reminder>go", "<system-reminder>x</system-reminder>go"},
		{"environment", harness.Codex, "<environment_context>\nx\n</environment_context>\n<skills_instructions>y</skills_instructions>go", "go"},
		{"ours-in-a-wrapper", harness.ClaudeCode, "<system-reminder>\n[selfip] x\n</system-reminder>go", "go"},
	}
	for _, c := range cases {
		t.Run(c.id, func(t *testing.T) {
			payload := `{"hook_event_name":"UserPromptSubmit","prompt":` + quoted(c.said) + `}`
			ev := harness.Decode(c.h, harness.ParsePayload([]byte(payload)))
			if ev.Prompt != c.want || (ev.Kind == harness.Ignore) != (c.want == "") {
				t.Errorf("%q: got %q, kind %s; want %q", c.said, ev.Prompt, ev.Kind, c.want)
			}
		})
	}
}

func quoted(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s) + `"`
}

// TestDecodeStripsInLinearTime would not end within the test's time if each mark
// were searched for again.
func TestDecodeStripsInLinearTime(t *testing.T) {
	for _, piece := range []string{"[selfip]", "<system-reminder>", "[selfip]x[/selfip]", "\n[selfip] x", "[/selfip]"} {
		said := strings.Repeat(piece, 1<<20/len(piece))
		ev := harness.Decode(harness.ClaudeCode, harness.ParsePayload([]byte(`{"hook_event_name":"UserPromptSubmit","prompt":`+quoted(said)+`}`)))
		if len(ev.Prompt) > len(said) {
			t.Errorf("%q grew", piece)
		}
	}
}

func TestDecodeToolInputs(t *testing.T) {
	cases := map[string]string{
		`{"command":"make test"}`:                             "make test",
		`{"command":["bash","-lc","make test"]}`:              "make test",
		`{"command":["go","test"]}`:                           "go test",
		`{"cmd":"ls"}`:                                        "ls",
		`{"file_path":"/a/b.go","old_string":"x"}`:            "/a/b.go",
		`{"notebook_path":"/a.ipynb"}`:                        "/a.ipynb",
		`{"url":"https://wiki.acme.example","prompt":"read"}`: "https://wiki.acme.example",
		`{"path":"C:\\a\\b.go"}`:                              `C:\a\b.go`,
		`{"q":"导出"}`:                                          `{"q":"导出"}`,
		`{}`:                                                  "",
		`null`:                                                "",
		`"plain"`:                                             "plain",
		`{"command":"*** Begin Patch\n*** Update File: a\n*** Move to: b\n*** Add File: c d\n*** Delete File: e\n*** End Patch"}`: "a\nb\nc d\ne",
		`{"command":"*** Begin Patch\nnothing"}`: "*** Begin Patch\nnothing",
	}
	for input, want := range cases {
		payload := `{"hook_event_name":"PostToolUse","tool_name":"T","tool_input":` + input + `}`
		ev := harness.Decode(harness.ClaudeCode, harness.ParsePayload([]byte(payload)))
		if ev.Tool.Input != want {
			t.Errorf("%s: got %q, want %q", input, ev.Tool.Input, want)
		}
	}
}

func TestDecodeCutsLongOutputs(t *testing.T) {
	long := "begin " + strings.Repeat("é", 100_000) + " end"
	payload := `{"hook_event_name":"PostToolUseFailure","tool_name":"Bash","error":` + quoted(long) + `}`
	got := harness.Decode(harness.ClaudeCode, harness.ParsePayload([]byte(payload))).Tool.Error
	if len(got) > 16<<10 || !strings.HasPrefix(got, "begin ") || !strings.HasSuffix(got, " end") || !utf8.ValidString(got) {
		t.Errorf("%d bytes, valid %v", len(got), utf8.ValidString(got))
	}
}

// TestDecodeBoundsWhatOthersMakeUp holds that nothing of a payload is longer than
// a hook has time for.
func TestDecodeBoundsWhatOthersMakeUp(t *testing.T) {
	long := strings.Repeat("words 词语 ", 100_000)
	for _, event := range []string{"UserPromptSubmit", "Stop", "PostToolUse", "PostToolUseFailure", "StopFailure"} {
		doc, err := json.Marshal(map[string]any{
			"hook_event_name": event, "session_id": long, "agent_id": long, "prompt": long, "last_assistant_message": long,
			"tool_name": long, "tool_use_id": long, "tool_input": map[string]any{"command": long}, "tool_response": long,
			"error": long, "error_details": long,
		})
		if err != nil {
			t.Fatal(err)
		}
		ev := harness.Decode(harness.ClaudeCode, harness.ParsePayload(doc))
		for name, said := range map[string]string{
			"prompt": ev.Prompt, "reply": ev.Reply, "output": ev.Tool.Output, "tool error": ev.Tool.Error, "error": ev.Error, "input": ev.Tool.Input,
			"session": ev.Session, "agent": ev.Agent, "tool": ev.Tool.Name, "call": ev.Tool.ID,
		} {
			if len(said) > 16<<10 || !utf8.ValidString(said) {
				t.Errorf("%s: %s has %d bytes, want at most 16 KiB of UTF-8", event, name, len(said))
			}
		}
	}
}

// TestDecodeCutsBetweenWords holds that a cut leaves no part of a credential,
// which nobody would know as one.
func TestDecodeCutsBetweenWords(t *testing.T) {
	const secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
	for at := 8100; at < 8250; at++ {
		said := strings.Repeat("x", at-1) + " " + secret + " " + strings.Repeat("y ", 3980) + secret + strings.Repeat(" z", at/2)
		doc, err := json.Marshal(map[string]any{"hook_event_name": "UserPromptSubmit", "prompt": said})
		if err != nil {
			t.Fatal(err)
		}
		ev := harness.Decode(harness.ClaudeCode, harness.ParsePayload(doc))
		rest := strings.ReplaceAll(ev.Prompt, secret, "")
		if strings.Contains(rest, "ghp_") || strings.Contains(rest, "Ae178B4a") {
			t.Fatalf("a secret at %d is cut in two", at)
		}
	}
}

func TestDecodeFailuresByText(t *testing.T) {
	cases := []struct {
		h            harness.Harness
		tool, output string
		failed       bool
	}{
		{harness.Codex, "Bash", "Exit code: 1\nWall time: 1\nOutput:\nx", true},
		{harness.Codex, "Bash", "Exit code: 0\nOutput:\nExit code: 1", false},
		{harness.Codex, "Bash", "x\nProcess exited with code 1", false},
		{harness.Codex, "Bash", "Process exited with code 12", true},
		{harness.Codex, "Bash", "error: something FAILED", false},
		{harness.Codex, "apply_patch", "apply_patch verification failed: no such file", true},
		{harness.DSH, "bash", "x\n[exit code: 0]", false},
		{harness.DSH, "bash", "x\n[exit code: 127]\n", true},
		{harness.DSH, "bash", "[exit code: 1]\nstill going", false},
		{harness.DSH, "bash", "Error: printed by a program", false},
		{harness.DSH, "read", "Error: file not found: a.go", true},
	}
	for _, c := range cases {
		payload := `{"hook_event_name":"PostToolUse","tool_name":"` + c.tool + `","tool_response":` + quoted(c.output) + `}`
		ev := harness.Decode(c.h, harness.ParsePayload([]byte(payload)))
		if ev.Tool.Failed != c.failed || (ev.Kind == harness.ToolFailed) != c.failed {
			t.Errorf("%s %s %q: failed %v, kind %s", c.h, c.tool, c.output, ev.Tool.Failed, ev.Kind)
		}
	}
}

func TestKnownHarnesses(t *testing.T) {
	for _, h := range harness.All() {
		if !h.Known() {
			t.Errorf("%s is not known", h)
		}
	}
	if harness.Harness("emacs").Known() {
		t.Error("emacs is known")
	}
	ev := harness.Decode("emacs", harness.ParsePayload([]byte(`{"hook_event_name":"Stop"}`)))
	if ev.Kind != harness.Ignore || harness.Injects(ev) {
		t.Errorf("an event of emacs: %+v", ev)
	}
}

// TestDecodeNeverMarksOursAsAPrompt: whatever stands around, no line of our block
// reaches Prompt.
func TestDecodeNeverMarksOursAsAPrompt(t *testing.T) {
	words := rapid.SampledFrom([]string{"hello", "修", "\n", " ", "[selfip]\nSECRET\n[/selfip]", "[selfip] SECRET[/selfip]"})
	rapid.Check(t, func(t *rapid.T) {
		said := strings.Join(rapid.SliceOfN(words, 0, 12).Draw(t, "words"), "")
		payload := `{"hook_event_name":"UserPromptSubmit","prompt":` + quoted(said) + `}`
		if ev := harness.Decode(harness.DSH, harness.ParsePayload([]byte(payload))); strings.Contains(ev.Prompt, "SECRET") {
			t.Fatalf("%q gives the prompt %q", said, ev.Prompt)
		}
	})
}

// FuzzDecode gives hostile payloads to every dialect, with and without the name
// of an event on the command line: whatever they hold, what comes out may be
// written down, is bounded, and holds no block of ours as a person's words.
func FuzzDecode(f *testing.F) {
	for name, data := range payloads(f) {
		folder, file, _ := strings.Cut(name, "/")
		event, _, _ := strings.Cut(file, ".")
		f.Add(folder, event, data)
	}
	for _, h := range served {
		f.Add(string(h), "stop", []byte(`{"hook_event_name":"stop","workspace_roots":[{"a":1}],"tool_output":"{\"exitCode\":","toolArgs":"[","error":{"message":[1]},"prompt":"[selfip]\nx"}`))
	}
	f.Fuzz(func(t *testing.T, name, event string, data []byte) {
		ev := harness.Decode(harness.Harness(name), harness.ParsePayload(data).Named(event))
		for _, said := range []string{
			ev.Name, ev.Session, ev.Parent, ev.Agent, ev.Source, ev.Reason, ev.Dir, ev.Transcript,
			ev.Prompt, ev.Reply, ev.Error, ev.Tool.ID, ev.Tool.Name, ev.Tool.Input, ev.Tool.Output, ev.Tool.Error,
		} {
			if !utf8.ValidString(said) || strings.Contains(said, "\x00") {
				t.Fatalf("%s: text %q", name, said)
			}
		}
		for _, said := range []string{ev.Prompt, ev.Reply, ev.Error, ev.Tool.Input, ev.Tool.Output, ev.Tool.Error} {
			if len(said) > 16<<10 {
				t.Fatalf("%s: a text of %d bytes", name, len(said))
			}
		}
		if strings.Contains(ev.Prompt, "[selfip]\n") && strings.HasPrefix(ev.Prompt, "[selfip]") {
			t.Fatalf("%s: our own block as a prompt: %q", name, ev.Prompt)
		}
		if (ev.Kind == harness.ToolFailed) != ev.Tool.Failed {
			t.Fatalf("%s: kind %s, failed %v", name, ev.Kind, ev.Tool.Failed)
		}
		checkReply(t, ev, "[selfip]\nfact\n[/selfip]")
	})
}
