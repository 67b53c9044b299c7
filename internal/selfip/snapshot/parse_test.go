package snapshot_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/dshkit/dshkit/internal/selfip/snapshot"
	"github.com/dshkit/dshkit/pkg/text"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

func TestParseIsTheInverse(t *testing.T) {
	want := full()
	for name, text := range map[string]string{"log": want.Log(now), "snapshot": want.Snapshot(now)} {
		got, notes := snapshot.Parse(text)
		diff(t, name, got, want)
		diff(t, name+" notes", notes, []snapshot.Note(nil))
	}
}

func TestParseFixture07(t *testing.T) {
	s, notes := snapshot.Parse(read(t, logs("07-pending-queue"), "session-A.md"))
	diff(t, "notes", notes, []snapshot.Note(nil))
	diff(t, "session A", s, snapshot.Session{
		ID: "aaaaaaaa", Start: time.Date(2026, 9, 14, 7, 0, 0, 0, zone), ToolCalls: 5, ToolErrors: 1,
		Errors: []snapshot.Error{{time.Date(2026, 9, 14, 7, 10, 0, 0, zone), snapshot.AgentError, "", "boom"}},
	})
	s, notes = snapshot.Parse(read(t, logs("07-pending-queue"), "partial-F.md"))
	diff(t, "notes", notes, []snapshot.Note(nil))
	diff(t, "partial F", s, snapshot.Session{ID: "ffffffff", Errors: []snapshot.Error{{Kind: snapshot.AgentError, Text: "e"}}})
}

// holedLog is what make.sh of case 22 builds.
func holedLog() (log string, lines []string) {
	for n := 1; n <= 80; n++ {
		lines = append(lines, fmt.Sprintf(`{"type":"user","text":"step %d works"}`, n))
	}
	return strings.Join(lines[:40], "\n") + "\n" + strings.Repeat("\x00", 307200) + "\n" + strings.Join(lines[40:], "\n"), lines
}

func TestCase22HoleIsSkippedWithOneNote(t *testing.T) {
	log, want := holedLog()
	evidence, notes := snapshot.Evidence(log)
	diff(t, "notes", notes, []snapshot.Note{{Code: "evidence-nul-skipped", Count: 307200}})
	diff(t, "lines", strings.FieldsFunc(evidence, func(r rune) bool { return r == '\n' }), want)

	s, notes := snapshot.Parse(log)
	diff(t, "parsed", s, snapshot.Session{Rest: want})
	diff(t, "parsed notes", notes, []snapshot.Note{{Code: "evidence-nul-skipped", Count: 307200}, {Code: "evidence-lines-unknown", Count: 80}})
}

func TestHoleInsideALine(t *testing.T) {
	text := full().Log(now)
	cut := strings.Index(text, "kill-me") + len("kill")
	s, notes := snapshot.Parse(text[:cut] + strings.Repeat("\x00", 9) + text[cut:])
	diff(t, "text", s.Errors[1].Text, "kill -me")
	diff(t, "talk", s.Talk, full().Talk)
	diff(t, "notes", notes, []snapshot.Note{{Code: "evidence-nul-skipped", Count: 9}})
}

func TestBadBytesAreCounted(t *testing.T) {
	s, notes := snapshot.Parse("# Session a\xff\xfe\n\ufffd")
	diff(t, "id", s.ID, "a\ufffd")
	diff(t, "notes", notes, []snapshot.Note{{Code: "evidence-bytes-replaced", Count: 2}, {Code: "evidence-lines-unknown", Count: 1}})
}

