package text_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/rivo/uniseg"

	"github.com/dshkit/dshkit/pkg/text"
)

// seeds are texts with something in them that is easily got wrong.
var seeds = []string{
	"", " ", "plain words", "a\x00b\x7f", "caf\xc3", "\xff\xfe\xed\xa0\x80", "line\r\nline\rline\u2028line\u2029line\u0085line\v\f",
	"👩‍👩‍👧‍👦👩‍👩‍👧‍👦 team of four", "flags 🇩🇪🇨🇳🇯🇵🇰🇷 and thumbs 👍🏽👍🏿", "क्षत्रिय नमस्ते and ééé", "𠮷野家 𠀋𡈽 上海",
	"か\u3099が e\u0301é 각ᄀ", "\uFEFFmark", "J\u030C Ǆ İ ß ẞ Σς K", "ＦＵＬＬ　ｗｉｄｔｈ。", "a .", "end ...", "…", "¨a", "中\u200d文\u302Aー\u309B",
	"-\u0301- a\r\nb", "मुख्य\u200dषक्\u200cष 0\u0D4D\u0D15", "x" + strings.Repeat("\u0301", 40) + "y", "\U000E0001\U000E0067🏴\U000E0067\U000E007F",
}

func addSeeds(f *testing.F) {
	for _, s := range seeds {
		f.Add(s, 3)
		f.Add(s+s, 7)
	}
}

func TestLenCountsUTF16(t *testing.T) {
	for _, s := range append(seeds, strings.Repeat("ascii text ", 9)+"é𠮷") {
		if got, want := text.Len(s), len(utf16.Encode([]rune(s))); got != want {
			t.Errorf("Len(%q) = %d, want %d", s, got, want)
		}
	}
}

func FuzzLen(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got, want := text.Len(s), len(utf16.Encode([]rune(s))); got != want {
			t.Errorf("Len(%q) = %d, want %d", s, got, want)
		}
	})
}

// boundaries returns the grapheme boundaries of s as a library finds them that
// goes through it from the front.
func boundaries(s string) map[int]bool {
	at, set := 0, map[int]bool{0: true}
	for g := uniseg.NewGraphemes(s); g.Next(); {
		at += len(g.Bytes())
		set[at] = true
	}
	return set
}

func checkCuts(t *testing.T, s string, n int) {
	t.Helper()
	set := boundaries(s)
	head, tail := text.Head(s, n), text.Tail(s, n)
	limit := max(n, 0)
	if !strings.HasPrefix(s, head) || text.Len(head) > limit || !set[len(head)] {
		t.Errorf("Head(%q, %d) = %q: no prefix, too long, or a broken cluster", s, n, head)
	}
	if !strings.HasSuffix(s, tail) || text.Len(tail) > limit || !set[len(s)-len(tail)] {
		t.Errorf("Tail(%q, %d) = %q: no suffix, too long, or a broken cluster", s, n, tail)
	}
	if text.Len(s) <= n && (head != s || tail != s) {
		t.Errorf("Head, Tail(%q, %d) = %q, %q, want all of it", s, n, head, tail)
	}
	if e := text.Ellipsize(s, n); text.Len(e) > limit {
		t.Errorf("Ellipsize(%q, %d) = %q: %d units", s, n, e, text.Len(e))
	}
}

func TestCase36HeadAndTailKeepClusters(t *testing.T) {
	for _, s := range seeds {
		for n := -1; n <= text.Len(s)+1; n++ {
			checkCuts(t, s, n)
		}
	}
}

func FuzzHeadTail(f *testing.F) {
	addSeeds(f)
	f.Fuzz(checkCuts)
}

func TestHeadAndTailAreTheLongest(t *testing.T) {
	family := "👩‍👩‍👧‍👦" // 11 units
	for _, row := range []struct {
		s          string
		n          int
		head, tail string
	}{
		{"abc", 2, "ab", "bc"},
		{"中文字", 2, "中文", "文字"},
		{"𠮷野家", 2, "𠮷", "野家"},
		{"𠮷野家", 3, "𠮷野", "野家"},
		{family + family, 21, family, family},
		{family + family, 10, "", ""},
		{"e\u0301e\u0301", 3, "e\u0301", "e\u0301"},
		{"क्षक्ष", 3, "क्ष", "क्ष"}, // one cluster since Unicode 15.1
		{"क्षक्ष", 2, "", ""},
		{"ab\r\n", 3, "ab", "b\r\n"},
		{"🇩🇪🇨🇳🇯🇵", 6, "🇩🇪", "🇯🇵"},
		{"か\u3099き", 1, "", "き"},
	} {
		if head := text.Head(row.s, row.n); head != row.head {
			t.Errorf("Head(%q, %d) = %q, want %q", row.s, row.n, head, row.head)
		}
		if tail := text.Tail(row.s, row.n); tail != row.tail {
			t.Errorf("Tail(%q, %d) = %q, want %q", row.s, row.n, tail, row.tail)
		}
	}
}

func TestEllipsize(t *testing.T) {
	for _, row := range []struct {
		s    string
		n    int
		want string
	}{
		{"short", 5, "short"}, {"longer text", 8, "longer…"}, {"中文字很多", 3, "中文…"}, {"ab", 1, "…"}, {"ab", 0, ""}, {"ab", -4, ""},
	} {
		if got := text.Ellipsize(row.s, row.n); got != row.want {
			t.Errorf("Ellipsize(%q, %d) = %q, want %q", row.s, row.n, got, row.want)
		}
	}
}

