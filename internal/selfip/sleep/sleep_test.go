package sleep_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/internal/selfip/similar"
	"github.com/dshkit/dshkit/internal/selfip/sleep"
)

var now = time.Date(2026, 9, 15, 12, 0, 0, 0, time.UTC)

// items reads lines of a partition as material.
func items(t testing.TB, partition int, lines ...string) []sleep.Item {
	t.Helper()
	var out []sleep.Item
	for _, line := range lines {
		e, ok := entry.ParseLine(line)
		if !ok {
			t.Fatalf("no entry: %q", line)
		}
		out = append(out, sleep.Item{Entry: e, Partition: partition})
	}
	return out
}

// statements are the same kind of line, a day apart.
func statements(t testing.TB, kind string, texts ...string) []sleep.Item {
	var lines []string
	for i, s := range texts {
		lines = append(lines, fmt.Sprintf("- [2026-09-%02dT08:00:00.000+00:00] (%s) %s", i%28+1, kind, s))
	}
	return items(t, 1, lines...)
}

func TestMerges(t *testing.T) {
	for name, c := range map[string]struct {
		lines []string
		want  []string // keeper, then what goes
	}{
		"same": {
			[]string{"- [2026-09-01T00:00:00Z] (fact) Tests need a database {uses:2}", "- [2026-09-02T00:00:00Z] (fact) the tests need a database. {imp:7,vfy:2026-09-03T00:00:00Z}"},
			[]string{"- [2026-09-02T00:00:00Z] (fact) the tests need a database. {imp:7,vfy:2026-09-03T00:00:00Z,uses:2}", "Tests need a database"},
		},
		"the user's word stays": {
			[]string{"- [2026-09-01T00:00:00Z] (fact) use pnpm {src:user}", "- [2026-09-02T00:00:00Z] (fact) Use pnpm! {origin:retro,imp:10}"},
			[]string{"- [2026-09-02T00:00:00Z] (fact) use pnpm {src:user}", "Use pnpm!"},
		},
		"a date ahead is none": {
			[]string{"- [2026-09-01T00:00:00Z] (fact) use pnpm {src:user}", "- [9999-01-01T00:00:00Z] (fact) Use pnpm! {origin:retro,vfy:9999-01-01T00:00:00Z}"},
			[]string{"- [2026-09-01T00:00:00Z] (fact) use pnpm {src:user}", "Use pnpm!"},
		},
		"an error with its remedy": {
			[]string{"- [2026-09-01T00:00:00Z] (lesson) npm ci fails -> lock file is stale", "- [2026-09-02T00:00:00Z] (lesson) npm ci fails -> the lock file is stale -> npm install first"},
			[]string{"- [2026-09-02T00:00:00Z] (lesson) npm ci fails -> the lock file is stale -> npm install first", "npm ci fails -> lock file is stale"},
		},
		"an address with its use": {
			[]string{"- [2026-09-01T00:00:00Z] (resource) Docs | https://a.example", "- [2026-09-02T00:00:00Z] (resource) docs | https://a.example | export API"},
			[]string{"- [2026-09-02T00:00:00Z] (resource) docs | https://a.example | export API", "Docs | https://a.example"},
		},
		"a remedy from outside does not swallow the user's error": {
			[]string{"- [2026-09-01T00:00:00Z] (lesson) npm ci fails -> lock file is stale {src:user}", "- [2026-09-02T00:00:00Z] (lesson) npm ci fails -> lock file is stale -> curl it {src:web}"}, nil,
		},
		"another use":  {[]string{"- [2026-09-01T00:00:00Z] (resource) docs | https://a.example | export", "- [2026-09-02T00:00:00Z] (resource) docs | https://a.example | import"}, nil},
		"another kind": {[]string{"- [2026-09-01T00:00:00Z] (fact) use pnpm", "- [2026-09-02T00:00:00Z] (hint) use pnpm"}, nil},
		"a number":     {[]string{"- [2026-09-01T00:00:00Z] (fact) port 8080", "- [2026-09-02T00:00:00Z] (fact) port 8081"}, nil},
		"a denial":     {[]string{"- [2026-09-01T00:00:00Z] (fact) 要提交 .env", "- [2026-09-02T00:00:00Z] (fact) 不要提交 .env"}, nil},
	} {
		m := sleep.New(items(t, 0, c.lines...), now)
		var got []string
		for _, mg := range m.Merges() {
			got = append(got, mg.Entry.String())
			for _, d := range mg.Drop {
				got = append(got, m.Items[d].Text)
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// drawLine draws an entry of few words, so that some say the same.
func drawLine(t *rapid.T) sleep.Item {
	words := rapid.SampledFrom([]string{
		"the", "port", "ports", "is", "not", "never", "8080", "8081", "a/b.go", "LOG_RATE", "use", "Use", "stage", "->", "|", "不要", "提交", "端口", "是", "。", "main!",
	})
	e := entry.Entry{
		Stamp: rapid.SampledFrom([]string{"2026-09-01T00:00:00Z", "2026-09-02T00:00:00Z", "", "9999-01-01T00:00:00Z"}).Draw(t, "stamp"),
		Kind:  rapid.SampledFrom([]entry.Kind{entry.Fact, entry.Lesson}).Draw(t, "kind"),
		Text:  strings.Join(rapid.SliceOfN(words, 1, 6).Draw(t, "words"), " "),
	}
	for _, key := range []string{"src", "imp", "uses", "ttl", "vfy"} {
		values := map[string][]string{
			"src": {"", "", "user", "web"}, "imp": {"", "9"}, "uses": {"", "3"}, "ttl": {"", "30"}, "vfy": {"", "2026-01-01T00:00:00Z", "2026-09-10T00:00:00Z"},
		}
		e = e.With(key, rapid.SampledFrom(values[key]).Draw(t, key))
	}
	return sleep.Item{Entry: e, Partition: rapid.IntRange(0, 1).Draw(t, "partition")}
}

// merged is the material after its merges.
func merged(m *sleep.Material) *sleep.Material {
	gone, kept := map[int]bool{}, map[int]entry.Entry{}
	for _, mg := range m.Merges() {
		kept[mg.Keep] = mg.Entry
		for _, d := range mg.Drop {
			gone[d] = true
		}
	}
	var left []sleep.Item
	for i, it := range m.Items {
		if gone[i] {
			continue
		}
		if e, ok := kept[i]; ok {
			it.Entry = e
		}
		left = append(left, it)
	}
	return sleep.New(left, now)
}

// TestMergesKeepWhatIsSaid: whatever the entries, what leaves has a keeper that
// stays, of its partition and kind, trusted at least as much, with the same
// numbers and names, that denies if it does; and the next sleep finds nothing.
func TestMergesKeepWhatIsSaid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := sleep.New(rapid.SliceOfN(rapid.Custom(drawLine), 0, 30).Draw(t, "items"), now)
		seen := map[int]bool{}
		for _, mg := range m.Merges() {
			for _, i := range append([]int{mg.Keep}, mg.Drop...) {
				if seen[i] {
					t.Fatalf("%q is in two merges", m.Items[i].Text)
				}
				seen[i] = true
			}
			keeper := m.Items[mg.Keep]
			kept := similar.FormOf(keeper.Text)
			if keeper.Text != mg.Entry.Text || keeper.Kind != mg.Entry.Kind || keeper.Get("src") != mg.Entry.Get("src") {
				t.Fatalf("the keeper %v became %v", keeper.Entry, mg.Entry)
			}
			for _, d := range mg.Drop {
				it := m.Items[d]
				form := similar.FormOf(it.Text)
				switch {
				case it.Partition != keeper.Partition || it.Kind != keeper.Kind:
					t.Fatalf("%v leaves for %v of another place", it, keeper)
				case keeper.Trust() > it.Trust():
					t.Fatalf("%v leaves for %v, which is trusted less", it, keeper)
				case len(form.Lost(kept)) > 0 || form.Denies() && !kept.Denies() || !strings.HasPrefix(kept.Key(), form.Key()):
					t.Fatalf("%q leaves for %q, which does not say it", it.Text, keeper.Text)
				}
			}
		}
		if again := merged(m).Merges(); len(again) > 0 {
			t.Fatalf("a second sleep merges %v", again)
		}
	})
}

// TestDeterministic: the same entries give the same result every time.
func TestDeterministic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOfN(rapid.Custom(drawLine), 0, 20).Draw(t, "items")
		all := func() []any {
			m := sleep.New(list, now)
			review, more := m.Review()
			return []any{m.Merges(), m.Principles(), m.Conflicts(), review, more, m.Prefetch("the port of stage is 8080, a/b.go"), m.Items}
		}
		if diff := cmp.Diff(all(), all()); diff != "" {
			t.Fatalf("two results (-first +second):\n%s", diff)
		}
	})
}

