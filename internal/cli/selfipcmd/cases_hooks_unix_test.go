//go:build unix

package selfipcmd_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/dshkit/dshkit/internal/cli/selfipcmd"
	"github.com/dshkit/dshkit/internal/harness"
	"github.com/dshkit/dshkit/internal/selfip"
	"github.com/dshkit/dshkit/internal/testkit"
)

// sample is one recorded payload of a harness.
type sample struct {
	harness, name string
	payload       map[string]any
}

// samples are the payloads of all harnesses.
func samples(t *testing.T) []sample {
	t.Helper()
	var list []sample
	for _, h := range harness.All() {
		paths, err := filepath.Glob(filepath.Join(testkit.Root(t), "internal", "harness", "testdata", "hook-samples", string(h), "*.json"))
		if err != nil || len(paths) == 0 {
			t.Fatalf("no samples of %s (%v)", h, err)
		}
		for _, path := range paths {
			if filepath.Base(path) == "export.json" { // a log, no payload
				continue
			}
			s := sample{harness: string(h), name: string(h) + "/" + filepath.Base(path)}
			data, err := os.ReadFile(path)
			if err == nil {
				err = json.Unmarshal(data, &s.payload)
			}
			if err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			list = append(list, s)
		}
	}
	return list
}

// in returns the payload as it is in a workspace.
func (s sample) in(t *testing.T, dir string) string {
	t.Helper()
	for _, place := range [][2]string{{"", "cwd"}, {"", "directory"}, {"ctx", "workspaceDir"}, {"context", "workspaceDir"}, {"", "working_dir"}, {"tool_info", "cwd"}} {
		object := s.payload
		if place[0] != "" {
			object, _ = s.payload[place[0]].(map[string]any)
		}
		if _, ok := object[place[1]]; ok {
			object[place[1]] = dir
		}
	}
	for _, key := range []string{"workspace_roots", "workspaceRoots"} {
		if _, ok := s.payload[key]; ok {
			s.payload[key] = []string{dir}
		}
	}
	return jsonLine(t, s.payload)
}

// trouble is a condition under which a hook still has to answer.
type trouble struct {
	name   string
	set    func(b *box)
	failed bool // something has to be recorded
}

func troubles() []trouble {
	list := []trouble{
		{"healthy", func(*box) {}, false},
		{"locked", func(b *box) { b.holdLock() }, true},
		{"read-only", func(b *box) {
			for _, dir := range []string{"memory", "logs", "run", "run/sessions", "."} {
				if err := os.MkdirAll(b.path(dir), 0o755); err != nil {
					b.t.Fatal(err)
				}
				b.lock(b.path(dir))
			}
		}, true},
		{"without a home", func(b *box) { delete(b.vars, "HOME") }, false},
		{"folder gone", func(b *box) {
			if err := os.RemoveAll(b.ws); err != nil {
				b.t.Fatal(err)
			}
		}, true},
		{"settings broken", func(b *box) { lay(b.t, b.path("config.json"), "{") }, false},
		{"queue is a folder", func(b *box) { b.folderAt("logs/pending.md") }, true},
		{"journal of NULs", func(b *box) { lay(b.t, b.path("logs/journal.jsonl"), strings.Repeat("\x00", 5000)) }, false},
		{"sessions is a file", func(b *box) {
			if err := os.RemoveAll(b.path("run/sessions")); err != nil {
				b.t.Fatal(err)
			}
			lay(b.t, b.path("run/sessions"), "x")
		}, true},
	}
	for _, name := range []string{"facts", "lessons", "methods", "resources"} {
		list = append(list,
			trouble{name + " is a folder", func(b *box) { b.folderAt("memory/" + name + ".md") }, true},
			trouble{name + " is NULs", func(b *box) { lay(b.t, b.path("memory/"+name+".md"), strings.Repeat("\x00", 5000)) }, false},
			trouble{name + " is not UTF-8", func(b *box) {
				lay(b.t, b.path("memory/"+name+".md"), "- [2026-05-01T00:00:00Z] (fact) \xff\xfe {imp:9}\n")
			}, false})
	}
	return list
}

