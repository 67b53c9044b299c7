package harness_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/dshkit/dshkit/internal/harness"
)

const cutNote = "(cut: ask for the rest with selfip memory)"

// checkReply holds what is true of every reply: one document, one line, one line
// feed at its end, or nothing (case 71).
func checkReply(t testing.TB, ev harness.Event, context string) {
	t.Helper()
	reply := harness.Reply(ev, context, cutNote)
	if len(reply) == 0 {
		return
	}
	if ev.Harness == harness.Kiro { // plain text, all of it for the model
		if !utf8.Valid(reply) || reply[len(reply)-1] != '\n' || json.Valid(reply) {
			t.Fatalf("reply to %+v: %q", ev, reply)
		}
		return
	}
	if !json.Valid(reply) || strings.Count(string(reply), "\n") != 1 || reply[len(reply)-1] != '\n' {
		t.Fatalf("reply to %+v: %q", ev, reply)
	}
}

// context returns the context that a reply carries, in whatever form, and the
// event that the nested form names.
func context(t testing.TB, reply []byte) (event, text string) {
	t.Helper()
	var r struct {
		Output struct{ HookEventName, AdditionalContext string } `json:"hookSpecificOutput"`
		Flat   string                                            `json:"additionalContext"`
		Snake  string                                            `json:"additional_context"`
		Bare   string                                            `json:"context"`
		Cline  string                                            `json:"contextModification"`
	}
	if !json.Valid(reply) { // of Kiro
		return "", strings.TrimSuffix(string(reply), "\n")
	}
	if err := json.Unmarshal(reply, &r); err != nil {
		t.Fatalf("%v in %q", err, reply)
	}
	return r.Output.HookEventName, r.Output.AdditionalContext + r.Flat + r.Snake + r.Bare + r.Cline
}

// form is the reply of a harness with a context, as it decodes.
func form(ev harness.Event, text string) map[string]any {
	switch ev.Harness {
	case harness.CopilotCLI:
		return map[string]any{"additionalContext": text}
	case harness.Cursor:
		return map[string]any{"additional_context": text}
	case harness.Hermes:
		return map[string]any{"context": text}
	case harness.Cline:
		return map[string]any{"cancel": false, "contextModification": text}
	case harness.Crush:
		return map[string]any{"version": 1.0, "decision": nil, "context": text}
	}
	return map[string]any{"hookSpecificOutput": map[string]any{"hookEventName": ev.Name, "additionalContext": text}}
}

type sampleReply struct {
	Event, Stdout, Effect string
	Exit                  int
	Accepted              bool
}

// eventOf decodes the sample payload of an event of the replies.
func eventOf(t testing.TB, h harness.Harness, event string) harness.Event {
	t.Helper()
	files, err := filepath.Glob("testdata/hook-samples/" + string(h) + "/" + event + "*.json")
	if err == nil && len(files) == 0 { // an event of one of two dialects
		files, err = filepath.Glob("testdata/hook-samples/" + string(h) + "/*." + event + "*.json")
	}
	if err != nil || len(files) == 0 {
		t.Fatalf("no payload for %s %s", h, event)
	}
	return harness.Decode(h, harness.ParsePayload(read(t, files[0])))
}

// TestRepliesAreOnesTheHarnessTakes: what we print for each event of the samples
// has the form of replies that were seen to work, and is never one of the others.
func TestRepliesAreOnesTheHarnessTakes(t *testing.T) {
	for _, h := range served {
		if _, err := os.Stat("testdata/hook-samples/_replies/" + string(h) + ".json"); err != nil && isInside(string(h)+"/") {
			continue // a file of ours takes the reply; TestReplyCase71 has its form
		}
		var samples []sampleReply
		if err := json.Unmarshal(read(t, "testdata/hook-samples/_replies/"+string(h)+".json"), &samples); err != nil {
			t.Fatal(err)
		}
		accepted := map[string][]string{}
		for _, s := range samples {
			if s.Accepted && !strings.Contains(s.Effect, "do not send") {
				form, _ := formOf(s)
				accepted[bare(s.Event)] = append(accepted[bare(s.Event)], form)
				if other := sharedForm[h]; other != "" {
					accepted[other] = append(accepted[other], form)
				}
			}
		}
		for _, s := range samples {
			ev := eventOf(t, h, s.Event)
			_, its := formOf(s)
			for _, said := range []string{its, "[selfip]\n测试入口: make test\n[/selfip]", ""} {
				got := strings.TrimSuffix(string(harness.Reply(ev, said, cutNote)), "\n")
				if !s.Accepted && s.Exit == 0 && got == s.Stdout {
					t.Errorf("%s %s: printed %s, which has the effect: %s", h, s.Event, got, s.Effect)
				}
				form, _ := formOf(sampleReply{Event: s.Event, Stdout: got})
				if got != "{}" && got != "" && got != `{"cancel":false}` && !slices.Contains(accepted[bare(s.Event)], form) {
					t.Errorf("%s %s: printed %s, which nobody saw accepted", h, s.Event, got)
				}
			}
		}
	}
}