// An original's conversation goes over several lines and holds markdown.
func TestLongMessageOfAnOriginal(t *testing.T) {
	s, notes := snapshot.Parse("# Session a @ 2026-09-14T21:00:00.000Z\r\n" + `toolCalls=1 toolErrors=x agentErrors=9

## 对话留痕（节选）
- [2026-09-14T21:01:00.000Z] 助手: Plan:

## Errors
- first
- [x] second: done
> quoted
- [2026-09-14T21:02:00.000Z] 用户: no
> [[SELFIP-RETRO-DONE]] is a mark
that is not at the end
- [2026-09-14T21:03:00.000Z] system: odd

> 运行中快照 2026-09-14T21:04:00.000Z`)
	diff(t, "notes", notes, []snapshot.Note(nil))
	at := func(m int) time.Time { return time.Date(2026, 9, 14, 21, m, 0, 0, time.UTC) }
	diff(t, "session", s, snapshot.Session{
		ID: "a", Start: at(0), ToolCalls: 1,
		Talk: []snapshot.Turn{
			{at(1), snapshot.Assistant, "Plan: ## Errors - first - [x] second: done > quoted"},
			{at(2), snapshot.User, "no > [ [SELFIP-RETRO-DONE]] is a mark that is not at the end - [2026-09-14T21:03:00.000Z] system: odd"},
		},
	})
}

func TestBounds(t *testing.T) {
	family := "👩‍👩‍👧" // eight units, one character
	var s snapshot.Session
	for n := range 120 {
		at := start.Add(time.Duration(n) * time.Second)
		s.Errors = append(s.Errors, snapshot.Error{at, snapshot.ToolError, "t", fmt.Sprint(n, strings.Repeat(family, 100))},
			snapshot.Error{at, snapshot.AgentError, "", strings.Repeat("长", 600)})
		s.Talk = append(s.Talk, snapshot.Turn{at, snapshot.User, fmt.Sprint(n, strings.Repeat("x", 500))})
		s.SubagentFails = append(s.SubagentFails, snapshot.SubagentFail{at, fmt.Sprint("p", n), "r"})
	}
	b := s.Bounded()
	diff(t, "errors, talk, fails", []int{len(b.Errors), len(b.Talk), len(b.SubagentFails)}, []int{50, 40, 10})
	diff(t, "first error is kept", b.Errors[0].Text, "0"+strings.Repeat(family, 37))
	diff(t, "tool, agent, turn", []int{text.Len(b.Errors[0].Text), text.Len(b.Errors[1].Text), text.Len(b.Talk[0].Text)}, []int{297, 500, 400})
	diff(t, "last message is kept", strings.HasPrefix(b.Talk[39].Text, "119x"), true)
	diff(t, "receiver", len(s.Errors), 240)

	log := s.Log(now)
	diff(t, "all errors", strings.Contains(log, "agentErrors=50\n"), true)
	diff(t, "shown", strings.Count(log, "] 用户: "), 24)
	diff(t, "shown first", strings.Contains(log, "] 用户: 96x"), true)
	again, _ := snapshot.Parse(log)
	diff(t, "read back", again, snapshot.Session{
		ID: "", Errors: b.Errors, SubagentFails: b.SubagentFails, Talk: b.Talk[16:],
	})
}

func TestReaderIsBounded(t *testing.T) {
	var b strings.Builder
	b.WriteString("# Session a\n" + strings.Repeat("odd\n", 1005) + "## Errors\n")
	b.WriteString(strings.Repeat("- [?] agent: e\n", 60) + "## 对话留痕（节选）\n")
	for n := range 500 {
		fmt.Fprintf(&b, "- [?] 用户: %d\n", n)
	}
	s, notes := snapshot.Parse(b.String())
	diff(t, "errors, talk, rest", []int{len(s.Errors), len(s.Talk), len(s.Rest)}, []int{50, 40, 1000})
	diff(t, "last", s.Talk[39].Text, "499")
	diff(t, "notes", notes, []snapshot.Note{{Code: "evidence-lines-unknown", Count: 1000}, {Code: "evidence-lines-left-out", Count: 15}})
}

func TestFeedbackLine(t *testing.T) {
	diff(t, "reason", snapshot.FeedbackLine("wrong\nbranch", ""), "wrong branch")
	diff(t, "W19 with the reply", snapshot.FeedbackLine("wrong", "I used main"), "wrong（针对回复：I used main）")
	diff(t, "reason of a line", snapshot.FeedbackReason(snapshot.FeedbackLine("wrong", "I used main")), "wrong")
	diff(t, "cut", text.Len(snapshot.FeedbackLine(strings.Repeat("a", 999), strings.Repeat("b", 999))), 200+300+7)
}

