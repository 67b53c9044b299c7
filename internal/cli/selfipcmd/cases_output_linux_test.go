package selfipcmd_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// TestCase71 holds that what a program reads is one document, whatever is odd
// about the workspace.
func TestCase71OneDocumentOnStdout(t *testing.T) {
	conditions := map[string]func(b *box){
		"unknown key and damaged memory": func(*box) {},
		"missing store": func(b *box) {
			if err := os.RemoveAll(b.path(".")); err != nil {
				b.t.Fatal(err)
			}
		},
		"debug":    func(b *box) { b.vars["DSHKIT_DEBUG"], b.vars["DEBUG"] = "1", "*" },
		"terminal": func(b *box) { b.terminal, b.vars["TERM"] = true, "xterm-256color" },
		"LANG=C":   func(b *box) { b.vars["LANG"] = "C" },
		"chinese":  func(b *box) { b.vars["LANG"] = "zh_CN.UTF-8" },
	}
	for name, set := range conditions {
		t.Run(name, func(t *testing.T) {
			b := caseBox(t, "71-two-documents-on-stdout")
			set(b)
			var doc map[string]any
			for _, args := range [][]string{
				{"inject"},
				{"memory"},
				{"search", "good"},
				{"status"},
				{"scope"},
				{"config", "show"},
				{"queue", "list"},
				{"session", "list"},
				{"log"},
				{"remember", "fact: x"},
				{"forget", "no such thing"},
				{"queue", "run"},
				{"doctor"},
				{"sleep"},
				{"compact"},
				{"retro"},
				{"proposals"},
				{"prune"},
				{"schedule"},
				{"install", "claude-code"},
				{"undo"},
				{"version"},
			} {
				r := b.run(append(args, "--json", "--verbose")...)
				if oneDocument(t, r.out, &doc); strings.Contains(r.err, "\x1b") && !b.terminal {
					t.Errorf("%q: stderr %q has colours without a terminal", args, r.err)
				}
			}
			for _, event := range []string{"SessionStart", "UserPromptSubmit", "PostToolUse", "Stop", "PreCompact", "SessionEnd"} {
				b.hook("claude-code", b.event("s1", event, "prompt", "what is good", "source", "startup"))
			}
		})
	}
}

// TestCase72 has the five ways in which a harness can leave standard input.
func TestCase72StdinNeverEnds(t *testing.T) {
	payload := caseFile(t, "72-stdin-never-ends", "in", "payload.json")
	b := newBox(t)
	b.ok("remember", "fact: known before")
	payload = strings.Replace(payload, "/home/dev/demo", b.ws, 1)
	shapes := []struct {
		name  string
		stdin func(cmd *exec.Cmd) (after func())
		said  bool
	}{
		{"open and silent", func(cmd *exec.Cmd) func() { return keptOpen(t, cmd, "") }, false},
		{"open after the payload", func(cmd *exec.Cmd) func() { return keptOpen(t, cmd, payload) }, true},
		{"null device", func(*exec.Cmd) func() { return func() {} }, false},
		{"closed", func(cmd *exec.Cmd) func() {
			cmd.Path, _ = exec.LookPath("sh")
			cmd.Args = append([]string{"sh", "-c", `exec "$@" <&-`, "sh"}, cmd.Args...)
			return func() {}
		}, false},
		{"terminal", func(cmd *exec.Cmd) func() { return onTerminal(t, cmd) }, false},
	}
	for _, s := range shapes {
		t.Run(s.name, func(t *testing.T) {
			cmd := b.command("hook", "claude-code")
			defer s.stdin(cmd)()
			begin := time.Now()
			r := finish(t, cmd)
			if took := time.Since(begin); took > 4*time.Second {
				t.Errorf("the hook took %v, want 2 s at most on an idle machine", took)
			}
			got := contextOf(t, r.out)
			if r.code != 0 || s.said != strings.Contains(got, "known before") {
				t.Errorf("exit %d, context %q; want 0, the entry in it %v", r.code, got, s.said)
			}
			if s.said == (r.err != "") {
				t.Errorf("stderr %q, want a note only without a payload", r.err)
			}
		})
	}
}

// keptOpen gives a command a pipe that holds said and stays open until after.
func keptOpen(t *testing.T, cmd *exec.Cmd, said string) (after func()) {
	t.Helper()
	r, w, err := os.Pipe()
	if err == nil {
		_, err = w.WriteString(said)
	}
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdin = r
	return func() { r.Close(); w.Close() }
}

// TestCase75 has a reader that goes away, a closed output and a full device.
func TestCase75ReaderGoesAway(t *testing.T) {
	b := newBox(t)
	var facts, queue strings.Builder
	for i := range 400 {
		facts.WriteString("- [2026-05-01T00:00:00Z] (fact) row " + strings.Repeat("x", 200+i) + " {imp:5}\n")
		queue.WriteString(jsonLine(t, map[string]any{"t": "2026-05-01T00:00:00Z", "file": "logs/x" + strings.Repeat("y", i) + ".md"}) + "\n")
	}
	lay(t, b.path("memory/facts.md"), facts.String())
	lay(t, b.path("logs/pending.md"), queue.String())
	lay(t, b.path("logs/journal.jsonl"), strings.Repeat(`{"id":"c1","t":"2026-05-01T00:00:00Z","op":"remember","by":"command","changes":[]}`+"\n", 400))
	program := binary(t)
	for _, args := range [][]string{
		{"memory"}, {"memory", "--json"}, {"search", "row"}, {"status"}, {"queue", "list"}, {"log", "--limit", "0"}, {"export"}, {"config", "show"}, {"inject", "--explain"},
	} {
		line := append([]string{program}, args...)
		for shell, want := range map[string]func(code int, stderr string) bool{
			`"$@" | head -1 >/dev/null; exit ${PIPESTATUS[0]}`: func(code int, stderr string) bool { return (code == 0 || code == 141) && stderr == "" },
			`exec "$@" >&-`:        func(_ int, stderr string) bool { return strings.Count(stderr, "\n") <= 1 },
			`exec "$@" >/dev/full`: func(code int, stderr string) bool { return code != 0 && strings.Count(stderr, "\n") == 1 },
		} {
			cmd := exec.Command("bash", append([]string{"-c", shell, "bash"}, line...)...)
			cmd.Dir, cmd.Env = b.ws, b.environ()
			r := finish(t, cmd)
			if !want(r.code, r.err) || strings.Contains(r.err, "goroutine") || strings.Contains(r.err, "panic") {
				t.Errorf("%q with %s: exit %d, stderr %q", args, shell, r.code, r.err)
			}
		}
	}
	b.ok("remember", "fact: the lock is free")
	for name := range b.tree(b.ws) {
		if strings.HasSuffix(name, ".tmp") {
			t.Errorf("%s was left behind", name)
		}
	}
}
