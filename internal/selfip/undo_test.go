package selfip_test

import (
	"fmt"
	"testing"

	"github.com/dshkit/dshkit/internal/selfip/entry"
)

// TestUndoTakesTheLiveLine: an entry that came back from the archive and is taken
// back again leaves the partition, not the archive.
func TestUndoTakesTheLiveLine(t *testing.T) {
	r := newRoom(t)
	r.chars = 1500
	m := r.own()
	for i := range 20 {
		r.tool(m, fact(fmt.Sprintf("会进档案的事实第 %02d 条，写得长一点好占地方", i)))
	}
	r.tool(m, fact("会进档案的事实第 00 条，写得长一点好占地方"))
	if _, err := m.Undo(t.Context(), "", person); err != nil {
		t.Fatal(err)
	}
	e, _ := entry.ParseLine(lines(r.read("memory/facts.md"), "第 00 条")[0])
	same(t, "the live line is withdrawn", e.Live(), false)
	hits := m.Search("第 00 条", 1)
	if len(hits) != 1 || !hits[0].Archived {
		t.Errorf("hits %+v, want the archived line, as before", hits)
	}
}

// TestUndoOfADecision: a rejection that is taken back leaves neither its lesson
// nor its decision.
func TestUndoOfADecision(t *testing.T) {
	r := newRoom(t)
	r.write("proposals/proposal-p1.md", "# 提案 @ 2026-09-10T09:00:00.000+08:00（待人工确认后应用）\n\n问题：队列没有加锁\n")
	m := r.own()
	for _, accept := range []bool{false, true} {
		if _, err := m.Decide(t.Context(), "p1", accept, "不需要"); err != nil {
			t.Fatal(err)
		}
		if _, err := m.Undo(t.Context(), "", person); err != nil {
			t.Fatalf("accepted %v: %v", accept, err)
		}
		waiting, err := m.Proposals()
		if err != nil || len(waiting) != 1 {
			t.Errorf("accepted %v: %d wait, %v; want the proposal back", accept, len(waiting), err)
		}
		same(t, "live lessons", m.Count(m.Workspace).Live, 0)
	}
}
