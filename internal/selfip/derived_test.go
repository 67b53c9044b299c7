package selfip_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/selfip"
	"github.com/dshkit/dshkit/pkg/fault"
)

// shelf is a library large enough for an index, with what a test knows of it.
type shelf struct {
	*room
	m    *selfip.Memory
	rand *rand.Rand
	live map[string]bool // by the word that names an entry: whether it counts
	told []string        // what was done so far
}

const filler = "the gateway keeps its connections behind the session boundary 部署之前必须先检查配置 and the journal is cut when the worker ends"

func newShelf(t *testing.T, seed uint64) *shelf {
	r := newRoom(t)
	r.chars = 20000
	s := &shelf{room: r, m: r.own(), rand: rand.New(rand.NewPCG(seed, 1)), live: map[string]bool{}}
	for _, file := range []string{"facts", "lessons"} {
		var b strings.Builder
		for i := range 160 {
			word := fmt.Sprintf("%s%03dq", file, i)
			fmt.Fprintf(&b, "- [2026-0%d-01T08:00:00.000+08:00] (%s) %s: %s {imp:%d}\n", i%8+1, file[:len(file)-1], word, filler, i%10+1)
			s.live[word] = true
		}
		r.write("memory/"+file+".md", b.String())
	}
	s.tool(s.m, fact("the first eviction of facts"))
	s.tool(s.m, lesson("the first eviction of lessons"))
	s.m.Search("gateway", 5) // makes the index
	return s
}

// some draws a word of an entry that counts, or does not; "" when there is none.
func (s *shelf) some(live bool) string {
	var words []string
	for _, word := range slices.Sorted(maps.Keys(s.live)) {
		if s.live[word] == live {
			words = append(words, word)
		}
	}
	if len(words) == 0 {
		return ""
	}
	return words[s.rand.IntN(len(words))]
}

func note(word string) selfip.Note {
	if strings.HasPrefix(word, "lessons") {
		return lesson(word + ": " + filler)
	}
	return fact(word + ": " + filler)
}

func (s *shelf) fatal(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatalf("%v, after %q", err, s.told)
	}
}

// act does one thing and notes it.
func (s *shelf) act(actions map[string]func()) {
	names := slices.Sorted(maps.Keys(actions))
	name := names[s.rand.IntN(len(names))]
	s.told = append(s.told, name)
	actions[name]()
}

// changes are what we do ourselves: the index and the catalog follow.
func (s *shelf) changes() map[string]func() {
	by := selfip.Author{Origin: "command"}
	return map[string]func(){
		"remember": func() {
			word := fmt.Sprintf("new%03dq", s.ids.Add(1))
			s.tool(s.m, note(word))
			s.live[word] = true
		},
		"again": func() { s.tool(s.m, note(s.some(true))) },
		"use":   func() { s.fatal(s.m.CountUses(s.t.Context(), s.m.Search(s.some(true), 3))) },
		"forget": func() {
			word := s.some(true)
			_, err := s.m.Forget(s.t.Context(), word+":", by)
			s.fatal(err)
			s.live[word] = false
		},
		"restore": func() {
			word := s.some(false)
			if word == "" {
				return
			}
			_, err := s.m.Restore(s.t.Context(), word+":", by)
			s.fatal(err)
			s.live[word] = true
		},
	}
}

// troubles are what others do to the files.
func (s *shelf) troubles() map[string]func() {
	cache := func() string {
		return s.path("run/cache/" + []string{"live.catalog", "archive.catalog", "search.index"}[s.rand.IntN(3)])
	}
	return map[string]func(){
		"delete": func() { _ = os.Remove(cache()) },
		"cut": func() {
			name := cache()
			if info, err := os.Stat(name); err == nil {
				s.fatal(os.Truncate(name, s.rand.Int64N(info.Size()+1)))
			}
		},
		"flip": func() { // a bit of a header, or of what comes behind it
			name := cache()
			if data, err := os.ReadFile(name); err == nil && len(data) > 0 {
				data[s.rand.IntN(min(len(data), 300))] ^= 1 << s.rand.IntN(8)
				s.fatal(os.WriteFile(name, data, 0o600))
			}
		},
		"edit": func() { // by hand: a line in front of all others
			word := fmt.Sprintf("hand%03dq", s.ids.Add(1))
			s.write("memory/facts.md", "- [2026-09-01] (fact) "+word+": "+filler+"\n"+s.read("memory/facts.md"))
			s.live[word] = true
		},
	}
}