func TestCase24CleanTakesOutLineSeparators(t *testing.T) {
	for _, row := range []struct{ in, want string }{
		{"a\tb\nc", "a\tb\nc"},
		{"a\r\nb\rc\u2028d\u2029e\u0085f\vg\fh", "a\nb\nc\nd\ne\nf\ng\nh"},
		{"a\x00b\x1bc\x7fd\u009be\uFEFFf", "abcdef"},
		{"bad \xff\xfe byte, 中文, é", "bad \uFFFD byte, 中文, é"},
		{"cut \xe4\xb8", "cut \uFFFD"},
		{"上海 € ： ﬁ", "上海 € ： ﬁ"},
		{"\r\x00\n", "\n\n"},
	} {
		if got := text.Clean(row.in); got != row.want {
			t.Errorf("Clean(%q) = %q, want %q", row.in, got, row.want)
		}
	}
}

func FuzzClean(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := text.Clean(s)
		if again := text.Clean(got); again != got {
			t.Errorf("Clean(%q) = %q, and cleaned again %q", s, got, again)
		}
		if !utf8.ValidString(got) {
			t.Errorf("Clean(%q) = %q is not valid", s, got)
		}
		for _, r := range got {
			if unicode.IsControl(r) && r != '\n' && r != '\t' || r == 0x2028 || r == 0x2029 || r == 0xFEFF {
				t.Errorf("Clean(%q) = %q holds %U", s, got, r)
			}
		}
		if line := text.OneLine(s); line != text.OneLine(line) || strings.ContainsAny(line, "\n\t") || strings.Contains(line, "  ") {
			t.Errorf("OneLine(%q) = %q", s, line)
		}
	})
}

func TestFold(t *testing.T) {
	for _, row := range []struct{ in, want string }{
		{"Main branch is  Trunk.", "main branch is trunk"},
		{"plain words", "plain words"},
		{"a .", "a"},
		{"a. . .", "a"},
		{"del\x7fete", "delete"},
		{"ＦＵＬＬ　ｗｉｄｔｈ。", "full width"},
		{"先备份再迁移。", "先备份再迁移"},
		{"J\u030C", "\u01F0"},
		{"\u212Aelvin", "kelvin"},
		{" . ", ""},
	} {
		if got := text.Fold(row.in); got != row.want {
			t.Errorf("Fold(%q) = %q, want %q", row.in, got, row.want)
		}
	}
}

func FuzzFold(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := text.Fold(s)
		if again := text.Fold(got); again != got {
			t.Errorf("Fold(%q) = %q, and folded again %q", s, got, again)
		}
		if upper := strings.ToUpper(s); s == strings.ToLower(upper) && isASCII(s) && text.Fold(upper) != got {
			t.Errorf("Fold(%q) = %q, Fold(%q) = %q", s, got, upper, text.Fold(upper))
		}
	})
}

func isASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
}

func TestIsCJK(t *testing.T) {
	for _, r := range "中𠮷かカｶ々〇한ㄱᄀㄅꥠ豈⼀ㇰ" {
		if !text.IsCJK(r) {
			t.Errorf("IsCJK(%q) = false", r)
		}
	}
	for _, r := range "aéЖα。，0Ａ🙂क" {
		if text.IsCJK(r) {
			t.Errorf("IsCJK(%q) = true", r)
		}
	}
}

// Cutting costs what is looked at: a short head or tail of a long text is cheap,
// and neither grows with the square of anything. Allocations and results are
// checked here, times by the benchmarks.
func TestCutsOfBigTexts(t *testing.T) {
	for name, s := range bigTexts() {
		half := text.Len(s) / 2
		if n := text.Len(text.Head(s, half)); n > half || n < half-100_001 {
			t.Errorf("%s: Head to %d has %d units", name, half, n)
		}
		if n := text.Len(text.Tail(s, half)); n > half || n < half-100_001 {
			t.Errorf("%s: Tail to %d has %d units", name, half, n)
		}
	}
}

func bigTexts() map[string]string {
	return map[string]string{
		"ascii":      strings.Repeat("plain words of a log\n", 50_000),
		"han":        strings.Repeat("先备份再迁移，", 50_000),
		"emoji":      strings.Repeat("👩‍👩‍👧‍👦", 10_000),
		"devanagari": strings.Repeat("क्षत्रिय", 10_000),
		"marks":      "x" + strings.Repeat("\u0301", 100_000),
		"invalid":    strings.Repeat("\xff", 100_000),
		"flags":      strings.Repeat("🇩🇪", 30_000),
	}
}

func BenchmarkCut(b *testing.B) {
	for name, s := range bigTexts() {
		b.Run(name+"/head", func(b *testing.B) {
			b.SetBytes(int64(len(s) / 2))
			for b.Loop() {
				text.Head(s, text.Len(s)/2)
			}
		})
		b.Run(name+"/tail", func(b *testing.B) {
			b.SetBytes(int64(len(s) / 2))
			for b.Loop() {
				text.Tail(s, text.Len(s)/2)
			}
		})
		b.Run(name+"/tail100", func(b *testing.B) {
			for b.Loop() {
				text.Tail(s, 100)
			}
		})
	}
}

func BenchmarkMeasure(b *testing.B) {
	for name, s := range map[string]string{
		"ascii": strings.Repeat("plain words of a log, ", 10), "han": strings.Repeat("先备份再迁移，", 10),
	} {
		b.Run(name+"/Len", func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			for b.Loop() {
				text.Len(s)
			}
		})
		b.Run(name+"/Clean", func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			for b.Loop() {
				text.Clean(s)
			}
		})
		b.Run(name+"/Fold", func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			for b.Loop() {
				text.Fold(s)
			}
		})
	}
}
