package jsonvalue_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/testkit/marks"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

func foreign(kind jsonvalue.Kind) jsonvalue.Foreign { return jsonvalue.Foreign{Kind: kind, Text: "x"} }

// lists is a value below so many arrays.
func lists(levels int, v any) any {
	for range levels {
		v = []any{v}
	}
	return v
}

// TestCheck (MN10, MN11): which values pass, and what is said of the others.
func TestCheck(t *testing.T) {
	nan := math.NaN()
	shared := jsonvalue.Of("a", 1.0)
	tests := []struct {
		name  string
		value any
		want  string // after the label, or nothing
	}{
		{"null", nil, ""},
		{"a text", "x", ""},
		{"a boolean", false, ""},
		{"minus zero", math.Copysign(0, -1), ""},
		{"a lone surrogate", "\xed\xa0\x80", ""},
		{"an empty object", &jsonvalue.Object{}, ""},
		{"a shared part", []any{shared, shared, jsonvalue.Of("x", shared)}, ""},
		{"a hole", []any{jsonvalue.Hole{}, 1.0}, ""},
		{"not a number", nan, "contains a non-finite number"},
		{"infinite", []any{math.Inf(-1)}, "contains a non-finite number"},
		{"undefined", foreign(jsonvalue.Undefined), "contains a non-JSON value"},
		{"an undefined member", jsonvalue.Of("x", foreign(jsonvalue.Undefined)), "contains a non-JSON value"},
		{"a function", []any{foreign(jsonvalue.Function)}, "contains a non-JSON value"},
		{"a symbol", foreign(jsonvalue.Symbol), "contains a non-JSON value"},
		{"a bigint", foreign(jsonvalue.BigInt), "contains a non-JSON value"},
		{"a date", jsonvalue.Of("x", foreign(jsonvalue.Exotic)), "contains a non-JSON object"},
		{"a marked cycle", jsonvalue.Of("x", foreign(jsonvalue.Cycle)), "contains a cycle"},
		{"marked as deep", foreign(jsonvalue.Deep), "is nested too deeply"},
		{"a hole in an object", jsonvalue.Of("x", jsonvalue.Hole{}), "contains a non-JSON value"},
		{"a value of Go alone", []any{42}, "contains a non-JSON value"},
		{"a hole alone", jsonvalue.Hole{}, "contains a non-JSON value"},
		{"48 levels", marks.Nest(48), ""},
		{"49 levels", marks.Nest(49), "is nested too deeply"},
		{"48 arrays", lists(48, 1.0), ""},
		{"49 arrays", lists(49, 1.0), "is nested too deeply"},
		{"an empty array in 48", lists(48, []any{}), ""},
		{"depth before kind", lists(49, foreign(jsonvalue.Function)), "is nested too deeply"},
		{"depth before cycle", lists(49, foreign(jsonvalue.Cycle)), "is nested too deeply"},
		{"a hole below 48", lists(49, jsonvalue.Hole{}), ""},
		{"the first by key", jsonvalue.Of("b", nan, "a", foreign(jsonvalue.Exotic)), "contains a non-JSON object"},
		{"a small letter first", jsonvalue.Of("B", nan, "b", foreign(jsonvalue.Exotic), "c", foreign(jsonvalue.Cycle)), "contains a non-JSON object"},
		{"the first by index", []any{1.0, foreign(jsonvalue.Cycle), nan}, "contains a cycle"},
		{"depth first", jsonvalue.Of("z", nan, "a", []any{jsonvalue.Of("x", foreign(jsonvalue.BigInt))}), "contains a non-JSON value"},
		{"depth met later", jsonvalue.Of("b", marks.Nest(48), "a", nan), "contains a non-finite number"},
		{"depth met first", jsonvalue.Of("b", nan, "a", marks.Nest(48)), "is nested too deeply"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			want := test.want
			if want != "" {
				want = "the label " + want
			}
			if got := refusal(jsonvalue.Check(test.value, "the label")); got != want {
				t.Errorf("Check: %q, want %q", got, want)
			}
			if _, err := jsonvalue.Clone(test.value, "the label"); refusal(err) != want {
				t.Errorf("Clone: %q, want %q", refusal(err), want)
			}
			if text, err := jsonvalue.Canonical(test.value, "the label"); refusal(err) != want || err != nil && text != "" {
				t.Errorf("Canonical: %q, %q, want %q", text, refusal(err), want)
			}
			if digest, err := jsonvalue.DigestLabelled(test.value, "the label"); refusal(err) != want || (len(digest) == 64) != (err == nil) {
				t.Errorf("DigestLabelled: %q, %q, want %q", digest, refusal(err), want)
			}
		})
	}
}

