package selfipcmd_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// TestHostileSessions gives sessions names that could lead elsewhere or stand
// for another's. Each has files of its own below run/ and logs/, and none
// outside the library.
func TestHostileSessions(t *testing.T) {
	ids := []string{
		"../../../evil", "/etc/evil", "a/b", `a\b`, ".", "..", "CON", "s1", "S1", "s 1", "s\n1", "{\"a\":1}",
		strings.Repeat("long", 60), strings.Repeat("字", 200), "👩‍💻", "-rf", "$(touch pwned)", "s1.jsonl", "partial-s1.md",
	}
	b := newBox(t)
	for i, id := range ids {
		b.hook("claude-code", b.event(id, "UserPromptSubmit", "prompt", fmt.Sprintf("remember: host %d is called alpha-%d", i, i)))
	}
	for _, id := range ids {
		b.hook("claude-code", b.event(id, "PreCompact", "trigger", "auto"))
		b.hook("claude-code", b.event(id, "SessionEnd", "reason", "other"))
	}
	for name := range b.tree(b.root) {
		inside := strings.HasPrefix(name, filepath.Join("ws", "self-improvement")+string(filepath.Separator))
		if !inside || strings.Contains(name, "pwned") && !strings.Contains(name, "run/sessions") && !strings.Contains(name, "logs/") {
			t.Errorf("%s came to be", name)
		}
	}
	queued := map[string]bool{}
	for _, row := range b.queue("list").Rows {
		queued[row.Session] = true
	}
	for _, id := range ids {
		if !queued[id] {
			t.Errorf("session %q is not in the queue", id)
		}
	}
	b.ok("queue", "run")
	texts := b.entries()
	for i := range ids {
		if !holds(texts, fmt.Sprintf("called alpha-%d", i)) {
			t.Errorf("nothing was learned from session %q", ids[i])
		}
	}
	if names := b.files(b.path("run/sessions")); len(names) != 0 {
		t.Errorf("files of sessions that are learned from: %q, want none", names)
	}
}

// TestHostileFolders gives a hook folders that are none.
func TestHostileFolders(t *testing.T) {
	b := newBox(t)
	b.ok("remember", "fact: known before")
	file := lay(t, filepath.Join(b.ws, "file.txt"), "x")
	before := b.files(b.root)
	for _, dir := range []any{"", "~", ".", "..", "no/such", "/no/such", file, "\x00", strings.Repeat("x", 5000), 7, nil, []string{"a"}, `C:\Users\x`} {
		payload := b.event("s1", "SessionStart", "source", "startup")
		payload["cwd"] = dir
		b.hook("claude-code", payload)
	}
	for _, name := range b.files(b.root) {
		known := false
		for _, old := range before {
			known = known || old == name
		}
		if !known && !strings.Contains(name, "self-improvement/run/") && !strings.Contains(name, "README.md") && !strings.Contains(name, ".local/state/dshkit/") {
			t.Errorf("%s came to be", name)
		}
	}
}
