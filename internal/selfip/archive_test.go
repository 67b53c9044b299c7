package selfip_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/dshkit/dshkit/internal/selfip"
	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/internal/selfip/scope"
)

// TestSegmentBeyondReading has an archive that has grown past what is read of a
// file since its catalog was made: its entries are out of sight, all else is as
// it was.
func TestSegmentBeyondReading(t *testing.T) {
	const limit = 64 << 20 // of filestore
	r := newRoom(t)
	name := filepath.Join(r.dir, "self-improvement", "memory", "archive", "facts-0001.md")
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	line := "- [2026-09-01] (fact) the zebra is striped\n"
	if err := os.WriteFile(name, []byte(line), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(name, limit-1); err != nil { // the rest is one damaged line
		t.Fatal(err)
	}
	m := r.open(scope.Workspace)
	if n := m.Count(m.Workspace).Archived; n != 1 {
		t.Fatalf("%d archived, want 1", n)
	}
	f, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString("\n- [2026-09-01] (fact) the quagga is extinct\n"); err != nil {
		t.Fatal(err)
	}
	if n := m.Count(m.Workspace).Archived; n != 0 {
		t.Errorf("%d archived, want none of a file that cannot be read", n)
	}
	list, err := m.List(func(entry.Entry) bool { return true })
	if err != nil || len(list) != 1 {
		t.Errorf("List = %+v, %v", list, err)
	}
	if err := os.Truncate(name, int64(len(line))); err != nil {
		t.Fatal(err)
	}
	if n := m.Count(m.Workspace).Archived; n != 1 {
		t.Errorf("%d archived once it can be read, want 1", n)
	}
}

// TestForgottenWhileFound: an archived entry that is withdrawn between a search
// and the counting of its use stays withdrawn.
func TestForgottenWhileFound(t *testing.T) {
	r := newRoom(t)
	r.write("memory/archive/facts-0001.md", "- [2026-09-01T00:00:00.000Z] (fact) the staging port is 8443 {origin:tool}\n")
	r.write("memory/facts.md", "- [2026-09-01T00:00:00.000Z] (fact) another one")
	m := r.own()
	hits := m.Search("staging port", 5)
	if len(hits) != 1 {
		t.Fatalf("%d hits, want one", len(hits))
	}
	if _, err := r.own().Forget(t.Context(), "staging port", selfip.Author{Origin: "command"}); err != nil {
		t.Fatal(err)
	}
	if err := m.CountUses(t.Context(), hits); err != nil {
		t.Fatal(err)
	}
	hasNot(t, "facts.md", r.read("memory/facts.md"), "staging port")
	if hits := r.own().Search("staging port", 5); len(hits) != 0 {
		t.Errorf("it is found again: %+v", hits)
	}
}
