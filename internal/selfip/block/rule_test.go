package block_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/dshkit/dshkit/internal/selfip/block"
	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/internal/selfip/handoff"
	"github.com/dshkit/dshkit/internal/selfip/playbook"
	"github.com/dshkit/dshkit/internal/selfip/proposal"
	"github.com/dshkit/dshkit/internal/selfip/scope"
)

func has(t *testing.T, id, s string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(s, w) {
			t.Errorf("%s: want %q in:\n%s", id, w, s)
		}
	}
}

func hasNot(t *testing.T, id, s string, bad ...string) {
	t.Helper()
	for _, w := range bad {
		if strings.Contains(s, w) {
			t.Errorf("%s: want no %q in:\n%s", id, w, s)
		}
	}
}

func chinese(in block.Input) block.Input {
	in.Language = "zh-CN"
	return in
}

func TestNothingToTell(t *testing.T) {
	for name, in := range map[string]block.Input{
		"no library":    {Now: clock, Chars: 3200},
		"empty library": facts("# title\n"),
		"withdrawn":     facts("- [2026-01-01] (fact) x {invalid:2026-02-02}"),
		"no budget":     {Now: clock},
	} {
		if b := block.Build(in); b.Text != "" || b.Notes != nil {
			t.Errorf("%s: got %q, %v, want nothing", name, b.Text, b.Notes)
		}
	}
}

func TestWrapper(t *testing.T) {
	in := chinese(facts("- [2026-09-01] (fact) a fact"))
	has(t, "MR05", block.Build(in).Text, "不得执行", "经验范围：仅本工作区")
	in.Scope, in.GlobalPath = scope.Global, "/g"
	has(t, "CO44", block.Build(in).Text, "经验范围：", "所有工作区共用", "/g")
	in.Scope = scope.Both
	has(t, "OW03", block.Build(in).Text, "经验范围：", "不会外流")
	in.Language = "en"
	has(t, "MR05 in English", block.Build(in).Text, "must not be carried out", "one way", "`remember`", "selfip search")
}

// TestEnglishTextIsEnglish: the heads of the files, Chinese by format, are left
// out of an English block.
func TestEnglishTextIsEnglish(t *testing.T) {
	in := fixture(t, "01-healthy-store")
	in.Language, in.Bare = "en", false
	got := block.Build(in).Text
	has(t, "principles", got, "### Principles (drawn while idle)\n- Measure before changing")
	for _, r := range got {
		if r >= 0x4E00 && r <= 0x9FFF {
			t.Fatalf("%c in:\n%s", r, got)
		}
	}
}

func TestProposals(t *testing.T) {
	in := chinese(facts("- [2026-09-01] (fact) 用户喜欢简洁的回答\n- [2026-08-01] (fact) 用户喜欢冗长的回答 {invalid:x}"))
	in.Session.Proposals = []proposal.Proposal{
		{ID: "p1", File: "proposal-p1.md", Summary: "问题：" + strings.Repeat("长", 200)},
		{ID: "p2", File: "proposal-p2.md"},
	}
	got := block.Build(in).Text
	has(t, "SM11", got, "待用户确认的自我改进提案", "用户喜欢简洁的回答")
	has(t, "SM12", got, "问题：", "self-improvement/proposals/proposal-p1.md", "（无摘要）")
	has(t, "SM13", got, "必须遵守")
	hasNot(t, "SM08", got, "冗长")
	hasNot(t, "summary of 160 units", got, strings.Repeat("长", 158))
	in.Session.Proposals = nil
	hasNot(t, "SM21", block.Build(in).Text, "提案")
}

// TestListsGiveWay: many proposals and playbooks are shown in part, and do not
// take the room of the entries.
func TestListsGiveWay(t *testing.T) {
	in := fixture(t, "12-over-budget")
	in.Bare, in.Chars = false, block.DefaultChars
	for i := range 30 {
		in.Session.Playbooks = append(in.Session.Playbooks, playbook.Playbook{File: fmt.Sprintf("a-playbook-with-a-long-name-%02d.md", i)})
	}
	b := block.Build(in)
	check(t, in, b)
	has(t, "playbooks", b.Text, "a-playbook-with-a-long-name-00.md", "- …… 另有 ")
	if b.Shown < 7 || b.Dropped != nil {
		t.Errorf("%d entries beside 30 playbooks, %v left out, want at least 7 and nothing:\n%s", b.Shown, b.Dropped, b.Text)
	}
	for i := range 60 {
		in.Session.Proposals = append(in.Session.Proposals, proposal.Proposal{ID: fmt.Sprint(i), File: "proposal-x.md", Summary: strings.Repeat("s", 150)})
	}
	b = block.Build(in)
	check(t, in, b)
	has(t, "proposals", b.Text, "提案（60 条）", "- 0：", "- …… 另有 ", "必须遵守")
	if b.Shown < 4 {
		t.Errorf("%d entries beside 60 proposals, want at least 4:\n%s", b.Shown, b.Text)
	}
}

