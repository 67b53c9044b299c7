package jsonvalue_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// TestOracleDigests (MN12) runs the scenario that was recorded from the published
// package: the digest of each value, or the refusal.
func TestOracleDigests(t *testing.T) {
	scenario := readOracle(t, "canonical-digest.json")
	golden := readOracle(t, "canonical-digest.golden.json")
	calls := at(t, scenario, "steps", 0, "calls").([]any)
	answers := at(t, golden, "results", 0, "ok").([]any)
	if len(calls) != len(answers) {
		t.Fatalf("%d calls, %d answers", len(calls), len(answers))
	}
	digests := 0
	for i, call := range calls {
		got := digestAnswer(decodeMarks(call.([]any)[0]))
		if got.Has("value") {
			digests++
		}
		if diff := cmp.Diff(answers[i], any(got)); diff != "" {
			t.Errorf("call %d, %s (-want +got):\n%s", i, jsonvalue.Format(call), diff)
		}
	}
	if digests != 28 {
		t.Errorf("%d digests, want 28", digests)
	}
}

func digestAnswer(v any) *jsonvalue.Object {
	digest, err := jsonvalue.DigestLabelled(v, "memory configuration")
	if err != nil {
		return jsonvalue.Of("error", jsonvalue.Of("message", err.Error()))
	}
	return jsonvalue.Of("value", "config:"+digest)
}

func readOracle(t *testing.T, name string) any {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "oracle", "mnemon", "scenarios", name))
	if err != nil {
		t.Fatal(err)
	}
	v, err := jsonvalue.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// at follows keys and indexes into a value.
func at(t *testing.T, v any, path ...any) any {
	t.Helper()
	for _, step := range path {
		var ok bool
		switch step := step.(type) {
		case string:
			v, ok = v.(*jsonvalue.Object).Get(step)
		case int:
			v, ok = v.([]any)[step], true
		}
		if !ok {
			t.Fatalf("no member %v", step)
		}
	}
	return v
}

// decodeMarks makes the values that the scenarios write as objects with one
// member, such as {"$nan": 1}.
func decodeMarks(v any) any {
	switch v := v.(type) {
	case []any:
		items := make([]any, len(v))
		for i, item := range v {
			items[i] = decodeMarks(item)
		}
		return items
	case *jsonvalue.Object:
		if v.Len() == 1 {
			if marked, ok := decodeMark(v.Keys()[0], v); ok {
				return marked
			}
		}
		o := &jsonvalue.Object{}
		for key, member := range v.All() {
			o.Set(key, decodeMarks(member))
		}
		return o
	}
	return v
}

func decodeMark(mark string, v *jsonvalue.Object) (any, bool) {
	switch mark {
	case "$nan":
		return math.NaN(), true
	case "$inf":
		return math.Inf(1), true
	case "$negzero":
		return math.Copysign(0, -1), true
	case "$undefined":
		return jsonvalue.Foreign{Kind: jsonvalue.Undefined}, true
	case "$fn":
		return jsonvalue.Foreign{Kind: jsonvalue.Function}, true
	case "$date", "$map":
		return jsonvalue.Foreign{Kind: jsonvalue.Exotic}, true
	case "$nest":
		levels, _ := v.Number(mark)
		return nest(int(levels)), true
	}
	return nil, false
}

// nest returns null below so many objects.
func nest(levels int) any {
	var v any
	for range levels {
		v = jsonvalue.Of("nested", v)
	}
	return v
}

func ExampleDigest() {
	digest, _ := jsonvalue.Digest(jsonvalue.Of("b", 1.0, "a", 2.0))
	fmt.Println(digest)
	// Output: d3626ac30a87e6f7a6428233b3c68299976865fa5508e4267c5415c76af7a772
}