func refusal(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// TestCheckCycleOfGo (MN10) holds that values that lead to themselves without a
// mark are refused as a cycle, where depth alone would be met.
func TestCheckCycleOfGo(t *testing.T) {
	o := jsonvalue.Of("a", 1.0)
	o.Set("self", []any{o})
	items := make([]any, 2)
	items[0], items[1] = 1.0, items
	for name, v := range map[string]any{"object": o, "array": items} {
		if got, want := refusal(jsonvalue.Check(v, "it")), "it contains a cycle"; got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// TestClone (MN11): a copy is the same value, and of itself.
func TestClone(t *testing.T) {
	inner := jsonvalue.Of("z", []any{1.0, jsonvalue.Hole{}, "x"}, "a", nil)
	inner.SetBare()
	original := jsonvalue.Of("b", inner, "a", math.Copysign(0, -1))
	before := jsonvalue.Format(original)
	v, err := jsonvalue.Clone(original, "it")
	if err != nil {
		t.Fatal(err)
	}
	c := v.(*jsonvalue.Object)
	if diff := cmp.Diff([]string{"b", "a"}, c.Keys()); diff != "" {
		t.Errorf("keys (-want +got):\n%s", diff)
	}
	if !jsonvalue.Equal(original, c) {
		t.Errorf("the copy is %s, want %s", jsonvalue.Format(c), before)
	}
	if zero, _ := c.Number("a"); !math.Signbit(zero) {
		t.Error("the copy lost the sign of -0")
	}
	part, _ := c.Map("b")
	if part.Bare() {
		t.Error("the copy has no prototype")
	}
	if items, _ := part.Array("z"); items[1] != any(jsonvalue.Hole{}) {
		t.Errorf("the hole became %v", items[1])
	} else {
		items[0] = 2.0
	}
	part.Set("new", true)
	if got := jsonvalue.Format(original); got != before {
		t.Errorf("the original changed with its copy: %s", got)
	}
}

// TestCanonicalHoles (MN11): a hole prints as nothing.
func TestCanonicalHoles(t *testing.T) {
	got, err := jsonvalue.Canonical([]any{1.0, jsonvalue.Hole{}, 2.0}, "it")
	if want := "[1,,2]"; got != want || err != nil {
		t.Errorf("%s, %v, want %s", got, err, want)
	}
}

// TestCanonicalStable holds that keys that compare alike keep the order they have.
func TestCanonicalStable(t *testing.T) {
	for _, o := range []*jsonvalue.Object{
		jsonvalue.Of("b", 0.0, "a\u0000", 1.0, "a", 2.0, "a\u0001", 3.0),
		jsonvalue.Of("b", 0.0, "a\u0001", 3.0, "a", 2.0, "a\u0000", 1.0),
	} {
		want := jsonvalue.Format(o.Without("b").With("b", 0.0))
		if got, err := jsonvalue.Canonical(o, "it"); got != want || err != nil {
			t.Errorf("%s, %v, want %s", got, err, want)
		}
	}
}

func TestEqual(t *testing.T) {
	object := jsonvalue.Of("a", 1.0, "b", []any{nil, "x"})
	tests := []struct {
		name string
		a, b any
		want bool
	}{
		{"members in another order", object, jsonvalue.Of("b", []any{nil, "x"}, "a", 1.0), true},
		{"another value", object, jsonvalue.Of("a", 2.0, "b", []any{nil, "x"}), false},
		{"one more", object, object.With("c", nil), false},
		{"another name", jsonvalue.Of("a", nil), jsonvalue.Of("b", nil), false},
		{"minus zero", math.Copysign(0, -1), 0.0, true},
		{"other kinds", "1", 1.0, false},
		{"null and false", nil, false, false},
		{"array and object", []any{}, &jsonvalue.Object{}, false},
		{"object and array", &jsonvalue.Object{}, []any{}, false},
		{"null and array", nil, []any{}, false},
		{"items in another order", []any{1.0, 2.0}, []any{2.0, 1.0}, false},
		{"keys that compare alike, in another order", jsonvalue.Of("a", 1.0, "a\u0000", 2.0), jsonvalue.Of("a\u0000", 2.0, "a", 1.0), false},
		{"keys that compare alike, in one order", jsonvalue.Of("a", 1.0, "a\u0000", 2.0, "b", nil), jsonvalue.Of("b", nil, "a", 1.0, "a\u0000", 2.0), true},
		{"holes", []any{jsonvalue.Hole{}}, []any{jsonvalue.Hole{}}, true},
		{"hole and null", []any{jsonvalue.Hole{}}, []any{nil}, false},
		{"undefined", foreign(jsonvalue.Undefined), foreign(jsonvalue.Undefined), true},
	}
	for _, test := range tests {
		if got := jsonvalue.Equal(test.a, test.b); got != test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
		if got := jsonvalue.Equal(test.b, test.a); got != test.want {
			t.Errorf("%s, turned round: %v, want %v", test.name, got, test.want)
		}
	}
}
