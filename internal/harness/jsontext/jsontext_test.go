package jsontext_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/dshkit/dshkit/internal/harness/jsontext"
)

func TestFirst(t *testing.T) {
	cases := []struct {
		in, value, rest string
		whole           bool
	}{
		{`{"a":1} x`, `{"a":1}`, " x", true},
		{"\xEF\xBB\xBF [1]", "[1]", "", true},
		{`"a\"b"c`, `"a\"b"`, "c", true},
		{`"a\\"c`, `"a\\"`, "c", true},
		{`12 3`, "12", " 3", true},
		{`{"a":"}`, `{"a":"}`, "", false},
		{`[[`, "[[", "", false},
		{`}`, "}", "", false},
		{"", "", "", false},
		{" \n", "", "", false},
	}
	for _, c := range cases {
		value, rest, whole := jsontext.First([]byte(c.in))
		if string(value) != c.value || string(rest) != c.rest || whole != c.whole {
			t.Errorf("%q: %q, %q, %v", c.in, value, rest, whole)
		}
	}
}

func TestGet(t *testing.T) {
	doc := jsontext.Value(`{"a":{"b":[1,{"c":"x"}],"b":"last"},"n":-1.5,"t":true,"z":null,"e":""}`)
	if got := doc.Get("a", "b").String(); got != "last" {
		t.Errorf("the last of two: %q", got)
	}
	if doc.Get("a", "b", "c") != nil || doc.Get("missing", "x") != nil || doc.Get("n", "x") != nil {
		t.Error("a way through no object leads somewhere")
	}
	if !doc.Get("t").IsTrue() || !doc.Get("z").IsNull() || doc.Get("n").String() != "-1.5" || doc.Get("n").Int() != -1 {
		t.Error("scalars")
	}
	if s, ok := doc.Get("e").Text(); s != "" || !ok {
		t.Error("the empty text is a text")
	}
	if _, ok := doc.Get("t").Text(); ok {
		t.Error("true is no text")
	}
}

// anyJSON draws JSON text as other programs write it.
func anyJSON(t *rapid.T) (any, []byte) {
	var gen func(depth int) *rapid.Generator[any]
	gen = func(depth int) *rapid.Generator[any] {
		leaf := rapid.OneOf(rapid.Just[any](nil), rapid.Just[any](false), rapid.Map(rapid.Float64Range(-1e9, 1e9), func(f float64) any { return f }),
			rapid.Map(rapid.String(), func(s string) any { return strings.ReplaceAll(s, "\x00", "") }))
		if depth == 0 {
			return leaf
		}
		return rapid.OneOf(leaf,
			rapid.Map(rapid.SliceOfN(gen(depth-1), 0, 4), func(l []any) any { return l }),
			rapid.Map(rapid.MapOfN(rapid.StringMatching(`[a-z]{0,3}`), gen(depth-1), 0, 4), func(m map[string]any) any { return m }))
	}
	value := gen(3).Draw(t, "value")
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	if rapid.Bool().Draw(t, "indent") {
		var b bytes.Buffer
		if err := json.Indent(&b, text, "", "\t"); err != nil {
			t.Fatal(err)
		}
		text = b.Bytes()
	}
	return value, text
}

// decode reads a value through the lazy spans.
func decode(v jsontext.Value) any {
	switch {
	case v.IsObject():
		m := map[string]any{}
		for key, value := range v.Members() {
			m[string(key)] = decode(value)
		}
		return m
	case v.IsArray():
		l := []any{}
		for item := range v.Items() {
			l = append(l, decode(item))
		}
		return l
	case v.IsString():
		return v.String()
	case v.IsNull():
		return nil
	case v.IsNumber():
		var f float64
		if err := json.Unmarshal(v, &f); err != nil {
			return err
		}
		return f
	}
	return v.IsTrue()
}

