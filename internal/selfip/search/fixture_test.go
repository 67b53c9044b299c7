package search_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/internal/selfip/search"
)

const fixture11 = "testdata/selfip-fixtures/11-search"

// fixtureNotes reads the entries of fixture 11. Their ids are those of
// EXPECTED.md: L1 to L6 and F1 to F2, in the order of the files.
func fixtureNotes(t *testing.T) []search.Doc {
	t.Helper()
	now := time.Date(2026, 9, 15, 12, 0, 0, 0, time.UTC)
	var docs []search.Doc
	for source, name := range []string{"lessons.md", "facts.md"} {
		raw, err := os.ReadFile(filepath.Join(fixture11, "workspace/self-improvement/memory", name))
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(raw), "\n") {
			e, ok := entry.ParseLine(line)
			if !ok || !e.Live() {
				continue
			}
			id := fmt.Sprintf("%c%d", "LF"[source], i+1)
			docs = append(docs, search.Doc{
				Ref: search.Ref{Source: source, Offset: int64(i)}, ID: id, Text: e.Text, Prior: e.Score(now),
			})
		}
	}
	return docs
}

// scores writes hits as "L1 53.77".
func scores(hits []search.Hit) []string {
	out := []string{}
	for _, h := range hits {
		out = append(out, fmt.Sprintf("%s %v", h.ID, h.Score))
	}
	return out
}

// TestFixture11 holds the scores and the order of column B of EXPECTED.md. One
// row is ours: case 44 wants a single character found.
func TestFixture11(t *testing.T) {
	docs := fixtureNotes(t)
	rows := []struct {
		query string
		want  []string
	}{
		{"沙箱", []string{"L1 53.77"}},
		{"围栏", []string{"L1 53.77"}},
		{"沙箱围栏", []string{"L1 111.3"}},
		{"web_search", []string{"L2 82.54"}},
		{"web search", []string{"L2 57.54"}},
		{"完全不相干的关键词xyz", []string{}},
		{"记忆压缩", []string{"L5 177.08", "L4 18.82"}},
		{"压缩", []string{"L4 43.82", "L5 42.68"}},
		{"retry", []string{"F1 45.13", "F2 41.66"}},
		{"Retry backoff", []string{"F2 104.99", "F1 20.13"}},
		{"read", []string{"L3 53.77"}},
		{"文件", []string{"L3 53.77"}},
		{"工作区 写入", []string{"L1 86.3"}},
		{"沙", []string{"L1 53.77"}}, // case 44
		{"的", []string{}},
		{"", []string{}},
	}
	for i, row := range rows {
		t.Run(fmt.Sprintf("fixture11/row%02d", i+1), func(t *testing.T) {
			got := scores(search.Rank(search.Parse(row.query), slices.Values(docs), 12))
			if diff := cmp.Diff(row.want, got); diff != "" {
				t.Errorf("search %q (-want +got):\n%s", row.query, diff)
			}
		})
	}
}
