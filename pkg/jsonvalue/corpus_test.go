package jsonvalue_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// record is what Node makes of a text of JSON; corpus.mjs writes one a line.
type record struct{ Text, Canonical, Digest, Format, Indented string }

// TestRecordedValues holds what was recorded from Node.
func TestRecordedValues(t *testing.T) {
	records := records(t, readCorpus(t, "values.jsonl"))
	if len(records) < 300 {
		t.Fatalf("%d records", len(records))
	}
	for _, want := range records {
		checkRecord(t, want)
	}
}

// TestValuesOfNode asks the Node of this machine about values that were not
// recorded, if it has the Unicode that was recorded.
func TestValuesOfNode(t *testing.T) {
	if recorded := `{"unicode":"17.0"}`; strings.TrimSpace(node(t, "versions")) != recorded {
		t.Skip("Node is not of Unicode 17.0")
	}
	for _, seed := range []string{"101", "102"} {
		records := records(t, node(t, "random", seed, "1500"))
		if len(records) != 1500 {
			t.Fatalf("%d records", len(records))
		}
		for _, want := range records {
			checkRecord(t, want)
		}
	}
}

// node runs corpus.mjs.
func node(t *testing.T, args ...string) string {
	t.Helper()
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("there is no Node")
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "node", append([]string{filepath.Join("testdata", "corpus.mjs")}, args...)...)
	var problems bytes.Buffer
	cmd.Stderr = &problems
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("node: %v\n%s", err, problems.Bytes())
	}
	return string(out)
}

func readCorpus(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// records reads the lines by encoding/json: they are the answers.
func records(t testing.TB, text string) []record {
	t.Helper()
	var records []record
	for line := range strings.Lines(text) {
		var r record
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		records = append(records, r)
	}
	return records
}

func checkRecord(t *testing.T, want record) {
	t.Helper()
	v, err := jsonvalue.Parse([]byte(want.Text))
	if err != nil {
		t.Errorf("%s: %v", want.Text, err)
		return
	}
	got := record{Text: want.Text, Format: jsonvalue.Format(v), Indented: jsonvalue.FormatIndent(v, "  ")}
	if got.Canonical, err = jsonvalue.Canonical(v, "value"); err != nil {
		t.Errorf("%s: %v", want.Text, err)
	}
	if got.Digest, err = jsonvalue.Digest(v); err != nil {
		t.Errorf("%s: %v", want.Text, err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", want.Text, diff)
	}
}

// TestRecordedTexts holds which texts JSON.parse takes, broken ones among them.
func TestRecordedTexts(t *testing.T) {
	valid := map[bool]int{}
	for line := range strings.Lines(readCorpus(t, "texts.jsonl")) {
		var want struct {
			Text  string
			Valid bool
		}
		if err := json.Unmarshal([]byte(line), &want); err != nil {
			t.Fatal(err)
		}
		valid[want.Valid]++
		if v, err := jsonvalue.Parse([]byte(want.Text)); (err == nil) != want.Valid || err != nil && v != nil {
			t.Errorf("Parse(%q) = %v, %v, want valid %v", want.Text, v, err, want.Valid)
		}
	}
	if valid[true] < 50 || valid[false] < 100 {
		t.Errorf("%d texts are valid, %d not: too few", valid[true], valid[false])
	}
}
