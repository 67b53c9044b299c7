package search_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/dshkit/dshkit/internal/selfip/search"
)

// caseLines reads a file of a case, without the end of its last line.
func caseLines(t *testing.T, folder, name string) []string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata/cases", folder, name))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(raw), "\n"), "\n")
}

// numbered makes documents of lines; their ids count from 1.
func numbered(lines []string) []search.Doc {
	var docs []search.Doc
	for i, line := range lines {
		docs = append(docs, search.Doc{ID: strconv.Itoa(i + 1), Text: line, Ref: search.Ref{Offset: int64(i)}})
	}
	return docs
}

func ask(docs []search.Doc, query string) []search.Hit {
	return search.Rank(search.Parse(query), slices.Values(docs), 12)
}

// TestCaseQueries asks each line of queries.tsv and wants the note that the
// line names first, and a blank query without answers.
func TestCaseQueries(t *testing.T) {
	for _, folder := range []string{"42-chinese-query-finds-nothing", "43-identifier-glued-to-chinese", "44-two-character-query"} {
		docs := numbered(caseLines(t, folder, "notes.txt"))
		if folder[:2] == "44" {
			docs = append(docs, fillers()...)
		}
		for _, line := range caseLines(t, folder, "queries.tsv") {
			query, want, _ := strings.Cut(line, "\t")
			if strings.TrimSpace(query) == "" {
				want = ""
			}
			t.Run(fmt.Sprintf("case%s/%q", folder[:2], query), func(t *testing.T) {
				if got := firstID(ask(docs, query)); got != strings.TrimSpace(want) {
					t.Errorf("first hit of %q is %q, want %q", query, got, want)
				}
			})
		}
	}
}

// fillers are the thirty other notes that case 44 speaks of.
func fillers() []search.Doc {
	var lines []string
	for i := range 30 {
		lines = append(lines, fmt.Sprintf("第%d条备忘：先看日志，再改配置，最后通知同事", i))
	}
	docs := numbered(lines)
	for i := range docs {
		docs[i].ID = "filler" + docs[i].ID
	}
	return docs
}

func firstID(hits []search.Hit) string {
	if len(hits) == 0 {
		return ""
	}
	return hits[0].ID
}

// TestCase45 asks queries that a query language would choke on. What stands in
// a note literally comes first.
func TestCase45(t *testing.T) {
	const folder = "45-query-with-operators"
	lines := caseLines(t, folder, "notes.txt")
	docs := numbered(lines)
	for _, query := range caseLines(t, folder, "queries.txt") {
		t.Run("case45/"+query, func(t *testing.T) {
			hits := ask(docs, query)
			for i, line := range lines {
				if !strings.Contains(line, query) {
					continue
				}
				if got := firstID(hits); got != strconv.Itoa(i+1) {
					t.Errorf("first hit of %q is %q, want %d", query, got, i+1)
				}
				return
			}
			if len(hits) > 0 && hits[0].Phrase {
				t.Errorf("query %q: %q counts as a literal occurrence", query, hits[0].Text)
			}
		})
	}
	// Marks alone are looked for literally, and operators are words.
	docs = append(docs, search.Doc{ID: "4", Text: `call f((( x ))) near a \ and a * and "unterminated`})
	for query, want := range map[string]string{"(((": "4", `\`: "4", "*": "4", "near": "4", `"unterminated`: "4", "[[[": ""} {
		if got := firstID(ask(docs, query)); got != want {
			t.Errorf("first hit of %q is %q, want %q", query, got, want)
		}
	}
}