func TestSpansAgreeWithTheDecoder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		_, text := anyJSON(t)
		var want any
		if err := json.Unmarshal(text, &want); err != nil {
			t.Fatal(err)
		}
		v, rest, whole := jsontext.First(text)
		if diff := cmp.Diff(want, decode(v)); diff != "" || len(rest) > 0 || !whole {
			t.Fatalf("%s\nrest %q, whole %v (-want +got):\n%s", text, rest, whole, diff)
		}
		node, err := jsontext.Parse(text)
		if err != nil || node.Begin != 0 || node.End != len(text) {
			t.Fatalf("%s: %+v, %v", text, node, err)
		}
	})
}

func TestParseTroubles(t *testing.T) {
	cases := []struct {
		in           string
		trouble      jsontext.Trouble
		line, column int
	}{
		{"{\n  // x\n}", jsontext.Comment, 2, 3},
		{"[1 /* x */]", jsontext.Comment, 1, 4},
		{"{\"a\":1}\n// end", jsontext.Comment, 2, 1},
		{"[1,\n]", jsontext.TrailingComma, 1, 3},
		{"{\"a\":1,}", jsontext.TrailingComma, 1, 7},
		{"{\"a\" 1}", jsontext.Unexpected, 1, 6},
		{"{a:1}", jsontext.Unexpected, 1, 2},
		{"[01]", jsontext.Unexpected, 1, 2},
		{"[1.]", jsontext.Unexpected, 1, 2},
		{"[1e]", jsontext.Unexpected, 1, 2},
		{"[nul]", jsontext.Unexpected, 1, 2},
		{"[\"a\nb\"]", jsontext.Unexpected, 1, 4},
		{`["\x"]`, jsontext.Unexpected, 1, 4},
		{`["\u12"]`, jsontext.Unexpected, 1, 4},
		{"[1] 2", jsontext.Unexpected, 1, 5},
		{"[1", jsontext.Cut, 1, 3},
		{"\"ab", jsontext.Cut, 1, 4},
		{"", jsontext.Cut, 1, 1},
		{strings.Repeat("[", 600), jsontext.TooDeep, 1, 502},
	}
	for _, c := range cases {
		node, err := jsontext.Parse([]byte(c.in))
		var syntax *jsontext.SyntaxError
		if node != nil || !errors.As(err, &syntax) {
			t.Errorf("%.40q: no error", c.in)
			continue
		}
		line, column := jsontext.Position([]byte(c.in), syntax.Offset)
		if syntax.Trouble != c.trouble || line != c.line || column != c.column {
			t.Errorf("%.40q: %s at %d:%d, want %s at %d:%d", c.in, syntax.Trouble, line, column, c.trouble, c.line, c.column)
		}
	}
}

