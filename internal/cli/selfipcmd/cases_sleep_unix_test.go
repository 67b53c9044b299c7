//go:build unix

package selfipcmd_test

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/dshkit/dshkit/internal/cli/selfipcmd"
)

// modelOf gives the box a model: a shell script that is asked on standard input.
func (b *box) modelOf(script string) {
	b.vars["SELFIP_MODEL_PROVIDER"] = "command"
	b.vars["SELFIP_MODEL_COMMAND"] = "sh " + lay(b.t, filepath.Join(b.root, "model.sh"), script)
}

func isThere(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// TestCase02ConsolidationOverwritesNewEntries remembers and forgets while the model
// thinks.
func TestCase02ConsolidationOverwritesNewEntries(t *testing.T) {
	const name = "02-consolidation-overwrites-new-entries"
	b := caseBox(t, name)
	b.clock = time.Now()
	asked, leave := filepath.Join(b.root, "asked"), filepath.Join(b.root, "leave")
	answer, err := filepath.Abs(caseDir(name, "model-answer.md"))
	if err != nil {
		t.Fatal(err)
	}
	b.modelOf(fmt.Sprintf("cat >/dev/null\n: >'%s'\nwhile [ ! -e '%s' ]; do sleep 0.01; done\ncat '%s'\n", asked, leave, answer))
	cmd := b.command("sleep", "--json")
	out := make(chan result, 1)
	go func() { out <- finish(t, cmd) }()
	await(t, 20*time.Second, "the question", func() bool { return isThere(asked) })
	b.ok("remember", "lesson: rotate the deploy key before it ends")
	b.ok("forget", "staging listens on")
	lay(t, leave, "")
	r := <-out
	if r.code != 0 {
		t.Fatalf("sleep: exit %d, stderr:\n%s", r.code, r.err)
	}
	var slept selfipcmd.SleepJSON
	oneDocument(t, r.out, &slept)
	want := []string{
		"run migrations before deploying to staging", "rotate the deploy key before it ends",
		"the backup window is 04:00 because it filled the disk when it met the batch job",
	}
	if got := b.entries(); !slices.Equal(slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want))) {
		t.Errorf("entries %q, want %q", got, want)
	}
	if facts := b.file("memory/facts.md"); !strings.Contains(facts, "staging listens") || !strings.Contains(facts, "invalid:") {
		t.Errorf("facts.md %q, want the forgotten fact kept as invalid", facts)
	}
	if len(slept.Merged) != 1 || len(slept.Merged[0].Of) != 2 {
		t.Errorf("merged %+v, want one line of two", slept.Merged)
	}
}

// TestCase02MergeThatFitsNoMore changes one of the two lessons meanwhile: the merge
// is dropped and counted.
func TestCase02MergeThatFitsNoMore(t *testing.T) {
	const name = "02-consolidation-overwrites-new-entries"
	b := caseBox(t, name)
	b.clock = time.Now()
	answer, err := filepath.Abs(caseDir(name, "model-answer.md"))
	if err != nil {
		t.Fatal(err)
	}
	program := binary(t)
	b.modelOf(fmt.Sprintf("cat >/dev/null\n'%s' -C '%s' forget 'moving the backup window' >/dev/null\ncat '%s'\n", program, b.ws, answer))
	r := b.exec("", "sleep", "--json")
	if r.code != 0 {
		t.Fatalf("sleep: exit %d, stderr:\n%s", r.code, r.err)
	}
	var slept selfipcmd.SleepJSON
	oneDocument(t, r.out, &slept)
	if slept.Stale != 1 || len(slept.Merged) != 0 {
		t.Errorf("stale %d, merged %+v; want the merge dropped and counted", slept.Stale, slept.Merged)
	}
	if got := b.entries(); !slices.Contains(got, "nightly backup and batch job collide and fill the disk") || len(got) != 3 {
		t.Errorf("entries %q, want what was there but for the forgotten one", got)
	}
}

// TestCase85SleepAhead has a state and a claim that a clock wrote which went wrong.
func TestCase85SleepAhead(t *testing.T) {
	b := caseBox(t, "85-clock-set-back")
	ahead := b.clock.Add(90 * 24 * time.Hour)
	lay(t, b.path("logs/state.json"), fmt.Sprintf(`{"sleptAt":%d,"sleepTriedAt":%[1]d,"modelPausedUntil":%[1]d}`, ahead.UnixMilli()))
	lay(t, b.path("run/claims/sleep.json"), fmt.Sprintf(`{"owner":"w1/7@7","t":%q}`, ahead.Format(time.RFC3339)))
	b.running = true
	var slept selfipcmd.SleepJSON
	b.json(&slept, "sleep", "--due")
	if slept.Awake != "" {
		t.Errorf("awake because of %q, want a time in the future to keep nobody waiting", slept.Awake)
	}
	b.json(&slept, "sleep", "--due")
	if slept.Awake != "not-due" {
		t.Errorf("awake because of %q, want the pause to hold from now on", slept.Awake)
	}
}

