package jsrun_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
	"github.com/dshkit/dshkit/pkg/jsrun"
)

// FuzzProperties: a pattern with \p{..} is refused with a SyntaxError or matches,
// as a literal just as made at run time, and keeps to its source.
func FuzzProperties(f *testing.F) {
	for _, seed := range [][3]string{
		{`[\p{L}\p{N}_-]+`, "u", "a1-é中"},
		{`\P{Script=Han}+`, "u", "中a"},
		{`[^\p{sc=Hira}\p{scx=Kana}-]`, "gu", "あ-"},
		{`[\p{L}-\p{N}]`, "u", "-"},
		{`\p{L}`, "", "p{L}"},
		{`\p{Nothing}`, "u", ""},
		{`(?<=\p{Lu})\p{Ll}\1?`, "iu", "Ab"},
		{`\\p{L}[\]\p{Any}]`, "uy", `\p`},
		{`\p`, "u", ""},
		{`[\p{Emoji}--x]`, "u", "x"},
		{"\U00010400\\p{L}", "iu", "\U00010428a"},
	} {
		f.Add(seed[0], seed[1], seed[2])
	}
	const text = `function tried(pattern, flags, text) {
		try { const r = new RegExp(pattern, flags), m = text.match(r); return { source: r.source, found: m && [...m].map(String) } } catch (e) { return e instanceof SyntaxError ? "refused" : "threw " + e }
	}`
	program, err := jsrun.Compile("tried.js", text)
	if err != nil {
		f.Fatal(err)
	}
	config := jsrun.Config{Limits: jsrun.Limits{Busy: 20 * time.Second}}
	f.Fuzz(func(t *testing.T, pattern, flags, subject string) {
		if len(pattern) > 200 || len(subject) > 200 || strings.ContainsRune(pattern, '\uFFFD') {
			return
		}
		run, err := program.Start(t.Context(), config)
		if err != nil {
			t.Fatal(err)
		}
		defer run.Close()
		made, err := run.Call(t.Context(), "tried", pattern, flags, subject)
		if err != nil {
			t.Fatalf("/%s/%s on %q: %v", pattern, flags, subject, err)
		}
		if s, ok := made.(string); ok && strings.HasPrefix(s, "threw") {
			t.Fatalf("/%s/%s on %q: %s", pattern, flags, subject, s)
		}
		if o, ok := jsonvalue.Map(made); ok && pattern != "" && !strings.ContainsAny(pattern, "/\n\r\u2028\u2029") {
			if source, _ := o.Text("source"); source != pattern {
				t.Fatalf("/%s/%s says that it is /%s/", pattern, flags, source)
			}
		}
		if strings.ContainsAny(pattern, "/\n\r\u2028\u2029") || pattern == "" || pattern[0] == '*' || strings.HasSuffix(pattern, `\`) || strings.Trim(flags, "giu") != "" {
			return // no literal
		}
		checkLiteral(t, pattern, flags, subject, made)
	})
}

// checkLiteral holds a literal against what the constructor made.
func checkLiteral(t *testing.T, pattern, flags, subject string, made any) {
	p, err := jsrun.Compile("literal.js", `function tried(text) { const m = text.match(/`+pattern+`/`+flags+`); return { found: m && [...m].map(String) } }`)
	o, ok := jsonvalue.Map(made)
	if err != nil || !ok {
		return // a literal is refused earlier than the constructor, or later
	}
	made = o.Without("source")
	run, err := p.Start(t.Context(), jsrun.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer run.Close()
	got, err := run.Call(t.Context(), "tried", subject)
	if errors.Is(err, jsrun.ErrLimit) {
		return
	}
	if err != nil || jsonvalue.Format(got) != jsonvalue.Format(made) {
		t.Fatalf("/%s/%s on %q: the literal %s, %v, the constructor %s", pattern, flags, subject, jsonvalue.Format(got), err, jsonvalue.Format(made))
	}
}
