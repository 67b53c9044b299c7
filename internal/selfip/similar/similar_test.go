package similar_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/internal/selfip/similar"
)

func facts(texts ...string) []entry.Entry {
	out := make([]entry.Entry, len(texts))
	for i, s := range texts {
		out[i] = entry.Entry{Kind: entry.Fact, Text: s}
	}
	return out
}

// TestSame holds pairs of which one can stand for the other.
func TestSame(t *testing.T) {
	for _, p := range [][2]string{
		{"The build needs Go 1.26.", "the build needs Go 1.26"},
		{"Run `make test` before every commit", "run make test before every commit!"},
		{"Tests need a database", "the tests need a database"},
		{"a test needs the databases", "tests needs database"},
		{"Don't use port 8000", "do not use port 8000"},
		{"we can't reach the proxy", "We cannot reach the proxy"},
		{"docs at https://docs.acme.example/a/", "Docs at https://docs.acme.example/a"},
		{"测试库的端口是 5433。", "测试库端口 5433"},
		{"测试库端口是5433", "测试库端口是 5433"},
		{"部署（生产）请用 make ship", "部署(生产)用 make ship"},
		{"a near-duplicate finder", "near duplicate finder"},
		{"lint fails -> run `make fmt`", "lint fails → run make fmt"},
		{
			"when the export job stops at night look at the disk of the worker host db-2",
			"when the export job stops at night look quickly at the disk of the worker host db-2",
		},
	} {
		got := similar.Groups(facts(p[0], p[1]))
		if len(got) != 1 {
			t.Errorf("%q and %q: got no group, want one\n%q\n%q", p[0], p[1], similar.FormOf(p[0]).Key(), similar.FormOf(p[1]).Key())
		}
	}
}

// TestDifferent holds pairs that look alike and say two things.
func TestDifferent(t *testing.T) {
	for _, p := range [][2]string{
		{"the port is 5432", "the port is 5433"},
		{"use port 8000", "do not use port 8000"},
		{"use port 8000", "use port 8000 for tests"},
		{"use tabs not spaces", "use spaces not tabs"},
		{"config in /etc/app.yaml", "config in /etc/app.yml"},
		{"run make test", "run make lint"},
		{"pass -v to curl", "pass -k to curl"},
		{"set LOG_LEVEL=debug", "set LOG_LEVEL=info"},
		{"logRate is a number", "lograte is a number"},
		{"the US cluster is down", "the us cluster is down"},
		{"written in C", "written in C++"},
		{"migrate from mysql to postgres", "migrate from postgres to mysql"},
		{"the cache was in redis", "the cache is in redis"},
		{"deploy before noon", "deploy after noon"},
		{"docs at https://a.example/x", "docs at https://a.example/y"},
		{"docs at https://a.example/x?v=1", "docs at https://a.example/x?v=2"},
		{"released 2026-09-01", "released 2026-09-11"},
		{"the limit is 1,000 rows", "the limit is 1 000 rows"},
		{"不要用 5432 端口", "要用 5432 端口"},
		{"测试库端口是 5433", "旧测试库端口是 5433"},
		{"测试库端口是 5433", "生产库端口是 5433"},
		{"部署前先备份", "部署后先备份"},
		{"近重复内容 1", "近重复内容 2"},
		{
			"when the export job stops at night look at the disk of the worker host db-2",
			"when the export job stops at night never look at the disk of the worker host db-2",
		},
		{
			"when the export job stops at night look at the disk of the worker host db-2",
			"when the import job stops at night look at the disk of the worker host db-2",
		},
		{"!!", "??"},
	} {
		if got := similar.Groups(facts(p[0], p[1])); len(got) != 0 {
			t.Errorf("%q and %q: got one group, want none; key %q", p[0], p[1], similar.FormOf(p[0]).Key())
		}
	}
	if got := similar.Groups([]entry.Entry{{Kind: entry.Fact, Text: "x y"}, {Kind: entry.Lesson, Text: "x y"}}); len(got) != 0 {
		t.Errorf("two kinds: got %v, want no group", got)
	}
}

func TestHardTokens(t *testing.T) {
	for said, want := range map[string][]string{
		"isn't run by ./make.sh, 5433": {"not", "./make.sh", "5433"},
		"端口不是 5433":                    {"不", "5433"},
		"run the tests":                nil,
	} {
		if diff := cmp.Diff(want, similar.FormOf(said).Hard()); diff != "" {
			t.Errorf("hard tokens of %q (-want +got):\n%s", said, diff)
		}
	}
}

