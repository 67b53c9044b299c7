package install_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/dshkit/dshkit/internal/harness"
	"github.com/dshkit/dshkit/internal/harness/install"
)

// oddNames are the names of case 30, and a long one.
func oddNames(t testing.TB) []string {
	lines := strings.TrimSuffix(string(read(t, "testdata/cases/30-spaces-quotes-emoji-in-path/paths.txt")), "\n")
	return append(strings.Split(lines, "\n"), strings.Repeat("n", 200), `back\slash`, "new“quotes”", "it's $HOME", "100% !x", "#hash", "~tilde", "*?[a]")
}

// TestCommandCase30 runs the command of an entry with sh -c, with the binary in
// each of the odd folders.
func TestCommandCase30(t *testing.T) {
	for _, name := range oddNames(t) {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			dir := filepath.Join(root, name)
			if err := os.Mkdir(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			script := "#!/bin/sh\nprintf '%s\\n' \"$0\" \"$#\" \"$@\"\n"
			path := filepath.Join(dir, "selfip")
			if err := os.WriteFile(path, []byte(script), 0o755); err != nil {
				t.Fatal(err)
			}
			o := options
			o.Binary = path
			plan := target(t, harness.ClaudeCode).Install(nil, o)
			if plan.Refusal != nil {
				t.Fatal(plan.Refusal)
			}
			var file struct {
				Hooks map[string][]struct{ Hooks []struct{ Command string } }
			}
			if err := json.Unmarshal(plan.After, &file); err != nil {
				t.Fatal(err)
			}
			command := file.Hooks["Stop"][0].Hooks[0].Command
			if got := install.Binary(command); got != path {
				t.Errorf("binary of %s is %q, want %q", command, got, path)
			}
			run := exec.Command("sh", "-c", command)
			run.Dir = root
			out, err := run.CombinedOutput()
			if want := path + "\n3\nhook\nclaude-code\nStop\n"; err != nil || string(out) != want {
				t.Errorf("%s\nerror %v, got:\n%s\nwant:\n%s", command, err, out, want)
			}
			if _, err := os.Stat(filepath.Join(root, "pwned")); err == nil {
				t.Error("the name was run")
			}
			if again := target(t, harness.ClaudeCode).Install(plan.After, o); again.Changed() {
				t.Error("the entry is not found again")
			}
		})
	}
}

// oneWordOfPowerShell reads a command's first word by PowerShell's rules.
func oneWordOfPowerShell(command string) (string, bool) {
	switch command[0] {
	case '\'':
		word, _, ok := strings.Cut(command[1:], "' ")
		return word, ok && !strings.ContainsAny(word, "'‘’")
	case '"':
		word, _, ok := strings.Cut(command[1:], "\" ")
		return word, ok && !strings.ContainsAny(word, "$`\"“”")
	}
	word, _, ok := strings.Cut(command, " ")
	return word, ok && !strings.ContainsAny(word, "$`\"'(){};,|&<>#“”‘’")
}

func TestCommandIsOneWordForPowerShell(t *testing.T) {
	for _, name := range oddNames(t) {
		path := "/x/" + name + "/selfip"
		command := install.Command(path, harness.Codex, "Stop")
		if got, ok := oneWordOfPowerShell(command); (!ok || got != path) && name != "it's $HOME" {
			t.Errorf("%s: PowerShell reads %q", command, got)
		}
	}
}

func TestCommandForms(t *testing.T) {
	cases := map[string]string{
		"/usr/bin/selfip":         `/usr/bin/selfip hook codex Stop`,
		"/a b/selfip":             `"/a b/selfip" hook codex Stop`,
		`C:\Users\dev\selfip.exe`: `C:/Users/dev/selfip.exe hook codex Stop`,
		`\\srv\x y\selfip.exe`:    `"//srv/x y/selfip.exe" hook codex Stop`,
		"/it's/selfip":            `"/it's/selfip" hook codex Stop`,
		"/$x/selfip":              `'/$x/selfip' hook codex Stop`,
		"/it's $x/selfip":         `"/it's \$x/selfip" hook codex Stop`,
	}
	for path, want := range cases {
		if got := install.Command(path, harness.Codex, "Stop"); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}

// TestOwnerTestIsTheExpression compares the owner test with the expression it
// stands for, through the entries that a Status finds.
func TestOwnerTestIsTheExpression(t *testing.T) {
	expression := regexp.MustCompile(`(^|[/\\"'])selfip(\.exe)?["']?\s+hook\s+claude-code\b`)
	pieces := []string{
		"selfip", ".exe", `"`, "'", " ", "\t", "hook", "claude-code", "-x", "x", "_", "/", `\`, "Stop", "", "&&", "selfip hook claude-code",
	}
	claude := target(t, harness.ClaudeCode)
	rapid.Check(t, func(t *rapid.T) {
		command := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 9).Draw(t, "pieces"), "")
		text, err := json.Marshal(map[string]any{"hooks": map[string]any{
			"Stop": []any{map[string]any{"hooks": []any{map[string]any{"type": "command", "command": command}}}},
		}})
		if err != nil {
			t.Fatal(err)
		}
		got := len(claude.Status(text, program).Entries) == 1
		if want := expression.MatchString(command); got != want {
			t.Fatalf("%q: got %v, want %v", command, got, want)
		}
	})
}
