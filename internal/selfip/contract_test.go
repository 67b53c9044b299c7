package selfip_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/dshkit/dshkit/internal/selfip"
	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/internal/selfip/scope"
	"github.com/dshkit/dshkit/pkg/fault"
)

// TestDeniedWrites: a library that cannot be written says so and loses nothing.
func TestDeniedWrites(t *testing.T) {
	r := newRoom(t)
	writeFile(t, filepath.Join(r.dir, selfip.FolderName), "a file where the folder should be")
	_, err := r.own().Remember(t.Context(), fact("构建用 make"), selfip.Author{Origin: "tool"})
	t.Run("CO08", func(t *testing.T) {
		if err == nil {
			t.Error("CO08: stored in a place that takes no files")
		}
	})
	t.Run("CO09", func(t *testing.T) {
		if code := fault.CodeOf(err); code != "not-a-folder" {
			t.Errorf("CO09: %q (%v), want the reason not-a-folder", code, err)
		}
	})
}

// refusing is a harness whose session logs cannot be read just now.
func refusing(string, string) (selfip.Transcript, error) {
	return selfip.Transcript{}, errors.New("429 too many requests")
}

// TestFailedRetro: a retro that fails leaves its row; one that succeeds takes it
// away, marks the evidence and stores what it has learned.
func TestFailedRetro(t *testing.T) {
	r := newRoom(t)
	m := r.own()
	for _, rec := range mended() {
		h := selfip.Heard{Harness: "claude-code", Session: "s1", Dir: r.dir, Transcript: "/log/s1.jsonl", Record: rec}
		if err := m.Hear(h); err != nil {
			t.Fatal(err)
		}
	}
	r.end(m, "s1")
	if _, err := m.RunQueue(t.Context(), refusing); err != nil {
		t.Fatal(err)
	}
	q, err := m.Queue()
	if err != nil || len(q.Waiting) != 1 {
		t.Fatalf("CO14: %d rows, %v; want the one that failed", len(q.Waiting), err)
	}
	row := q.Waiting[0]
	t.Run("CO14", func(t *testing.T) { same(t, "CO14", row.Session, "s1") })
	t.Run("CO15", func(t *testing.T) { has(t, "CO15", r.read("logs/pending.md"), `"attempts":1`) })
	t.Run("CO16", func(t *testing.T) { has(t, "CO16", row.LastError, "429") })
	t.Run("CO17", func(t *testing.T) { hasNot(t, "CO17", r.read(row.File), "[[SELFIP-RETRO-DONE]]") })
	t.Run("AU16", func(t *testing.T) { same(t, "AU16", row.Attempts, 1) })
	t.Run("AU42", func(t *testing.T) { same(t, "AU42", r.read("memory/lessons.md"), "") })
	t.Run("AU44", func(t *testing.T) { same(t, "AU44", len(q.Waiting), 1) })

	r.now = r.now.Add(31 * time.Minute)
	r.learn(m)
	t.Run("CO18", func(t *testing.T) { same(t, "CO18", r.read("logs/pending.md"), "") })
	t.Run("CO19", func(t *testing.T) { has(t, "CO19", r.read(row.File), "[[SELFIP-RETRO-DONE]] @ ") })
	t.Run("CO20", func(t *testing.T) {
		has(t, "CO20", r.read("memory/lessons.md"), "npm test", "docker compose up -d redis")
	})
}

// TestQueueStandings: rows that are done or were tried too often leave the queue.
func TestQueueStandings(t *testing.T) {
	r := newRoom(t)
	r.write("logs/session-done.md", "# Session d @ 2026-09-15T00:00:00.000Z\n\n> [[SELFIP-RETRO-DONE]] @ x")
	r.write("logs/session-dead.md", "# Session e @ 2026-09-15T00:00:00.000Z\n")
	r.write("logs/partial-live.md", "# Session live @ 2026-09-15T00:00:00.000Z\n")
	r.write("logs/pending.md", `{"t":"2026-09-15T00:00:00.000Z","file":"logs/session-done.md"}
{"t":"2026-09-15T00:00:00.000Z","file":"logs/session-dead.md","attempts":5}
`)
	m := r.own()
	r.learn(m)
	queue := r.read("logs/pending.md")
	t.Run("CO21", func(t *testing.T) { hasNot(t, "CO21", queue, "session-done") })
	t.Run("CO22", func(t *testing.T) { hasNot(t, "CO22", queue, "session-dead") })
	t.Run("CO23", func(t *testing.T) {
		has(t, "CO23", r.read("logs/pending-dead.md"), "logs/session-dead.md", `"deadAt":`)
	})
	t.Run("CO24", func(t *testing.T) { same(t, "CO24", m.Health(m.Workspace).State.Int("pendingDead"), 1) })
}