// sharedForm names an event that takes the form which was seen accepted for
// another.
var sharedForm = map[harness.Harness]string{harness.Cursor: "postToolUse", harness.Cline: "tool_result"}

// formOf returns a reply with its context left out, and the context. The event
// that a nested form may leave out is put in.
func formOf(s sampleReply) (form, said string) {
	var reply map[string]any
	if json.Unmarshal([]byte(s.Stdout), &reply) != nil {
		if head, said, ok := strings.Cut(s.Stdout, "[selfip]"); ok && head == "" { // plain text
			return head, "[selfip]" + said
		}
		return s.Stdout, ""
	}
	if reply["errorMessage"] == "" { // as good as none
		delete(reply, "errorMessage")
	}
	object := reply
	if inner, ok := reply["hookSpecificOutput"].(map[string]any); ok {
		if object = inner; object["hookEventName"] == nil {
			object["hookEventName"] = bare(s.Event)
		}
	}
	for _, key := range []string{"additionalContext", "additional_context", "context", "contextModification"} {
		if text, ok := object[key].(string); ok {
			object[key], said = "", text
		}
	}
	text, _ := json.Marshal(reply)
	return string(text), said
}

// bare is the event without the bridge it came through: both take the nested
// form (spec/harness-hooks.md 2.3).
func bare(event string) string { return event[strings.LastIndexByte(event, '.')+1:] }

// TestReplyCase71IsOneDocumentOfOneDialect: nothing but the members of the form
// that the harness reads, in the nested one with the event's own name, on one line.
func TestReplyCase71IsOneDocumentOfOneDialect(t *testing.T) {
	for name, data := range payloads(t) {
		folder, _, _ := strings.Cut(name, "/")
		ev := harness.Decode(harness.Harness(folder), harness.ParsePayload(data))
		checkReply(t, ev, "fact")
		reply := harness.Reply(ev, "fact", cutNote)
		var fields map[string]any
		if harness.Injects(ev) {
			if isInside(name) {
				if string(reply) != "{\"context\":\"fact\"}\n" {
					t.Errorf("%s: %s", name, reply)
				}
				continue
			}
			if ev.Harness == harness.Kiro {
				if string(reply) != "fact\n" {
					t.Errorf("%s: %q", name, reply)
				}
				continue
			}
			if err := json.Unmarshal(reply, &fields); err != nil {
				t.Fatalf("%s: %v in %s", name, err, reply)
			}
			if diff := cmp.Diff(form(ev, "fact"), fields); diff != "" {
				t.Errorf("%s (-want +got):\n%s", name, diff)
			}
			continue
		}
		if got := string(reply); got != "{}\n" && got != "" && got != "{\"cancel\":false}\n" {
			t.Errorf("%s: %q carries something", name, got)
		}
	}
}

