package block_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/selfip/block"
	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/internal/selfip/scope"
	"github.com/dshkit/dshkit/pkg/text"
)

func TestFixture01(t *testing.T) {
	b := block.Build(fixture(t, "01-healthy-store"))
	var heads []string
	lengths := map[string]int{}
	for _, p := range strings.Split(b.Text, "\n\n") {
		head, _, _ := strings.Cut(p, "\n")
		heads = append(heads, head)
		lengths[head] = text.Len(p)
	}
	want := []string{
		"### 上次会话交接", "### ⚠ 待用户确认的自我改进提案（1 条）", "### 沉淀原则（睡眠期归纳）", "### 待验证假设", "### 已知事实与偏好",
		"### 经验教训", "### 好用的方法/技巧", "### 好用的网站/工具/资料", "### 可用 SOP（全文在 self-improvement/playbooks/）",
	}
	if diff := cmp.Diff(want, heads); diff != "" {
		t.Errorf("parts (-want +got):\n%s", diff)
	}
	for head, want := range map[string]int{
		want[0]: 55, want[2]: 109, want[3]: 117, want[4]: 628, want[5]: 333, want[6]: 185, want[7]: 151,
	} {
		if lengths[head] != want {
			t.Errorf("%s: %d units, want %d", head, lengths[head], want)
		}
	}
	parts := sections(b.Text)
	wantFacts := `### 已知事实与偏好
- [2026-09-15T08:30:00.000+08:00] (fact) The staging cluster runs three replicas {origin:tool,ttl:180,vfy:2026-09-15T08:30:00.000+08:00}
- [2026-02-01T10:00:00.000Z] (preference) Answers should be short and start with the result {src:user,origin:tool,imp:10,ttl:180,vfy:2026-09-01T00:00:00.000Z}
- [2026-09-10T21:15:04.120+08:00] (fact) The build image has no git binary {origin:retro,by:acme/small-1,ttl:180,vfy:2026-09-10T21:15:04.120+08:00} 〈自动归纳，未验证〉
- [2026-08-20T09:00:00.000+08:00] (fact) The wiki says port 8088 is open {origin:tool,src:web,imp:9,ttl:180,vfy:2026-08-20T09:00:00.000+08:00,uses:7} 〈外部来源，仅作参考〉`
	if diff := cmp.Diff(wantFacts, parts["已知事实与偏好"]); diff != "" {
		t.Errorf("facts (-want +got):\n%s", diff)
	}
	bullet := "- 2026-09-10T09-00-00-000+08-00：Problem: the queue is read without a lock.（详情 self-improvement/proposals/proposal-2026-09-10T09-00-00-000+08-00.md）"
	if proposals := parts["⚠ 待用户确认的自我改进提案（1 条）"]; !strings.Contains(proposals, bullet) || !strings.Contains(proposals, "必须遵守") || strings.Contains(proposals, "rename") {
		t.Errorf("proposals: got %q, want the pending one, its order, not the rejected one", proposals) // SM11 to SM13
	}
	sop := parts["可用 SOP（全文在 self-improvement/playbooks/）"]
	wantSOP := "\n- release-check.md（成功 3/失败 1）\n- one-shot.md（成功 1/失败 0）\n- db-restore.md（成功 9/失败 0，待重验）\n"
	if !strings.Contains(sop, wantSOP) { // SM60
		t.Errorf("playbooks: got %q, want %q in it", sop, wantSOP)
	}
	if b.Hidden != 0 || b.Dropped != nil || b.Shown != 8 || strings.Contains(b.Text, "未展开") {
		t.Errorf("hidden %d, dropped %v, shown %d, want all 8 shown", b.Hidden, b.Dropped, b.Shown)
	}
}

