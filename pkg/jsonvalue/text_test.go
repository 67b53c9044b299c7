package jsonvalue_test

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

const (
	high = "\xed\xa0\xbd" // D83D
	low  = "\xed\xb8\x80" // DE00
)

func TestUTF16(t *testing.T) {
	tests := []struct {
		text  string
		units []uint16
		clean string // the text again, if it was not well-formed
	}{
		{text: "", units: []uint16{}},
		{text: "aé中", units: []uint16{0x61, 0xE9, 0x4E2D}},
		{text: "😀", units: []uint16{0xD83D, 0xDE00}},
		{text: high, units: []uint16{0xD83D}},
		{text: low + high, units: []uint16{0xDE00, 0xD83D}},
		{text: high + "x" + low, units: []uint16{0xD83D, 'x', 0xDE00}},
		{text: high + low, units: []uint16{0xD83D, 0xDE00}, clean: "😀"},
		{text: high + high + low, units: []uint16{0xD83D, 0xD83D, 0xDE00}, clean: high + "😀"},
		{text: "a\xffb", units: []uint16{'a', 0xFFFD, 'b'}, clean: "a\uFFFDb"},
		{text: "\xed\xa0", units: []uint16{0xFFFD, 0xFFFD}, clean: "\uFFFD\uFFFD"},
		{text: "\uFFFD\uFFFF", units: []uint16{0xFFFD, 0xFFFF}},
	}
	for _, test := range tests {
		if diff := cmp.Diff(test.units, jsonvalue.ToUTF16(test.text)); diff != "" {
			t.Errorf("ToUTF16(%+q) (-want +got):\n%s", test.text, diff)
		}
		if got := jsonvalue.Len(test.text); got != len(test.units) {
			t.Errorf("Len(%+q) = %d, want %d", test.text, got, len(test.units))
		}
		want := test.text
		if test.clean != "" {
			want = test.clean
		}
		if got := jsonvalue.FromUTF16(test.units); got != want {
			t.Errorf("FromUTF16(%x) = %+q, want %+q", test.units, got, want)
		}
		if got := jsonvalue.WellFormed(test.text); got != want {
			t.Errorf("WellFormed(%+q) = %+q, want %+q", test.text, got, want)
		}
	}
}

// units draws code units, with surrogates more often than chance has them.
func units() *rapid.Generator[[]uint16] {
	return rapid.SliceOf(rapid.OneOf(
		rapid.Uint16(), rapid.Uint16Range(0x20, 0x7E), rapid.Uint16Range(0xD7FE, 0xD802), rapid.Uint16Range(0xDBFE, 0xDC02), rapid.Uint16Range(0xDFFE, 0xE002),
	))
}

func TestUTF16RoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := units().Draw(t, "a"), units().Draw(t, "b")
		joined := jsonvalue.FromUTF16(a) + jsonvalue.FromUTF16(b)
		want := slices.Concat(a, b)
		if got := jsonvalue.ToUTF16(joined); !slices.Equal(got, want) {
			t.Fatalf("%x became %x", want, got)
		}
		if got := jsonvalue.Len(joined); got != len(want) {
			t.Fatalf("Len = %d, want %d", got, len(want))
		}
		if jsonvalue.WellFormed(joined) != jsonvalue.FromUTF16(want) {
			t.Fatalf("%+q is not made well-formed", joined)
		}
		quoted := jsonvalue.Quote(joined)
		if !utf8.ValidString(quoted) {
			t.Fatalf("%+q is not UTF-8", quoted)
		}
		if v, err := jsonvalue.Parse([]byte(quoted)); err != nil || v != any(jsonvalue.FromUTF16(want)) {
			t.Fatalf("%s is read as %+q, %v", quoted, v, err)
		}
	})
}

func TestQuote(t *testing.T) {
	for text, want := range map[string]string{
		"":                     `""`,
		"\b\t\n\f\r\"\\/":      `"\b\t\n\f\r\"\\/"`,
		"\x00\x1f\x7f\u2028<&": "\"\\u0000\\u001f\x7f\u2028<&\"",
		high + "x":             `"\ud83dx"`,
		low:                    `"\ude00"`,
		high + low + "\xff":    "\"😀\uFFFD\"",
		"\uFFFD":               "\"\uFFFD\"",
	} {
		if got := jsonvalue.Quote(text); got != want {
			t.Errorf("Quote(%+q) = %s, want %s", text, got, want)
		}
	}
}

