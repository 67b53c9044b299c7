package selfipcmd_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/dshkit/dshkit/internal/cli/selfipcmd"
	"github.com/dshkit/dshkit/internal/selfip/scope"
)

func TestCase19HomeIsNotSet(t *testing.T) {
	b := newBox(t)
	lay(t, b.path("memory/facts.md"), "- [2026-05-01T09:00:00Z] (fact) main branch is trunk {imp:6}\n")
	clear(b.vars)
	b.vars["PATH"], b.vars["TZ"] = "/usr/bin:/bin", "UTC"
	before := b.tree(b.root)

	args := []string{"queue", "run", "-C", b.ws}
	cmd := b.command(args...)
	cmd.Dir = "/"
	if r := finish(t, cmd); r.code != 0 {
		t.Errorf("selfip %q: exit %d, want 0; stderr:\n%s", args, r.code, r.err)
	}
	cmd = b.command("inject", "-C", b.ws)
	cmd.Dir = "/"
	if r := finish(t, cmd); r.code != 0 || !strings.Contains(r.out, "trunk") {
		t.Errorf("inject: exit %d, stdout %q; want the fact", r.code, r.out)
	}
	cmd = b.command("remember", "fact: stray")
	cmd.Dir = "/"
	cleanError(t, finish(t, cmd), 3, cmd.Args)

	b.same(before, b.tree(b.root), "selfip without HOME")
	for _, stray := range []string{"/self-improvement", "/~", filepath.Join(b.root, "~"), filepath.Join(b.ws, "~")} {
		if _, err := os.Stat(stray); err == nil {
			t.Errorf("%s exists, want no stray folder", stray)
		}
	}
	b.home = "" // in this process nobody knows a home
	if r := b.run("status"); r.code != 0 || strings.Count(r.err, "\n") != 1 {
		t.Errorf("status without a home: exit %d, stderr %q; want 0 and one note", r.code, r.err)
	}
}

