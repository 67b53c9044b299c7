//go:build unix

package selfipcmd_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/dshkit/dshkit/internal/cli/selfipcmd"
)

// TestCase01 has 24 writers of one settings file and a reader beside them.
func TestCase01ConfigTornByTwoWriters(t *testing.T) {
	b := newBox(t)
	file := lay(t, b.path("config.json"), caseFile(t, "01-config-torn-by-two-writers", "in", "config.json"))
	stop := make(chan struct{})
	var reading sync.WaitGroup
	reading.Add(1)
	go func() {
		defer reading.Done()
		for {
			select {
			case <-stop:
				return
			default:
			}
			if data, err := os.ReadFile(file); err != nil || !json.Valid(data) {
				t.Errorf("a reader met %q (%v)", data, err)
				return
			}
		}
	}()
	var writing sync.WaitGroup
	for i := range 12 {
		for _, args := range [][]string{
			{"config", "set", "autoPromote", fmt.Sprint(i%2 == 0)},
			{"config", "set", "globalDir", "/tmp/" + strings.Repeat("0", i*40+1)},
		} {
			cmd := b.command(args...)
			writing.Add(1)
			go func() {
				defer writing.Done()
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Errorf("%q: %v\n%s", args, err, out)
				}
			}()
		}
	}
	writing.Wait()
	close(stop)
	reading.Wait()

	b.ok("config", "set", "autoPromote", "true")
	b.ok("config", "set", "globalDir", "/tmp/last")
	var doc map[string]any
	if err := json.Unmarshal([]byte(b.file("config.json")), &doc); err != nil {
		t.Fatal(err)
	}
	if doc["injectChars"] != 2600.0 || doc["autoPromote"] != true || doc["globalDir"] != "/tmp/last" {
		t.Errorf("config.json holds %v, want the last values and injectChars 2600", doc)
	}
	b.noLeftovers()
}

// noLeftovers demands that no temporary file is below the box, but for those of
// caches, which the next writer uses.
func (b *box) noLeftovers() {
	b.t.Helper()
	for name := range b.tree(b.root) {
		if strings.HasSuffix(name, ".tmp") {
			b.t.Errorf("%s was left behind", name)
		}
	}
}

func TestCase03StaleLock(t *testing.T) {
	b := newBox(t)
	b.vars["SELFIP_LOCK_WAIT"] = "300ms"
	b.ok("remember", "fact: known before")

	lay(t, b.path("run/lock"), "4711\n") // nobody holds it
	b.ok("remember", "fact: stored all the same")
	if got := b.hook("claude-code", b.event("s0", "SessionStart", "source", "startup")); !strings.Contains(got, "known before") {
		t.Errorf("start gives %q, want the entries", got)
	}

	holder := b.holdLock()
	for _, args := range [][]string{{"inject"}, {"status"}, {"memory"}, {"search", "known"}} {
		if r := b.exec("", args...); r.code != 0 || !strings.Contains(r.out, "known before") && args[0] != "status" {
			t.Errorf("%q beside a stopped holder: exit %d, stdout %q", args, r.code, r.out)
		}
	}
	r := b.exec(jsonLine(t, b.event("s1", "SessionStart", "source", "startup")), "hook", "claude-code")
	if got := contextOf(t, r.out); r.code != 0 || !strings.Contains(got, "known before") {
		t.Errorf("the start hook beside a stopped holder: exit %d, context %q", r.code, got)
	}
	r = b.refused(6, "remember", "fact: not now")
	if !strings.Contains(r.err, b.path("run/lock")) || !strings.Contains(r.err, "300ms") {
		t.Errorf("stderr %q, want the lock and how long it was waited for", r.err)
	}
	holder()
	b.ok("remember", "fact: after the holder")
	if n := len(b.entries()); n != 3 {
		t.Errorf("%d entries, want 3: %q", n, b.entries())
	}
}

