package selfip_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/selfip"
)

// TestFigures: what a day brought is still told when the session and the day are
// over.
func TestFigures(t *testing.T) {
	r := newRoom(t)
	m := r.own()
	r.tool(m, fact("构建用 make"))
	r.tool(m, lesson("测试前先 make migrate"))
	r.hear(m, "s1", said("hello"))
	first := m.StartText("s1", selfip.Startup)
	r.end(m, "s1")
	r.learn(m)

	r.now = r.now.AddDate(0, 0, 1)
	if _, err := m.Forget(t.Context(), "构建用 make", selfip.Author{Origin: "command"}); err != nil {
		t.Fatal(err)
	}
	r.write("memory/facts.md", r.read("memory/facts.md")+strings.Repeat("\n- 冗余条目 x", 600))
	m.Model = func(context.Context, selfip.Question) (selfip.Answer, error) {
		return selfip.Answer{Text: "- 冗余条目 x and nothing else of note", Input: 1200, Output: 34, Provider: "acme", Model: "small"}, nil
	}
	r.compactDue(m)

	r.now = r.now.AddDate(0, 0, 2)
	m = r.own()
	m.StartText("s2", selfip.Startup)
	second := m.StartText("s3", selfip.Startup)
	r.tool(m, fact("端口是 5433"))

	units := func(s string) int { return len([]rune(s)) }
	got := m.Figures(m.Workspace, 5)
	want := []selfip.Figure{
		{Day: "2026-09-14", Live: 600},
		{Day: "2026-09-15", Live: 602, Injected: units(first), Sessions: 1},
		{Day: "2026-09-16", Live: 2, Tokens: 1234},
		{Day: "2026-09-17", Live: 2},
		{Day: "2026-09-18", Live: 3, Injected: 2 * units(second), Sessions: 2},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("figures (-want +got):\n%s\nfile: %s\n%s", diff, r.read("logs/figures.json"), r.read("memory/facts.md"))
	}
	has(t, "figures.json", r.read("logs/figures.json"), `{"version":1,"days":[`+"\n"+`{"day":"2026-09-15","sessions":1,"injected":`, "\n"+`{"day":"2026-09-16","sessions":0,"injected":0,"tokens":1234}]}`)
}

// TestFiguresAreBounded: the file keeps 400 days, and one that cannot be read is
// left as it is.
func TestFiguresAreBounded(t *testing.T) {
	r := newRoom(t)
	m := r.own()
	r.tool(m, fact("构建用 make"))
	var days []string
	for i := range 399 {
		days = append(days, fmt.Sprintf(`{"day":%q,"sessions":1,"injected":10,"tokens":0}`, clock.AddDate(0, 0, i-399).Format(time.DateOnly)))
	}
	r.write("logs/figures.json", `{"version":1,"days":[`+strings.Join(days, ",")+"]}")
	for range 4 {
		r.hear(m, "s", said("hello"))
		m.StartText("s", selfip.Startup)
		r.end(m, "s")
		r.learn(m)
		r.now = r.now.AddDate(0, 0, 1)
	}
	has(t, "the last day", r.read("logs/figures.json"), `"2026-09-18"`)
	hasNot(t, "the oldest days", r.read("logs/figures.json"), clock.AddDate(0, 0, -397).Format(time.DateOnly))
	if n := strings.Count(r.read("logs/figures.json"), `"day"`); n != 400 {
		t.Errorf("%d days, want 400", n)
	}
	for _, broken := range []string{"{", `{"version":2,"days":[]}`} {
		r.write("logs/figures.json", broken)
		r.hear(m, "s", said("hello"))
		m.StartText("s", selfip.Startup)
		r.end(m, "s")
		r.learn(m)
		same(t, "damaged figures", r.read("logs/figures.json"), broken)
		r.now = r.now.Add(24 * time.Hour)
	}
}

// TestFiguresOfAStart: a start of a session, for which somebody waits, only adds
// a row about the session before it; a worker adds the rows up.
func TestFiguresOfAStart(t *testing.T) {
	r := newRoom(t)
	m := r.own()
	r.tool(m, fact("构建用 make"))
	var given int
	for i := range 3 {
		id := fmt.Sprint("s", i)
		if err := m.Begin(selfip.Heard{Session: id}); err != nil {
			t.Fatal(err)
		}
		if _, _, err := m.Recover(t.Context(), selfip.Heard{Session: id}); err != nil {
			t.Fatal(err)
		}
		given += len([]rune(m.StartText(id, selfip.Startup)))
		r.now = r.now.Add(time.Hour)
	}
	want := selfip.Figure{Day: "2026-09-15", Live: 1, Injected: given, Sessions: 3}
	told := func(when string) {
		if diff := cmp.Diff([]selfip.Figure{want}, m.Figures(m.Workspace, 1)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", when, diff)
		}
	}
	told("before a worker")
	if n := strings.Count(r.read("logs/figures.jsonl"), "\n"); n != 2 || r.read("logs/figures.json") != "" {
		t.Errorf("%d rows, want 2, and nothing added up", n)
	}
	r.learn(m)
	told("after a worker")
	if r.read("logs/figures.jsonl") != "" || r.read("logs/figures.json") == "" {
		t.Error("the worker has not added up what was noted")
	}
}