// TestCase108SleepKeepsUnknownKinds sleeps over entries of a kind from the future,
// with a state that may not be written.
func TestCase108SleepKeepsUnknownKinds(t *testing.T) {
	b := caseBox(t, "108-file-from-a-newer-version")
	facts, state := b.file("memory/facts.md"), b.file("logs/state.json")
	b.ok("sleep")
	if r := b.run("sleep", "--due"); r.code == 0 || !strings.Contains(r.err, "state.json") {
		t.Errorf("sleep --due: exit %d, %q; want it to name the state that it cannot go by", r.code, r.err)
	}
	if got := b.file("memory/facts.md"); got != facts {
		t.Errorf("facts.md is %q, want %q", got, facts)
	}
	if got := b.file("logs/state.json"); got != state {
		t.Errorf("state.json is %q, want it left alone", got)
	}
}

// twins lays a library in which every second lesson says what the one before says.
func (b *box) twins(n int) {
	var lessons strings.Builder
	for i := range n {
		fmt.Fprintf(&lessons, "- [2026-09-01T10:00:00.000+00:00] (lesson) the table t%d is read-only\n- [2026-09-02T10:00:00.000+00:00] (lesson) The table t%d is read-only!\n", i, i)
	}
	lay(b.t, b.path("memory/lessons.md"), lessons.String())
}

// TestOneOfEightSleeps starts eight processes at once: one sleeps and asks the
// model, the others find nothing to do.
func TestOneOfEightSleeps(t *testing.T) {
	b := newBox(t)
	b.twins(50)
	calls := filepath.Join(b.root, "calls")
	b.modelOf(fmt.Sprintf("cat >/dev/null\necho call >>'%s'\necho '## PREFETCH'\necho '- tables are read-only'\n", calls))
	binary(t)
	results := make([]result, 8)
	var sleeping sync.WaitGroup
	for i := range results {
		cmd := b.command("sleep", "--due", "--json")
		sleeping.Add(1)
		go func() {
			defer sleeping.Done()
			results[i] = finish(t, cmd)
		}()
	}
	sleeping.Wait()
	slept := 0
	for _, r := range results {
		if r.code != 0 {
			t.Errorf("sleep --due: exit %d, stderr:\n%s", r.code, r.err)
			continue
		}
		var doc selfipcmd.SleepJSON
		oneDocument(t, r.out, &doc)
		if doc.Awake == "" {
			slept++
		}
	}
	data, err := os.ReadFile(calls)
	if n := strings.Count(string(data), "call"); slept != 1 || n != 1 || err != nil {
		t.Errorf("%d processes slept, the model was asked %d times, %v; want one and one", slept, n, err)
	}
	b.noLeftovers()
}

// TestSleepIsKilled kills a sleep at any moment: of each pair one line is live, or
// both are, and the next sleep does the rest.
func TestSleepIsKilled(t *testing.T) {
	rounds := 30
	if testing.Short() {
		rounds = 6
	}
	const pairs = 100
	binary(t)
	for range rounds {
		b := newBox(t)
		b.clock = time.Now()
		b.twins(pairs)
		cmd := b.command("sleep")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		timer := time.AfterFunc(time.Duration(rand.Int64N(int64(60*time.Millisecond))), func() { _ = cmd.Process.Kill() })
		_ = cmd.Wait()
		timer.Stop()
		live := map[string]int{}
		for _, said := range b.entries() {
			live[strings.ToLower(strings.TrimSuffix(said, "!"))]++
		}
		for i := range pairs {
			if n := live[fmt.Sprintf("the table t%d is read-only", i)]; n < 1 || n > 2 {
				t.Fatalf("after the kill %d lines of pair %d are live, want one or two", n, i)
			}
		}
		if r := b.exec("", "sleep"); r.code != 0 { // the claim of the killed process keeps nobody out
			t.Fatalf("the next sleep: exit %d, stderr:\n%s", r.code, r.err)
		}
		if got := b.entries(); len(got) != pairs {
			t.Fatalf("%d entries are live after the next sleep, want %d", len(got), pairs)
		}
		b.noLeftovers()
	}
}