// holdLock has another process hold the lock of the workspace, stopped in the
// middle. It returns what ends that process.
func (b *box) holdLock() (end func()) {
	b.t.Helper()
	cmd := exec.Command("sh", "-c", `exec 9>>"$1" && flock -x 9 && echo held && kill -STOP $$`, "sh", b.path("run/lock"))
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		b.t.Fatal(err)
	}
	var line [5]byte
	if _, err := out.Read(line[:]); err != nil {
		b.t.Fatal(err)
	}
	var once sync.Once
	end = func() {
		once.Do(func() {
			_ = cmd.Process.Kill() // also when it has not come to its stop yet
			_ = cmd.Wait()
		})
	}
	b.t.Cleanup(end)
	return end
}

// TestCase05 deletes the lock file all the while that processes add rows to the
// queue: each ends a session of its own.
func TestCase05LockFileSwept(t *testing.T) {
	t.Parallel()
	b := newBox(t)
	const processes = 8
	each := 100
	if testing.Short() {
		each = 15
	}
	program := binary(t)
	stop := make(chan struct{})
	var sweeping, adding sync.WaitGroup
	sweeping.Add(1)
	go func() {
		defer sweeping.Done()
		ticks := time.NewTicker(5 * time.Millisecond)
		defer ticks.Stop()
		for {
			select {
			case <-stop:
				return
			case <-ticks.C:
				_ = os.Remove(b.path("run/lock"))
			}
		}
	}()
	for p := range processes {
		adding.Add(1)
		go func() {
			defer adding.Done()
			for i := range each {
				session := fmt.Sprintf("s-%d-%d", p, i)
				for _, payload := range []map[string]any{
					b.event(session, "UserPromptSubmit", "prompt", "use trunk, not main"),
					b.event(session, "SessionEnd", "reason", "other"),
				} {
					data, _ := json.Marshal(payload)
					cmd := exec.Command(program, "hook", "claude-code")
					cmd.Dir, cmd.Env, cmd.Stdin = b.ws, b.environ(), bytes.NewReader(data)
					if out, err := cmd.CombinedOutput(); err != nil {
						t.Errorf("hook: %v\n%s", err, out)
					}
				}
			}
		}()
	}
	adding.Wait()
	close(stop)
	sweeping.Wait()
	b.hook("claude-code", b.event("last", "SessionStart", "source", "startup")) // takes up who waited in vain
	sessions := map[string]int{}
	for _, row := range b.queue("list").Rows {
		sessions[row.Session]++
	}
	for session, n := range sessions {
		if n != 1 {
			t.Errorf("%d rows of session %s, want 1", n, session)
		}
	}
	if len(sessions) != processes*each {
		t.Errorf("%d sessions in the queue, want %d", len(sessions), processes*each)
	}
}

func TestCase56DuplicatesFromTwoHooks(t *testing.T) {
	b := newBox(t)
	var groups [][]string
	var alone, group []string
	for _, line := range caseLines(t, "56-duplicates-from-two-hooks", "variants.txt") {
		switch rest, different := strings.CutPrefix(line, "DIFFERENT "); {
		case different:
			alone = append(alone, rest)
		case line == "":
			groups, group = append(groups, group), nil
		default:
			group = append(group, line)
		}
	}
	groups = slices.DeleteFunc(append(groups, group), func(g []string) bool { return len(g) == 0 })
	var running sync.WaitGroup
	for p := range 2 { // both say everything, the second more urgently
		running.Add(1)
		go func() {
			defer running.Done()
			for _, said := range append(slices.Concat(groups...), alone...) {
				cmd := b.command("remember", "--kind", "fact", "--importance", fmt.Sprint(5+3*p), "--", said)
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Errorf("remember %q: %v\n%s", said, err, out)
				}
			}
		}()
	}
	running.Wait()
	var listed selfipcmd.MemoryJSON
	b.json(&listed, "memory")
	entries := listed.Libraries[0].Entries
	if want := len(groups) + len(alone); len(entries) != want {
		t.Errorf("%d entries, want %d: %q", len(entries), want, b.entries())
	}
	for _, e := range entries {
		if e.Importance != 8 {
			t.Errorf("%q has importance %d, want the highest", e.Text, e.Importance)
		}
	}
}

