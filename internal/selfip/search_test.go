package selfip_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dshkit/dshkit/internal/selfip"
	"github.com/dshkit/dshkit/pkg/text"
)

// TestSearch asks the entries of fixture 11.
func TestSearch(t *testing.T) {
	r := newRoom(t)
	if err := os.CopyFS(r.dir, os.DirFS(filepath.Join("testdata", "selfip-fixtures", "11-search", "workspace"))); err != nil {
		t.Fatal(err)
	}
	m := r.own()
	for id, row := range map[string]struct {
		query string
		want  int
	}{
		"SE01": {"沙箱", 1}, "SE02": {"围栏", 1}, "SE03": {"沙箱围栏", 1}, "SE04": {"web_search", 1}, "SE05": {"完全不相干的关键词xyz", 0},
		"SE06": {"记忆压缩", 2}, "AR07": {"围栏", 1}, "AR08": {"会拒绝工作区外的围栏", 1}, "AR09": {"完全不相干的关键词xyz", 0},
	} {
		t.Run(id, func(t *testing.T) { same(t, id+" "+row.query, len(m.Search(row.query, selfip.SearchLimit)), row.want) })
	}
	t.Run("SE07", func(t *testing.T) {
		has(t, "SE07", m.Search("记忆压缩", 12)[0].Text, "记忆压缩必须保真校验后再覆盖")
	})
}

// TestSearchIsBounded: one search returns no more text than its limit.
func TestSearchIsBounded(t *testing.T) {
	r := newRoom(t)
	var rows []string
	for i := range 30 {
		rows = append(rows, fmt.Sprintf("- [2026-09-10T00:00:00.000Z] (fact) 检索上限第 %02d 条 %s {origin:tool}", i, strings.Repeat("长", 120)))
	}
	r.write("memory/facts.md", strings.Join(rows, "\n"))
	hits := r.own().Search("检索上限", 30)
	total := 0
	for _, h := range hits {
		total += text.Len(h.Entry.Entry.String())
	}
	t.Run("SE08", func(t *testing.T) {
		if len(hits) >= 30 {
			t.Errorf("SE08: %d hits", len(hits))
		}
	})
	t.Run("SE09", func(t *testing.T) {
		if total > 2400 {
			t.Errorf("SE09: %d units", total)
		}
	})
	t.Run("SE10", func(t *testing.T) {
		if len(hits) == 0 {
			t.Error("SE10: nothing found")
		}
	})
}