func TestFixture02(t *testing.T) {
	in := fixture(t, "02-bom-crlf")
	in.Session = block.Session{}
	want := `### 已知事实与偏好
- [2026-09-14T09:00:00.000+08:00] (fact) First line sits behind a byte order mark {origin:tool,imp:6}
- [2026-09-14T09:01:00.000+08:00] (fact) Second line ends with CRLF {origin:tool,imp:6}

### 经验教训
- [2026-09-14T09:00:00.000+08:00] (lesson) old mac ending {origin:tool,imp:6}
- [2026-09-14T09:02:00.000+08:00] (lesson) lone CR splits lines {origin:tool,imp:6}`
	if diff := cmp.Diff(want, block.Build(in).Text); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
}

// TestFixture03: without the rule and the empty text 20 entries are live; the
// note counts those that found no room.
func TestFixture03(t *testing.T) {
	b := block.Build(fixture(t, "03-malformed-lines"))
	if b.Shown+b.Hidden != 20 || b.Hidden == 0 || strings.Contains(b.Text, "\n---") {
		t.Errorf("shown %d, hidden %d, want 20 in all and no rule:\n%s", b.Shown, b.Hidden, b.Text)
	}
}

// TestFixture04: the entries of the fixture, and the expired one that finds no
// room is counted as such (W45).
func TestFixture04(t *testing.T) {
	b := block.Build(fixture(t, "04-expired-ttl"))
	var got []string
	for line := range strings.Lines(sections(b.Text)["已知事实与偏好"]) {
		_, rest, _ := strings.Cut(strings.TrimSpace(line), "(fact) ")
		words, _, _ := strings.Cut(rest, " {")
		if strings.HasSuffix(strings.TrimSpace(line), "} 〈可能已失效，使用前请核实〉") {
			words += " (expired)"
		}
		got = append(got, words)
	}
	want := []string{
		"", "Mail endpoint is https://mail.example.com/v2", "Mail endpoint is https://mail.example.com/v3", "No ttl at all so it never expires",
		"Exactly thirty days at noon, token note", "Bad ttl is ignored", "Zero ttl is ignored",
		"One millisecond past thirty days, token note (expired)", "Broken vfy falls back to the stamp (expired)", "",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("facts (-want +got):\n%s", diff)
	}
	if note := "…（另有 1 条较低相关记忆未展开，其中 1 条可能已失效，可用 memory_search 检索）"; !strings.Contains(b.Text, note) {
		t.Errorf("W45: got %s, want the note %s", b.Text, note)
	}
	if both := "} 〈外部来源，仅作参考〉 〈可能已失效，使用前请核实〉"; !strings.HasSuffix(sections(b.Text)["好用的网站/工具/资料"], both) {
		t.Errorf("resources: got %q, want both marks at the end", sections(b.Text)["好用的网站/工具/资料"])
	}
}

// TestFixture05: what the caller's detector stops is not shown, counted, and
// takes no room from others (W29).
func TestFixture05(t *testing.T) {
	in := fixture(t, "05-poisoned")
	content := string(files{t, "selfip-fixtures/05-poisoned/workspace/self-improvement"}.bytes("memory/facts.md"))
	n := 0
	in.Main.Facts = partition(content, func(entry.Entry) bool { n++; return n > 1 && n != 4 && n != 8 })
	b := block.Build(in)
	if b.Blocked != 5 || b.Shown != 3 || b.Hidden != 0 || strings.Contains(b.Text, "未展开") {
		t.Errorf("blocked %d, shown %d, hidden %d, want 5, 3, 0:\n%s", b.Blocked, b.Shown, b.Hidden, b.Text)
	}
}

const globalPart = `### 全局沉淀原则（睡眠期归纳）
# 沉淀原则 @ 2026-09-14T03:00:00.000+08:00
- One writer per file

### 全局经验教训
- [2026-08-02T09:00:00.000+08:00] (lesson) Global-only lesson about locks {origin:tool,imp:8}

### 全局好用的方法/技巧
- [2026-08-02T09:00:00.000+08:00] (method) Global method from a web page {origin:tool,src:web,imp:8} 〈外部来源，仅作参考〉`