// TestScopeGlobal: two workspaces share what they learn.
func TestScopeGlobal(t *testing.T) {
	const mark = "所有仓库都先跑 make lint"
	a := newRoom(t)
	b := a.beside()
	got := a.tool(a.open(scope.Global), selfip.Note{Kind: entry.Method, Text: mark, Importance: 8})
	t.Run("CO38", func(t *testing.T) { same(t, "CO38", got.Library, selfip.GlobalLabel) })
	t.Run("CO39", func(t *testing.T) { has(t, "CO39", a.readGlobal("memory/methods.md"), mark) })
	t.Run("CO40", func(t *testing.T) { hasNot(t, "CO40", a.read("memory/methods.md"), mark) })
	m := b.open(scope.Global)
	t.Run("CO41", func(t *testing.T) { same(t, "CO41", m.Count(m.Global).Partitions["methods"], 1) })
	t.Run("CO42", func(t *testing.T) {
		hits := m.Search("make lint", 5)
		if len(hits) != 1 || hits[0].Library != selfip.GlobalLabel {
			t.Errorf("CO42: %+v, want one hit of the global library", hits)
		}
	})
	t.Run("CO43", func(t *testing.T) { has(t, "CO43", inject(m), mark) })
	t.Run("CO44", func(t *testing.T) { has(t, "CO44", inject(m), "所有工作区共用") })
	t.Run("CO46", func(t *testing.T) {
		own := b.own()
		b.tool(own, fact("本仓库用 Go")) // else there is nothing to inject at all
		text := inject(own)
		has(t, "CO46", text, "本仓库用 Go")
		hasNot(t, "CO46", text, mark)
	})
}

// TestScopeBothKeepsHome: in scope both nothing leaves the workspace, at no time.
func TestScopeBothKeepsHome(t *testing.T) {
	const mark = "这个仓库的发布要两个人批准"
	r := newRoom(t)
	r.write("memory/facts.md", "- [2026-09-01T00:00:00.000Z] (fact) 网上看到的一句话 {src:web,imp:9}")
	m := r.open(scope.Both)
	r.tool(m, selfip.Note{Kind: entry.Method, Text: mark, Importance: 9})
	t.Run("CO47", func(t *testing.T) { has(t, "CO47", r.read("memory/methods.md"), mark) })
	r.hear(m, "c", mended()...)
	r.end(m, "c")
	r.learn(m)
	global := globalText(r)
	t.Run("CO48", func(t *testing.T) { hasNot(t, "CO48", global, mark) })
	t.Run("CO49", func(t *testing.T) { has(t, "CO49", r.read("memory/methods.md"), mark) })
	t.Run("CO50", func(t *testing.T) { hasNot(t, "CO50", global, "promoted:") })
	t.Run("CO51", func(t *testing.T) { hasNot(t, "CO51", global, "网上看到的一句话") })
	t.Run("CO53", func(t *testing.T) { same(t, "CO53", global, "") }) // the room is below the temporary directory
	t.Run("CO54", func(t *testing.T) { has(t, "CO54", r.read("memory/methods.md"), mark) })
}

// globalText is all that the global library holds.
func globalText(r *room) string {
	var b strings.Builder
	for _, p := range selfip.Partitions {
		b.WriteString(r.readGlobal(p.File))
	}
	return b.String()
}

// TestQuietSessionIsQueued: a session in which nothing failed is learned from
// as well.
func TestQuietSessionIsQueued(t *testing.T) {
	r := newRoom(t)
	m := r.own()
	r.hear(m, "quiet", ran("1", `selfip remember "method: 先跑 lint"`, "remembered"))
	r.end(m, "quiet")
	t.Run("CO52", func(t *testing.T) {
		q, err := m.Queue()
		if err != nil || len(q.Waiting) != 1 || q.Waiting[0].Session != "quiet" {
			t.Errorf("CO52: %+v, %v; want the session in the queue", q.Waiting, err)
		}
	})
}

// TestOneWayShare: what is public is read everywhere; what is private stays.
func TestOneWayShare(t *testing.T) {
	const public, own, private = "公开方法：先看日志再改代码", "甲仓库自己的方法", "甲仓库的私有经验"
	a := newRoom(t)
	a.writeGlobal("memory/methods.md", fmt.Sprintf("- [2026-09-01T00:00:00.000Z] (method) %s {origin:tool,imp:8}", public))
	a.write("memory/methods.md", fmt.Sprintf("- [2026-09-01T00:00:00.000Z] (method) %s {origin:tool,imp:8}", own))
	m := a.open(scope.Both)
	text := inject(m)
	t.Run("OW01", func(t *testing.T) { has(t, "OW01", text, own) })
	t.Run("OW02", func(t *testing.T) { has(t, "OW02", text, public) })
	t.Run("OW03", func(t *testing.T) { has(t, "OW03", text, "不会外流") })
	got := a.tool(m, method(private))
	t.Run("OW04", func(t *testing.T) { same(t, "OW04", got.Library, selfip.WorkspaceLabel) })
	t.Run("OW05", func(t *testing.T) { has(t, "OW05", a.read("memory/methods.md"), private) })
	a.hear(m, "s", mended()...)
	a.end(m, "s")
	a.learn(m)
	t.Run("OW06", func(t *testing.T) { hasNot(t, "OW06", globalText(a), private, "npm test") })
	t.Run("OW07", func(t *testing.T) { has(t, "OW07", globalText(a), public) })

	b := a.beside()
	text = inject(b.open(scope.Both))
	t.Run("OW08", func(t *testing.T) { has(t, "OW08", text, public) })
	t.Run("OW09", func(t *testing.T) { hasNot(t, "OW09", text, private) })
	t.Run("OW10", func(t *testing.T) { hasNot(t, "OW10", b.read("memory/methods.md"), private) })

	g, h := a.beside(), a.beside()
	got = g.tool(g.open(scope.Global), method("乙仓库愿意共享的方法"))
	t.Run("OW14", func(t *testing.T) {
		same(t, "OW14", got.Library, selfip.GlobalLabel)
		has(t, "OW14", globalText(g), "乙仓库愿意共享的方法")
	})
	t.Run("OW15", func(t *testing.T) { has(t, "OW15", inject(h.open(scope.Global)), "乙仓库愿意共享的方法") })
}