func TestURLs(t *testing.T) {
	in := chinese(facts("- [2026-09-01] (fact) x"))
	in.Session.URLs = []string{"https://gh-proxy.example.com/", "www.example-mirror.io/xxx"}
	got := block.Build(in).Text
	has(t, "SM36", got, "尚未入库的网址", "gh-proxy.example.com")
	has(t, "SM37", got, "必须处理", "resource")
	has(t, "SM38", got, "example-mirror.io")
	// SM40 to SM42: stored, so only the entry names it.
	in.Main.Resources = partition("- [2026-09-01] (resource) 测试镜像 | https://gh-proxy.example.com/ | x", nil)
	in.Session.URLs = in.Session.URLs[1:]
	got = block.Build(in).Text
	begin, end := strings.Index(got, "尚未入库的网址"), strings.Index(got, "已经入库的地址不会再出现")
	if begin < 0 || end < begin {
		t.Fatalf("SM40: no block of addresses in:\n%s", got)
	}
	hasNot(t, "SM40", got[begin:end], "gh-proxy")
	has(t, "SM41", got, "gh-proxy")
	has(t, "SM42", got[begin:end], "example-mirror.io")
	in.Session.URLs = nil
	hasNot(t, "SM39", block.Build(in).Text, "尚未入库的网址")
	in.Session.URLs = slices.Repeat([]string{"https://x.example.com/" + strings.Repeat("y", 300)}, 7)
	b := block.Build(in)
	check(t, in, b)
	has(t, "W24", b.Text, "（7 个）", "…… 另有")
	// W25: the reminder does not need a library.
	has(t, "W25", block.Build(block.Input{Now: clock, Chars: 3200, Session: block.Session{URLs: []string{"https://a.example.com"}}}).Text, "a.example.com")
}

func TestOldPreferenceBesideNoise(t *testing.T) {
	noise := repeat(60, func(i int) string { return fmt.Sprintf("- [2026-09-15] (fact) noise number %d {imp:1}", i) })
	in := chinese(facts("- [2026-02-27] (preference) 用户偏好先写方案 {src:user,imp:10}\n" + noise))
	got := block.Build(in).Text
	has(t, "SM49", got, "用户偏好先写方案")
	has(t, "SM50", got, "未展开")
}

func TestMarks(t *testing.T) {
	in := chinese(facts("- [2026-09-01] (fact) a {ttl:90,vfy:2026-01-01}\n- [2026-09-01] (fact) fresh {ttl:90,vfy:2026-09-14}"))
	in.Main.Resources = partition("- [2026-09-01] (resource) page {src:web}", nil)
	in.Main.Methods = partition("- [2026-09-01] (method) drawn {origin:sleep}", nil)
	got := block.Build(in).Text
	has(t, "SM51", got, "page {src:web} 〈外部来源，仅作参考〉", "drawn {origin:sleep} 〈自动归纳，未验证〉")
	has(t, "VO27", got, "vfy:2026-01-01}")
	has(t, "VO28", got, "vfy:2026-01-01} 〈可能已失效")
	hasNot(t, "VO29", got, "vfy:2026-09-14} 〈")
	if strings.Index(got, "vfy:2026-09-14") > strings.Index(got, "vfy:2026-01-01") {
		t.Errorf("VO30: the expired line stands before the fresh one:\n%s", got)
	}
	in.Language = "en"
	has(t, "marks in English", block.Build(in).Text, "〈external source", "〈inferred automatically", "〈may be out of date")
}

