package jsonvalue_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/testkit/marks"
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
		got := digestAnswer(marks.Decode(call.([]any)[0]))
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

func ExampleDigest() {
	digest, _ := jsonvalue.Digest(jsonvalue.Of("b", 1.0, "a", 2.0))
	fmt.Println(digest)
	// Output: d3626ac30a87e6f7a6428233b3c68299976865fa5508e4267c5415c76af7a772
}