// folderAt puts a folder where a file is expected.
func (b *box) folderAt(name string) {
	b.t.Helper()
	if err := os.RemoveAll(b.path(name)); err != nil {
		b.t.Fatal(err)
	}
	if err := os.MkdirAll(b.path(name), 0o755); err != nil {
		b.t.Fatal(err)
	}
}

// TestHooksAlwaysAnswer gives every sample to a hook under every trouble: a
// reply in its form, exit 0, soon, and the failure is on record.
func TestHooksAlwaysAnswer(t *testing.T) {
	for _, trouble := range troubles() {
		t.Run(trouble.name, func(t *testing.T) {
			b := newBox(t)
			lay(t, b.path("memory/facts.md"), "- [2026-05-01T00:00:00Z] (fact) known before {imp:9}\n")
			lay(t, b.path("memory/lessons.md"), "- [2026-05-01T00:00:00Z] (lesson) learned before {imp:9}\n")
			b.hook("claude-code", b.event("killed", "UserPromptSubmit", "prompt", "use trunk")) // left behind
			dir := b.ws
			trouble.set(b)
			for i, s := range samples(t) {
				if testing.Short() && i%5 != 0 {
					continue
				}
				begin := time.Now()
				r := b.feed(s.in(t, dir), "hook", s.harness)
				if took := time.Since(begin); took > time.Second {
					t.Errorf("%s took %v", s.name, took)
				}
				if strings.HasSuffix(s.name, "notify.json") {
					if r.code != 0 || r.out != "" {
						t.Errorf("%s: exit %d, stdout %q; want 0 and nothing", s.name, r.code, r.out)
					}
					continue
				}
				if r.code != 0 || !isReply(s.harness, r.out) || strings.Contains(r.err, "internal error") {
					t.Errorf("%s: exit %d, stdout %q, stderr %q; want 0 and a reply in the harness's form", s.name, r.code, r.out, r.err)
				}
			}
			if got := len(b.recorded()) > 0; got != trouble.failed {
				t.Errorf("failures on record: %q, want some: %v", b.recorded(), trouble.failed)
			}
			if start := b.feed(jsonLine(t, b.event("last", "SessionStart", "source", "startup")), "hook", "claude-code"); trouble.name != "folder gone" &&
				!strings.Contains(contextOf(t, start.out), "before") {
				t.Errorf("a start gets %q, want what can still be read", start.out)
			}
		})
	}
}

// isReply reports whether a harness can take what was printed: one line of JSON,
// nothing, or bare text.
func isReply(h, out string) bool {
	switch harness.Harness(h) {
	case harness.Goose, harness.Windsurf:
		return out == ""
	case harness.Kiro:
		return out == "" || strings.HasPrefix(out, "[selfip]") && strings.HasSuffix(out, "[/selfip]\n")
	case harness.Crush:
		if out == "" {
			return true
		}
	}
	return strings.Count(out, "\n") == 1 && json.Valid([]byte(out))
}

// recorded returns the failures that are written down anywhere.
func (b *box) recorded() []selfip.Failure {
	b.t.Helper()
	data, _ := os.ReadFile(b.path("run/failures.jsonl"))
	stray, _ := os.ReadFile(filepath.Join(b.home, ".local", "state", "dshkit", "selfip-failures.jsonl"))
	return selfip.ParseFailures(append(data, stray...))
}

// TestFailuresAreTold holds that status tells of failures that the workspace has
// no place for, and not of those of others.
func TestFailuresAreTold(t *testing.T) {
	b := newBox(t)
	b.folderAt("run/failures.jsonl")
	b.folderAt("logs/pending.md")
	b.hook("claude-code", b.event("s1", "UserPromptSubmit", "prompt", "use trunk"))
	b.hook("claude-code", b.event("s1", "SessionEnd", "reason", "other"))
	if err := os.RemoveAll(b.path("run/failures.jsonl")); err != nil {
		t.Fatal(err)
	}
	if all, _ := b.status(); len(all.Failures) == 0 || all.Failures[0].Session != "s1" {
		t.Errorf("status tells of %+v, want the failure of s1", all.Failures)
	}
	b.ws = filepath.Join(b.root, "other")
	lay(t, b.path("memory/facts.md"), "")
	if all, _ := b.status(); len(all.Failures) != 0 {
		t.Errorf("status of another workspace tells of %+v, want nothing", all.Failures)
	}
}

