package sleep_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/dshkit/dshkit/internal/selfip/sleep"
)

// handmade is a sheet as a person and the original leave it.
const handmade = `# 待验证假设 @ 2026-09-01T08:00:00.000Z

Written by hand, to be kept.
1. 缓存导致构建变慢
- the proxy drops idle connections
* ours {id:h1,state:open,by:local,ev:aa+bb}
- ~~it rains~~ {id:h2,state:refuted,by:local,at:2026-09-02T08:00:00.000Z,note:it does not}
- odd state {id:h3,state:maybe}
`

func TestParsePoint(t *testing.T) {
	for line, want := range map[string]string{
		"- a":                   "a",
		"  * b {by:local}":      "b",
		"• c":                   "c",
		"12. d":                 "d",
		"3、e":                   "e",
		"4) f":                  "f",
		"- ~~g~~ {by:x}":        "g",
		"- {not:meta} at front": "{not:meta} at front",
		"prose":                 "",
		"-no blank":             "",
		"# heading":             "",
		"2026 was a year":       "",
		"-  ":                   "",
		"- {by:local}":          "",
	} {
		p, ok := sleep.ParsePoint(line)
		if p.Text != want || ok != (want != "") {
			t.Errorf("ParsePoint(%q) = %q, %v; want %q", line, p.Text, ok, want)
		}
	}
}

func TestHypotheses(t *testing.T) {
	s := sleep.ParseSheet(sleep.HypothesesTitle, []byte(handmade))
	var got []string
	for _, h := range s.Hypotheses() {
		got = append(got, fmt.Sprintf("%s %s %q %q %s", h.ID, h.State, h.Text, strings.Join(h.Evidence, " "), h.Note))
	}
	want := []string{
		`hb78e1d09 open "缓存导致构建变慢" "" `, `hd66cd637 open "the proxy drops idle connections" "" `, `h1 open "ours" "aa bb" `,
		`h2 refuted "it rains" "" it does not`, `h3 open "odd state" "" `,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("hypotheses (-want +got):\n%s", diff)
	}
	shown := s.Text()
	if strings.Contains(shown, "it rains") || strings.Contains(shown, "{") || !strings.Contains(shown, "- ours (h1)\n") || !strings.Contains(shown, "Written by hand") {
		t.Errorf("shown is\n%s\nwant the open ones without metadata", shown)
	}
	if got := string(s.Format()); !strings.HasSuffix(got, strings.SplitN(handmade, "\n\n", 2)[1]) {
		t.Errorf("written is\n%s\nwant every line kept", got)
	}
}

// TestHypothesesAreBounded: eight of ours are open, others do not count; what was
// decided is not asked again.
func TestHypothesesAreBounded(t *testing.T) {
	s := sleep.ParseSheet(sleep.HypothesesTitle, []byte(handmade))
	var list []sleep.Hypothesis
	for i := range 10 {
		list = append(list, sleep.Hypothesis{ID: fmt.Sprintf("n%d", i), State: sleep.Open, Text: fmt.Sprint("new ", i), By: "local"})
	}
	list = append(list, sleep.Hypothesis{ID: "h2", State: sleep.Open, Text: "another wording", By: "local"}, sleep.Hypothesis{ID: "hx", State: sleep.Open, Text: "It rains.", By: "local"})
	next, left := s.AddHypotheses(list)
	if n := len(next.Hypotheses()); n != 5+7 || left != 3 {
		t.Errorf("%d hypotheses, %d left; want 12 and 3", n, left)
	}
	for i := range 200 {
		h := sleep.Hypothesis{ID: fmt.Sprintf("c%d", i), State: sleep.Open, Text: fmt.Sprint("closed ", i), By: "local"}
		next, _ = next.Settle(func(h sleep.Hypothesis) bool { return strings.HasPrefix(h.ID, "n") }).AddHypotheses([]sleep.Hypothesis{h})
		next, _, _ = next.Decide(h.ID, sleep.Refuted, "", "2026-09-15T12:00:00.000Z")
	}
	if n := len(next.Points()); n < 60 || n > 66 {
		t.Errorf("%d points after 200 decisions, want some sixty", n)
	}
	if !strings.Contains(string(next.Format()), "Written by hand") {
		t.Error("what was written by hand is gone")
	}
}

// TestReplaceKeepsOthers: whatever stands in a sheet, lines that are not ours stay,
// in their order, and to write the same points twice changes nothing.
func TestReplaceKeepsOthers(t *testing.T) {
	line := rapid.OneOf(
		rapid.SampledFrom([]string{"", "prose", "- a point of somebody's", "1. numbered {n:2}", "## a heading", "- ours {by:local}", "* also ours {n:3,by:test/stub,ev:a+b}"}),
		rapid.StringMatching(`[-*# a-z{}:,0-9]{0,20}`),
	)
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOfN(line, 0, 8).Draw(t, "lines")
		s := sleep.ParseSheet(sleep.PrinciplesTitle, []byte("# 沉淀原则 @ x\n"+strings.Join(lines, "\n")))
		var points []sleep.Point
		for _, said := range rapid.SliceOfN(rapid.StringMatching(`[a-z]{1,6}`), 0, 4).Draw(t, "points") {
			points = append(points, sleep.PrinciplePoint(sleep.Principle{Text: said, Support: 3, Evidence: []string{"k1", "k2"}}, "local"))
		}
		next := s.Replace(points, sleep.Point.Ours)
		others := slices.DeleteFunc(s.Lines(), func(l string) bool { p, ok := sleep.ParsePoint(l); return ok && p.Ours() })
		if got := next.Lines(); !slices.Equal(got[:len(others)], others) {
			t.Fatalf("lines %q became %q", s.Lines(), got)
		}
		if again := next.Replace(points, sleep.Point.Ours); !again.Same(next) {
			t.Fatalf("written twice: %q, then %q", next.Lines(), again.Lines())
		}
	})
}

// FuzzParseSheet: any file is some sheet; what is written is read as the same, and
// what is shown has no metadata of ours.
func FuzzParseSheet(f *testing.F) {
	f.Add([]byte(handmade))
	f.Add([]byte("\ufeff# 沉淀原则 @ 2026\r\n- a {n:3,by:local}\r\n"))
	f.Add([]byte("- {:}\n- ~~~~\n1. \n- a {id:,state:refuted}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, title := range []string{sleep.PrinciplesTitle, sleep.HypothesesTitle, sleep.PrefetchTitle} {
			s := sleep.ParseSheet(title, data)
			again := sleep.ParseSheet(title, s.Format())
			if !again.Same(s) || again.Stamp != s.Stamp {
				t.Errorf("%q is read as %q, written and read again as %q", data, s.Lines(), again.Lines())
			}
			for _, p := range s.Points() {
				if back, ok := sleep.ParsePoint(p.Line()); ok && p.Ours() && strings.Join(strings.Fields(back.Text), " ") != strings.Join(strings.Fields(p.Text), " ") && !strings.Contains(p.Text, "~~") {
					t.Errorf("the point %q is written as %q and read as %q", p.Text, p.Line(), back.Text)
				}
			}
			_ = s.Text()
		}
	})
}
