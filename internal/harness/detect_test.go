package harness_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dshkit/dshkit/internal/harness"
)

func noEnvironment(string) string { return "" }

// payloads returns every payload file of the samples, by "<harness>/<file>".
func payloads(t testing.TB) map[string][]byte {
	t.Helper()
	files, err := filepath.Glob("testdata/hook-samples/*/*.json")
	if err != nil || len(files) < 200 {
		t.Fatalf("%d sample files, error %v", len(files), err)
	}
	samples := map[string][]byte{}
	for _, file := range files {
		name := filepath.ToSlash(strings.TrimPrefix(filepath.ToSlash(file), "testdata/hook-samples/"))
		if strings.HasPrefix(name, "_replies/") || name == "opencode/export.json" {
			continue
		}
		samples[name] = read(t, file)
	}
	return samples
}

func read(t testing.TB, file string) []byte {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// noSign is what a harness sends without any sign of itself.
const noSign = "kiro/ide012.USER_PROMPT.json"

// foreignHint is a hint that the payload must overrule.
func foreignHint(h harness.Harness) string {
	if h == harness.ClaudeCode {
		return "cursor"
	}
	return "claude-code"
}

func TestDetectNamesEveryHarness(t *testing.T) {
	seen := map[harness.Harness]bool{}
	for name, data := range payloads(t) {
		t.Run(name, func(t *testing.T) {
			folder, _, _ := strings.Cut(name, "/")
			want := harness.Harness(folder)
			seen[want] = true
			p := harness.ParsePayload(data)
			if got := harness.Detect(folder, p, noEnvironment); got != want {
				t.Errorf("with the right hint: got %q, want %q", got, want)
			}
			if name == noSign {
				return
			}
			for _, hint := range []string{"", "nonsense", foreignHint(want)} {
				if got := harness.Detect(hint, p, noEnvironment); got != want {
					t.Errorf("with the hint %q: got %q, want %q", hint, got, want)
				}
			}
		})
	}
	for _, h := range harness.All() {
		if !seen[h] {
			t.Errorf("no sample of %q", h)
		}
	}
}

func TestDetectIgnoresInheritedEnvironment(t *testing.T) {
	outer := func(name string) string {
		return map[string]string{"CLAUDECODE": "1", "COPILOT_CLI": "1", "CODEX_HOME": "/c", "CLAUDE_PROJECT_DIR": "/p"}[name]
	}
	for name, data := range payloads(t) {
		folder, _, _ := strings.Cut(name, "/")
		if got := harness.Detect(folder, harness.ParsePayload(data), outer); got != harness.Harness(folder) {
			t.Errorf("%s: got %q, want %q", name, got, folder)
		}
	}
}

func TestDetectTies(t *testing.T) {
	type env map[string]string
	cases := []struct {
		id, hint, payload string
		env               env
		want              harness.Harness
	}{
		{"hint-without-payload", "codex", "", nil, harness.Codex},
		{"nothing", "", "", nil, ""},
		{"unknown-hint", "nonsense", "{}", nil, ""},
		{"environment", "", "{}", env{"CURSOR_VERSION": "3"}, harness.Cursor},
		{"environment-order", "", "{}", env{"CLAUDECODE": "1", "COPILOT_CLI": "1"}, harness.CopilotCLI},
		{"goose-by-plugin-root", "", "{}", env{"PLUGIN_ROOT": "/p"}, harness.Goose},
		{"codex-plugin", "", "{}", env{"PLUGIN_ROOT": "/p", "CODEX_HOME": "/c"}, harness.Codex},
		{"project-dir-proves-nothing", "", "{}", env{"CLAUDE_PROJECT_DIR": "/p"}, ""},
		{"case72-bare-payload", "", `{"session_id":"s-1","cwd":"/d","hook_event_name":"SessionStart"}`, nil, harness.ClaudeCode},
		{"case72-bare-payload-hinted", "codex", `{"session_id":"s-1","cwd":"/d","hook_event_name":"SessionStart"}`, nil, harness.Codex},
		{"codex-end-without-rollout", "codex", `{"session_id":"s","transcript_path":null,"cwd":"/d","hook_event_name":"SessionEnd","reason":"other"}`, nil, harness.Codex},
		{"dsh-unpacked-log", "claude-code", `{"session_id":"s","transcript_path":"C:\\d\\session.jsonl","hook_event_name":"Stop"}`, nil, harness.DSH},
		{"codex-windows-path", "", `{"session_id":"s","transcript_path":"C:\\c\\rollout-1.jsonl","hook_event_name":"SessionEnd"}`, nil, harness.Codex},
		{"gemini-windows-path", "", `{"session_id":"s","transcript_path":"C:\\u\\.gemini\\tmp\\s.jsonl","timestamp":"2026","hook_event_name":"SessionEnd"}`, nil, harness.GeminiCLI},
		{"gemini-moved-home-hinted", "gemini-cli", `{"session_id":"s","transcript_path":"/g/s.jsonl","timestamp":"2026","hook_event_name":"SessionEnd"}`, nil, harness.GeminiCLI},
		{"gemini-moved-home-by-session", "claude-code", `{"session_id":"s","transcript_path":"/g/s.jsonl","timestamp":"2026","hook_event_name":"SessionEnd"}`, env{"GEMINI_SESSION_ID": "s"}, harness.GeminiCLI},
		{"qwen-other-session", "", `{"session_id":"s","timestamp":"2026","hook_event_name":"SessionEnd"}`, env{"QWEN_CODE_SESSION_ID": "outer"}, harness.CopilotCLI},
		{"odd-types", "claude-code", `{"session_id":7,"transcript_path":[1],"timestamp":{},"event":null,"hook_event_name":"Stop"}`, nil, harness.ClaudeCode},
	}
	for _, c := range cases {
		t.Run(c.id, func(t *testing.T) {
			getenv := func(name string) string { return c.env[name] }
			if got := harness.Detect(c.hint, harness.ParsePayload([]byte(c.payload)), getenv); got != c.want {
				t.Errorf("Detect(%q, %s) = %q, want %q", c.hint, c.payload, got, c.want)
			}
		})
	}
}