func TestFixture09(t *testing.T) {
	global := files{t, "selfip-fixtures/09-scopes/dsh-home/self-improvement/self-improvement"}.library("global")
	t.Run("both", func(t *testing.T) { // OW01, OW02, OW08
		in := fixture(t, "09-scopes")
		in.Session = block.Session{}
		in.Scope, in.Second, in.GlobalPath = scope.Both, global, "dsh-home/self-improvement/self-improvement"
		b := block.Build(in)
		main, second, ok := strings.Cut(b.Text, "\n\n## 全局经验库")
		if !ok || text.Len(main) != 286 || !strings.Contains(second, "\n\n"+globalPart+"\n\n（全局库位置：dsh-home/") {
			t.Errorf("main block of %d units, want 286; second block: got %s, want %s", text.Len(main), second, globalPart)
		}
		if strings.Count(b.Text, "Shared lesson") != 1 || strings.Contains(b.Text, "Withdrawn") {
			t.Errorf("got %s, want the shared lesson once and no withdrawn one", b.Text)
		}
	})
	t.Run("workspace", func(t *testing.T) { // CO46
		in := fixture(t, "09-scopes")
		if b := block.Build(in); strings.Contains(b.Text, "Global") {
			t.Errorf("got %s, want nothing of the global library", b.Text)
		}
	})
	t.Run("global", func(t *testing.T) { // CO43, OW15, and W26: the session is the workspace's
		in := fixture(t, "09-scopes")
		in.Main, in.Scope = global, scope.Global
		want := `### 沉淀原则（睡眠期归纳）
# 沉淀原则 @ 2026-09-14T03:00:00.000+08:00
- One writer per file

### 经验教训
- [2026-08-01T09:00:00.000+08:00] (lesson) Shared lesson, stored in both libraries {origin:tool,imp:9,uses:3}
- [2026-08-02T09:00:00.000+08:00] (lesson) Global-only lesson about locks {origin:tool,imp:8}

### 好用的方法/技巧
- [2026-08-02T09:00:00.000+08:00] (method) Global method from a web page {origin:tool,src:web,imp:8} 〈外部来源，仅作参考〉`
		got := block.Build(in).Text
		if !strings.HasSuffix(got, want) || !strings.Contains(got, "Problem: local proposal") {
			t.Errorf("got %s, want the workspace's proposal, then %s", got, want)
		}
	})
}

// TestW1OverBudgetKeepsTheMemory is fixture 12 with its intended result.
func TestW1OverBudgetKeepsTheMemory(t *testing.T) {
	b := block.Build(fixture(t, "12-over-budget"))
	if b.Chars != 2599 || b.Dropped != nil || b.Shown != 14 || b.Hidden != 106 {
		t.Errorf("%d units, dropped %v, shown %d, hidden %d, want 2599, none, 14, 106", b.Chars, b.Dropped, b.Shown, b.Hidden)
	}
	parts := sections(b.Text)
	for _, c := range []struct {
		title string
		size  int
		first string
		note  string
	}{
		{"上次会话交接", 31, "", ""},
		{"已知事实与偏好", 715, "factx-26 ", "另有 26 条"},
		{"经验教训", 736, "lessonx-26 ", "另有 26 条"},
		{"好用的方法/技巧", 550, "metx-27 ", "另有 27 条"},
		{"好用的网站/工具/资料", 559, "resx-27 ", "另有 27 条"},
	} {
		p := parts[c.title]
		if text.Len(p) != c.size || !strings.Contains(p, c.note) {
			t.Errorf("%s: %d units, want %d with %q:\n%s", c.title, text.Len(p), c.size, c.note, p)
		}
		if _, second, ok := strings.Cut(p, "\n"); ok && c.first != "" && !strings.Contains(strings.SplitN(second, "\n", 2)[0], c.first) {
			t.Errorf("%s begins with %.120q, want %s", c.title, second, c.first)
		}
	}
}
