//go:build unix

package selfipcmd_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/dshkit/dshkit/internal/cli/selfipcmd"
)

// TestWorkerOutlivesItsHook ends the hook with all its children, as a harness
// does, and waits for what the worker learns.
func TestWorkerOutlivesItsHook(t *testing.T) {
	b := newBox(t)
	delete(b.vars, "SELFIP_BACKGROUND")
	b.vars["ANTHROPIC_API_KEY"] = "not for workers"
	b.clock = time.Now()
	end := b.event("s1", "SessionEnd", "reason", "other")
	lay(t, end["transcript_path"].(string), `{"type":"user","text":"remember: the build host is called alpha"}`+"\n")
	b.hook("claude-code", b.event("s1", "UserPromptSubmit", "prompt", "begin"))

	cmd := b.command("hook", "claude-code")
	cmd.Stdin = strings.NewReader(jsonLine(t, end))
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	group := cmd.Process.Pid
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	_ = syscall.Kill(-group, syscall.SIGKILL)
	await(t, 20*time.Second, "what the worker learns", func() bool {
		return strings.Contains(b.file("memory/facts.md"), "alpha") && len(b.queueKeys("list")) == 0
	})
	b.workersEnded()
	b.noLeftovers()
}

// workersEnded waits for workers that have learned and still tidy up: the folder
// of the test is about to go. Where processes cannot be seen it does not wait.
func (b *box) workersEnded() {
	b.t.Helper()
	await(b.t, 20*time.Second, "the end of workers", func() bool {
		names, _ := filepath.Glob("/proc/[0-9]*/cmdline")
		for _, name := range names {
			if words, err := os.ReadFile(name); err == nil && bytes.Contains(words, []byte(b.ws)) {
				return false
			}
		}
		return true
	})
}

// TestWorkerHasTheSettingsOfItsHook sets one in the environment of the harness.
func TestWorkerHasTheSettingsOfItsHook(t *testing.T) {
	b := newBox(t)
	delete(b.vars, "SELFIP_BACKGROUND")
	b.vars["SELFIP_FILE_CHARS"] = "1000"
	b.clock = time.Now()
	var facts strings.Builder
	for i := range 40 {
		fmt.Fprintf(&facts, "- [2026-09-01T10:00:00.000+00:00] (fact) host %d is in rack %d\n", i, i)
	}
	lay(t, b.path("memory/facts.md"), facts.String())
	end := b.event("s1", "SessionEnd", "reason", "other")
	lay(t, end["transcript_path"].(string), `{"type":"user","text":"remember: the build host is called alpha"}`+"\n")
	b.hook("claude-code", b.event("s1", "UserPromptSubmit", "prompt", "begin"))
	cmd := b.command("hook", "claude-code")
	cmd.Stdin = strings.NewReader(jsonLine(t, end))
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	await(t, 20*time.Second, "what the worker learns", func() bool {
		return strings.Contains(b.file("memory/facts.md"), "alpha") && len(b.queueKeys("list")) == 0
	})
	b.workersEnded()
	if n := len(b.file("memory/facts.md")); n > 1000 {
		t.Errorf("the file has %d characters, want no more than the harness's environment says", n)
	}
}

// TestStartIsKilled kills the start of a session while it takes up those that
// were killed before: each ends up in the queue, once.
func TestStartIsKilled(t *testing.T) {
	b := newBox(t)
	b.clock = time.Now()
	rounds := 40
	if testing.Short() {
		rounds = 8
	}
	for i := range rounds {
		b.hook("claude-code", b.event(fmt.Sprintf("s%d", i), "UserPromptSubmit", "prompt", "never push to main, use trunk"))
		cmd := b.command("hook", "claude-code")
		cmd.Stdin = strings.NewReader(jsonLine(t, b.event("next", "SessionStart", "source", "startup")))
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		timer := time.AfterFunc(time.Duration(rand.Int64N(int64(8*time.Millisecond))), func() { _ = cmd.Process.Kill() })
		_ = cmd.Wait()
		timer.Stop()
	}
	for range rounds/10 + 2 { // a start takes up ten
		b.hook("claude-code", b.event("last", "SessionStart", "source", "startup"))
	}
	for i := range rounds {
		b.queuedOnce(fmt.Sprintf("s%d", i))
	}
}

// TestUsesAreCounted has eight processes find the same entry at once.
func TestUsesAreCounted(t *testing.T) {
	b := newBox(t)
	b.ok("remember", "fact: the flux capacitor needs three volts")
	const processes, each = 8, 5
	program := binary(t)
	var searching sync.WaitGroup
	for range processes {
		searching.Add(1)
		go func() {
			defer searching.Done()
			for range each {
				cmd := exec.Command(program, "search", "flux capacitor")
				cmd.Dir, cmd.Env = b.ws, b.environ()
				if out, err := cmd.CombinedOutput(); err != nil || !bytes.Contains(out, []byte("three volts")) {
					t.Errorf("search: %v\n%s", err, out)
				}
			}
		}()
	}
	searching.Wait()
	var listed selfipcmd.MemoryJSON
	b.json(&listed, "memory")
	if got := listed.Libraries[0].Entries[0].Uses; got != processes*each {
		t.Errorf("uses %d, want %d", got, processes*each)
	}
}

// TestRowsOfAQueueAreNotTrusted has a queue that came with somebody's
// repository: its rows name files outside.
func TestRowsOfAQueueAreNotTrusted(t *testing.T) {
	b := newBox(t)
	secret := lay(t, filepath.Join(b.root, "outside", "diary.md"), "remember: the build host is called alpha\n")
	pipe := filepath.Join(b.home, "pipe.jsonl")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(secret, filepath.Join(b.home, "link.jsonl")); err != nil {
		t.Fatal(err)
	}
	var rows strings.Builder
	for i, row := range []map[string]any{
		{"file": "../../outside/diary.md"},
		{"file": secret},
		{"file": "logs/none.md", "transcript": secret, "session": "a"},
		{"file": "logs/here-2.md", "transcript": pipe, "session": "b"},
		{"file": "logs/here-3.md", "transcript": filepath.Join(b.home, "link.jsonl"), "session": "c"},
		{"file": "logs/here-4.md", "transcript": "/dev/zero", "session": "d"},
	} {
		row["t"], row["harness"] = "2026-09-01T10:00:00.000+00:00", "claude-code"
		rows.WriteString(jsonLine(t, row) + "\n")
		lay(t, b.path(fmt.Sprintf("logs/here-%d.md", i)), "# Session x @ 2026-09-01T10:00:00+00:00\n")
	}
	lay(t, b.path("logs/pending.md"), rows.String())
	before := b.tree(filepath.Dir(secret))
	b.ok("queue", "run")
	b.same(before, b.tree(filepath.Dir(secret)), "a queue run")
	if got := b.entries(); len(got) != 0 {
		t.Errorf("entries %q, want nothing of files outside", got)
	}
	if keys := b.queueKeys("list"); len(keys) != 0 {
		t.Errorf("queue %q, want every row done with or dead", keys)
	}
}
