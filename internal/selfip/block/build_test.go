package block_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/dshkit/dshkit/internal/selfip/block"
	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/internal/selfip/handoff"
	"github.com/dshkit/dshkit/internal/selfip/playbook"
	"github.com/dshkit/dshkit/internal/selfip/proposal"
	"github.com/dshkit/dshkit/internal/selfip/scope"
	"github.com/dshkit/dshkit/pkg/text"
)

// clock is the instant of the fixtures; original is the budget of the originals.
var clock = time.Date(2026, 9, 15, 12, 0, 0, 0, time.UTC)

const original = 2940

// files reads the text of a folder below testdata; a missing file is empty.
type files struct {
	t    testing.TB
	root string
}

func (f files) bytes(name string) []byte {
	f.t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", f.root, name))
	if err != nil && !os.IsNotExist(err) {
		f.t.Fatal(err)
	}
	return data
}

func (f files) names(dir string) []string {
	list, err := os.ReadDir(filepath.Join("testdata", f.root, dir))
	if err != nil && !os.IsNotExist(err) {
		f.t.Fatal(err)
	}
	var names []string
	for _, e := range list {
		names = append(names, e.Name())
	}
	return names
}

func (f files) library(name string) *block.Library {
	part := func(file string) block.Partition {
		return partition(string(f.bytes("memory/"+file)), nil)
	}
	return &block.Library{
		Name: name, Facts: part("facts.md"), Lessons: part("lessons.md"), Resources: part("resources.md"),
		Methods: part("methods.md"), Principles: string(f.bytes("memory/principles.md")), Hypotheses: string(f.bytes("memory/hypotheses.md")),
	}
}

func (f files) session() block.Session {
	s := block.Session{Handoff: handoff.Parse(f.bytes("logs/handoff-latest.md"), clock)}
	for _, name := range f.names("playbooks") {
		s.Playbooks = append(s.Playbooks, playbook.Parse(name, f.bytes("playbooks/"+name)))
	}
	var list []proposal.File
	for _, name := range f.names("proposals") {
		list = append(list, proposal.File{Name: name, Data: f.bytes("proposals/" + name)})
	}
	decisions, _ := proposal.ParseDecisions(f.bytes("proposals/status.json")) // fixture 03 holds none
	s.Proposals = proposal.Pending(list, decisions)
	return s
}

func partition(content string, blocked func(entry.Entry) bool) block.Partition {
	return fromFile(entry.ParseFile([]byte(content)), clock, blocked)
}

// fixture is the input of a fixture: the memory alone, in Chinese, with the
// budget of the originals.
func fixture(t testing.TB, dir string) block.Input {
	f := files{t, "selfip-fixtures/" + dir + "/workspace/self-improvement"}
	return block.Input{
		Now: clock, Language: "zh-CN", Chars: original, Bare: true, Scope: scope.Workspace,
		Main: f.library("workspace"), Session: f.session(),
	}
}

// facts is an input with one partition in it, wrapper and all.
func facts(content string) block.Input {
	return block.Input{
		Now: clock, Chars: block.DefaultChars, Scope: scope.Workspace,
		Main: &block.Library{Name: "workspace", Facts: partition(content, nil)},
	}
}

func repeat(n int, line func(i int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(line(i) + "\n")
	}
	return b.String()
}

// check holds what is true of every block.
func check(t interface {
	Helper()
	Errorf(string, ...any)
}, in block.Input, b block.Block,
) {
	t.Helper()
	if b.Chars != text.Len(b.Text) || b.Bytes != len(b.Text) {
		t.Errorf("budget %d: counted %d units and %d bytes, want %d and %d", in.Chars, b.Chars, b.Bytes, text.Len(b.Text), len(b.Text))
	}
	if b.Chars > max(in.Chars, 0) || in.Bytes > 0 && b.Bytes > in.Bytes {
		t.Errorf("budget %d units, %d bytes: the block has %d and %d", in.Chars, in.Bytes, b.Chars, b.Bytes)
	}
	if strings.ContainsRune(b.Text, '\r') || strings.ContainsRune(b.Text, '\uFFFD') {
		t.Errorf("budget %d: CR or U+FFFD in %q", in.Chars, b.Text)
	}
}

// sections splits a memory text into its parts by heading.
func sections(s string) map[string]string {
	m := map[string]string{}
	for _, p := range strings.Split(s, "\n\n") {
		if head, _, _ := strings.Cut(p, "\n"); strings.HasPrefix(head, "### ") {
			m[strings.TrimPrefix(head, "### ")] = p
		}
	}
	return m
}