func TestKeeper(t *testing.T) {
	line := func(s string) entry.Entry {
		e, ok := entry.ParseLine(s)
		if !ok {
			t.Fatalf("no entry: %q", s)
		}
		return e
	}
	for name, c := range map[string]struct {
		lines []string
		want  similar.Group
	}{
		"trusted": {[]string{"- [2026-09-02] (fact) a b {origin:retro,imp:9}", "- [2026-09-01] (fact) a b {src:user,imp:3}"}, similar.Group{1, []int{0}}},
		"weight":  {[]string{"- [2026-09-02] (fact) a b {imp:3}", "- [2026-09-01] (fact) a b {imp:9}"}, similar.Group{1, []int{0}}},
		"newest":  {[]string{"- [2026-09-01] (fact) a b", "- [2026-09-03] (fact) a b", "- [2026-09-02] (fact) a b"}, similar.Group{1, []int{0, 2}}},
		"first":   {[]string{"- [2026-09-01] (fact) a b", "- [2026-09-01] (fact) A b."}, similar.Group{0, []int{1}}},
		"longest": {[]string{
			"- [2026-09-02] (fact) one1 two2 c3 d4 e5 f6 g7 h8 i9 j10 k11 {imp:9}",
			"- [2026-09-01] (fact) one1 two2 c3 d4 e5 quietly f6 g7 h8 i9 j10 k11 {imp:1}",
		}, similar.Group{1, []int{0}}},
	} {
		var list []entry.Entry
		for _, l := range c.lines {
			list = append(list, line(l))
		}
		if diff := cmp.Diff([]similar.Group{c.want}, similar.Groups(list)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestGroupsHold: whatever the texts and their order, every place is in at most
// one group, the keeper has every hard token of the others, in order, and the
// groups partition the texts in the same way when these are turned around.
func TestGroupsHold(t *testing.T) {
	word := rapid.SampledFrom([]string{"port", "ports", "The", "use", "not", "5432", "5433", "a/b", "端", "不", "是", "Makefile", "quickly", "db"})
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) string {
			return strings.Join(rapid.SliceOfN(word, 1, 14).Draw(t, "words"), " ")
		}), 0, 30).Draw(t, "texts")
		list := facts(texts...)
		seen := map[int]bool{}
		sizes := map[string]int{}
		for _, g := range similar.Groups(list) {
			for _, i := range append([]int{g.Keeper}, g.Others...) {
				if seen[i] {
					t.Fatalf("%d is in two groups", i)
				}
				seen[i] = true
				sizes[similar.FormOf(list[g.Keeper].Text).Key()]++
				if got, want := similar.FormOf(list[i].Text).Hard(), similar.FormOf(list[g.Keeper].Text).Hard(); !slices.Equal(got, want) {
					t.Fatalf("hard tokens %q and %q in one group", got, want)
				}
			}
		}
		again := map[string]int{}
		slices.Reverse(list)
		for _, g := range similar.Groups(list) {
			again[similar.FormOf(list[g.Keeper].Text).Key()] += 1 + len(g.Others)
		}
		if total(sizes) != total(again) {
			t.Fatalf("%d in groups, turned around %d", total(sizes), total(again))
		}
	})
}

func total(m map[string]int) (n int) {
	for _, v := range m {
		n += v
	}
	return n
}

// FuzzFormOf: no text breaks it, no token is empty or holds the blank that parts
// tokens in a key, and a text has one key.
func FuzzFormOf(f *testing.F) {
	for _, s := range []string{"Don't use C++ at https://a.example/x?y=1,2 -> (see `README.md`)", "测试库端口是5433,不是 5432", "a-b c--d -e- 'it''s'", "\xff→→=>,;", "K Ⅳ ｆｕｌｌ", "0://"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		form := similar.FormOf(s)
		for i, token := range form.Tokens() {
			if token.Text == "" || strings.Contains(token.Text, " ") {
				t.Errorf("%q: token %d is %+v", s, i, token)
			}
		}
		if again := similar.FormOf(s); again.Key() != form.Key() {
			t.Errorf("%q: two keys %q, %q", s, form.Key(), again.Key())
		}
	})
}

func BenchmarkGroups(b *testing.B) {
	for _, n := range []int{1000, 10_000, 100_000} {
		list := make([]entry.Entry, n)
		for i := range list {
			list[i] = entry.Entry{Kind: entry.Lesson, Text: fmt.Sprintf("The export of table %d fails on host db-%d because the disk fills up at night; look at worker %d first", i%(n/2), i%7, i%97)}
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				similar.Groups(list)
			}
		})
	}
}