// wantFound asks for an entry that counts and for one that does not.
func (s *shelf) wantFound() {
	s.t.Helper()
	for _, live := range []bool{true, false} {
		word := s.some(live)
		if word == "" {
			continue
		}
		var found []string
		for _, h := range s.own().Search(word, 30) {
			if strings.HasPrefix(h.Text, word+":") {
				found = append(found, h.Text)
			}
		}
		if want := map[bool]int{true: 1, false: 0}[live]; len(found) != want {
			s.t.Fatalf("search %q (live: %v) gives %q, want %d; after %q", word, live, found, want, s.told)
		}
	}
}

// TestWhatIsDerivedFollows: whatever we and others do, a search and a block say
// what the files say.
func TestWhatIsDerivedFollows(t *testing.T) {
	for seed := range uint64(6) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			s := newShelf(t, seed)
			actions := s.changes()
			maps.Copy(actions, s.troubles())
			for range 30 {
				s.act(actions)
				s.wantFound()
				got := inject(s.own())
				if s.rand.IntN(3) > 0 {
					continue
				}
				s.told = append(s.told, "(compare)")
				s.fatal(os.RemoveAll(s.path("run/cache")))
				if diff := cmp.Diff(inject(s.own()), got); diff != "" {
					t.Fatalf("block of the files and of the catalog (-want +got):\n%s\nafter %q", diff, s.told)
				}
			}
		})
	}
}

// TestIndexFollowsOurChanges: what we change ourselves does not cost an index,
// and is found through it.
func TestIndexFollowsOurChanges(t *testing.T) {
	for seed := range uint64(4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			s := newShelf(t, seed)
			before, err := os.Stat(s.path("run/cache/search.index"))
			s.fatal(err)
			actions := s.changes()
			delete(actions, "restore") // what counts again was not in the index
			for range 30 {
				s.act(actions)
				s.wantFound()
				if now, err := os.Stat(s.path("run/cache/search.index")); err != nil || !os.SameFile(before, now) {
					t.Fatalf("the index was made anew, %v, after %q", err, s.told)
				}
			}
		})
	}
}

// TestUsesAreCountedInPlace: a search does not pay for a new file when a counter
// only gets another digit, and it does when the line gets longer.
func TestUsesAreCountedInPlace(t *testing.T) {
	r := newRoom(t)
	r.write("memory/facts.md", "- [2026-09-01] (fact) the parser needs a cache {uses:8}\n- [2026-09-01] (fact) the linker {imp:3}\n")
	m := r.own()
	inject(m) // makes the catalog
	for _, step := range []struct {
		query, want string
		same        bool
	}{
		{"parser", "{uses:9}", true},
		{"parser", "{uses:10}", false},
		{"parser", "{uses:11}", true},
		{"linker", "{imp:3,uses:1}", false},
		{"linker", "{imp:3,uses:2}", true},
	} {
		before, err := os.Stat(r.path("memory/facts.md"))
		if err != nil {
			t.Fatal(err)
		}
		if err := m.CountUses(t.Context(), m.Search(step.query, 1)); err != nil {
			t.Fatal(err)
		}
		after, err := os.Stat(r.path("memory/facts.md"))
		if got := r.read("memory/facts.md"); err != nil || !strings.Contains(got, step.want) || os.SameFile(before, after) != step.same {
			t.Errorf("search %q: %s, same file: %v, %v; want %s, %v", step.query, got, os.SameFile(before, after), err, step.want, step.same)
		}
	}
	got := inject(r.own())
	if err := os.RemoveAll(r.path("run/cache")); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(inject(r.own()), got); diff != "" {
		t.Errorf("block of the files and of the catalog (-want +got):\n%s", diff)
	}
}

