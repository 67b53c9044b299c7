package entry_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/selfip/entry"
)

// clock is the instant of the fixtures.
var clock = time.Date(2026, 9, 15, 12, 0, 0, 0, time.UTC)

func fixture(t testing.TB, dir, file string) entry.File {
	t.Helper()
	return read(t, filepath.Join("testdata/selfip-fixtures", dir, "workspace/self-improvement/memory", file))
}

func caseFile(t testing.TB, dir, file string) entry.File {
	t.Helper()
	return read(t, filepath.Join("testdata/cases", dir, "in/self-improvement/memory", file))
}

func read(t testing.TB, name string) entry.File {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return entry.ParseFile(data)
}

// entries returns the entries of f by line number.
func entries(f entry.File) map[int]entry.Entry {
	m := map[int]entry.Entry{}
	for _, l := range f.Lines {
		if l.OK {
			m[l.Number] = l.Entry
		}
	}
	return m
}

type row struct {
	File       string
	Line       int
	Kind       entry.Kind
	Importance int
	Recency    int
	Uses       float64
	Score      float64
	Trust      entry.Trust
	Live       bool
}

func TestFixture01(t *testing.T) {
	want := []row{
		{"facts.md", 1, "fact", 5, 5, 0, 10, entry.Trusted, true},
		{"facts.md", 2, "preference", 10, 1, 0, 11, entry.Trusted, true},
		{"facts.md", 5, "fact", 5, 4, 0, 9, entry.Induced, true},
		{"facts.md", 6, "fact", 5, 3, 2.5, 10.5, entry.External, true},
		{"facts.md", 7, "fact", 9, 2, 0, 11, entry.Trusted, false},
		{"lessons.md", 1, "lesson", 8, 4, 1, 13, entry.Trusted, true},
		{"lessons.md", 2, "lesson", 7, 1, 0, 8, entry.Trusted, true},
		{"methods.md", 1, "method", 5, 4, 0, 9, entry.Induced, true},
		{"resources.md", 1, "resource", 7, 4, 0, 11, entry.Trusted, true},
	}
	var got []row
	live := map[string]int{}
	for _, name := range []string{"facts.md", "lessons.md", "methods.md", "resources.md"} {
		f := fixture(t, "01-healthy-store", name)
		live[name] = f.Live()
		for _, l := range f.Lines {
			if !l.OK {
				continue
			}
			w, _ := l.Entry.Weigh(clock)
			got = append(got, row{
				name, l.Number, l.Entry.Kind, w.Importance, w.Recency, w.Uses, w.Score(),
				l.Entry.Trust(), l.Entry.Live(),
			})
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("entries of fixture 01 (-want +got):\n%s", diff)
	}
	counts := map[string]int{"facts.md": 4, "lessons.md": 2, "methods.md": 1, "resources.md": 1}
	if diff := cmp.Diff(counts, live); diff != "" {
		t.Errorf("live counts (-want +got):\n%s", diff)
	}
}

func TestFixture02(t *testing.T) {
	for name, want := range map[string][]string{
		"facts.md": {
			"- [2026-09-14T09:00:00.000+08:00] (fact) First line sits behind a byte order mark {origin:tool,imp:6}",
			"- [2026-09-14T09:01:00.000+08:00] (fact) Second line ends with CRLF {origin:tool,imp:6}",
		},
		"lessons.md": {
			"- [2026-09-14T09:00:00.000+08:00] (lesson) old mac ending {origin:tool,imp:6}",
			"- [2026-09-14T09:02:00.000+08:00] (lesson) lone CR splits lines {origin:tool,imp:6}",
		},
	} {
		f := fixture(t, "02-bom-crlf", name)
		var got []string
		for _, l := range f.Lines {
			if l.OK {
				got = append(got, l.Shown())
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	// Writing back: LF only, an empty line between old and new, none behind.
	f := fixture(t, "02-bom-crlf", "facts.md").Append("- [x] (fact) x")
	want := "- [2026-09-14T09:00:00.000+08:00] (fact) First line sits behind a byte order mark {origin:tool,imp:6}\n" +
		"- [2026-09-14T09:01:00.000+08:00] (fact) Second line ends with CRLF {origin:tool,imp:6}\n\n- [x] (fact) x"
	if diff := cmp.Diff(want, string(f.Bytes())); diff != "" {
		t.Errorf("facts.md after an append (-want +got):\n%s", diff)
	}
}

type malformed struct {
	Line      int
	Stamp     string
	Kind      entry.Kind
	Text      string
	Score     float64
	Rewritten string // empty: unchanged
}

// TestFixture03 holds the table of the fixture with its remarks: rules and
// empty texts are no entries (rows 2 and 26), imp and uses are clamped (W48).
func TestFixture03(t *testing.T) {
	const at = "2026-09-01T00:00:00Z"
	want := []malformed{
		{5, "", "", "no space after the dash", 6, "- [] (fact) no space after the dash"},
		{6, "", "", "plain bullet without a stamp", 6, "- [] (fact) plain bullet without a stamp"},
		{7, "", "", "plain bullet with group", 10, "- [] (fact) plain bullet with group {imp:9,src:user}"},
		{8, "", "", "indented", 4, "- [] (fact) indented {imp:3}"},
		{9, "2026-09-01", "fact", "tight spacing", 11, "- [2026-09-01] (fact) tight spacing {imp:8}"},
		{10, "", "", "[2026-09-01T00:00:00Z] (Fact) upper case kind", 10, "- [] (fact) [2026-09-01T00:00:00Z] (Fact) upper case kind {imp:9}"},
		{11, at, "idea", "unknown kind", 9, ""},
		{12, "not a date", "fact", "unreadable stamp", 7, ""},
		{13, at, "fact", "json at the end", 8, ""},
		{14, at, "fact", "braces without colon {note}", 8, ""},
		{15, at, "fact", "two groups {imp:8}", 8, ""},
		{16, at, "fact", "comma in value", 10, "- [" + at + "] (fact) comma in value {why:a,imp:7}"},
		{17, at, "fact", "unknown keys kept", 7, ""},
		{18, at, "fact", "empty values dropped", 8, "- [" + at + "] (fact) empty values dropped {src:user}"},
		{19, at, "fact", "imp out of range", 13, ""}, // W48: 10, not 99
		{20, at, "fact", "imp not a number", 8, ""},
		{21, at, "fact", "imp fraction", 11, ""},
		{22, at, "fact", "imp zero", 4, ""}, // W48: 1, not 0
		{23, "2027-01-01T00:00:00Z", "fact", "stamp in the future", 10, ""},
		{24, at, "fact", "negative uses", 8, ""}, // W48: no bonus, not -2
		{25, at, "fact", "many uses", 10.5, ""},
	}
	f := fixture(t, "03-malformed-lines", "facts.md")
	var got []malformed
	for _, l := range f.Lines {
		if !l.OK {
			continue
		}
		m := malformed{l.Number, l.Entry.Stamp, l.Entry.Kind, l.Entry.Text, l.Entry.Score(clock), ""}
		if s := l.Entry.String(); s != l.Shown() {
			m.Rewritten = s
		}
		got = append(got, m)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("entries of fixture 03 (-want +got):\n%s", diff)
	}
	if live := f.Live(); live != 20 { // 22 of the original without the rule and the empty text
		t.Errorf("live entries: got %d, want 20", live)
	}
	e := entries(f)[13].With("invalid", "2026-09-15")
	if got, want := e.String(), `- [`+at+`] (fact) json at the end {"a":1,invalid:2026-09-15}`; got != want {
		t.Errorf("key added to line 13: got %q, want %q", got, want)
	}
	if data, err := os.ReadFile("testdata/selfip-fixtures/03-malformed-lines/workspace/self-improvement/memory/facts.md"); err != nil || string(data) != string(f.Bytes()) {
		t.Errorf("round trip of facts.md: got %q, want %q (%v)", f.Bytes(), data, err)
	}
}

func TestFixture04(t *testing.T) {
	type state struct {
		Expired bool
		Score   float64
	}
	want := map[string]state{
		"facts.md:1": {true, 6}, "facts.md:2": {false, 8}, "facts.md:3": {false, 10}, "facts.md:4": {false, 7},
		"facts.md:5": {false, 8}, "facts.md:6": {true, 7}, "facts.md:7": {true, 6}, "facts.md:8": {false, 7},
		"facts.md:9": {false, 7}, "facts.md:10": {true, 6}, "resources.md:1": {true, 6},
	}
	got := map[string]state{}
	for _, name := range []string{"facts.md", "resources.md"} {
		for _, l := range fixture(t, "04-expired-ttl", name).Lines {
			w, expired := l.Entry.Weigh(clock)
			got[name+":"+itoa(l.Number)] = state{expired, w.Score()}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("expiry and score (-want +got):\n%s", diff)
	}
	if e := entries(fixture(t, "04-expired-ttl", "facts.md"))[10]; e.Live() {
		t.Errorf("facts.md:10 %v is live, want withdrawn", e)
	}
}

func itoa(n int) string {
	if n >= 10 {
		return itoa(n/10) + itoa(n%10)
	}
	return string(rune('0' + n))
}

func TestVolatility(t *testing.T) {
	ago := func(days int) string { return entry.Stamp(clock.AddDate(0, 0, -days)) }
	line := func(stamp, group string) entry.Entry {
		e, ok := entry.ParseLine("- [" + stamp + "] (fact) x " + group)
		if !ok {
			t.Fatalf("%s %s is no entry", stamp, group)
		}
		return e
	}
	for id, c := range map[string]struct {
		e    entry.Entry
		want bool
	}{
		"VO18": {line(ago(0), "{ttl:30,vfy:"+ago(200)+"}"), true},
		"VO19": {line(ago(200), "{ttl:30,vfy:"+ago(1)+"}"), false},
		"VO20": {line(ago(200), "{imp:3}"), false},
		"VO21": {line(ago(200), "{ttl:30}"), true},
	} {
		if got := c.e.Expired(clock); got != c.want {
			t.Errorf("%s: %v expired: got %v, want %v", id, c.e, got, c.want)
		}
	}
	for id, c := range map[string]struct {
		text string
		want int
	}{
		"VO14": {"云端 API key 已配置好", 30}, "VO15": {"服务端点是 https://x.example.com", 90},
		"VO16": {"用这个平台管理订阅", 180}, "VO17": {"用户偏好先写方案再改代码", 180},
	} {
		if got := entry.InferTTL(c.text); got != c.want {
			t.Errorf("%s: ttl of %q: got %d, want %d", id, c.text, got, c.want)
		}
	}
}

func TestW48ClaimsAreClamped(t *testing.T) {
	for group, want := range map[string]int{
		"{imp:99}": 10, "{imp:0}": 1, "{imp:-3}": 1, "{imp:7}": 7, "{imp:99999999999999999999}": 10,
		"{imp:99,origin:retro}": 5, "{imp:99,src:web}": 5,
	} {
		e, _ := entry.ParseLine("- [2026-09-01] (fact) x " + group)
		if got := e.Importance(clock); got != want {
			t.Errorf("importance of %s: got %d, want %d", group, got, want)
		}
	}
	e, _ := entry.ParseLine("- [2026-09-01] (fact) x {uses:-4}")
	if got := e.Uses(); got != 0 {
		t.Errorf("uses of %v: got %d, want 0", e, got)
	}
}

func TestCases(t *testing.T) {
	t.Run("case25", testCase25)
	t.Run("case29", testCase29)
	t.Run("case82", testCase82)
	t.Run("case85", testCase85)
	t.Run("case108", testCase108)
}

func testCase25(t *testing.T) {
	const name = "testdata/cases/25-cut-inside-a-code-point/in/self-improvement/memory/lessons.md"
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	f := entry.ParseFile(data)
	if diff := cmp.Diff([]entry.Damage{{Line: 2, Reason: entry.InvalidUTF8}}, f.Damage); diff != "" {
		t.Errorf("damage (-want +got):\n%s", diff)
	}
	next := f.Append("- [2026-06-03T10:00:00Z] (lesson) 新的一条 {imp:7}")
	again := entry.ParseFile(next.Bytes())
	if again.Live() != 2 || len(again.Damage) != 1 {
		t.Errorf("after an append: %d live, damage %v, want 2 live and one damaged line", again.Live(), again.Damage)
	}
	rewritten := string(again.Replace(0, again.Lines[0].Entry.With("uses", "1")).Bytes())
	_, damaged, _ := strings.Cut(string(data), "\n")
	if !strings.Contains(rewritten, "\n"+damaged+"\n") || strings.Contains(rewritten, "\uFFFD") {
		t.Errorf("rewrite: got %q, want the damaged line %q in it as it was and no U+FFFD", rewritten, damaged)
	}
}

func testCase29(t *testing.T) {
	f := caseFile(t, "29-crlf-memory-file", "facts.md")
	if got := f.Live(); got != 3 {
		t.Errorf("live: got %d, want 3", got)
	}
	e := f.Lines[0].Entry
	f = f.Replace(0, e.With("uses", itoa(e.Uses()+1))).Append("- [2026-05-05T09:00:00+08:00] (fact) new")
	got := string(f.Bytes())
	if strings.Contains(got, "\r") || !strings.Contains(got, "uses:4}") || strings.Count(got, "\n") != 5 {
		t.Errorf("rewritten: got %q, want LF only, uses:4 and the new line behind a blank one", got)
	}
}

func testCase85(t *testing.T) {
	f := caseFile(t, "85-clock-set-back", "facts.md")
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	var got []float64
	for _, l := range f.Lines {
		got = append(got, l.Entry.Score(now))
	}
	// The far future is worth what today is worth; the year 1 and no date are old.
	if diff := cmp.Diff([]float64{10, 6, 10, 6}, got); diff != "" {
		t.Errorf("scores (-want +got):\n%s", diff)
	}
}

func testCase108(t *testing.T) {
	f := caseFile(t, "108-file-from-a-newer-version", "facts.md")
	for i, l := range f.Lines {
		next := f.Replace(i, l.Entry.With("uses", "1"))
		want := strings.Replace(l.Raw, "}", ",uses:1}", 1)
		if next.Lines[i].Raw != want {
			t.Errorf("line %d rewritten: got %q, want %q", l.Number, next.Lines[i].Raw, want)
		}
	}
	if got := f.Lines[1].Entry.Kind; got != "insight" {
		t.Errorf("kind from the future: got %q, want %q", got, "insight")
	}
}