func TestInjects(t *testing.T) {
	want := map[string]bool{}
	for _, name := range []string{
		"claude-code/SessionStart.clear.json", "claude-code/SessionStart.compact.json", "claude-code/SessionStart.fork.json",
		"claude-code/SessionStart.resume.json", "claude-code/SessionStart.startup.json", "claude-code/SessionStart.windows.json",
		"claude-code/UserPromptSubmit.json", "claude-code/UserPromptSubmit.secret.json", "claude-code/PostToolUse.json",
		"claude-code/PostToolUse.edit.json", "claude-code/PostToolUseFailure.json",
		"codex/SessionStart.compact.json", "codex/SessionStart.ephemeral.json", "codex/SessionStart.resume.json",
		"codex/SessionStart.startup.json", "codex/UserPromptSubmit.json", "codex/PostToolUse.ok.json",
		"codex/PostToolUse.failed.json", "codex/PostToolUse.apply_patch.json",
		"dsh/claude-bridge.SessionStart.json", "dsh/claude-bridge.UserPromptSubmit.json", "dsh/claude-bridge.PostToolUse.json",
		"dsh/codex-bridge.SessionStart.json", "dsh/codex-bridge.UserPromptSubmit.json", "dsh/codex-bridge.PostToolUse.json",
		"dsh/native.agent.pre-step.json", "opencode/chat.message.json", "pi/before_agent_start.json", "openclaw/plugin.before_prompt_build.json",
		"gemini-cli/SessionStart.json", "gemini-cli/SessionStart.resume.json", "gemini-cli/BeforeAgent.json",
		"gemini-cli/BeforeAgent.self-context.json", "gemini-cli/AfterTool.ok.json", "gemini-cli/AfterTool.error.json",
		"gemini-cli/AfterTool.exit-code.json", "gemini-cli/AfterTool.mcp.json",
		"qwen-code/SessionStart.json", "qwen-code/UserPromptSubmit.json", "qwen-code/PostToolUse.json", "qwen-code/PostToolUseFailure.json",
		"copilot-cli/sessionStart.json", "copilot-cli/sessionStart.resume.json", "copilot-cli/SessionStart.snake.json",
		"copilot-cli/userPromptSubmitted.json", "copilot-cli/UserPromptSubmit.snake.json", "copilot-cli/postToolUse.exit-code.json",
		"copilot-cli/PostToolUse.snake.json", "copilot-cli/postToolUseFailure.json",
		"vscode/SessionStart.json", "vscode/PostToolUse.json",
		"cursor/sessionStart.json", "cursor/sessionStart.windows.json", "cursor/beforeSubmitPrompt.json",
		"cursor/imported-claude.UserPromptSubmit.json", "cursor/postToolUse.json", "cursor/postToolUseFailure.json",
		"cursor/postToolUseFailure.timeout.json",
		"hermes/pre_llm_call.json", "hermes/pre_llm_call.multimodal.json",
		"kiro/v2.agentSpawn.json", "kiro/v2.userPromptSubmit.json", "kiro/v3.SessionStart.json", "kiro/v3.UserPromptSubmit.json",
		"cline/vscode.TaskStart.json", "cline/vscode.TaskResume.json", "cline/vscode.UserPromptSubmit.json",
		"cline/vscode.PostToolUse.json", "cline/sdk.tool_result.error.json",
		"crush/PreToolUse.json", "crush/PreToolUse.edit.json", "crush/PreToolUse.mcp.json",
	} {
		want[name] = true
	}
	for name, data := range payloads(t) {
		folder, _, _ := strings.Cut(name, "/")
		ev := harness.Decode(harness.Harness(folder), harness.ParsePayload(data))
		if got := harness.Injects(ev); got != want[name] {
			t.Errorf("%s: injects %v, want %v", name, got, want[name])
		}
	}
	for _, h := range harness.All() {
		if harness.StartIsLate(h) != (h == harness.DSH) {
			t.Errorf("%s: a start is late: %v", h, harness.StartIsLate(h))
		}
	}
}

func TestNothingPerHarness(t *testing.T) {
	want := map[harness.Harness]string{
		harness.Goose: "", harness.Kiro: "", harness.Crush: "", harness.Windsurf: "",
		harness.Cline: "{\"cancel\":false}\n",
	}
	for _, h := range harness.All() {
		expected, ok := want[h]
		if !ok {
			expected = "{}\n"
		}
		if got := string(harness.Nothing(harness.Event{Harness: h})); got != expected {
			t.Errorf("%s: %q, want %q", h, got, expected)
		}
	}
	notify := harness.Decode(harness.Codex, harness.ParsePayload(read(t, "testdata/hook-samples/codex/notify.json")))
	if got := harness.Reply(notify, "fact", cutNote); len(got) != 0 {
		t.Errorf("notify is answered: %q", got)
	}
}

var start = harness.Event{Harness: harness.Codex, Name: "SessionStart", Kind: harness.Start}

