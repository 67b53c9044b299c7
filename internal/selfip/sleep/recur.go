package sleep

import (
	"cmp"
	"hash/fnv"
	"slices"
	"strings"

	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/internal/selfip/similar"
	"github.com/dshkit/dshkit/pkg/text"
)

// Principle is what several lessons have in common, in the words of one of them.
type Principle struct {
	Text     string
	Support  int      // how many entries say so
	Evidence []string // their ids, the best first
}

// Bounds of principles of the built-in engine.
const (
	minSupport    = 3   // fewer lessons are chance
	maxPrinciples = 6   // the best supported are kept
	maxEvidence   = 5   // ids that are named
	principleLen  = 160 // UTF-16 units
	segmentLen    = 60  // of an error that stands for the others
)

// group is lessons that have something in common.
type group struct {
	text    string // what they share; "": the best of them speaks for all
	members []int
}

// Principles groups the lessons that recur: those that share a cause or a remedy,
// and those that are about the same thing.
func (m *Material) Principles() []Principle {
	var lessons []int
	for i, it := range m.Items {
		if it.Kind == entry.Lesson && !it.Expired(m.now) {
			lessons = append(lessons, i)
		}
	}
	taken := make([]bool, len(m.Items))
	var groups []group
	for _, g := range slices.Concat(m.shareSegment(lessons), m.alike(lessons)) {
		g.members = slices.DeleteFunc(g.members, func(i int) bool { return taken[i] })
		if len(g.members) < minSupport {
			continue
		}
		for _, i := range g.members {
			taken[i] = true
		}
		groups = append(groups, g)
	}
	slices.SortStableFunc(groups, func(a, b group) int { return cmp.Compare(len(b.members), len(a.members)) })
	var out []Principle
	for _, g := range groups[:min(len(groups), maxPrinciples)] {
		out = append(out, m.principle(g))
	}
	return out
}

// principle words a group: the errors, then what they share.
func (m *Material) principle(g group) Principle {
	members := slices.Clone(g.members)
	slices.SortStableFunc(members, func(a, b int) int {
		switch {
		case similar.Better(m.Items[a].Entry, m.Items[b].Entry):
			return -1
		case similar.Better(m.Items[b].Entry, m.Items[a].Entry):
			return 1
		}
		return 0
	})
	p := Principle{Support: len(members), Text: m.Items[members[0]].Text}
	if g.text != "" {
		var errors []string
		for _, i := range members {
			first := text.Ellipsize(segments(m.Items[i].Text)[0], segmentLen)
			if len(errors) < 2 && !slices.Contains(errors, first) {
				errors = append(errors, first)
			}
		}
		p.Text = strings.Join(errors, "; ") + " -> " + g.text
	}
	p.Text = text.Ellipsize(p.Text, principleLen)
	for _, i := range members[:min(len(members), maxEvidence)] {
		p.Evidence = append(p.Evidence, m.Items[i].ID())
	}
	return p
}

// shareSegment groups lessons that name the same cause or remedy, the largest
// groups first. That something passed in the end is neither.
func (m *Material) shareSegment(lessons []int) []group {
	byKey := map[string]*group{}
	var out []*group
	for _, i := range lessons {
		parts := segments(m.Items[i].Text)
		seen := map[string]bool{}
		for n, part := range parts {
			if n == 0 || n == len(parts)-1 && n > 1 && isSuccess(part) {
				continue
			}
			form := similar.FormOf(part)
			if len(form.Marks()) < 2 || seen[form.Key()] {
				continue
			}
			seen[form.Key()] = true
			g := byKey[form.Key()]
			if g == nil {
				g = &group{text: part}
				byKey[form.Key()], out = g, append(out, g)
			}
			g.members = append(g.members, i)
		}
	}
	return largest(out)
}

func isSuccess(part string) bool {
	return strings.HasSuffix(part, "passed") || strings.HasSuffix(part, "通过")
}

func largest(groups []*group) []group {
	var out []group
	for _, g := range groups {
		if len(g.members) >= minSupport {
			out = append(out, *g)
		}
	}
	slices.SortStableFunc(out, func(a, b group) int { return cmp.Compare(len(b.members), len(a.members)) })
	return out
}

// Two lessons are about the same thing when they share half of their marks.
// Those that may are found by bands of the least hashes of their marks
// (MinHash): two that share half meet in one of twelve bands of two with more
// than nine chances in ten.
const (
	bands     = 12
	bandWidth = 2
	minAlike  = 4 // marks in common, at least
)

// alike groups lessons that are about the same thing. Each is compared with the
// first of each band only, so the work is linear.
func (m *Material) alike(lessons []int) []group {
	first := map[[2]uint64]int{} // by band and its hash
	parent := map[int]int{}
	root := func(i int) int {
		for parent[i] != i {
			i = parent[i]
		}
		return i
	}
	for _, i := range lessons {
		parent[i] = i
		for band, sum := range bandSums(m.marks[i]) {
			key := [2]uint64{uint64(band), sum}
			j, known := first[key]
			switch {
			case !known:
				first[key] = i
			case m.areAlike(i, j):
				a, b := root(i), root(j)
				parent[max(a, b)] = min(a, b)
			}
		}
	}
	byRoot := map[int]*group{}
	var out []*group
	for _, i := range lessons {
		g := byRoot[root(i)]
		if g == nil {
			g = &group{}
			byRoot[root(i)], out = g, append(out, g)
		}
		g.members = append(g.members, i)
	}
	return largest(out)
}

func (m *Material) areAlike(i, j int) bool {
	shared := similar.Shared(m.marks[i], m.marks[j])
	return shared >= minAlike && 3*shared >= len(m.marks[i])+len(m.marks[j]) && m.forms[i].Denies() == m.forms[j].Denies()
}

// bandSums are the hashes of the bands of a set of marks; none for a set too
// small to be like another.
func bandSums(marks []string) []uint64 {
	if len(marks) < minAlike {
		return nil
	}
	var least [bands * bandWidth]uint64
	for i := range least {
		least[i] = ^uint64(0)
	}
	for _, mark := range marks {
		h := fnv.New64a()
		_, _ = h.Write([]byte(mark)) // it never fails
		sum := h.Sum64()
		for i := range least {
			least[i] = min(least[i], spread(sum+uint64(i)*0x9E3779B97F4A7C15))
		}
	}
	out := make([]uint64, bands)
	for b := range out {
		for _, l := range least[b*bandWidth : (b+1)*bandWidth] {
			out[b] = spread(out[b] ^ l)
		}
	}
	return out
}

// spread mixes the bits of h (the finaliser of splitmix64).
func spread(h uint64) uint64 {
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}