// TestCase30 lives in each workspace as a harness and its user do: the hook's
// command stands in a settings file and goes through a shell.
func TestCase30OddPaths(t *testing.T) {
	program := binary(t)
	for _, name := range caseLines(t, "30-spaces-quotes-emoji-in-path", "paths.txt") {
		t.Run(name, func(t *testing.T) {
			b := newBox(t)
			b.ws = filepath.Join(b.root, name)
			b.home = filepath.Join(b.root, "home of "+name)
			b.vars["HOME"] = b.home
			bin := filepath.Join(b.root, "bin "+name, "selfip")
			for _, dir := range []string{b.path("."), b.home, filepath.Dir(bin)} {
				if err := os.MkdirAll(dir, 0o755); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.Link(program, bin); err != nil {
				t.Fatal(err)
			}
			marker := "marker of " + name
			cmd := b.command("remember", "--kind", "fact", "--", marker)
			if r := finish(t, cmd); r.code != 0 {
				t.Fatalf("remember: exit %d, stderr %q", r.code, r.err)
			}
			if got := b.entries(); len(got) != 1 || got[0] != marker {
				t.Errorf("memory gives %q, want %q", got, marker)
			}
			b.installedHook(bin, marker)
			for _, dir := range []string{b.root, b.ws, b.home, "."} {
				if _, err := os.Stat(filepath.Join(dir, "pwned")); err == nil {
					t.Errorf("a file called pwned appeared in %s", dir)
				}
			}
		})
	}
}

// installedHook installs the hooks for Claude Code and runs the command that
// stands in the settings as a harness does.
func (b *box) installedHook(bin, want string) {
	b.t.Helper()
	cmd := exec.Command(bin, "install", "claude-code")
	cmd.Dir, cmd.Env = b.ws, b.environ()
	if r := finish(b.t, cmd); r.code != 0 {
		b.t.Fatalf("install: exit %d, stderr %q", r.code, r.err)
	}
	var settings struct {
		Hooks map[string][]struct {
			Hooks []struct{ Command string }
		}
	}
	data, err := os.ReadFile(filepath.Join(b.home, ".claude", "settings.json"))
	if err == nil {
		err = json.Unmarshal(data, &settings)
	}
	start := settings.Hooks["SessionStart"]
	if err != nil || len(start) == 0 || len(start[0].Hooks) == 0 {
		b.t.Fatalf("settings %q (%v), want a hook for SessionStart", data, err)
	}
	shell := exec.Command("sh", "-c", start[0].Hooks[0].Command)
	shell.Dir, shell.Env = b.ws, b.environ()
	shell.Stdin = strings.NewReader(jsonLine(b.t, b.event("s1", "SessionStart", "source", "startup")))
	r := finish(b.t, shell)
	if got := contextOf(b.t, r.out); r.code != 0 || !strings.Contains(got, want) {
		b.t.Errorf("hook %q gives %q (exit %d, stderr %q), want %q in it", start[0].Hooks[0].Command, got, r.code, r.err, want)
	}
}

// TestCase31 gives paths of another system as data: text that never becomes a
// folder here. That two spellings are one path is scope's to tell.
func TestCase31DriveLetters(t *testing.T) {
	for _, row := range caseRows(t, "31-drive-letter-case", "pairs.tsv") {
		if got := scope.SamePath(row[0], row[1], true); got != (row[2] == "same") {
			t.Errorf("SamePath(%q, %q) = %v, want %s", row[0], row[1], got, row[2])
		}
		b := newBox(t)
		b.vars["SELFIP_GLOBAL_DIR"], b.vars["SELFIP_SCOPE"] = row[0], "both"
		r := b.run("remember", "fact: probe "+row[0])
		if r.code != 0 {
			t.Errorf("global folder %q: exit %d, stderr %q", row[0], r.code, r.err)
		}
		payload := b.event("s1", "UserPromptSubmit", "prompt", "where is the probe")
		payload["cwd"], payload["transcript_path"] = row[0], row[1]
		b.hook("claude-code", payload)
		for name := range b.tree(b.root) {
			if strings.ContainsAny(name, `:\`) || strings.HasPrefix(name, "c/") || strings.HasPrefix(name, "ws/c/") {
				t.Errorf("%q as data became the file %q", row, name)
			}
		}
	}
}

func TestCase32WorkspaceThroughALink(t *testing.T) {
	b := newBox(t)
	sub := filepath.Join(b.ws, "sub")
	if err := os.Mkdir(sub, 0o755); err != nil {
		t.Fatal(err)
	}
	for link, target := range map[string]string{"link": "ws", "loop": "loop", "dangling": "nowhere"} {
		if err := os.Symlink(target, filepath.Join(b.root, link)); err != nil {
			t.Fatal(err)
		}
	}
	b.ok("remember", "fact: one store", "-C", filepath.Join(b.root, "link"))
	for _, dir := range []string{b.ws, sub, "sub/..", "../link/sub", filepath.Join(b.root, "link")} {
		var got selfipcmd.ConfigJSON
		if b.json(&got, "config", "show", "-C", dir); got.Workspace != b.ws {
			t.Errorf("-C %s: workspace %q, want %q", dir, got.Workspace, b.ws)
		}
		if out := b.ok("search", "store", "-C", dir); !strings.Contains(out, "one store") {
			t.Errorf("-C %s: search finds %q, want the entry", dir, out)
		}
	}
	b.refused(4, "remember", "fact: x", "-C", filepath.Join(b.root, "loop"))
	b.refused(4, "remember", "fact: x", "-C", filepath.Join(b.root, "dangling"))
	payload := b.event("s1", "SessionStart", "source", "startup")
	payload["cwd"] = filepath.Join(b.root, "link", "sub")
	if got := b.hook("claude-code", payload); !strings.Contains(got, "one store") {
		t.Errorf("a session in a folder behind the link gets %q, want the entry", got)
	}
}

func TestCase34WorkspaceIsRoot(t *testing.T) {
	b := newBox(t)
	lay(t, b.home+"/notes.txt", "mine")
	for _, dir := range []string{"/", b.home} {
		b.ws = dir
		if r := b.run("inject"); r.code != 0 || r.out != "" || strings.Count(r.err, "\n") != 1 {
			t.Errorf("inject in %s: exit %d, stdout %q, stderr %q; want nothing and one note", dir, r.code, r.out, r.err)
		}
		args := []string{"remember", "fact: probe"}
		cleanError(t, b.run(args...), 3, args)
		payload := b.event("s1", "UserPromptSubmit", "prompt", "use trunk, not main")
		if got := b.hook("claude-code", payload); got != "" {
			t.Errorf("hook in %s gives %q, want nothing", dir, got)
		}
		if r := b.run("status"); r.code != 0 || !strings.Contains(r.err, dir) {
			t.Errorf("status in %s: exit %d, stderr %q; want it to tell", dir, r.code, r.err)
		}
		if _, err := os.Stat(filepath.Join(dir, "self-improvement")); err == nil {
			t.Errorf("a store was made in %s", dir)
		}
	}

	gone := newBox(t)
	cmd := gone.command("inject")
	cmd.Dir = filepath.Join(gone.root, "gone")
	if err := os.Mkdir(cmd.Dir, 0o755); err != nil {
		t.Fatal(err)
	}
	shell := exec.Command("sh", "-c", `rmdir "$PWD" && exec "$@"`, "sh", binary(t), "inject")
	shell.Dir, shell.Env = cmd.Dir, gone.environ()
	r := finish(t, shell)
	cleanError(t, r, r.code, shell.Args)
	if r.code == 0 || r.code == 70 {
		t.Errorf("inject in a deleted folder: exit %d, want a clean error", r.code)
	}
}

func TestCase47WrongProject(t *testing.T) {
	name := "47-wrong-project-answers"
	b := newBox(t)
	for from, to := range map[string]string{"a": b.root + "/a", "b": b.root + "/b", "home": b.home + "/.dsh"} {
		if err := os.CopyFS(to, os.DirFS(caseDir(name, "in", from))); err != nil {
			t.Fatal(err)
		}
	}
	markers := map[string]string{"a": "marker-aardvark", "b": "marker-badger", "global": "marker-condor"}
	for sc, sees := range map[string][]string{"workspace": {"own"}, "global": {"global"}, "both": {"own", "global"}} {
		for _, at := range []string{"a", "b"} {
			b.ws, b.vars["SELFIP_SCOPE"] = b.root+"/"+at, sc
			all, _ := b.status()
			texts := strings.Join(append(b.found("marker"), b.ok("inject"), b.ok("memory", "--json"), b.ok("export")), "\n")
			texts += b.hook("claude-code", b.event(sc+at, "SessionStart", "source", "startup"))
			texts += b.hook("claude-code", b.event(sc+at, "UserPromptSubmit", "prompt", "which marker belongs here, shared or not"))
			for owner, marker := range markers {
				want := owner == at && slices.Contains(sees, "own") || owner == "global" && slices.Contains(sees, "global")
				if got := strings.Contains(texts, marker); got != want {
					t.Errorf("scope %s in %s: %s seen %v, want %v", sc, at, marker, got, want)
				}
			}
			for _, s := range slices.Concat(all.Stores, all.GlobalLibraries) {
				if s.Live != 1 {
					t.Errorf("scope %s in %s: status counts %d entries in %s, want 1", sc, at, s.Live, s.Dir)
				}
			}
		}
	}
	b.ws, b.vars["SELFIP_SCOPE"] = b.root+"/a", "both"
	b.ok("remember", "fact: marker-falcon is new in A")
	b.ws = b.root + "/b"
	if got := b.found("marker-falcon"); slices.ContainsFunc(got, func(s string) bool { return strings.Contains(s, "falcon") }) {
		t.Errorf("from B search finds %q, want nothing of A", got)
	}
	b.unreadable([]string{"falcon"}, b.root+"/b", b.home)
}