func TestFormatNumber(t *testing.T) {
	for n, want := range map[float64]string{
		0: "0", 1: "1", -1.5: "-1.5", 1e20: "100000000000000000000", 1e21: "1e+21", 1.25e21: "1.25e+21", 1e-6: "0.000001", 1e-7: "1e-7", 1.5e-7: "1.5e-7",
		123456789012345680000: "123456789012345680000", 5e-324: "5e-324", math.MaxFloat64: "1.7976931348623157e+308",
		1 << 53: "9007199254740992", 1<<53 + 2: "9007199254740994", -(1 << 63): "-9223372036854776000", 100.5: "100.5", 0.30000000000000004: "0.30000000000000004",
		math.Inf(1): "Infinity", math.Inf(-1): "-Infinity", math.Copysign(0, -1): "0", math.NaN(): "NaN",
	} {
		if got := jsonvalue.FormatNumber(n); got != want {
			t.Errorf("FormatNumber(%g) = %s, want %s", n, got, want)
		}
	}
}

// TestFormatForeign holds what JSON.stringify does with what JSON has not.
func TestFormatForeign(t *testing.T) {
	undefined := foreign(jsonvalue.Undefined)
	for name, test := range map[string]struct {
		value            any
		format, indented string
	}{
		"members go":      {jsonvalue.Of("a", undefined, "b", 1.0, "c", foreign(jsonvalue.Function), "d", foreign(jsonvalue.Symbol)), `{"b":1}`, "{\n\t\"b\": 1\n}"},
		"all members go":  {jsonvalue.Of("x", jsonvalue.Of("a", undefined)), `{"x":{}}`, "{\n\t\"x\": {}\n}"},
		"items are null":  {[]any{undefined, jsonvalue.Hole{}, math.NaN(), math.Inf(1)}, "[null,null,null,null]", "[\n\tnull,\n\tnull,\n\tnull,\n\tnull\n]"},
		"others are null": {jsonvalue.Of("a", foreign(jsonvalue.Exotic)), `{"a":null}`, "{\n\t\"a\": null\n}"},
		"a nil object":    {[]any{(*jsonvalue.Object)(nil), nil}, `[{},null]`, "[\n\t{},\n\tnull\n]"},
	} {
		if got := jsonvalue.Format(test.value); got != test.format {
			t.Errorf("%s: %s, want %s", name, got, test.format)
		}
		if got := jsonvalue.FormatIndent(test.value, "\t"); got != test.indented {
			t.Errorf("%s: %s, want %s", name, got, test.indented)
		}
	}
	cycle := jsonvalue.Of()
	cycle.Set("x", cycle)
	if got := jsonvalue.Format(cycle); !strings.Contains(got, `"x":null`) {
		t.Error("a cycle has no end")
	}
}

func TestParseProblems(t *testing.T) {
	for text, want := range map[string]string{
		"":                                "line 1, column 1: unexpected end",
		"{\n  \"a\": tru\n}":              `line 2, column 8: unexpected 't'`,
		"[1,\r\n\t\"é中\", }":              `line 2, column 8: unexpected '}'`,
		"\"a\nb\"":                        `line 1, column 3: unexpected '\n'`,
		"{\"a\":1,}":                      `line 1, column 8: unexpected '}'`,
		"[1] 2":                           `line 1, column 5: unexpected '2'`,
		`"\ud83g"`:                        `line 1, column 7: unexpected 'g'`,
		`"abc`:                            "line 1, column 5: unexpected end",
		"-":                               "line 1, column 2: unexpected end",
		"01":                              `line 1, column 2: unexpected '1'`,
		"\ufeff1":                         `line 1, column 1: unexpected '\ufeff'`,
		strings.Repeat("[", 10_002) + "1": "line 1, column 10002: nested too deeply",
	} {
		v, err := jsonvalue.Parse([]byte(text))
		if v != nil || refusal(err) != want {
			t.Errorf("Parse(%.20q) = %v, %q, want %q", text, v, refusal(err), want)
		}
	}
}

