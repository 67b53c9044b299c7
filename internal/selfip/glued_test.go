package selfip_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/selfip"
)

func TestGluedLines(t *testing.T) {
	r := newRoom(t)
	m := r.own()
	r.tool(m, fact("端口是 5433"))
	r.tool(m, lesson("use {a:b}- or not"))
	if got := m.Workspace.Glued(); got != nil {
		t.Fatalf("nothing is glued yet: %v", got)
	}
	r.write("memory/facts.md", "# head\n"+r.read("memory/facts.md")+"- written with a shell\n")
	want := []selfip.Glued{{File: r.path("memory/facts.md"), Line: 2}}
	if diff := cmp.Diff(want, m.Workspace.Glued()); diff != "" {
		t.Error(diff)
	}
}