// TestMR01GoldenEntriesSurviveDistinctNoise: eight golden lines, 120 days old,
// among 280 fresh ones that all differ.
func TestMR01GoldenEntriesSurviveDistinctNoise(t *testing.T) {
	fill := func(kind entry.Kind, n int) block.Partition {
		golden := fmt.Sprintf("- [2026-05-18] (%[1]s) golden %[1]s one {imp:10}\n- [2026-05-18] (%[1]s) golden %[1]s two {imp:10}\n", kind)
		return partition(golden+repeat(n, func(i int) string {
			return fmt.Sprintf("- [2026-09-15T10:00:00Z] (%s) distinct noise of %s number %d {imp:1}", kind, kind, i)
		}), nil)
	}
	in := chinese(facts(""))
	in.Main.Facts, in.Main.Lessons = fill(entry.Fact, 80), fill(entry.Lesson, 80)
	in.Main.Methods, in.Main.Resources = fill(entry.Method, 60), fill(entry.Resource, 60)
	b := block.Build(in)
	check(t, in, b) // MR03: at most 3200, wrapper included
	for _, kind := range []string{"fact", "lesson", "method", "resource"} {
		has(t, "MR01", b.Text, "golden "+kind+" one", "golden "+kind+" two")
	}
	has(t, "MR04", b.Text, "未展开")
	if 8 > b.Shown || b.Shown+b.Hidden != 288 {
		t.Errorf("shown %d, hidden %d, want 288 in all", b.Shown, b.Hidden)
	}
}

func TestW3LeftOutSectionsAreNamed(t *testing.T) {
	in := chinese(facts(services(false)))
	in.Main.Methods = partition("- [2026-09-01] (method) x", nil)
	in.Session.Playbooks = []playbook.Playbook{{File: "deploy-check.md", Slug: "deploy-check"}}
	in.Chars = 840
	b := block.Build(in)
	check(t, in, b)
	has(t, "MR04", b.Text, "本次未注入：", "可用 SOP")
	if !slices.Contains(b.Dropped, "可用 SOP") {
		t.Errorf("dropped %v, want the playbooks among them", b.Dropped)
	}
	in.Chars = 210
	has(t, "MR04", block.Build(in).Text, "本次未注入：2 段")
	in.Chars = block.DefaultChars
	has(t, "SM60", block.Build(in).Text, "deploy-check")
}

// TestW3TooLongALineIsNamed: a principle that is longer than the room of all
// principles is not shown in part, and not left out without a word.
func TestW3TooLongALineIsNamed(t *testing.T) {
	in := chinese(facts("- [2026-09-01] (fact) 构建用 make"))
	in.Main.Principles = "# 沉淀原则 @ 2026-09-14T03:00:00.000+08:00\n- " + strings.Repeat("原则", 400)
	in.Main.Hypotheses = "# 待验证假设 @ 2026-09-14T03:00:00.000+08:00\n"
	b := block.Build(in)
	has(t, "W3", b.Text, "构建用 make", "本次未注入：沉淀原则")
	hasNot(t, "a head without a text", b.Text, "待验证假设")
}

func TestW29BlockedAndRepeatedTakeNoRoom(t *testing.T) {
	long := func(i int) string {
		return fmt.Sprintf("- [2026-09-15] (fact) bad %d %s {imp:9}", i, strings.Repeat("x", 200))
	}
	good := repeat(5, func(i int) string { return fmt.Sprintf("- [2026-09-01] (fact) good %d", i) })
	same := repeat(50, func(int) string { return "- [2026-09-15] (fact) the same again " + strings.Repeat("y", 100) })
	in := facts("")
	in.Main.Facts = partition(repeat(20, long)+good+same, func(e entry.Entry) bool { return strings.HasPrefix(e.Text, "bad") })
	b := block.Build(in)
	if b.Blocked != 20 || b.Shown != 6 || b.Hidden != 0 {
		t.Errorf("blocked %d, shown %d, hidden %d, want 20, 6, 0:\n%s", b.Blocked, b.Shown, b.Hidden, b.Text)
	}
}

func TestW31HandoffShowsItsAge(t *testing.T) {
	in := facts("- [2026-09-01] (fact) x")
	show := func(days int) string {
		in.Session.Handoff = handoff.Handoff{Text: "next: y", At: clock.AddDate(0, 0, -days)}
		return block.Build(in).Text
	}
	has(t, "SM59", show(0), "### Hand-off from the last session\nnext: y")
	has(t, "three days old", show(3), "### Hand-off from the last session (3 days ago)\nnext: y")
	hasNot(t, "fifteen days old", show(15), "next: y")
	in.Language = "zh-CN"
	has(t, "in Chinese", show(3), "### 上次会话交接（3 天前）\nnext: y")
}

