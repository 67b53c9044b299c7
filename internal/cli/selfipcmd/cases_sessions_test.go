package selfipcmd_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/dshkit/dshkit/internal/cli/selfipcmd"
)

// learnFrom ends a session whose harness kept the given log, and learns from it.
func (b *box) learnFrom(session, log string) selfipcmd.LearnedJSON {
	b.t.Helper()
	end := b.event(session, "SessionEnd", "reason", "other")
	lay(b.t, end["transcript_path"].(string), log)
	b.hook("claude-code", b.event(session, "UserPromptSubmit", "prompt", "begin"))
	b.hook("claude-code", end)
	var ran selfipcmd.RanJSON
	if b.json(&ran, "queue", "run"); len(ran.Learned) != 1 {
		b.t.Fatalf("queue run came to %+v, want one session learned from", ran)
	}
	return ran.Learned[0]
}

// holds reports whether one of the lines holds all words.
func holds(lines []string, words ...string) bool {
	return slices.ContainsFunc(lines, func(line string) bool {
		for _, w := range words {
			if !strings.Contains(line, w) {
				return false
			}
		}
		return true
	})
}

// TestCase22 has a log with a hole of NUL bytes, as make.sh of the case makes
// it, with one thing worth keeping on either side of it.
func TestCase22NulHolesInALog(t *testing.T) {
	var log strings.Builder
	step := func(i int) string { return fmt.Sprintf(`{"type":"user","text":"step %d works"}`, i) }
	log.WriteString(`{"type":"user","text":"remember: the build host is called alpha"}` + "\n")
	for i := 1; i <= 40; i++ {
		log.WriteString(step(i) + "\n")
	}
	log.WriteString(strings.Repeat("\x00", 307200) + "\n")
	for i := 41; i < 80; i++ {
		log.WriteString(step(i) + "\n")
	}
	log.WriteString(`{"type":"user","text":"remember: the test host is called beta"}` + "\n" + step(80))

	b := newBox(t)
	learned := b.learnFrom("s1", log.String())
	if !holds(learned.Left, "307200") {
		t.Errorf("left %q, want a note of the bytes that were skipped", learned.Left)
	}
	if got := b.entries(); !holds(got, "called alpha") || !holds(got, "called beta") {
		t.Errorf("entries %q, want what was said before and after the hole; left %q", got, learned.Left)
	}
	if note := b.file("logs/handoff-latest.md"); !strings.Contains(note, "step 80 works") {
		t.Errorf("hand-off %q, want the last row, which has no line end, in it", note)
	}
	b.unreadable([]string{"\x00"}, b.path("memory"), b.path("logs"))
	if out := b.ok("inject", "--json"); strings.ContainsAny(out, "\x00") || strings.Contains(out, `\u0000`) {
		t.Errorf("inject %q, want no NUL", out)
	}
}

func TestCase23BadUTF8AndOddRows(t *testing.T) {
	b := newBox(t)
	log := caseFile(t, "23-bad-utf8-and-odd-rows", "in", "session.jsonl")
	log = strings.Replace(log, "first good row", "remember: the build host is called alpha", 1)
	log = strings.Replace(log, "second good row", "remember: the test host is called beta", 1)
	learned := b.learnFrom("s1", log)
	if !holds(learned.Left, "read: 6", "object: 4", "type: 1", "text: 1") {
		t.Errorf("left %q, want the odd rows counted by reason", learned.Left)
	}
	got := b.entries()
	if !holds(got, "build host") || !holds(got, "test host") {
		t.Errorf("entries %q, want the two good rows; left %q", got, learned.Left)
	}
	for name, data := range b.tree(b.path(".")) {
		if !utf8.ValidString(data) {
			t.Errorf("%s is not UTF-8: %q", name, data)
		}
	}
}

