package entry_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/dshkit/dshkit/internal/selfip/entry"
)

const fileCap = 200_000

func filler(i, size int) string {
	head := fmt.Sprintf("- [2026-09-01T00:00:00.000Z] (lesson) filler %d ", i)
	return head + strings.Repeat("x", max(size-len(head)-8, 1)) + " {imp:1}"
}

// TestEvictKeepsWhatMatters is the scene of SE11 to SE15.
func TestEvictKeepsWhatMatters(t *testing.T) {
	f := entry.File{}.Append("- [2026-01-01T00:00:00.000Z] (lesson) pinned {imp:10,uses:9}")
	var lines []string
	for i := range 400 {
		lines = append(lines, filler(i, 750))
	}
	f = f.Append(lines...).Append("- [2026-09-15T00:00:00.000Z] (lesson) just written {imp:3}")
	ev := entry.Evict(f, fileCap, 1, clock)
	if got := ev.Kept.Len(); got > fileCap*9/10 || got < fileCap*9/10-1000 { // SE12
		t.Errorf("SE12: length %d, want just under nine tenths of %d", got, fileCap)
	}
	kept := string(ev.Kept.Bytes())
	if !strings.Contains(kept, "pinned") || !strings.Contains(kept, "just written") { // SE13
		t.Error("SE13: the pinned or the new lesson left the file")
	}
	if len(ev.Evicted) == 0 || ev.Evicted[0].Entry.Text[:9] != "filler 0 " { // SE14, SE15
		t.Errorf("SE14: evicted %d, first %v, want the oldest filler first", len(ev.Evicted), ev.Evicted[:min(1, len(ev.Evicted))])
	}
	if again := entry.Evict(ev.Kept.Append(filler(900, 750)), fileCap, 1, clock); again.Evicted != nil {
		t.Errorf("the next append evicts %d lines, want none", len(again.Evicted))
	}
}

func TestAU26StartsWithAnEntry(t *testing.T) {
	f := entry.ParseFile([]byte("\n## error-retro @ x\n- [2026-01-01] (fact) old\nnote\n\n- [2026-09-14] (fact) new"))
	ev := entry.Evict(f, 60, 1, clock)
	want := "\n## error-retro @ x\nnote\n\n- [2026-09-14] (fact) new"
	if got := string(ev.Kept.Bytes()); got != strings.TrimPrefix(want, "\n") {
		t.Errorf("kept: got %q, want %q", got, want)
	}
}

func TestAR25EndsStayOfOneKind(t *testing.T) {
	var s strings.Builder
	for i := range 400 {
		s.WriteString(filler(i, 750) + "\r\n")
	}
	ev := entry.Evict(entry.ParseFile([]byte(s.String())).Append(filler(999, 100)), fileCap, 1, clock)
	if got := ev.Kept.Len(); got > fileCap { // AR18, AR24
		t.Errorf("AR24: length %d, want at most %d", got, fileCap)
	}
	if strings.Contains(string(ev.Kept.Bytes()), "\r") {
		t.Error("AR25: CR left in the file")
	}
}

// TestW29WithdrawnGoFirst: a withdrawn entry of importance 10 does not outlive a
// live one, and the line just written stays although its score is the lowest.
func TestW29WithdrawnGoFirst(t *testing.T) {
	f := entry.ParseFile([]byte("- [2026-09-14] (fact) gone {imp:10,invalid:2026-09-15}\n" +
		"- [2026-01-01] (fact) live {imp:5}\n- [2020-01-01] (fact) new {imp:1}"))
	ev := entry.Evict(f, f.Len()-1, 1, clock)
	if len(ev.Evicted) != 1 || ev.Evicted[0].Number != 1 {
		t.Errorf("evicted %v, want line 1", ev.Evicted)
	}
	ev = entry.Evict(f, 10, 1, clock)
	if got, want := string(ev.Kept.Bytes()), "- [2020-01-01] (fact) new {imp:1}"; got != want {
		t.Errorf("kept: got %q, want %q", got, want)
	}
}

func TestEvictSections(t *testing.T) {
	f := entry.ParseFile([]byte("- [2026-09-14] (fact) top {imp:9}\n" +
		"## a @ x\n- [2020-01-01] (fact) one\nnote of a\n" +
		"## prose\nnobody's entry\n" +
		"## b @ x\n- [2020-01-01] (fact) two\n- torn \xff\n" +
		"## c @ x\n- [2026-09-14] (fact) new"))
	ev := entry.Evict(f, 60, 1, clock)
	want := "## prose\nnobody's entry\n## b @ x\n- torn \xff\n## c @ x\n- [2026-09-14] (fact) new"
	if got := string(ev.Kept.Bytes()); got != want {
		t.Errorf("kept: got %q, want %q", got, want)
	}
	if diff := cmp.Diff([]string{"a @ x"}, ev.Sections); diff != "" {
		t.Errorf("emptied sections (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]entry.Damage{{Line: 4, Reason: entry.InvalidUTF8}}, ev.Kept.Damage); diff != "" {
		t.Errorf("damage of what is kept (-want +got):\n%s", diff)
	}
}

func TestEvictLeavesShortFilesAlone(t *testing.T) {
	f := entry.ParseFile([]byte("\n\n- a\n"))
	if ev := entry.Evict(f, 100, 0, clock); string(ev.Kept.Bytes()) != "\n\n- a\n" || ev.Evicted != nil {
		t.Errorf("got %q and %v, want the file as it was", ev.Kept.Bytes(), ev.Evicted)
	}
	prose := entry.ParseFile([]byte("# title\n" + strings.Repeat("prose\n", 100)))
	if ev := entry.Evict(prose, 100, 0, clock); ev.Kept.Len() != prose.Len() {
		t.Errorf("a file without entries went from %d to %d units, want it as it was", prose.Len(), ev.Kept.Len())
	}
}

// TestEvictionConserves: every line that is not blank is kept or handed back,
// in order, and the fresh ones are kept.
func TestEvictionConserves(t *testing.T) {
	line := rapid.OneOf(
		rapid.StringMatching(`- \[20(20|26)-0[1-9]-01\] \(fact\) [a-z]{1,30}( \{imp:[0-9]{1,2}(,invalid:x)?\})?`),
		rapid.SampledFrom([]string{"", "## head", "prose", "- torn \xff", "---", "# title"}),
	)
	rapid.Check(t, func(t *rapid.T) {
		f := entry.File{}.Append(rapid.SliceOfN(line, 1, 60).Draw(t, "lines")...)
		fresh := rapid.IntRange(0, 3).Draw(t, "fresh")
		limit := rapid.IntRange(0, f.Len()+10).Draw(t, "limit")
		ev := entry.Evict(f, limit, fresh, clock)
		rest := map[string]int{}
		for _, l := range append(append([]entry.Line(nil), ev.Kept.Lines...), ev.Evicted...) {
			rest[l.Raw]++
		}
		for i, l := range f.Lines {
			if rest[l.Raw]--; rest[l.Raw] < 0 && l.Raw != "" {
				t.Errorf("line %q is neither kept nor handed back", l.Raw)
			}
			if i >= len(f.Lines)-fresh && l.OK && !strings.Contains(string(ev.Kept.Bytes()), l.Raw) {
				t.Errorf("fresh line %q left", l.Raw)
			}
		}
		if f.Len() <= limit && len(ev.Evicted) > 0 {
			t.Errorf("%d units under a limit of %d lost %d lines", f.Len(), limit, len(ev.Evicted))
		}
	})
}
