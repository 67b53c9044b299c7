package selfip_test

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/dshkit/dshkit/internal/selfip"
	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/internal/selfip/scope"
	"github.com/dshkit/dshkit/pkg/fault"
)

// pair is one library twice: of the second the derived files are deleted before
// every step, so that all is read from the files of memory.
type pair struct {
	kept, bare *room
	scope      scope.Scope
	step       int
}

// both does the same to the two and holds that the same came of it.
func (p *pair) both(t *rapid.T, what string, do func(*selfip.Memory) string) {
	p.step++
	for _, dir := range []string{p.bare.path("run/cache"), p.bare.globalPath("run/cache")} {
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
	}
	kept := do(p.kept.open(p.scope))
	bare := do(p.bare.open(p.scope))
	kept = strings.ReplaceAll(strings.ReplaceAll(kept, p.kept.dir, "DIR"), p.kept.global, "GLOBAL")
	bare = strings.ReplaceAll(strings.ReplaceAll(bare, p.bare.dir, "DIR"), p.bare.global, "GLOBAL")
	if diff := cmp.Diff(kept, bare); diff != "" {
		t.Fatalf("step %d, %s (-with derived files +without):\n%s", p.step, what, diff)
	}
}

// told is what a use case says, its error by code.
func told(v any, err error) string {
	if err != nil {
		return "error " + fault.CodeOf(err)
	}
	return fmt.Sprintf("%+v", v)
}

// FuzzDerivedFilesDoNotMatter plays any order of changes on a library that keeps
// its derived files and on one that loses them again and again.
func FuzzDerivedFilesDoNotMatter(f *testing.F) {
	for i := range byte(10) {
		f.Add(noise(i))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		rapid.MakeFuzz(func(rt *rapid.T) { derivedFiles(t, rt) })(t, data)
	})
}

// noise is the same for the same seed, and long enough for one play.
func noise(seed byte) []byte {
	var out []byte
	for sum := sha256.Sum256([]byte{seed}); len(out) < 16<<10; sum = sha256.Sum256(sum[:]) {
		out = append(out, sum[:]...)
	}
	return out
}

func derivedFiles(t *testing.T, rt *rapid.T) {
	scopes := rapid.SampledFrom([]scope.Scope{scope.Workspace, scope.Global, scope.Both})
	p := &pair{kept: newRoom(t), bare: newRoom(t), scope: scopes.Draw(rt, "scope")}
	p.kept.chars, p.bare.chars = 700, 700
	word := rapid.SampledFrom([]string{"构建用 make", "端口是 8443", "port 8000", "use the port 8000 for tests", "沙箱里不能联网", "run make gen first", "忘记检查", "api_key=FAKEfakeFAKEfakeFAKEfake01"})
	kind := rapid.SampledFrom(entry.Kinds[:])
	rt.Repeat(map[string]func(*rapid.T){
		"remember": func(t *rapid.T) {
			n := selfip.Note{Kind: kind.Draw(t, "kind"), Text: word.Draw(t, "word") + strings.Repeat("长", rapid.IntRange(0, 60).Draw(t, "length"))}
			p.both(t, "remember "+n.Text, func(m *selfip.Memory) string { return told(m.Remember(t.Context(), n, person)) })
		},
		"replace": func(t *rapid.T) {
			n := selfip.Note{Kind: kind.Draw(t, "kind"), Text: word.Draw(t, "word"), Replaces: word.Draw(t, "old")}
			p.both(t, "replace "+n.Replaces, func(m *selfip.Memory) string { return told(m.Remember(t.Context(), n, person)) })
		},
		"forget": func(t *rapid.T) {
			s := word.Draw(t, "word")
			p.both(t, "forget "+s, func(m *selfip.Memory) string { return told(m.Forget(t.Context(), s, person)) })
		},
		"restore": func(t *rapid.T) {
			s := word.Draw(t, "word")
			p.both(t, "restore "+s, func(m *selfip.Memory) string { return told(m.Restore(t.Context(), s, person)) })
		},
		"undo": func(t *rapid.T) {
			p.both(t, "undo", func(m *selfip.Memory) string { return told(m.Undo(t.Context(), "", person)) })
		},
		"find": func(t *rapid.T) {
			s := word.Draw(t, "word")
			p.both(t, "search "+s, func(m *selfip.Memory) string {
				hits := m.Search(s, 8)
				return found(m, s) + told(hits, m.CountUses(t.Context(), hits))
			})
		},
		"edit": func(t *rapid.T) {
			line := "\n- [2026-09-01] (fact) " + word.Draw(t, "word") + " {imp:3}"
			for _, r := range []*room{p.kept, p.bare} {
				r.write("memory/facts.md", r.read("memory/facts.md")+line)
			}
		},
		"wait": func(*rapid.T) {
			p.kept.now = p.kept.now.Add(time.Hour)
			p.bare.now = p.kept.now
		},
		"": func(t *rapid.T) {
			p.both(t, "injection", inject)
			p.both(t, "counts", func(m *selfip.Memory) string { return fmt.Sprintf("%+v %+v", m.Count(m.Workspace), m.Count(m.Global)) })
			p.same(t)
		},
	})
}

// same holds that the files of memory are the same.
func (p *pair) same(t *rapid.T) {
	for _, part := range selfip.Partitions {
		for _, path := range []func(*room) string{
			func(r *room) string { return r.path(part.File) }, func(r *room) string { return r.globalPath(part.File) },
		} {
			if diff := cmp.Diff(content(t, path(p.kept)), content(t, path(p.bare))); diff != "" {
				t.Fatalf("step %d, %s (-with derived files +without):\n%s", p.step, part.File, diff)
			}
		}
	}
}

func content(t *rapid.T, path string) string {
	data, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return string(data)
}