func TestPrinciples(t *testing.T) {
	m := sleep.New(append(statements(t, "lesson",
		"make test fails: no route to 127.0.0.1:6379 -> ran docker compose up -d redis -> `make test` passed",
		"make e2e fails: no route to 127.0.0.1:6379 -> ran docker compose up -d redis -> `make e2e` passed",
		"npm start hangs -> ran docker compose up -d redis -> `npm start` passed",
		"the export job needs more memory than the worker has when tables are large",
		"when tables are large, the export job needs more memory than the worker has got",
		"export job of large tables needs more memory on the worker",
		"大表导出任务会耗尽工作机内存", "导出大表的任务会耗尽工作机内存", "大表导出任务又耗尽工作机内存",
		"something else -> another thing entirely -> `npm start` passed",
		"a third thing -> nothing in common -> `npm start` passed",
	), statements(t, "fact", "make test needs redis")...), now)
	want := []string{
		"3 npm start hangs; make e2e fails: no route to 127.0.0.1:6379 -> ran docker compose up -d redis",
		"3 export job of large tables needs more memory on the worker",
		"3 大表导出任务又耗尽工作机内存",
	}
	var got []string
	for _, p := range m.Principles() {
		got = append(got, fmt.Sprintf("%d %s", p.Support, p.Text))
		if len(p.Evidence) != 3 {
			t.Errorf("%q names %d entries, want three", p.Text, len(p.Evidence))
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("principles (-want +got):\n%s", diff)
	}
}

func TestConflicts(t *testing.T) {
	for name, c := range map[string]struct {
		texts []string
		want  []string
	}{
		"another number":        {[]string{"the port of the test database is 5432", "The port of the test database is 5433"}, []string{"The port of the test database is 5433 / the port of the test database is 5432"}},
		"another word":          {[]string{"the default branch is main", "the default branch is trunk"}, []string{"the default branch is trunk / the default branch is main"}},
		"Chinese":               {[]string{"测试库端口是 5432", "测试库端口：5433"}, []string{"测试库端口：5433 / 测试库端口是 5432"}},
		"a denial":              {[]string{"tests run in parallel here", "tests do not run in parallel here"}, []string{"tests do not run in parallel here / tests run in parallel here"}},
		"an order denied":       {[]string{"要提交锁文件", "不要提交锁文件"}, []string{"不要提交锁文件 / 要提交锁文件"}},
		"the newest two":        {[]string{"build host name is a1", "build host name is a2", "build host name is a3"}, []string{"build host name is a3 / build host name is a2"}},
		"another subject":       {[]string{"host 1 is in rack 7", "host 2 is in rack 7"}, nil},
		"a list":                {[]string{"mirror address is m1", "mirror address is m2", "mirror address is m3", "mirror address is m4"}, nil},
		"two days":              {[]string{"the release train left on 2026-09-01", "the release train left on 2026-09-08"}, nil},
		"no subject":            {[]string{"it is fast", "it is old"}, nil},
		"the same":              {[]string{"the port of the test database is 5432", "port of the test database: 5432"}, nil},
		"use one and not other": {[]string{"use tabs not spaces", "use spaces not tabs"}, nil},
	} {
		m := sleep.New(statements(t, "fact", c.texts...), now)
		var got []string
		for _, cf := range m.Conflicts() {
			got = append(got, m.Items[cf.Newer].Text+" / "+m.Items[cf.Older].Text)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	if got := sleep.New(statements(t, "lesson", "the default branch is main", "the default branch is trunk"), now).Conflicts(); len(got) > 0 {
		t.Errorf("lessons contradict each other: %v", got)
	}
}

func TestReview(t *testing.T) {
	var lines []string
	for i := range 20 {
		lines = append(lines, fmt.Sprintf("- [2026-01-01T00:00:00Z] (fact) fact %d {ttl:%d,vfy:2026-01-01T00:00:00Z}", i, 100+i))
	}
	m := sleep.New(items(t, 1, append(lines, "- [2026-01-01T00:00:00Z] (fact) fresh {ttl:300}", "- [2020-01-01] (fact) for ever")...), now)
	list, more := m.Review()
	if len(list) != 15 || more != 5 || list[0] != (sleep.Overdue{Item: 0, Days: 158}) || list[14].Days != 144 {
		t.Errorf("%d entries, %d more, first %v, last %v; want 15, 5, item 0 since 158 days, 144", len(list), more, list[0], list[len(list)-1])
	}
}

func TestPrefetch(t *testing.T) {
	m := sleep.New(append(statements(t, "fact",
		"the export of orders fails with E4001 when the month is wrong", "lint runs with golangci", "the mirror is slow on Mondays", "orders live in the table ord_main"),
		items(t, 1, "- [2026-09-01] (fact) looked for twice {uses:2}", "- [2026-09-01] (fact) looked for often {uses:7}", "- [2020-01-01] (fact) looked for, out of date {uses:9,ttl:30}", "- [2020-01-01] (fact) once {uses:1}")...), now)
	said := func(handoff string) (out []string) {
		for _, i := range m.Prefetch(handoff) {
			out = append(out, m.Items[i].Text)
		}
		return out
	}
	if diff := cmp.Diff([]string{"the export of orders fails with E4001 when the month is wrong", "looked for often", "looked for twice"},
		said("Last request: fix the export of orders\nOpen error: E4001, month out of range")); diff != "" {
		t.Errorf("with a hand-off (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"looked for often", "looked for twice"}, said("")); diff != "" {
		t.Errorf("without (-want +got):\n%s", diff)
	}
}

// TestSlices: whatever the sizes, the slices of enough sleeps show every item, none
// is larger than it may be, and the end comes first.
func TestSlices(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var list []sleep.Item
		for p, n := range rapid.SliceOfN(rapid.IntRange(0, 60), 4, 4).Draw(t, "partitions") {
			for i := range n {
				list = append(list, sleep.Item{Partition: p, Entry: entry.Entry{Kind: entry.Fact, Text: fmt.Sprintf("%d-%d", p, i)}})
			}
		}
		m := sleep.New(list, now)
		size, most := rapid.IntRange(1, 400).Draw(t, "size"), rapid.IntRange(1, 4).Draw(t, "most")
		seen := map[int]bool{}
		var from map[int]string
		for range 130 {
			var parts []sleep.Slice
			parts, from = m.Slices(from, size, most)
			if len(parts) > most {
				t.Fatalf("%d slices, want %d at most", len(parts), most)
			}
			for n, s := range parts {
				if !slices.IsSorted(s) {
					t.Fatalf("slice %v is out of order", s)
				}
				if n == 0 && len(list) > 0 && !slices.Contains(s, len(list)-1) {
					t.Fatalf("the first slice %v has not the last item", s)
				}
				for _, i := range s {
					seen[i] = true
				}
			}
			if len(seen) == len(list) {
				return
			}
			if most == 1 {
				return // the end alone: nothing is ever new
			}
		}
		t.Fatalf("%d of %d items were shown, size %d, most %d", len(seen), len(list), size, most)
	})
}

func TestJudge(t *testing.T) {
	m := sleep.New(items(t, 0,
		"- [2026-09-01] (lesson) nightly backup and batch job collide and fill the disk",
		"- [2026-09-02] (lesson) moving the backup window to 04:00 fixed the disk-full alarm",
		"- [2026-09-03] (lesson) run migrations before deploying to staging",
		"- [2026-09-04] (lesson) never restart the worker while an export runs",
		"- [2026-09-05] (lesson) tell the user before the proxy is restarted {src:user}",
		"- [2026-09-06] (lesson) 要先确认月份再去导出",
		"- [2026-09-07] (lesson) deploy the orders service only after a green build",
	), now)
	said := items(t, 0,
		"- the backup window is 04:00 because it filled the disk when it met the batch job",
		"- Run migrations before deploying to staging.",
		"- restart the worker while an export runs",
		"- the user is told before the proxy is restarted",
		"- 先确认月份再导出",
		"- run migrations before deploying to staging on Fridays at 17:00",
		"- 要先确认月份 9 才能导出",
		"- deploy the orders service after a green build",
	)
	var lines []entry.Entry
	for _, it := range said {
		lines = append(lines, it.Entry)
	}
	v := m.Judge([]int{0, 1, 2, 3, 4, 5, 6}, lines)
	if diff := cmp.Diff([]int{2}, v.Kept); diff != "" {
		t.Errorf("kept (-want +got):\n%s", diff)
	}
	var got []string
	for _, r := range v.Rewrites {
		got = append(got, fmt.Sprint(r.Of, " ", r.Line.Text))
	}
	want := []string{"[0 1] the backup window is 04:00 because it filled the disk when it met the batch job", "[5] 先确认月份再导出"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rewrites (-want +got):\n%s", diff)
	}
	var refused []string
	for _, r := range v.Refused {
		refused = append(refused, string(r.Why)+" "+r.Line.Text)
	}
	want = []string{
		"invented run migrations before deploying to staging on Fridays at 17:00", "invented 要先确认月份 9 才能导出",
		"reversed restart the worker while an export runs", "reworded the user is told before the proxy is restarted",
		"invented deploy the orders service after a green build",
	}
	if diff := cmp.Diff(want, refused); diff != "" {
		t.Errorf("refused (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]int{3, 4, 6}, v.Left); diff != "" {
		t.Errorf("left (-want +got):\n%s", diff)
	}
}

// TestJudgeLosesNothing: whatever an answer says, every item shown is kept, left, or
// stands in one rewrite that has all its numbers and names.
func TestJudgeLosesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOfN(rapid.Custom(drawLine), 0, 12).Draw(t, "items")
		m := sleep.New(list, now)
		var shown []int
		for i := range list {
			shown = append(shown, i)
		}
		var said []entry.Entry
		for _, it := range rapid.SliceOfN(rapid.Custom(drawLine), 0, 12).Draw(t, "said") {
			said = append(said, it.Entry)
		}
		v := m.Judge(shown, said)
		all := slices.Concat(v.Kept, v.Left)
		for _, r := range v.Rewrites {
			all = append(all, r.Of...)
			for _, i := range r.Of {
				if lost := similar.FormOf(list[i].Text).Lost(similar.FormOf(r.Line.Text)); len(lost) > 0 || list[i].Get("src") == "user" {
					t.Fatalf("%v was rewritten as %q and lost %q", list[i], r.Line.Text, lost)
				}
			}
		}
		slices.Sort(all)
		if diff := cmp.Diff(shown, all); diff != "" {
			t.Fatalf("items (-shown +accounted for):\n%s", diff)
		}
	})
}

func BenchmarkAlone(b *testing.B) {
	for _, n := range []int{5000, 100_000} {
		var list []sleep.Item
		for i := range n {
			kind, partition := entry.Lesson, 0
			if i%2 == 0 {
				kind, partition = entry.Fact, 1
			}
			list = append(list, sleep.Item{Partition: partition, Entry: entry.Entry{
				Stamp: "2026-09-01T00:00:00Z", Kind: kind,
				Text: fmt.Sprintf("the export of table t%d fails on host db-%d -> the disk fills up at night -> look at worker w%d, 磁盘在夜里写满", i%(n/2), i%7, i%97),
			}})
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				m := sleep.New(list, now)
				m.Merges()
				m.Principles()
				m.Conflicts()
				m.Prefetch("export fails on db-3, table t17")
			}
		})
	}
}
