package sleep

import (
	"cmp"
	"math"
	"slices"

	"github.com/dshkit/dshkit/internal/selfip/similar"
)

// Bounds of prefetch points of the built-in engine.
const (
	maxPoints = 5
	minUses   = 2 // searches that found an entry before it counts as looked for
)

// Prefetch picks what the next session should know first, by places: what the
// hand-off calls for, then what agents had to search for most often.
func (m *Material) Prefetch(handoff string) []int {
	out := m.called(similar.FormOf(handoff).Marks())
	var used []int
	for i, it := range m.Items {
		if it.Uses() >= minUses && !it.Expired(m.now) && !slices.Contains(out, i) {
			used = append(used, i)
		}
	}
	slices.SortStableFunc(used, func(a, b int) int { return cmp.Compare(m.Items[b].Uses(), m.Items[a].Uses()) })
	return append(out, used[:min(len(used), max(maxPoints-len(out), 0))]...)
}

// called returns the entries that share most with what the hand-off is about. A
// mark counts the more, the fewer entries have it; one alone is chance, unless it
// is a name that few have.
func (m *Material) called(about []string) []int {
	if len(about) == 0 {
		return nil
	}
	have := map[string]int{}
	for _, mark := range about {
		have[mark] = 0
	}
	for _, marks := range m.marks {
		for _, mark := range marks {
			if _, ok := have[mark]; ok {
				have[mark]++
			}
		}
	}
	score := map[int]float64{}
	var found []int
	for i, marks := range m.marks {
		shared := 0
		for _, mark := range marks {
			if n := have[mark]; n > 0 {
				shared++
				score[i] += math.Log(1 + float64(len(m.Items))/float64(n))
			}
		}
		if shared >= 2 && 4*shared >= min(len(marks), 12) && !m.Items[i].Expired(m.now) {
			found = append(found, i)
		}
	}
	slices.SortStableFunc(found, func(a, b int) int {
		if c := cmp.Compare(score[b], score[a]); c != 0 {
			return c
		}
		return cmp.Compare(m.Items[b].Score(m.now), m.Items[a].Score(m.now))
	})
	return found[:min(len(found), maxPoints)]
}
