package similar_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/selfip/similar"
)

// TestLost: a text may be worded anew, but its numbers and names stay.
func TestLost(t *testing.T) {
	old := similar.FormOf("staging listens only on stage.example.test:8443, see `docs/run.md`")
	for _, c := range []struct {
		said string
		want []string
	}{
		{"stage.example.test:8443 is where staging listens (docs/run.md).", []string{}},
		{"staging listens on stage.example.test:8443", []string{"docs/run.md"}},
		{"staging listens on stage.example.test:84430, docs/run.md2", []string{"docs/run.md", "stage.example.test:8443"}},
	} {
		if diff := cmp.Diff(c.want, old.Lost(similar.FormOf(c.said))); diff != "" {
			t.Errorf("Lost(%q) (-want +got):\n%s", c.said, diff)
		}
	}
}

func TestDenies(t *testing.T) {
	for said, want := range map[string]bool{
		"don't push to main": true, "push to main": false, "不要提交 .env": true, "提交 .env": false, "use tabs instead of blanks": true,
		"tests run before a push": false,
	} {
		if got := similar.FormOf(said).Denies(); got != want {
			t.Errorf("Denies(%q) = %v", said, got)
		}
	}
}

func TestBounds(t *testing.T) {
	for said, want := range map[string][]string{
		"deploy only after the tests, never before, as it should": {"after", "before", "only"},
		"每次只跑一遍":    {"只", "每"},
		"it was so": nil,
	} {
		if diff := cmp.Diff(want, similar.FormOf(said).Bounds()); diff != "" {
			t.Errorf("Bounds(%q) (-want +got):\n%s", said, diff)
		}
	}
}

func TestMarks(t *testing.T) {
	for said, want := range map[string][]string{
		"The disks filled up in 3 hours -> see db-2": {"3", "db-2", "disk", "fil", "hour", "see"},
		"测试库端口 5433":                                 {"5433", "库端", "测试", "端口", "试库"},
		"running, runs":                              {"run"},
	} {
		if diff := cmp.Diff(want, similar.FormOf(said).Marks()); diff != "" {
			t.Errorf("Marks(%q) (-want +got):\n%s", said, diff)
		}
	}
	if n := similar.Shared([]string{"a", "b", "d"}, []string{"b", "c", "d"}); n != 2 {
		t.Errorf("Shared: %d, want 2", n)
	}
}