// TestW45ExpiredKeepAPlace: an expired entry, the last by score, is shown among
// many, and the others are counted.
func TestW45ExpiredKeepAPlace(t *testing.T) {
	expired := repeat(3, func(i int) string { return fmt.Sprintf("- [2026-01-0%d] (fact) key %d revoked {ttl:30}", i+1, i) })
	in := chinese(facts(expired + repeat(60, func(i int) string { return fmt.Sprintf("- [2026-09-15] (fact) fresh fact %d {imp:9}", i) })))
	b := block.Build(in)
	check(t, in, b)
	has(t, "W45", b.Text, "key 2 revoked {ttl:30} 〈可能已失效，使用前请核实〉\n…（另有", "其中 2 条可能已失效")
}

// TestW46AutoInducedDoNotCrowdOut: importance 7, 200 days old, against 40
// induced entries of higher score.
func TestW46AutoInducedDoNotCrowdOut(t *testing.T) {
	induced := repeat(40, func(i int) string {
		return fmt.Sprintf("- [2026-09-15] (fact) induced statement number %d about the build {origin:retro,imp:9}", i)
	})
	in := chinese(facts("- [2026-02-27] (preference) metric units {imp:7,src:user}\n" + induced))
	b := block.Build(in)
	has(t, "W46", b.Text, "metric units", "induced statement")
}

// TestOneWayShare: what the workspace shows is not shown again, and a global
// library is not crowded out of a full block.
func TestOneWayShare(t *testing.T) {
	in := fixture(t, "12-over-budget")
	in.Bare, in.Scope, in.GlobalPath = false, scope.Both, "/g"
	in.Second = &block.Library{Name: "global", Methods: partition("- [2026-09-01] (method) a public method", nil)}
	for _, in.Language = range languages {
		b := block.Build(in)
		check(t, in, b)
		has(t, "OW02", b.Text, "a public method")
		if b.Dropped != nil {
			t.Errorf("dropped %v, want nothing", b.Dropped)
		}
	}
	in.Second.Methods = partition("- [2026-09-01] (fact) factx entry number 29 with unique words factx-29 padding padding padding", nil)
	hasNot(t, "shown twice", block.Build(in).Text, "## Global library", "## 全局经验库")
}

type shortlist struct {
	block.Partition
	rest block.Rest
}

func (s shortlist) Rest() block.Rest { return s.rest }

func TestShortlistCountsTheRest(t *testing.T) {
	in := facts("")
	in.Main.Facts = shortlist{partition(services(false), nil), block.Rest{Hidden: 99_000, Expired: 400, Blocked: 7}}
	b := block.Build(in)
	check(t, in, b)
	if b.Shown+b.Hidden != 99_120 || b.Blocked != 7 {
		t.Errorf("shown %d, hidden %d, blocked %d, want 99120 in all and 7", b.Shown, b.Hidden, b.Blocked)
	}
	has(t, "rest", b.Text, fmt.Sprintf("… (%d more of lower weight, 400 of them possibly out of date;", b.Hidden))
}

func TestExplain(t *testing.T) {
	in := facts("- [2026-09-15] (fact) shown {imp:6,uses:3}\n- bad\n- [2026-09-01] (idea) also shown\n- [2026-09-15] (fact) shown {imp:1}\n")
	in.Main.Facts = partition(string(entryText(in)), func(e entry.Entry) bool { return e.Text == "bad" })
	in.Explain = true
	type row struct {
		Kind   entry.Kind
		Text   string
		Score  float64
		Parts  entry.Weight
		Chosen bool
		Why    block.Why
	}
	var got []row
	for _, it := range block.Build(in).Items {
		got = append(got, row{it.Kind, it.Text, it.Score, it.Parts, it.Chosen, it.Why})
		if len(it.ID) != 10 || it.Library != "workspace" {
			t.Errorf("%+v: want an id and the library", it)
		}
	}
	want := []row{
		{"fact", "shown", 12.5, entry.Weight{Importance: 6, Recency: 5, Uses: 1.5}, true, block.WhyShown},
		{"fact", "bad", 6, entry.Weight{Importance: 5, Recency: 1}, false, block.WhyBlocked},
		{"idea", "also shown", 8, entry.Weight{Importance: 5, Recency: 3}, true, block.WhyShown},
		{"fact", "shown", 6, entry.Weight{Importance: 1, Recency: 5}, false, block.WhyRepeated},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("explained (-want +got):\n%s", diff)
	}
	why := map[block.Why]int{}
	for _, it := range block.Build(block.Input{Now: clock, Chars: 700, Explain: true, Main: &block.Library{
		Facts: partition(services(false), nil), Methods: partition("- [2026-09-01] (method) "+strings.Repeat("m", 300), nil),
	}}).Items {
		why[it.Why]++
	}
	if why[block.WhyShown] == 0 || why[block.WhyQuota] == 0 || why[block.WhyBudget] != 1 {
		t.Errorf("answers %v, want some shown, some without room, the method without its section", why)
	}
}