// TestNothingIsWrittenOverAnEditByHand: a file that another program changed
// between our look at it and our writing is left as it is.
func TestNothingIsWrittenOverAnEditByHand(t *testing.T) {
	r := newRoom(t)
	r.write("memory/facts.md", "- [2026-09-01] (fact) the parser needs a cache {imp:3}\n")
	m := r.own()
	const byHand = "- [2026-09-02] (fact) written by hand at that moment\n- [2026-09-01] (fact) the parser needs a cache {imp:3}\n"
	newID := m.NewID
	m.NewID = func(prefix string) string { // asked for when all is decided and nothing is written
		r.write("memory/facts.md", byHand)
		return newID(prefix)
	}
	_, err := m.Forget(t.Context(), "parser", selfip.Author{Origin: "command"})
	if fault.CodeOf(err) != "file-changed" || r.read("memory/facts.md") != byHand {
		t.Errorf("forget: %v, file %q", err, r.read("memory/facts.md"))
	}
}

// TestAnAppendBesideAnEditByHand: a note is kept, and what was written by hand
// at the same moment is, and the catalog knows both.
func TestAnAppendBesideAnEditByHand(t *testing.T) {
	r := newRoom(t)
	r.write("memory/facts.md", "- [2026-09-01] (fact) the parser needs a cache {imp:3}\n")
	m := r.own()
	inject(m)
	newID := m.NewID
	m.NewID = func(prefix string) string {
		r.write("memory/facts.md", "- [2026-09-02] (fact) written by hand at that moment\n"+r.read("memory/facts.md"))
		return newID(prefix)
	}
	r.tool(m, fact("the linker runs last"))
	got := inject(r.own())
	has(t, "block", got, "by hand at that moment", "needs a cache {", "the linker runs last {")
}

// TestUpkeep: a worker makes the index that a search would make first, and a
// hook that had to do without one says so.
func TestUpkeep(t *testing.T) {
	s := newShelf(t, 1)
	s.fatal(os.RemoveAll(s.path("run/cache")))
	s.write("memory/archive/facts-0009.md", strings.Repeat("- [2026-09-01] (fact) archived "+filler+"\n", 4000)) // more than a hook reads
	m := s.own()
	m.Hurry(time.Second)
	if found := m.Search("facts159q", 5); len(found) != 1 || !m.IndexWanted || !m.NeedsUpkeep() {
		t.Errorf("a hook finds %d, wants an index: %v, needed: %v", len(found), m.IndexWanted, m.NeedsUpkeep())
	}
	if _, err := s.own().RunQueue(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	m = s.own()
	m.Hurry(time.Second)
	if found := m.Search("facts159q", 5); len(found) != 1 || m.IndexWanted || m.NeedsUpkeep() {
		t.Errorf("behind a worker a hook finds %d, wants an index: %v, needed: %v", len(found), m.IndexWanted, m.NeedsUpkeep())
	}
}

// TestDamageIsKnownToTheCatalog: a library with a damaged line costs a start no
// more than another, and the damage stays known.
func TestDamageIsKnownToTheCatalog(t *testing.T) {
	r := newRoom(t)
	r.write("memory/facts.md", "- [2026-09-01] (fact) whole {imp:3}\n- [2026-09-01] (fact) cut \xff {imp:3}\n")
	if err := os.MkdirAll(r.path("memory/lessons.md"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, when := range []string{"first", "from the catalog"} {
		m := r.own()
		has(t, when, inject(m), "whole")
		var found []string
		for _, d := range m.Damaged() {
			found = append(found, fmt.Sprint(d.File, " ", d.Line))
		}
		if diff := cmp.Diff([]string{"memory/lessons.md 0", "memory/facts.md 2"}, found); diff != "" {
			t.Errorf("%s: damage (-want +got):\n%s", when, diff)
		}
	}
	before, err := os.Stat(r.path("run/cache/live.catalog"))
	if err != nil {
		t.Fatal(err)
	}
	inject(r.own())
	if after, err := os.Stat(r.path("run/cache/live.catalog")); err != nil || !after.ModTime().Equal(before.ModTime()) {
		t.Errorf("the catalog was made again, %v", err)
	}
	r.tool(r.own(), fact("one more"))
	if err := os.Remove(r.path("memory/lessons.md")); err != nil {
		t.Fatal(err)
	}
	if found := r.own().Damaged(); len(found) != 1 {
		t.Errorf("damage %v, want the line alone", found)
	}
}
