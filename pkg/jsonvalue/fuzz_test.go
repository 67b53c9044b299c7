package jsonvalue_test

import (
	"encoding/json"
	"testing"
	"unicode/utf8"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

func seeds(f *testing.F) {
	for _, r := range records(f, readCorpus(f, "values.jsonl")) {
		f.Add([]byte(r.Text))
	}
	for _, text := range []string{"", "[", `{"a":1,"a":2}`, "\"\xed\xa0\x80\"", "\"\xff\"", `"\u12"`, "[1,]", "1e999", "{\"a\"\n:\t-0.0e-1}"} {
		f.Add([]byte(text))
	}
}

// FuzzParse holds that what is read comes out again, and that exactly those texts
// are read that encoding/json reads too.
func FuzzParse(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		v, err := jsonvalue.Parse(text)
		if (err == nil) != json.Valid(text) {
			t.Fatalf("Parse(%q): %v, encoding/json takes it: %v", text, err, json.Valid(text))
		}
		if err != nil {
			if v != nil {
				t.Fatalf("Parse(%q) fails and gives %v", text, v)
			}
			return
		}
		checkFormats(t, v)
	})
}

// checkFormats reads a value back from each of its forms.
func checkFormats(t *testing.T, v any) {
	t.Helper()
	if jsonvalue.Check(v, "it") != nil {
		return // infinite, or deeper than a value may be
	}
	format := jsonvalue.Format(v)
	if !utf8.ValidString(format) || !json.Valid([]byte(format)) {
		t.Fatalf("Format gives %q", format)
	}
	for _, form := range []string{format, jsonvalue.FormatIndent(v, "  ")} {
		again, err := jsonvalue.Parse([]byte(form))
		if err != nil {
			t.Fatalf("Parse(%q): %v", form, err)
		}
		if !jsonvalue.Equal(v, again) { // go-cmp doubles its time with each level
			t.Fatalf("%q is read as %q", form, jsonvalue.Format(again))
		}
		if jsonvalue.Format(again) != format {
			t.Fatalf("%q became %q", format, jsonvalue.Format(again))
		}
	}
}

// FuzzCanonical holds that the canonical form is that of what it says, and that
// copies and values that are equal have the same.
func FuzzCanonical(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		v, err := jsonvalue.Parse(text)
		if err != nil {
			return
		}
		form, err := jsonvalue.Canonical(v, "it")
		if err != nil {
			return
		}
		again, err := jsonvalue.Parse([]byte(form))
		if err != nil {
			t.Fatalf("Parse(%q): %v", form, err)
		}
		if got, err := jsonvalue.Canonical(again, "it"); err != nil || got != form {
			t.Fatalf("the form of %q is %q, %v", form, got, err)
		}
		c, err := jsonvalue.Clone(v, "it")
		if err != nil || jsonvalue.Format(c) != jsonvalue.Format(v) {
			t.Fatalf("the copy of %q is %q, %v", jsonvalue.Format(v), jsonvalue.Format(c), err)
		}
		if !jsonvalue.Equal(v, again) {
			t.Fatalf("%q does not equal its canonical form", jsonvalue.Format(v))
		}
	})
}

// FuzzCompareKeys holds that the order is one: turned round it is the reverse,
// and three texts agree.
func FuzzCompareKeys(f *testing.F) {
	f.Add("a", "B", "中")
	f.Add("é", "e\u0301", "e")
	f.Add("l·", "ŀ", "\xed\xa0\x80")
	f.Add("⺀㋀", "1月", "\U00033479\uFFFE\uFFFF")
	f.Fuzz(func(t *testing.T, a, b, c string) {
		ab, bc, ac := jsonvalue.CompareKeys(a, b), jsonvalue.CompareKeys(b, c), jsonvalue.CompareKeys(a, c)
		if ba := jsonvalue.CompareKeys(b, a); ba != -ab {
			t.Fatalf("%+q, %+q: %d and %d", a, b, ab, ba)
		}
		if ab <= 0 && bc <= 0 && ac > 0 || ab >= 0 && bc >= 0 && ac < 0 {
			t.Fatalf("%+q, %+q, %+q: %d, %d, %d", a, b, c, ab, bc, ac)
		}
	})
}
