package search_test

import (
	"os"
	"strings"
	"testing"

	"github.com/dshkit/dshkit/internal/selfip/search"
)

// TestSmoke asks questions as users do, in their own words and in four
// languages, over one small store. Every question wants its note first.
func TestSmoke(t *testing.T) {
	var docs []search.Doc
	for _, row := range rows(t, "testdata/smoke/notes.tsv") {
		docs = append(docs, search.Doc{ID: row[0], Text: row[1]})
	}
	for _, row := range rows(t, "testdata/smoke/queries.tsv") {
		t.Run(row[0], func(t *testing.T) {
			hits := ask(docs, row[0])
			if got := firstID(hits); got != row[1] {
				t.Errorf("first hit of %q is %q, want %q; all: %v", row[0], got, row[1], scores(hits))
			}
		})
	}
}

// rows reads lines of two columns.
func rows(t *testing.T, name string) [][2]string {
	t.Helper()
	raw, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var out [][2]string
	for _, line := range strings.Split(strings.TrimSpace(string(raw)), "\n") {
		a, b, ok := strings.Cut(line, "\t")
		if !ok {
			t.Fatalf("%s: line %q has one column, want two", name, line)
		}
		out = append(out, [2]string{a, b})
	}
	return out
}
