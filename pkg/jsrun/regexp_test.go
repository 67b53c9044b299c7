package jsrun_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
	"github.com/dshkit/dshkit/pkg/jsrun"
)

const finder = `
	const cache = new Map()
	function test(pattern, c) {
		let re = cache.get(pattern)
		if (!re) cache.set(pattern, re = new RegExp(pattern, "u"))
		return re.test(String.fromCodePoint(c))
	}
	function compiles(pattern, flags, samples) {
		let re
		try { re = new RegExp(pattern, flags) } catch (e) { return e.name }
		return [re.source === pattern || pattern === "", re.flags.length === flags.length, samples.map((s) => { re.lastIndex = 0; return re.exec(s)?.[0] ?? null })]
	}
`

// TestPropertiesAgreeWithGo compares categories and scripts with Go's tables,
// for the code points that Go's edition of Unicode knows.
func TestPropertiesAgreeWithGo(t *testing.T) {
	run := start(t, finder, jsrun.Config{})
	tables := map[string]*unicode.RangeTable{}
	for name, table := range unicode.Categories {
		if name != "Cn" && name != "C" && name != "LC" {
			tables["gc="+name] = table
		}
	}
	for name, table := range unicode.Scripts {
		tables["Script="+name] = table
	}
	for _, name := range []string{"White_Space", "Dash", "Hex_Digit", "Ideographic", "Join_Control", "Pattern_Syntax", "Quotation_Mark", "Variation_Selector"} {
		tables[name] = unicode.Properties[name]
	}
	names := make([]string, 0, len(tables))
	for name := range tables {
		names = append(names, name)
	}
	rapid.Check(t, func(rt *rapid.T) {
		name := rapid.SampledFrom(names).Draw(rt, "property")
		r := rapid.Rune().Draw(rt, "code point")
		if !known(r) || moved[r] {
			return
		}
		want := unicode.Is(tables[name], r)
		for pattern, want := range map[string]bool{`\p{` + name + `}`: want, `^\P{` + name + `}$`: !want, `[^\p{` + name + `}]`: !want, `[a\p{` + name + `}-]`: want || r == 'a' || r == '-'} {
			got, err := run.Call(t.Context(), "test", pattern, float64(r))
			if err != nil || got != want {
				rt.Errorf("%s of %U = %v, %v; want %v", pattern, r, got, err, want)
			}
		}
	})
}

// moved are code points whose category or script a later edition changed.
var moved = map[rune]bool{0x1734: true, 0x180F: true, 0x30FB: true, 0xFF65: true, 0x166D: true}

func known(r rune) bool {
	return unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Z, unicode.Cc, unicode.Cf)
}

// TestEveryNameIsAProperty: all names, long and short, with a prefix or alone.
func TestEveryNameIsAProperty(t *testing.T) {
	run := start(t, finder, jsrun.Config{})
	for pattern, want := range map[string]any{
		`\p{General_Category=Uppercase_Letter}`: "A", `\p{gc=Lu}`: "A", `\p{Lu}`: "A", `\p{Uppercase_Letter}`: "A", `\p{Letter}`: "A",
		`\p{Script=Greek}`: "λ", `\p{sc=Grek}`: "λ", `\p{Script_Extensions=Greek}`: "λ", `\p{scx=Grek}`: "λ",
		`\p{Alphabetic}`: "A", `\p{Alpha}`: "A", `\p{Emoji_Presentation}`: "😀", `\p{EPres}`: "😀", `\p{ID_Start}`: "A", `\p{Any}`: "A", `\p{ASCII}`: "A",
		`\p{punct}`: "!", `\P{Any}`: nil, `[^\P{Lu}]`: "A", `\p{Lu}\p{Lu}`: nil, `\\p{Lu}`: nil,
	} {
		flags := "u"
		got := call(t, run, "compiles", pattern, flags, []any{"Aλ😀!"})
		list, ok := got.([]any)
		if !ok || list[2].([]any)[0] != want {
			t.Errorf("%s finds %v, want %v", pattern, got, want)
		}
	}
	for _, pattern := range []string{`\p{lu}`, `\p{Script=greek}`, `\p{Script}`, `\p{=Lu}`, `\p{sc=}`, `\p{Block=Basic_Latin}`, `\p`, `\p{`, `\P{}`, `[\p{L}-\p{N}]`, `[0-\p{N}]`} {
		if got := call(t, run, "compiles", pattern, "u", []any{}); got != "SyntaxError" {
			t.Errorf("%s = %v, want a SyntaxError", pattern, got)
		}
	}
	if got := call(t, run, "test", "x", 120.0); got != true {
		t.Errorf("a plain pattern = %v", got)
	}
}

// FuzzRegexpRewrite: whatever the pattern is, the rewriting neither fails the
// process nor changes what is there without a property.
func FuzzRegexpRewrite(f *testing.F) {
	for _, seed := range []string{`[\p{L}\p{N}_-]+`, `\P{Script=Han}`, `[^\p{Lu}-]`, `\\p{L}`, `[\]\p{L}]`, `(?<=\p{L})\d`, `\u{1F600}`, `[a-\p{L}]`, `\p`, `\p{`, `[`, `]`, `a{2}\p{Emoji}`} {
		f.Add(seed)
	}
	p, err := jsrun.Compile("fuzz.js", finder)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, pattern string) {
		run, err := p.Start(t.Context(), jsrun.Config{})
		if err != nil {
			t.Fatal(err)
		}
		defer run.Close()
		got, err := run.Call(t.Context(), "compiles", pattern, "u", []any{"aé中1 _-😀", ""})
		if err != nil {
			t.Fatalf("%q: %v", pattern, err)
		}
		if list, ok := got.([]any); ok && (list[0] != true || list[1] != true) && !strings.Contains(pattern, "/") && !strings.ContainsAny(pattern, "\n\r") && pattern == jsonvalue.WellFormed(pattern) && !strings.ContainsRune(pattern, '\u2028') {
			t.Errorf("%q: source or flags changed: %v", pattern, fmt.Sprint(got))
		}
	})
}