func TestFailuresAreBounded(t *testing.T) {
	b := newBox(t)
	b.folderAt("logs/pending.md")
	b.hook("claude-code", b.event("s1", "UserPromptSubmit", "prompt", "use trunk"))
	lay(t, b.path("run/failures.jsonl"), strings.Repeat(string(selfip.Failure{Time: "2026-05-01T00:00:00Z", Where: "old", Error: "x"}.Line()), 6000))
	b.hook("claude-code", b.event("s1", "SessionEnd", "reason", "other"))
	list := b.recorded()
	if n := len(b.file("run/failures.jsonl")); n > 300<<10 || len(list) == 0 || list[len(list)-1].Session != "s1" || list[0].Where != "old" {
		t.Errorf("%d bytes, %d failures; want the older half gone and the new one last", n, len(list))
	}
}

func TestHookAnswersAfterAPanic(t *testing.T) {
	b := newBox(t)
	b.panics = true
	r := b.feed(jsonLine(t, b.event("s1", "SessionStart", "source", "startup")), "hook", "claude-code")
	if r.code != 0 || r.out != "{}\n" || strings.Count(r.err, "\n") != 1 {
		t.Errorf("exit %d, stdout %q, stderr %q; want the empty reply and one line", r.code, r.out, r.err)
	}
	if list := b.recorded(); len(list) != 1 || list[0].Code != "panic" {
		t.Errorf("failures %+v, want the panic", list)
	}
}

func TestHookOfOurOwnAgentDoesNothing(t *testing.T) {
	b := newBox(t)
	b.ok("remember", "fact: known before")
	before := b.tree(b.root)
	b.vars["SELFIP_HOOK_ACTIVE"] = "1"
	for _, s := range samples(t) {
		r := b.feed(s.in(t, b.ws), "hook", s.harness)
		if r.code != 0 || r.err != "" || r.out != string(harness.Nothing(harness.Event{Harness: harness.Harness(s.harness)})) && !strings.HasSuffix(s.name, "notify.json") {
			t.Errorf("%s: exit %d, stdout %q, stderr %q; want the empty reply", s.name, r.code, r.out, r.err)
		}
	}
	b.same(before, b.tree(b.root), "a hook of our own agent")
}

// TestStopFailureSurvivesSIGTERM ends the hook as Claude Code does when its
// service fails: some milliseconds after the start.
func TestStopFailureSurvivesSIGTERM(t *testing.T) {
	b := newBox(t)
	rounds := 20
	if testing.Short() {
		rounds = 5
	}
	for i := range rounds {
		session := fmt.Sprintf("s%d", i)
		cmd := b.command("hook", "claude-code")
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		cmd.Stdin = r
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		r.Close()
		pid := cmd.Process.Pid
		await(t, 10*time.Second, "deafness to SIGTERM", func() bool { return ignoresTerm(pid) })
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		payload := b.event(session, "StopFailure", "error", "overloaded", "error_details", "529 the service is busy")
		if _, err := w.WriteString(jsonLine(t, payload)); err != nil {
			t.Fatal(err)
		}
		w.Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("hook: %v, want a good end in spite of SIGTERM", err)
		}
		if got := b.file("run/sessions/" + session + ".jsonl"); !strings.Contains(got, "529 the service is busy") {
			t.Errorf("events of %s: %q, want the failure", session, got)
		}
	}
}

// ignoresTerm reads the signals that a process ignores (proc(5), SigIgn).
func ignoresTerm(pid int) bool {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return true // no such file here: nothing to wait for
	}
	_, mask, _ := strings.Cut(string(data), "SigIgn:\t")
	var bits uint64
	if _, err := fmt.Sscanf(mask, "%x", &bits); err != nil {
		return false
	}
	return bits&(1<<(uint(syscall.SIGTERM)-1)) != 0
}