// TestEightProcesses has eight processes remember at once, some of them killed
// at a random moment, while others forget, restore, search and serve hooks. What
// was acknowledged is there once, and no line is torn.
func TestEightProcesses(t *testing.T) {
	t.Parallel()
	b := newBox(t)
	const processes = 8
	each := 200
	if testing.Short() {
		each = 25
	}
	b.ok("remember", "fact: comes and goes all the time")
	program := binary(t)
	var mu sync.Mutex
	acknowledged := map[string]bool{}
	var saving, meddling sync.WaitGroup
	for p := range processes {
		saving.Add(1)
		go func() {
			defer saving.Done()
			random := rand.New(rand.NewPCG(uint64(p), 1))
			for i := range each {
				note := fmt.Sprintf("note %d of process %d says nothing new", i, p)
				cmd := exec.Command(program, "remember", "--kind", "fact", "--", note)
				cmd.Dir, cmd.Env = b.ws, b.environ()
				if killed(t, cmd, random) == nil {
					mu.Lock()
					acknowledged[note] = true
					mu.Unlock()
				}
			}
		}()
	}
	done := make(chan struct{})
	for _, args := range [][]string{
		{"forget", "comes and goes"},
		{"restore", "comes and goes"},
		{"search", "nothing new"},
		{"queue", "run"},
		{"inject"},
		{"hook", "claude-code"},
	} {
		meddling.Add(1)
		go func() {
			defer meddling.Done()
			for i := 0; ; i++ {
				select {
				case <-done:
					return
				default:
				}
				cmd := exec.Command(program, args...)
				cmd.Dir, cmd.Env = b.ws, b.environ()
				cmd.Stdin = strings.NewReader(fmt.Sprintf(`{"session_id":"s%d","cwd":%q,"hook_event_name":%q,"prompt":"note %d","transcript_path":""}`,
					i/3, b.ws, []string{"SessionStart", "UserPromptSubmit", "SessionEnd"}[i%3], i))
				_ = cmd.Run()
			}
		}()
	}
	saving.Wait()
	close(done)
	meddling.Wait()
	b.ok("queue", "run")
	b.holdsAcknowledged(acknowledged)
}

// killed runs a command and kills one in eight of them at a random moment of its
// life. It returns nil when the command ended well.
func killed(t *testing.T, cmd *exec.Cmd, random *rand.Rand) error {
	if err := cmd.Start(); err != nil {
		t.Error(err)
		return err
	}
	if random.IntN(8) == 0 {
		timer := time.AfterFunc(time.Duration(random.IntN(20_000))*time.Microsecond, func() { _ = cmd.Process.Kill() })
		defer timer.Stop()
	}
	return cmd.Wait()
}

func (b *box) holdsAcknowledged(acknowledged map[string]bool) {
	b.t.Helper()
	var listed selfipcmd.MemoryJSON
	b.json(&listed, "memory")
	counts, ids := map[string]int{}, map[string]string{}
	for _, e := range listed.Libraries[0].Entries {
		counts[e.Text]++
		ids[e.Text] = e.ID
	}
	var log struct{ Changes []selfipcmd.LoggedJSON }
	b.json(&log, "log", "--limit", "0")
	journaled := map[string]bool{}
	for _, row := range log.Changes {
		for _, c := range row.Changes {
			journaled[c.Entry] = true
		}
	}
	for note := range acknowledged {
		if counts[note] != 1 || !journaled[ids[note]] {
			b.t.Errorf("%q is there %d times, in the journal %v; want once and true", note, counts[note], journaled[ids[note]])
		}
	}
	for text, n := range counts {
		if n != 1 {
			b.t.Errorf("%q is there %d times", text, n)
		}
	}
	for _, line := range strings.Split(b.file("memory/facts.md"), "\n") {
		if line != "" && !(strings.HasPrefix(line, "- [") && strings.HasSuffix(line, "}")) {
			b.t.Errorf("torn line %q", line)
		}
	}
	b.noLeftovers()
	if r := b.run("log", "--limit", "0"); r.err != "" {
		b.t.Errorf("log says %q, want no damage", r.err)
	}
}