// Any session comes back as it was, within its limits.
func TestParseOfAnySession(t *testing.T) {
	words := rapid.OneOf(rapid.StringN(0, 60, -1), rapid.StringMatching(`[-> \[\]#:@?()（）a-z\n]{0,30}`), rapid.SampledFrom([]string{
		"## Errors", "> [[SELFIP-RETRO-DONE]]", "[[[SELFIP-", "- [?] agent: x", " @ 2026-01-01", "-> x ->", "用户: x", "\ufeff\u200d\u0301",
	}))
	when := rapid.Custom(func(t *rapid.T) time.Time {
		if rapid.Bool().Draw(t, "unknown") {
			return time.Time{}
		}
		return start.Add(time.Duration(rapid.IntRange(0, 1e9).Draw(t, "ms")) * time.Millisecond)
	})
	rapid.Check(t, func(t *rapid.T) {
		s := snapshot.Session{
			ID: rapid.StringMatching(`[a-z0-9-]{1,40}`).Draw(t, "id"), Start: when.Draw(t, "start"),
			ToolCalls: rapid.IntRange(0, 99).Draw(t, "calls"), ToolErrors: rapid.IntRange(0, 9).Draw(t, "tool errors"),
			Feedback: rapid.SliceOfN(words, 0, 4).Draw(t, "feedback"),
		}
		for range rapid.IntRange(0, 4).Draw(t, "n") {
			s.Errors = append(s.Errors, snapshot.Error{when.Draw(t, "t"), snapshot.ErrorKind(words.Draw(t, "kind")), words.Draw(t, "tool"), words.Draw(t, "text")})
			s.SubagentFails = append(s.SubagentFails, snapshot.SubagentFail{when.Draw(t, "t"), words.Draw(t, "provider"), words.Draw(t, "reason")})
			s.Talk = append(s.Talk, snapshot.Turn{when.Draw(t, "t"), rapid.SampledFrom([]snapshot.Role{snapshot.User, snapshot.Assistant}).Draw(t, "role"), words.Draw(t, "text")})
		}
		want := s.Bounded()
		for _, text := range []string{s.Log(now), s.Snapshot(now), snapshot.MarkRetroDone(s.Snapshot(now), now)} {
			got, notes := snapshot.Parse(text)
			if d := cmp.Diff(want, got, cmpopts.EquateEmpty()); d != "" || len(notes) > 0 {
				t.Fatalf("text:\n%s\nnotes %v (-want +got):\n%s", text, notes, d)
			}
		}
	})
}

func FuzzParse(f *testing.F) {
	seeds, _ := filepath.Glob("testdata/*/*/*/self-improvement/logs/*.md")
	for _, name := range seeds {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(data))
	}
	log, _ := holedLog()
	f.Add(log[len(log)/2-2000:][:2500])
	f.Add(full().Log(now))
	f.Add(full().Snapshot(now))
	f.Fuzz(func(t *testing.T, content string) {
		s, _ := snapshot.Parse(content)
		want := s
		want.Rest = nil
		want.Talk = want.Talk[max(0, len(want.Talk)-24):]
		again, notes := snapshot.Parse(s.Log(now))
		if d := cmp.Diff(want, again, cmpopts.EquateEmpty()); d != "" {
			t.Fatalf("written and read again, notes %v (-want +got):\n%s", notes, d)
		}
		for _, mark := range []func(string) string{
			func(c string) string { return snapshot.MarkRecovered(c, now) },
			func(c string) string { return snapshot.MarkFinalized(c, now, "logs/x.md") },
			func(c string) string { return snapshot.MarkRetroDone(c, now) },
		} {
			content = mark(content)
			if twice := mark(content); twice != content {
				t.Fatalf("marked twice: %q, once: %q", twice, content)
			}
		}
		if got := snapshot.StateOf(content); got != snapshot.Done {
			t.Fatalf("state of %q: %s, want done", content, got)
		}
	})
}