func TestParseValues(t *testing.T) {
	deep := strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000)
	if v, err := jsonvalue.Parse([]byte(deep)); err != nil || jsonvalue.Format(v) != deep {
		t.Errorf("10000 levels: %v", err)
	}
	for text, want := range map[string]any{
		"1e999":                   math.Inf(1),
		"-1e999":                  math.Inf(-1),
		"\"" + high + low + `"`:   "😀",
		`"` + high + `\ude00"`:    "😀",
		`"` + high + `"`:          high,
		"\"\xff\"":                "\uFFFD",
		`{"` + high + `":[true]}`: jsonvalue.Of(high, []any{true}),
	} {
		v, err := jsonvalue.Parse([]byte(text))
		if err != nil {
			t.Errorf("Parse(%q): %v", text, err)
		}
		if diff := cmp.Diff(want, v); diff != "" {
			t.Errorf("Parse(%q) (-want +got):\n%s", text, diff)
		}
	}
	if v, err := jsonvalue.Parse([]byte("-0")); err != nil || !math.Signbit(v.(float64)) {
		t.Errorf("-0 is %v, %v", v, err)
	}
}

func TestIndex(t *testing.T) {
	for key, want := range map[string]bool{
		"0": true, "7": true, "10": true, "4294967294": true,
		"": false, "00": false, "01": false, "-1": false, "+1": false, "1.0": false, "1e3": false, " 1": false, "4294967295": false, "4294967296": false, "99999999999": false, "a": false,
	} {
		if n, got := jsonvalue.Index(key); got != want || got && jsonvalue.FormatNumber(float64(n)) != key {
			t.Errorf("Index(%q) = %d, %v, want %v", key, n, got, want)
		}
	}
}

func TestFrom(t *testing.T) {
	type part struct {
		Name  string            `json:"name"`
		Count int64             `json:"count,omitempty"`
		Extra map[string]uint8  `json:"extra,omitempty"`
		Raw   *jsonvalue.Object `json:"raw,omitempty"`
	}
	tests := []struct {
		name string
		from any
		want string
	}{
		{"null", nil, "null"},
		{"a text with a surrogate", high, `"\ud83d"`},
		{"an int", 42, "42"},
		{"a small int", int8(-3), "-3"},
		{"a large int", uint64(math.MaxUint64), "18446744073709552000"},
		{"a float32", float32(1.5), "1.5"},
		{"strings", []string{"b", "a"}, `["b","a"]`},
		{"items", []any{1, "x", []int{2}, map[string]any{"b": 1, "a": nil}}, `[1,"x",[2],{"a":null,"b":1}]`},
		{"a map", map[string]int{"b": 1, "a": 2, "10": 3, "9": 4}, `{"9":4,"10":3,"a":2,"b":1}`},
		{"a struct", part{Name: "<n>", Extra: map[string]uint8{"x": 1}, Raw: jsonvalue.Of("z", 1.0, "a", 2.0)}, `{"name":"<n>","extra":{"x":1},"raw":{"z":1,"a":2}}`},
		{"a pointer", &part{Name: "p", Count: 2}, `{"name":"p","count":2}`},
		{"an object with Go's values", jsonvalue.Of("n", 1, "list", []string{"x"}), `{"n":1,"list":["x"]}`},
		{"a time", time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), `"2026-01-02T03:04:05Z"`},
		{"a nil object", (*jsonvalue.Object)(nil), "null"},
	}
	for _, test := range tests {
		v, err := jsonvalue.From(test.from)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if err := jsonvalue.Check(v, test.name); err != nil {
			t.Error(err)
		}
		if got := jsonvalue.Format(v); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
	for name, from := range map[string]any{
		"NaN": math.NaN(), "NaN inside": []any{math.NaN()}, "a channel": make(chan int), "a function": jsonvalue.Of("f", func() {}),
	} {
		if v, err := jsonvalue.From(from); err == nil || v != nil {
			t.Errorf("%s: %v, %v, want an error", name, v, err)
		}
	}
}

// TestUnmarshal holds that an object read for encoding/json keeps its order.
func TestUnmarshal(t *testing.T) {
	var o jsonvalue.Object
	if err := o.UnmarshalJSON([]byte(`{"b":1,"a":{"z":2,"y":3}}`)); err != nil || jsonvalue.Format(&o) != `{"b":1,"a":{"z":2,"y":3}}` {
		t.Errorf("%s, %v", jsonvalue.Format(&o), err)
	}
	for _, text := range []string{"[1]", "{", "null"} {
		if err := o.UnmarshalJSON([]byte(text)); err == nil {
			t.Errorf("%s is taken for an object", text)
		}
	}
}
