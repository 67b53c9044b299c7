package selfip_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/dshkit/dshkit/internal/selfip"
	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/internal/selfip/exchange"
	"github.com/dshkit/dshkit/internal/selfip/scope"
	"github.com/dshkit/dshkit/pkg/fault"
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
		if _, err := m.Decide(t.Context(), "p1", accept, "不需要", person); err != nil {
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

// liveLines are the lines of all live entries, in order of their text.
func liveLines(t *rapid.T, m *selfip.Memory) []string {
	listed, err := m.List(entry.Entry.Live)
	if err != nil {
		t.Fatal(err)
	}
	return linesOf(listed)
}

// pastLines are the lines of what was live at an instant, in order.
func pastLines(t *rapid.T, m *selfip.Memory, at time.Time) []string {
	listed, err := m.AsOf(at, entry.Entry.Live)
	if err != nil {
		t.Fatal(err)
	}
	return linesOf(listed)
}

func linesOf(listed []selfip.Listing) []string {
	var out []string
	for _, l := range listed {
		for _, e := range l.Entries {
			out = append(out, string(l.Library)+" "+e.Entry.String())
		}
	}
	slices.Sort(out)
	return out
}

// FuzzUndoTakesBack holds that after any change its undo leaves the same live
// entries as there were before it, and that the past stays as it was: what was
// live at any instant is told of that instant for ever.
func FuzzUndoTakesBack(f *testing.F) {
	for i := range byte(10) {
		f.Add(noise(i))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		rapid.MakeFuzz(func(rt *rapid.T) { undoPlay(t, rt) })(t, data)
	})
}

func undoPlay(tb *testing.T, rt *rapid.T) {
	r := newRoom(tb)
	r.chars = rapid.SampledFrom([]int{900, 200000}).Draw(rt, "capacity")
	s := rapid.SampledFrom([]scope.Scope{scope.Workspace, scope.Global, scope.Both}).Draw(rt, "scope")
	word := rapid.SampledFrom([]string{"构建用 make", "端口是 8443", "port 8000", "use the port 8000 for tests", "沙箱里不能联网", "run make gen first"})
	kind := rapid.SampledFrom(entry.Kinds[:])
	type moment struct {
		at   time.Time
		live []string
	}
	var past []moment
	change := func(what string, do func(*rapid.T, *selfip.Memory) error) func(*rapid.T) {
		return func(t *rapid.T) {
			r.now = r.now.Add(time.Minute)
			before := liveLines(t, r.open(s))
			log, _, _ := r.open(s).Log()
			past = append(past, moment{r.now.Add(-time.Second), before})
			m := rapid.SampledFrom(past).Draw(t, "moment")
			if diff := cmp.Diff(m.live, pastLines(t, r.open(s), m.at)); diff != "" {
				t.Fatalf("as of %s (-then +told):\n%s", m.at, diff)
			}
			if err := do(t, r.open(s)); err != nil && fault.KindOf(err) != fault.NotFound {
				t.Fatalf("%s: %v", what, err)
			}
			after := liveLines(t, r.open(s))
			if now, _, _ := r.open(s).Log(); len(now) == len(log) {
				if diff := cmp.Diff(before, after); diff != "" {
					t.Fatalf("%s changed what no row tells of (-before +after):\n%s", what, diff)
				}
				return
			}
			if rapid.Bool().Draw(t, "keep") {
				return
			}
			r.now = r.now.Add(time.Minute)
			if _, err := r.open(s).Undo(t.Context(), "", person); err != nil {
				t.Fatalf("undo of %s: %v", what, err)
			}
			if diff := cmp.Diff(before, liveLines(t, r.open(s))); diff != "" {
				t.Fatalf("undo of %s (-before +after):\n%s", what, diff)
			}
		}
	}
	rt.Repeat(map[string]func(*rapid.T){
		"remember": change("remember", func(t *rapid.T, m *selfip.Memory) error {
			n := selfip.Note{Kind: kind.Draw(t, "kind"), Text: word.Draw(t, "word") + strings.Repeat("长", rapid.IntRange(0, 90).Draw(t, "length")), Importance: rapid.IntRange(1, 10).Draw(t, "importance")}
			_, err := m.Remember(t.Context(), n, person)
			return err
		}),
		"replace": change("replace", func(t *rapid.T, m *selfip.Memory) error {
			_, err := m.Remember(t.Context(), selfip.Note{Kind: kind.Draw(t, "kind"), Text: word.Draw(t, "word"), Replaces: word.Draw(t, "old")}, person)
			return err
		}),
		"forget": change("forget", func(t *rapid.T, m *selfip.Memory) error {
			_, err := m.Forget(t.Context(), word.Draw(t, "word"), person)
			return err
		}),
		"restore": change("restore", func(t *rapid.T, m *selfip.Memory) error {
			_, err := m.Restore(t.Context(), word.Draw(t, "word"), person)
			return err
		}),
		"import": change("import", func(t *rapid.T, m *selfip.Memory) error {
			var in []exchange.Line
			for i := range rapid.SampledFrom([]int{1, 3, 101}).Draw(t, "lines") {
				in = append(in, exchange.Line{Kind: kind.Draw(t, "kind"), Text: fmt.Sprintf("%s %d", word.Draw(t, "word"), i), ID: exchange.ID(fmt.Sprint(i))})
			}
			_, err := m.Import(t.Context(), in)
			return err
		}),
		"retro": change("retro", func(t *rapid.T, m *selfip.Memory) error {
			r.hear(m, "s", mended()...)
			r.end(m, "s")
			_, err := m.RunQueue(t.Context(), nil)
			return err
		}),
	})
}