func TestScannerFindsTheEnd(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		_, text := anyJSON(t)
		stream := slices.Concat([]byte(" \n"), text, []byte("\n{\"next\":1}"))
		size := rapid.IntRange(1, 9).Draw(t, "piece")
		var scanner jsontext.Scanner
		read, done := 0, false
		for piece := range slices.Chunk(stream, size) {
			var n int
			if n, done = scanner.Feed(piece); done {
				read += n
				break
			}
			read += n
		}
		got := bytes.TrimSpace(stream[:read])
		if !done || !bytes.Equal(got, text) {
			t.Fatalf("%q, done %v, want %q", got, done, text)
		}
	})
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{`{"a":[1,-2.5e+3,true,null,"x\u00e9\n"]}`, "{\n // c\n}", `[1,]`, "\xEF\xBB\xBF{}", `{"a":"\ud83d\udc69"}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		v, rest, _ := jsontext.First(data)
		if len(v)+len(rest) > len(data) {
			t.Fatalf("%d and %d bytes out of %d", len(v), len(rest), len(data))
		}
		check(t, v, 0)
		node, err := jsontext.Parse(data)
		bare := bytes.TrimPrefix(data, []byte("\xEF\xBB\xBF"))
		if valid := json.Valid(bare); valid != (err == nil) && !tooDeep(err) {
			t.Fatalf("%q: valid %v, error %v", data, valid, err)
		}
		if err != nil {
			return
		}
		if got := string(v); got != string(data[node.Begin:node.End]) {
			t.Fatalf("spans %q, node %q", got, data[node.Begin:node.End])
		}
		if node.Kind == jsontext.String {
			var want string
			if err := json.Unmarshal(bare, &want); err != nil || strings.ReplaceAll(want, "\x00", "") != node.Text(data) {
				t.Fatalf("%q: %q, want %q", data, node.Text(data), want)
			}
		}
	})
}

func tooDeep(err error) bool {
	var syntax *jsontext.SyntaxError
	return errors.As(err, &syntax) && syntax.Trouble == jsontext.TooDeep
}

// check walks a lazy value and looks at its texts.
func check(t *testing.T, v jsontext.Value, depth int) {
	if s := v.String(); v.IsString() && (!utf8.ValidString(s) || strings.Contains(s, "\x00")) {
		t.Fatalf("%q reads as %q", v, s)
	}
	if depth > 20 {
		return
	}
	for _, member := range v.Members() {
		check(t, member, depth+1)
	}
	for item := range v.Items() {
		check(t, item, depth+1)
	}
}

func BenchmarkMembers(b *testing.B) {
	row := []byte(`{"parentUuid":null,"isSidechain":false,"type":"user","message":{"role":"user","content":"` + strings.Repeat("x", 20000) + `"},"uuid":"u"}`)
	b.SetBytes(int64(len(row)))
	for b.Loop() {
		n := 0
		for range jsontext.Value(row).Members() {
			n++
		}
		if n != 5 {
			b.Fatal(n)
		}
	}
}

// TestParseCommented: comments are blanks, of both forms and in every place where
// blanks may stand, and offsets stay those of the text.
func TestParseCommented(t *testing.T) {
	text := "// head\n{ /* a */ \"x\" /*b*/ : // c\n [1, /* , */ 2 // end\n ] /**/ } // tail"
	node, err := jsontext.ParseCommented([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	list := node.Get("x").Value
	if got := text[list.Begin : list.Begin+2]; got != "[1" || len(list.Items) != 2 || text[node.Begin] != '{' || text[node.End-1] != '}' {
		t.Errorf("node %+v", node)
	}
	for in, trouble := range map[string]jsontext.Trouble{
		`{"a": "// no comment"}`:      "",
		"[1] /* never closed":         jsontext.Comment,
		"{\"a\":1, // last\n}":        jsontext.TrailingComma,
		"[1, /* x */]":                jsontext.TrailingComma,
		"/ [1]":                       jsontext.Unexpected,
		"// only":                     jsontext.Cut,
		"{\"a\": /* x */ }":           jsontext.Unexpected,
		strings.Repeat("[/**/", 1200): jsontext.TooDeep,
	} {
		_, err := jsontext.ParseCommented([]byte(in))
		var syntax *jsontext.SyntaxError
		if errors.As(err, &syntax) != (trouble != "") || trouble != "" && syntax.Trouble != trouble {
			t.Errorf("%.40q: %v, want %q", in, err, trouble)
		}
	}
}

func TestCommentEnd(t *testing.T) {
	for in, want := range map[string]int{"//a\nb": 3, "//a": 3, "/**/x": 4, "/*/": -1, "/*": -1, "/": -1, "x": -1, "": -1} {
		if got := jsontext.CommentEnd([]byte(in), 0); got != want {
			t.Errorf("%q: %d, want %d", in, got, want)
		}
	}
	if got := jsontext.CommentEnd([]byte("ab"), 9); got != -1 {
		t.Errorf("past the end: %d", got)
	}
}

// TestTextOfBrokenNumbers: what a number breaks off with is no text.
func TestTextOfBrokenNumbers(t *testing.T) {
	for in, want := range map[string]string{"-1.5e+3": "-1.5e+3", "0\xe1000": "0", "1\x00": "1", "12abc": "12"} {
		if got := jsontext.Value(in).String(); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
