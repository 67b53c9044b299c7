package inject_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/rivo/uniseg"
	"pgregory.net/rapid"

	"github.com/dshkit/dshkit/pkg/inject"
	"github.com/dshkit/dshkit/pkg/text"
)

func notice(titles []string) string { return "left out: " + strings.Join(titles, ", ") }

// list is an elastic part: whole lines, as many as a quota allows.
func list(title string, priority float64, quota int, lines ...string) inject.Part {
	fill := func(room int) string {
		out := ""
		for _, l := range lines {
			if text.Len(out)+text.Len(l)+1 <= room {
				out += l + "\n"
			}
		}
		return strings.TrimSuffix(out, "\n")
	}
	return inject.Part{
		Title: title, Priority: priority,
		Build:  func(scale float64) string { return fill(int(float64(quota) * scale)) },
		Shrink: fill,
	}
}

func TestFitShowsAllThatFits(t *testing.T) {
	parts := []inject.Part{list("b", 2, 100, "bb"), {Title: "a", Priority: 1, Text: "aa"}, {Title: "none", Priority: 0}}
	r := inject.Fit(inject.Plan{Parts: parts, Budget: 6, Notice: notice})
	want := inject.Result{Text: "aa\n\nbb", Used: 6, Shown: []string{"bb", "aa", ""}}
	if diff := cmp.Diff(want, r); diff != "" {
		t.Errorf("result (-want +got):\n%s", diff)
	}
}

// TestW1KeysAreForgottenBeforeTheRebuild counts the rounds of building.
func TestW1KeysAreForgottenBeforeTheRebuild(t *testing.T) {
	seen := map[string]bool{}
	build := func(scale float64) string {
		out := ""
		for i := range int(40 * scale) {
			key := fmt.Sprintf("entry %02d", i)
			if !seen[key] {
				seen[key] = true
				out += key + "\n"
			}
		}
		return out
	}
	r := inject.Fit(inject.Plan{
		Parts:  []inject.Part{{Title: "a", Build: build}},
		Budget: 300, Reset: func() { clear(seen) }, Notice: notice,
	})
	if !strings.HasPrefix(r.Text, "entry 00\n") || r.Used > 300 {
		t.Errorf("rescaled: got %q of %d units, want the first entries in at most 300", r.Text, r.Used)
	}
}

func TestW3NoticeIsShownAndHasItsRoom(t *testing.T) {
	parts := []inject.Part{
		{Title: "one", Priority: 1, Text: strings.Repeat("a", 50)},
		{Title: "two", Priority: 2, Text: strings.Repeat("b", 50)},
		{Title: "three", Priority: 3, Text: strings.Repeat("c", 50)},
	}
	r := inject.Fit(inject.Plan{Parts: parts, Budget: 110, Notice: notice})
	want := strings.Repeat("a", 50) + "\n\nleft out: two, three" // two would fit, but not with the notice
	if r.Text != want || !r.Noticed {
		t.Errorf("got %q, want %q", r.Text, want)
	}
	if diff := cmp.Diff([]string{"two", "three"}, r.Dropped); diff != "" {
		t.Errorf("dropped (-want +got):\n%s", diff)
	}
	r = inject.Fit(inject.Plan{Parts: parts, Budget: 10, Notice: notice})
	if r.Text != "" || len(r.Dropped) != 3 || r.Noticed {
		t.Errorf("budget 10: got %+v, want no text and three dropped", r)
	}
}

func TestFitShrinksBeforeItDrops(t *testing.T) {
	parts := []inject.Part{
		{Title: "note", Priority: 0, Text: strings.Repeat("line\n", 20), Shrink: func(room int) string { return inject.Tail(strings.Repeat("line\n", 20), room) }},
		list("list", 1, 1000, "first", strings.Repeat("x", 80), "last"),
	}
	r := inject.Fit(inject.Plan{Parts: parts, Budget: 115, Notice: notice})
	if want := strings.Repeat("line\n", 20) + "\n\nfirst\nlast"; r.Text != want {
		t.Errorf("got %q, want %q", r.Text, want)
	}
	r = inject.Fit(inject.Plan{Parts: parts, Budget: 41, Notice: notice})
	if want := "…\nline\nline\nline\nline\n\n\nleft out: list"; r.Text != want {
		t.Errorf("got %q, want %q", r.Text, want)
	}
}