func TestEightProcessesSaveTheSame(t *testing.T) {
	t.Parallel()
	b := newBox(t)
	notes := 50
	if testing.Short() {
		notes = 10
	}
	program := binary(t)
	var saving sync.WaitGroup
	for range 8 {
		saving.Add(1)
		go func() {
			defer saving.Done()
			for i := range notes {
				cmd := exec.Command(program, "remember", "--kind", "lesson", "--", fmt.Sprintf("lesson %d is the same for all", i))
				cmd.Dir, cmd.Env = b.ws, b.environ()
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Errorf("remember: %v\n%s", err, out)
				}
			}
		}()
	}
	saving.Wait()
	if got := b.entries(); len(got) != notes {
		t.Errorf("%d entries, want %d", len(got), notes)
	}
}

// TestCase73 kills the end hook at random moments. Whatever the moment, the
// queue parses, no session is in it twice, and the next start recovers it.
func TestCase73SessionEndIsKilled(t *testing.T) {
	limits := []time.Duration{5, 20, 50, 100, 300}
	rounds := 20
	if testing.Short() {
		rounds = 3
	}
	b := newBox(t)
	program := binary(t)
	row := jsonLine(t, map[string]any{"type": "assistant", "text": strings.Repeat("words of the agent ", 50)})
	log := strings.Repeat(row+"\n", 5<<20/len(row)) // 5 MB
	session := 0
	for _, limit := range limits {
		for range rounds {
			session++
			id := fmt.Sprintf("s%d", session)
			b.hook("claude-code", b.event(id, "UserPromptSubmit", "prompt", "never push to main, use trunk"))
			end := b.event(id, "SessionEnd", "reason", "other")
			transcript := lay(t, end["transcript_path"].(string), log)
			cmd := exec.Command(program, "hook", "claude-code")
			cmd.Dir, cmd.Env, cmd.Stdin = b.ws, b.environ(), strings.NewReader(jsonLine(t, end))
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			moment := time.Duration(rand.Int64N(int64(limit * time.Millisecond)))
			timer := time.AfterFunc(moment, func() { _ = cmd.Process.Kill() })
			err := cmd.Wait()
			timer.Stop()
			queued := slices.ContainsFunc(b.queue("list").Rows, func(r selfipcmd.RowJSON) bool { return r.Session == id })
			if err == nil && !queued {
				t.Errorf("%s ended well and is not in the queue", id)
			}
			b.hook("claude-code", b.event(id+"-next", "SessionStart", "source", "startup"))
			b.queuedOnce(id)
			b.hook("claude-code", b.event(id+"-next", "SessionEnd", "reason", "other"))
			if err := os.Remove(transcript); err != nil {
				t.Fatal(err)
			}
		}
	}
	b.noLeftovers()
}

// queuedOnce demands that a session has one row in the queue, and its evidence
// is there.
func (b *box) queuedOnce(session string) {
	b.t.Helper()
	q := b.queue("list")
	n := 0
	for _, row := range q.Rows {
		if row.Session != session {
			continue
		}
		n++
		if _, err := os.Stat(filepath.Join(b.path("."), row.File)); err != nil {
			b.t.Errorf("evidence of %s: %v", session, err)
		}
	}
	if n != 1 || q.Bad != 0 {
		b.t.Errorf("session %s has %d rows in the queue, %d rows are bad; want 1 and 0", session, n, q.Bad)
	}
}
