//go:build unix

package selfipcmd_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/dshkit/dshkit/internal/cli/selfipcmd"
)

var partitions = map[string]string{"fact": "facts", "lesson": "lessons", "method": "methods", "resource": "resources"}

// layPartitions writes one entry into each partition.
func (b *box) layPartitions() {
	b.t.Helper()
	for kind, name := range partitions {
		lay(b.t, b.path("memory/"+name+".md"), "- [2026-05-01T00:00:00Z] ("+kind+") the "+kind+" of before {imp:9}\n")
	}
}

// TestPartitionIsAFolder holds that a partition nobody can read costs that
// partition alone, and says so.
func TestPartitionIsAFolder(t *testing.T) {
	for broken, name := range partitions {
		b := newBox(t)
		b.layPartitions()
		b.ok("inject") // a catalog of the time when all was well
		b.folderAt("memory/" + name + ".md")
		for kind := range partitions {
			r := b.run("remember", kind+": the "+kind+" of after")
			if want := map[bool]int{true: 65}[kind == broken]; r.code != want {
				t.Errorf("%s is a folder, remember a %s: exit %d, stderr %q; want %d", name, kind, r.code, r.err, want)
			}
			if kind == broken && !strings.Contains(r.err, b.path("memory/"+name+".md")) {
				t.Errorf("stderr %q, want it to name the file", r.err)
			}
		}
		r := b.run("inject")
		for kind := range partitions {
			if got := strings.Contains(r.out, "the "+kind+" of before"); got == (kind == broken) {
				t.Errorf("%s is a folder: the %s is shown: %v", name, kind, got)
			}
		}
		if !strings.Contains(r.err, name+".md") {
			t.Errorf("%s is a folder: inject says %q, want it to name the file", name, r.err)
		}
		if r := b.run("doctor"); r.code != 1 || !strings.Contains(r.out, name+".md") {
			t.Errorf("%s is a folder: doctor: exit %d, %q", name, r.code, r.out)
		}
		if _, err := os.Stat(b.path("memory/" + name + ".md")); err != nil {
			t.Errorf("%s: %v, want it left as it is", name, err)
		}
	}
}

// TestPartitionIsDamaged lays other kinds of damage in front of and behind good
// lines: those are kept, found and changed all the same.
func TestPartitionIsDamaged(t *testing.T) {
	for name, damage := range map[string]string{
		"NULs": strings.Repeat("\x00", 5000), "not UTF-8": "\xff\xfe\xfd", "UTF-16": "\xff\xfe-\x00 \x00[\x00", "a binary": "\x7fELF\x02\x01\x01\x00\x80",
	} {
		b := newBox(t)
		before := "- [2026-05-01T00:00:00Z] (fact) the gate is green {imp:9}\n" + damage + "\n- [2026-05-02T00:00:00Z] (fact) the pipe is blue {imp:9}\n" + damage
		lay(t, b.path("memory/facts.md"), before)
		b.ok("remember", "fact: the lamp is yellow")
		b.ok("forget", "the gate is green")
		b.ok("undo")
		b.ok("forget", "the pipe is blue")
		if got := b.entries(); !holds(got, "gate is green") || !holds(got, "lamp is yellow") || len(got) != 2 {
			t.Errorf("%s: entries %q, want the first and the new one", name, got)
		}
		if got := b.file("memory/facts.md"); strings.Count(got, damage) != 2 {
			t.Errorf("%s: the damaged lines are there %d times, want both as they were: %q", name, strings.Count(got, damage), got)
		}
		out := b.run("inject").out + b.run("memory").out + b.hook("claude-code", b.event("s1", "SessionStart", "source", "startup"))
		if strings.ContainsAny(out, "\x00\uFFFD") || !strings.Contains(out, "gate is green") {
			t.Errorf("%s: shown %q, want the good lines and nothing of the damage", name, out)
		}
	}
}