// TestWorkerKilled kills a worker at random moments: the next run learns what it
// had not, and no session is learned from twice.
func TestWorkerKilled(t *testing.T) {
	b := newBox(t)
	rounds := 25
	if testing.Short() {
		rounds = 5
	}
	for i := range rounds {
		session := fmt.Sprintf("s%d", i)
		end := b.event(session, "SessionEnd", "reason", "other")
		lay(t, end["transcript_path"].(string), jsonLine(t, map[string]any{
			"type": "user", "text": fmt.Sprintf("remember: host number %d is called alpha-%d", i, i),
		})+"\n")
		b.hook("claude-code", b.event(session, "UserPromptSubmit", "prompt", "begin"))
		b.hook("claude-code", end)
		cmd := b.command("queue", "run")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		timer := time.AfterFunc(time.Duration(rand.Int64N(int64(20*time.Millisecond))), func() { _ = cmd.Process.Kill() })
		_ = cmd.Wait()
		timer.Stop()
		b.ok("queue", "run")
		if keys := b.queueKeys("list"); len(keys) != 0 {
			t.Errorf("round %d: the queue still has %q", i, keys)
		}
		texts := b.entries()
		n := 0
		for _, text := range texts {
			if strings.HasSuffix(text, fmt.Sprintf("alpha-%d", i)) {
				n++
			}
		}
		if n != 1 {
			t.Errorf("round %d: %d entries say it, want 1: %q", i, n, texts)
		}
	}
	if dead := b.queueKeys("dead"); len(dead) != 0 {
		t.Errorf("dead letters %q, want none", dead)
	}
}

// TestTwoWorkersLearnOnce runs several workers on one queue.
func TestTwoWorkersLearnOnce(t *testing.T) {
	b := newBox(t)
	b.clock = time.Now()
	for i := range 12 {
		session := fmt.Sprintf("s%d", i)
		end := b.event(session, "SessionEnd", "reason", "other")
		lay(t, end["transcript_path"].(string), jsonLine(t, map[string]any{
			"type": "user", "text": fmt.Sprintf("remember: host number %d is called alpha-%d", i, i),
		})+"\n")
		b.hook("claude-code", b.event(session, "UserPromptSubmit", "prompt", "begin"))
		b.hook("claude-code", end)
	}
	var mu sync.Mutex
	learned := map[string]int{}
	var running sync.WaitGroup
	for range 4 {
		cmd := b.command("queue", "run", "--json")
		running.Add(1)
		go func() {
			defer running.Done()
			out, err := cmd.Output()
			var ran selfipcmd.RanJSON
			if err == nil {
				err = json.Unmarshal(out, &ran)
			}
			if err != nil {
				t.Errorf("queue run: %v", err)
			}
			mu.Lock()
			defer mu.Unlock()
			for _, l := range ran.Learned {
				learned[l.Session]++
			}
		}()
	}
	running.Wait()
	for session, n := range learned {
		if n != 1 {
			t.Errorf("%s was learned from %d times", session, n)
		}
	}
	if len(learned) != 12 || len(b.entries()) != 12 || len(b.queueKeys("list")) != 0 {
		t.Errorf("%d sessions learned from, %d entries, queue %q; want 12, 12 and nothing", len(learned), len(b.entries()), b.queueKeys("list"))
	}
}

// TestKilledSessionIsRecovered has no end event at all.
func TestKilledSessionIsRecovered(t *testing.T) {
	b := newBox(t)
	b.hook("claude-code", b.event("s1", "SessionStart", "source", "startup"))
	b.hook("claude-code", b.event("s1", "UserPromptSubmit", "prompt", "remember: the build host is called alpha"))
	b.hook("claude-code", b.event("s2", "SessionStart", "source", "startup"))
	if keys := b.queueKeys("list"); !slices.Equal(keys, []string{"partial-s1.md"}) {
		t.Errorf("queue %q, want the snapshot of s1", keys)
	}
	b.ok("queue", "run")
	if got := b.entries(); !holds(got, "called alpha") {
		t.Errorf("entries %q, want what s1 was told", got)
	}
}