// TestFitProperties: never over budget, every shown line whole, nothing missing
// without a word.
func TestFitProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		budget := rapid.IntRange(-5, 400).Draw(t, "budget")
		var parts []inject.Part
		whole := map[string]bool{"": true}
		for i := range rapid.IntRange(0, 6).Draw(t, "parts") {
			title := fmt.Sprintf("part%d", i)
			priority := float64(rapid.IntRange(0, 4).Draw(t, "priority"))
			lines := rapid.SliceOfN(rapid.StringMatching(`<[a-z中😀]{0,60}>`), 1, 8).Draw(t, "lines")
			for _, l := range lines {
				whole[l] = true
			}
			if rapid.Bool().Draw(t, "elastic") {
				parts = append(parts, list(title, priority, rapid.IntRange(0, 300).Draw(t, "quota"), lines...))
			} else {
				parts = append(parts, inject.Part{Title: title, Priority: priority, Text: strings.Join(lines, "\n")})
			}
		}
		r := inject.Fit(inject.Plan{Parts: parts, Budget: budget, Notice: notice})
		if r.Used != text.Len(r.Text) || r.Used > max(budget, 0) {
			t.Fatalf("budget %d: used %d, length %d", budget, r.Used, text.Len(r.Text))
		}
		body := r.Text
		if r.Noticed {
			body = strings.TrimSuffix(body, notice(r.Dropped))
		}
		for l := range strings.SplitSeq(body, "\n") {
			if !whole[l] {
				t.Errorf("budget %d: line %q is not whole", budget, l)
			}
		}
		all := make([]string, len(parts))
		for i, p := range parts {
			all[i] = p.Title
		}
		if len(r.Dropped) > 0 && !r.Noticed && text.Len(notice(all))+2 <= budget {
			t.Errorf("budget %d: %v dropped without a notice", budget, r.Dropped)
		}
		for i, p := range parts {
			named := strings.Contains(strings.Join(r.Dropped, " "), p.Title)
			if p.Text != "" && (r.Shown[i] == "") != named {
				t.Errorf("budget %d: %s shown %q, named as dropped: %v", budget, p.Title, r.Shown[i], named)
			}
		}
	})
}

func TestFitDistrustsShrink(t *testing.T) {
	parts := []inject.Part{{Title: "liar", Text: strings.Repeat("x", 50), Shrink: func(int) string { return strings.Repeat("y", 49) }}}
	if r := inject.Fit(inject.Plan{Parts: parts, Budget: 20}); r.Text != "" || len(r.Dropped) != 1 {
		t.Errorf("got %+v, want the part dropped", r)
	}
}

func TestTail(t *testing.T) {
	for _, c := range []struct {
		s     string
		limit int
		want  string
	}{
		{"short", 5, "short"},
		{"first line\nsecond line\nthird line", 30, "…\nsecond line\nthird line"},
		{"first line\nsecond line\nthird line", 24, "…\nsecond line\nthird line"},
		{"first line\nsecond line\nthird line", 23, "…\nthird line"},
		{strings.Repeat("x", 100), 22, "…\n" + strings.Repeat("x", 20)},
		{strings.Repeat("x", 100), 12, ""},
		{strings.Repeat("word ", 20), 20, "…\nword word word "},
		{"first line\n" + strings.Repeat("x", 100), 50, ""},
	} {
		if got := inject.Tail(c.s, c.limit); got != c.want {
			t.Errorf("Tail(%q, %d): got %q, want %q", c.s, c.limit, got, c.want)
		}
	}
}

func TestTailProperties(t *testing.T) {
	alphabet := rapid.SampledFrom([]string{"a", "中", "👩‍👩‍👧‍👦", "🇩🇪", "👍🏽", "é", "क्षत्रिय", "\n", " ", "𠮷"})
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOfN(alphabet, 0, 60).Draw(t, "s"), "")
		limit := rapid.IntRange(-3, 120).Draw(t, "limit")
		got := inject.Tail(s, limit)
		if got != s && text.Len(got) > max(limit, 0) || !utf8.ValidString(got) {
			t.Fatalf("Tail(%q, %d): got %q of %d units", s, limit, got, text.Len(got))
		}
		end := strings.TrimPrefix(got, "…\n")
		if !strings.HasSuffix(s, end) {
			t.Fatalf("Tail(%q, %d): got %q, want an end of it", s, limit, got)
		}
		if before := s[:len(s)-len(end)]; uniseg.GraphemeClusterCount(before)+uniseg.GraphemeClusterCount(end) != uniseg.GraphemeClusterCount(s) {
			t.Errorf("Tail(%q, %d): got %q, which begins inside a cluster", s, limit, got)
		}
	})
}