// TestHookWithNoPlaceAtAll has a read-only store, a home that is none and a
// folder that is gone: there is still an answer.
func TestHookWithNoPlaceAtAll(t *testing.T) {
	b := newBox(t)
	b.layPartitions()
	b.lock(b.path("."))
	b.vars["HOME"] = "/proc/none"
	for _, event := range []string{"SessionStart", "UserPromptSubmit", "PostToolUse", "Stop", "PreCompact", "SessionEnd"} {
		r := b.exec(jsonLine(t, b.event("s1", event, "source", "startup", "prompt", "what was before")), "hook", "claude-code")
		if contextOf(t, r.out); r.code != 0 {
			t.Errorf("%s: exit %d, stderr %q", event, r.code, r.err)
		}
	}
	gone := filepath.Join(b.root, "gone")
	if err := os.Mkdir(gone, 0o755); err != nil {
		t.Fatal(err)
	}
	shell := exec.Command("sh", "-c", `rmdir "$PWD" && exec "$@"`, "sh", binary(t), "hook", "claude-code")
	shell.Dir, shell.Env = gone, b.environ()
	payload := b.event("s1", "UserPromptSubmit", "prompt", "what was before")
	payload["cwd"] = gone
	shell.Stdin = strings.NewReader(jsonLine(t, payload))
	if r := finish(t, shell); r.code != 0 || contextOf(t, r.out) != "" {
		t.Errorf("in a folder that is gone: exit %d, stdout %q, stderr %q", r.code, r.out, r.err)
	}
}

// TestCase56MergesWhatIsKnown has the second of two that say the same be later,
// weightier and found meanwhile.
func TestCase56MergesWhatIsKnown(t *testing.T) {
	b := newBox(t)
	b.ok("remember", "--importance", "3", "fact: Release day is Wednesday")
	b.found("release day")
	b.clock = b.clock.AddDate(0, 0, 1)
	var got selfipcmd.RememberJSON
	b.json(&got, "remember", "--importance", "8", "fact: release  day is wednesday.")
	var listed selfipcmd.MemoryJSON
	b.json(&listed, "memory")
	e := listed.Libraries[0].Entries
	if !got.Duplicate || len(e) != 1 || e[0].Importance != 8 || e[0].Uses != 1 || !strings.HasPrefix(e[0].At, "2026-09-16") {
		t.Errorf("entries %+v, want one with the higher importance, the use and the later time", e)
	}
}

// TestPipesAreNotWaitedFor has pipes where files are read that come with
// somebody's repository. Nobody writes into them.
func TestPipesAreNotWaitedFor(t *testing.T) {
	for _, name := range []string{
		"self-improvement/config.json", "self-improvement/settings.json", "self-improvement/memory/archive/facts-1.md",
		"self-improvement/run/cache/archive.catalog", "self-improvement/logs/handoff-latest.md", ".git",
	} {
		b := newBox(t)
		lay(t, b.path("memory/archive/facts-0.md"), "- [2026-05-01T00:00:00Z] (fact) the archived {imp:9}\n")
		pipe := filepath.Join(b.ws, filepath.FromSlash(name))
		if err := os.RemoveAll(pipe); err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Dir(pipe), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Mkfifo(pipe, 0o600); err != nil {
			t.Fatal(err)
		}
		for _, args := range [][]string{{"hook", "claude-code"}, {"search", "archived"}, {"config"}, {"doctor"}} {
			cmd := b.command(args...)
			cmd.Stdin = strings.NewReader(jsonLine(t, b.event("s1", "SessionStart", "source", "startup")))
			stuck := time.AfterFunc(20*time.Second, func() { _ = cmd.Process.Kill() })
			r := finish(t, cmd)
			if !stuck.Stop() {
				t.Fatalf("%s is a pipe: %q waits for a writer", name, args)
			}
			if args[0] == "hook" && (r.code != 0 || !strings.HasPrefix(r.out, "{") || strings.Count(r.out, "\n") != 1) {
				t.Errorf("%s is a pipe: exit %d, reply %q", name, r.code, r.out)
			}
		}
	}
}