// TestRunningSessionIsLeftAlone has two harnesses in one workspace.
func TestRunningSessionIsLeftAlone(t *testing.T) {
	b := newBox(t)
	b.running = true
	b.caller = "11@1"
	b.hook("claude-code", b.event("s1", "SessionStart", "source", "startup"))
	b.hook("claude-code", b.event("s1", "UserPromptSubmit", "prompt", "remember: the build host is called alpha"))
	b.caller = "12@1"
	b.hook("claude-code", b.event("s2", "SessionStart", "source", "startup"))
	if keys := b.queueKeys("list"); len(keys) != 0 {
		t.Errorf("queue %q, want nothing while s1 runs", keys)
	}
	b.running = false
	b.caller = "13@1"
	b.hook("claude-code", b.event("s3", "SessionStart", "source", "startup"))
	if keys := b.queueKeys("list"); !slices.Contains(keys, "partial-s1.md") {
		t.Errorf("queue %q, want s1 after its harness is gone", keys)
	}
}

// TestSayItOnce follows one session: an entry is shown once, the whole block
// comes again after a compaction and when the library has changed.
func TestSayItOnce(t *testing.T) {
	b := newBox(t)
	b.vars["SELFIP_INJECT_CHARS"] = "700" // room for few
	const wanted = "the flux capacitor needs three volts"
	var facts strings.Builder
	for i := range 60 {
		fmt.Fprintf(&facts, "- [2026-05-%02dT00:00:00Z] (fact) filler number %d says little {imp:9}\n", 1+i%28, i)
	}
	lay(t, b.path("memory/facts.md"), facts.String()+"- [2026-01-01T00:00:00Z] (fact) "+wanted+" {imp:1}\n")
	prompt := func(said string) string {
		return b.hook("claude-code", b.event("s1", "UserPromptSubmit", "prompt", said))
	}
	start := b.hook("claude-code", b.event("s1", "SessionStart", "source", "startup"))
	if !strings.Contains(start, "filler") || strings.Contains(start, wanted) {
		t.Fatalf("start gives %q, want fillers and no room for the weak one", start)
	}
	if got := prompt("how many volts for the flux capacitor"); !strings.Contains(got, wanted) || strings.Contains(got, "filler") {
		t.Errorf("the prompt gets %q, want the one entry it calls for", got)
	}
	for _, said := range []string{"how many volts for the flux capacitor", "tell me of the flux capacitor", "something else"} {
		if got := prompt(said); got != "" {
			t.Errorf("%q gets %q, want nothing said twice", said, got)
		}
	}
	b.hook("claude-code", b.event("s1", "PreCompact", "trigger", "auto"))
	if got := b.hook("claude-code", b.event("s1", "SessionStart", "source", "compact")); !strings.Contains(got, "filler") {
		t.Errorf("after a compaction the start gets %q, want the whole block", got)
	}
	if got := prompt("how many volts for the flux capacitor"); !strings.Contains(got, wanted) {
		t.Errorf("after a compaction the prompt gets %q, want the entry again", got)
	}
	if got := b.hook("claude-code", b.event("s1", "SessionStart", "source", "resume")); got != "" {
		t.Errorf("a resumed session gets %q, want nothing: the transcript holds it", got)
	}
	b.ok("remember", "fact: a new thing came to be known")
	if got := prompt("go on"); !strings.Contains(got, "a new thing came to be known") || !strings.Contains(got, "[selfip]") {
		t.Errorf("after a change the prompt gets %q, want the whole block", got)
	}
	if got := prompt("go on"); got != "" {
		t.Errorf("the next prompt gets %q, want nothing", got)
	}
	if got := b.hook("claude-code", b.event("s2", "UserPromptSubmit", "prompt", "hello")); !strings.Contains(got, "[selfip]") {
		t.Errorf("another session's first prompt gets %q, want the whole block", got)
	}
}