func entryText(in block.Input) []byte {
	var b []byte
	for i := range in.Main.Facts.Items() {
		b = append(b, in.Main.Facts.Line(i)+"\n"...)
	}
	return b
}

// TestBuildProperties: whatever is fed, the budget holds, shown lines are whole,
// and every live entry is accounted for.
func TestBuildProperties(t *testing.T) {
	word := rapid.StringMatching(`[a-z中文😀 ]{1,80}`)
	gen := rapid.Custom(func(t *rapid.T) string {
		return fmt.Sprintf("- [2026-0%d-01] (fact) x%sx {imp:%d%s}", rapid.IntRange(1, 9).Draw(t, "month"), word.Draw(t, "text"),
			rapid.IntRange(0, 12).Draw(t, "imp"), rapid.SampledFrom([]string{"", ",ttl:30", ",origin:retro", ",src:web,ttl:3", ",invalid:x"}).Draw(t, "meta"))
	})
	rapid.Check(t, func(t *rapid.T) {
		content := strings.Join(rapid.SliceOfN(gen, 0, 40).Draw(t, "lines"), "\n")
		other := strings.Join(rapid.SliceOfN(gen, 0, 40).Draw(t, "other"), "\n")
		file, rest := entry.ParseFile([]byte(content)), entry.ParseFile([]byte(other))
		in := facts(content)
		in.Main.Lessons = partition(other, nil)
		in.Session.Prefetch = word.Draw(t, "prefetch")
		in.Language = rapid.SampledFrom(languages).Draw(t, "language")
		in.Chars = rapid.IntRange(0, 4000).Draw(t, "chars")
		in.Bytes = rapid.SampledFrom([]int{0, 9000, 1000}).Draw(t, "bytes")
		in.Explain = true
		b := block.Build(in)
		check(t, in, b)
		if len(b.Items) != file.Live()+rest.Live() {
			t.Errorf("%d entries explained, want %d", len(b.Items), file.Live()+rest.Live())
		}
		shown := map[string]bool{} // a text that repeats is shown once
		for _, it := range b.Items {
			shown[it.Text] = shown[it.Text] || it.Chosen
		}
		for words, chosen := range shown {
			if chosen != strings.Contains(b.Text, ") "+words+" {") {
				t.Errorf("budget %d: %q chosen %v in:\n%s", in.Chars, words, chosen, b.Text)
			}
		}
		for _, l := range lines(b.Text) {
			if !strings.Contains(content+"\n"+other+"\n", l+"\n") {
				t.Errorf("budget %d: %q is no whole line", in.Chars, l)
			}
		}
	})
}

func BenchmarkBuild1000(b *testing.B) {
	benchmark(b, 1000)
}

func BenchmarkBuild5000(b *testing.B) {
	benchmark(b, 5000)
}

func benchmark(b *testing.B, n int) {
	part := func(kind entry.Kind) block.Partition {
		return partition(repeat(n/4, func(i int) string {
			return fmt.Sprintf("- [2026-0%d-%02dT00:00:00Z] (%s) note of %s number %d about the parser and its cache {imp:%d,ttl:90}", i%9+1, i%28+1, kind, kind, i, i%10+1)
		}), nil)
	}
	in := facts("")
	in.Main.Facts, in.Main.Lessons, in.Main.Methods, in.Main.Resources = part("fact"), part("lesson"), part("method"), part("resource")
	b.ReportAllocs()
	for b.Loop() {
		block.Build(in)
	}
}
