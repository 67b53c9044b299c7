//go:build unix

package selfipcmd_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestErrorStartsAWorker: the hook of an error starts a worker that looks back on
// the session while it runs. The one that was to do it was killed a minute ago, so
// this one need not wait.
func TestErrorStartsAWorker(t *testing.T) {
	b := newBox(t)
	delete(b.vars, "SELFIP_BACKGROUND")
	b.clock = time.Now()
	b.hook("claude-code", b.event("s1", "UserPromptSubmit", "prompt", "remember: the build host is called alpha"))
	file := filepath.Join("run", "sessions", "s1.jsonl")
	due := fmt.Sprintf(`{"t":%q,"op":"due","due":%[1]q}`+"\n", b.clock.Add(-time.Minute).Format(time.RFC3339))
	lay(t, b.path(file), b.file(file)+due)
	cmd := b.command("hook", "claude-code")
	cmd.Stdin = strings.NewReader(jsonLine(t, b.event("s1", "StopFailure", "error", "overloaded")))
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	await(t, 20*time.Second, "what the worker learns", func() bool {
		return strings.Contains(b.file("memory/facts.md"), "alpha") && strings.Contains(b.file("memory/facts.md"), "## error-retro @ ")
	})
	b.workersEnded()
	if got := b.file(file); strings.Count(got, `"op":"retro"`) != 1 {
		t.Errorf("events\n%s\nwant one retro", got)
	}
}