func TestReplyCase58KeepsCode(t *testing.T) {
	var notes []string
	if err := json.Unmarshal(read(t, "testdata/cases/58-code-in-a-memory/notes.json"), &notes); err != nil {
		t.Fatal(err)
	}
	for _, h := range served {
		ev := start
		if ev.Harness = h; isInside(string(h)+"/") || h == harness.Goose { // it takes nothing
			continue
		}
		if h == harness.Hermes {
			ev.Name, ev.Kind = "pre_llm_call", harness.Prompt
		}
		for _, note := range append(notes, "a\u2028b\u2029c", "\x1b[31m", "中文 👩‍💻") {
			checkReply(t, ev, note)
			if _, got := context(t, harness.Reply(ev, note, cutNote)); got != note {
				t.Errorf("%s: %q came back as %q", h, note, got)
			}
		}
	}
}

func TestReplyCleansBrokenText(t *testing.T) {
	if _, got := context(t, harness.Reply(start, "a\xFFb\x00c", cutNote)); got != "a\uFFFDbc" {
		t.Errorf("got %q", got)
	}
}

func TestReplyCutsContext(t *testing.T) {
	lines := "[selfip]\n" + strings.Repeat("- 记住: 用 make test 👩‍💻\n", 1000) + "[/selfip]"
	_, got := context(t, harness.Reply(start, lines, cutNote))
	if len(got) > harness.MaxContext || len(got) < harness.MaxContext-100 {
		t.Errorf("%d bytes", len(got))
	}
	for _, line := range strings.Split(got, "\n") {
		if line != "- 记住: 用 make test 👩‍💻" && line != "[selfip]" && line != cutNote && line != "[/selfip]" {
			t.Errorf("line %q is not whole", line)
		}
	}
	if !strings.HasSuffix(got, "\n"+cutNote+"\n[/selfip]") {
		t.Errorf("ends %q", got[len(got)-80:])
	}
	fits := "[selfip]\n" + strings.Repeat("x", harness.MaxContext-9)
	if _, got := context(t, harness.Reply(start, fits, cutNote)); got != fits {
		t.Errorf("%d bytes became %d", len(fits), len(got))
	}
}

func TestReplyCutsOneLongLine(t *testing.T) {
	long := "[selfip]\n" + strings.Repeat("👩‍💻", 3000) + "\n[/selfip]\n"
	_, got := context(t, harness.Reply(start, long, cutNote))
	body := strings.TrimSuffix(strings.TrimPrefix(got, "[selfip]\n"), "\n"+cutNote+"\n[/selfip]")
	if strings.ReplaceAll(body, "👩‍💻", "") != "" || len(body) < harness.MaxContext/2 {
		t.Errorf("%d bytes, cut inside a character: %q", len(body), body[max(0, len(body)-20):])
	}
	endless := "a" + strings.Repeat("\u0301", 9000) // one character of 18 KB
	_, got = context(t, harness.Reply(start, endless, cutNote))
	if !utf8.ValidString(got) || len(got) > harness.MaxContext || strings.Contains(got, "\uFFFD") {
		t.Errorf("%d bytes, valid %v", len(got), utf8.ValidString(got))
	}
}

func TestReplyCutProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SampledFrom([]string{"a", "记", "\n", "👩‍💻", "é", " ", "[/selfip]", "\r\n", "line of text\n"})
		unit := strings.Join(rapid.SliceOfN(words, 1, 30).Draw(t, "unit"), "")
		text := strings.Repeat(unit, rapid.IntRange(1, 4000).Draw(t, "times"))
		note := rapid.SampledFrom([]string{"", cutNote, strings.Repeat("很长", 4000)}).Draw(t, "note")
		reply := harness.Reply(start, text, note)
		var decoded struct {
			Output struct{ AdditionalContext string } `json:"hookSpecificOutput"`
		}
		if err := json.Unmarshal(reply, &decoded); err != nil {
			t.Fatal(err)
		}
		got := decoded.Output.AdditionalContext
		if len(got) > harness.MaxContext || !utf8.ValidString(got) {
			t.Fatalf("%d bytes, valid %v", len(got), utf8.ValidString(got))
		}
		if len(text) <= harness.MaxContext && got != text {
			t.Fatal("changed a text that fits")
		}
		if len(text) > harness.MaxContext && note == cutNote && !strings.Contains(got, cutNote) {
			t.Fatalf("does not say that it was cut: %q", got)
		}
	})
}

func ExampleReply() {
	ev := harness.Event{Harness: harness.ClaudeCode, Name: "SessionStart", Kind: harness.Start}
	fmt.Print(string(harness.Reply(ev, "[selfip]\ntests: make test\n[/selfip]", "(cut)")))
	// Output: {"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"[selfip]\ntests: make test\n[/selfip]"}}
}