// TestStartWakesASleeper starts a session in a library that has not slept yet: a
// worker sleeps, once in six hours.
func TestStartWakesASleeper(t *testing.T) {
	b := newBox(t)
	delete(b.vars, "SELFIP_BACKGROUND")
	b.twins(3)
	start := func(session string, event map[string]any) {
		cmd := b.command("hook", "claude-code")
		cmd.Stdin = strings.NewReader(jsonLine(t, event))
		if r := finish(t, cmd); r.code != 0 {
			t.Fatalf("hook of %s: exit %d, stderr:\n%s", session, r.code, r.err)
		}
	}
	start("s1", b.event("s1", "SessionStart", "source", "startup"))
	await(t, 20*time.Second, "the sleep", func() bool { return strings.Count(b.file("memory/lessons.md"), "why:superseded") == 3 })
	await(t, 20*time.Second, "the note of it", func() bool { return strings.Contains(b.file("logs/state.json"), `"sleptAt"`) })
	b.workersEnded()

	// an agent that waits for a person wakes one as well, but not before it is due
	lay(t, b.path("logs/state.json"), "{}")
	lay(t, b.path("memory/facts.md"), "- [2026-09-01] (fact) port 8080\n- [2026-09-01] (fact) Port 8080.\n")
	start("s1", b.event("s1", "Notification", "notification_type", "idle_prompt", "message", "waiting"))
	await(t, 20*time.Second, "the sleep of the idle", func() bool { return strings.Contains(b.file("memory/facts.md"), "why:superseded") })
	b.workersEnded()
	b.noLeftovers()
}

// TestScheduleUnits has the schedulers' own programs, where they are there, read
// what is printed for a workspace with an awkward name.
func TestScheduleUnits(t *testing.T) {
	b := newBox(t)
	b.ws = filepath.Join(b.root, `it's 100% "done" & <so> $HOME`)
	if err := os.MkdirAll(filepath.Join(b.ws, "self-improvement"), 0o755); err != nil {
		t.Fatal(err)
	}
	files := func(kind string) (list []selfipcmd.UnitJSON) {
		t.Helper()
		var doc struct{ Files []selfipcmd.UnitJSON }
		r := b.exec("", "schedule", kind, "--json")
		if r.code != 0 {
			t.Fatalf("schedule %s: exit %d, stderr:\n%s", kind, r.code, r.err)
		}
		oneDocument(t, r.out, &doc)
		return doc.Files
	}
	t.Run("cron", func(t *testing.T) {
		row := regexp.MustCompile(`^[0-9,]+ \* \* \* \* (.+)$`)
		lines := strings.Split(strings.TrimSpace(files("cron")[0].Content), "\n")
		if len(lines) != 2 {
			t.Fatalf("%q, want two lines", lines)
		}
		for _, line := range lines {
			m := row.FindStringSubmatch(line)
			if m == nil {
				t.Fatalf("%q is no line of a crontab", line)
			}
			if bare := strings.ReplaceAll(m[1], `\%`, ""); strings.Contains(bare, "%") {
				t.Errorf("%q ends at a percent sign", line)
			}
			cmd := exec.Command("sh", "-c", strings.ReplaceAll(m[1], `\%`, "%"))
			cmd.Dir, cmd.Env = "/", b.environ()
			if r := finish(t, cmd); r.code != 0 || r.err != "" {
				t.Errorf("%q: exit %d, stderr %q; want it to run quietly", line, r.code, r.err)
			}
		}
	})
	t.Run("systemd", func(t *testing.T) {
		dir := t.TempDir()
		var names []string
		for _, f := range files("systemd") {
			names = append(names, lay(t, filepath.Join(dir, filepath.Base(f.Path)), f.Content))
		}
		if len(names) != 4 {
			t.Fatalf("%q, want two services and two timers", names)
		}
		program, err := exec.LookPath("systemd-analyze")
		if err != nil {
			t.Log("no systemd here: the units are only counted")
			return
		}
		cmd := exec.Command(program, append([]string{"verify", "--user", "--man=no"}, names...)...)
		cmd.Env = append(b.environ(), "XDG_RUNTIME_DIR="+dir, "SYSTEMD_UNIT_PATH="+dir+":")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("systemd-analyze: %v\n%s", err, out)
		}
	})
	t.Run("launchd", func(t *testing.T) {
		for _, f := range files("launchd") {
			d := xml.NewDecoder(strings.NewReader(f.Content))
			var words []string
			for {
				token, err := d.Token()
				if errors.Is(err, io.EOF) {
					break
				}
				if err != nil {
					t.Fatalf("%s: %v", f.Path, err)
				}
				if data, ok := token.(xml.CharData); ok && strings.TrimSpace(string(data)) != "" {
					words = append(words, string(data))
				}
			}
			if !slices.Contains(words, b.ws) || !slices.Contains(words, "ProgramArguments") {
				t.Errorf("%s holds %q, want the workspace %q among its words", f.Path, words, b.ws)
			}
		}
	})
}