func TestCase24LineSeparators(t *testing.T) {
	b := newBox(t)
	log := caseFile(t, "24-line-separators-inside-strings", "in", "session.jsonl")
	for _, row := range [][2]string{{"one", "remember: the build host is called alpha"}, {"three", "remember: the test host is called three"}, {"six", "remember: the old host is called six"}} {
		log = strings.Replace(log, `"text":"`+row[0], `"text":"`+row[1], 1)
	}
	learned := b.learnFrom("s1", log)
	if holds(learned.Left, "session log") {
		t.Errorf("left %q, want all rows read", learned.Left)
	}
	if got := b.entries(); !holds(got, "called alpha") || !holds(got, "called three") || !holds(got, "called six") {
		t.Errorf("entries %q, want all three rows; left %q", got, learned.Left)
	}
	b.ok("remember", "--kind", "method", "--", "a\u2028b\u2029c\u0085d\ve\ff g")
	if got := b.file("memory/methods.md"); strings.Count(got, "\n") > 0 || strings.ContainsAny(got, "\u2028\u2029\u0085\v\f") || !strings.Contains(got, "a b c d e f g") {
		t.Errorf("methods.md %q, want one line with blanks", got)
	}
}

// TestCase69 has an entry whose evidence cannot be read fail until it is dead:
// its text stays, and it comes back once.
func TestCase69DeadLetterKeepsTheText(t *testing.T) {
	b := newBox(t)
	b.layQueue("69-dead-letter-throws-the-text-away")
	evidence := caseFile(t, "69-dead-letter-throws-the-text-away", "in", "self-improvement", "logs", "s-7.md")
	lay(t, b.path("logs/s-7.md"), evidence)
	const row = `{"t":"2026-09-01T10:00:00.000+00:00","file":"logs/s-7.md","errors":0,"toolErrors":0,"session":"s-7","transcript":%q,"harness":"dsh"}` + "\n"
	log := lay(t, b.home+"/s-7.zst", "\x28\xb5\x2f\xfd this is no frame")
	lay(t, b.path("logs/pending.md"), fmt.Sprintf(row, log))
	for range 6 {
		b.ok("queue", "run")
		b.clock = b.clock.Add(31 * time.Minute)
	}
	dead := b.queue("dead")
	if len(dead.Rows) != 1 || dead.Rows[0].Key != "s-7.md" || dead.Rows[0].Attempts != 5 || dead.Rows[0].LastError == "" || dead.Rows[0].File != "logs/s-7.md" {
		t.Fatalf("dead letters %+v, want the row with key, evidence, attempts and error", dead.Rows)
	}
	if got := b.file("logs/s-7.md"); got != evidence {
		t.Errorf("evidence %q, want it as it was", got)
	}
	if _, store := b.status(); store.PendingDead != 1 || store.Queue.Dead != 1 || store.Queue.Waiting != 0 {
		t.Errorf("status counts %d dead, %+v; want 1", store.PendingDead, store.Queue)
	}
	b.ok("queue", "retry", "s-7.md")
	if keys := b.queueKeys("list"); !slices.Equal(keys, []string{"s-7.md"}) || len(b.queue("dead").Rows) != 0 {
		t.Errorf("queue %q after it was revived, want the row once", keys)
	}
	b.refused(4, "queue", "retry", "s-7.md")
	if err := os.Remove(log); err != nil {
		t.Fatal(err)
	}
	var ran selfipcmd.RanJSON
	if b.json(&ran, "queue", "run"); len(ran.Learned) != 1 || len(b.queueKeys("list")) != 0 {
		t.Errorf("queue run came to %+v, want the revived row learned from", ran)
	}
}

// TestEndAlone has a harness tell of a session's end and of nothing else, as one
// does that got its hooks while the session ran: its own log tells the rest.
func TestEndAlone(t *testing.T) {
	b := newBox(t)
	end := b.event("s1", "SessionEnd", "reason", "other")
	lay(t, end["transcript_path"].(string), `{"type":"user","text":"remember: the build host is called alpha"}`+"\n")
	b.hook("claude-code", end)
	b.ok("queue", "run")
	if got := b.entries(); !holds(got, "called alpha") {
		t.Errorf("entries %q, want what the log tells", got)
	}
	b.hook("claude-code", b.event("s2", "SessionStart", "source", "startup")) // heard from the start: nothing happened
	b.hook("claude-code", b.event("s2", "SessionEnd", "reason", "other"))
	if keys := b.queueKeys("list"); len(keys) != 0 || len(b.files(b.path("run/sessions"))) != 0 {
		t.Errorf("queue %q, files %q; want nothing of an empty session", keys, b.files(b.path("run/sessions")))
	}
}
