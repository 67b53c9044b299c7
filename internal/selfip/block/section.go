package block

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/pkg/inject"
	"github.com/dshkit/dshkit/pkg/text"
)

// Limits of a section (spec/selfip.md 8).
const (
	maxLines = 40
	minQuota = 260
)

// section is the part of the text that shows a partition.
type section struct {
	*writer
	kind    entry.Kind // of entries that name none
	library string
	title   string
	quota   int // UTF-16 units of lines
	limit   int // entries
	seen    *seen

	part    Partition
	items   []Item
	pool    []inject.Item // of the items that are not blocked
	index   []int         // of the pool, in items
	stale   int           // best of the expired, in the pool; -1: none
	blocked int
	rest    Rest

	versions []version
}

// version is a section as it was written once.
type version struct {
	text     string
	shown    []int // in items
	repeated []int // in items: shown elsewhere
	full     bool  // no more entries were allowed
}

func (w *writer) section(s section) *section {
	s.writer, s.stale = w, -1
	s.items = s.part.Items()
	if short, ok := s.part.(Shortlist); ok {
		s.rest = short.Rest()
		s.blocked = s.rest.Blocked
	}
	s.pool = make([]inject.Item, 0, len(s.items))
	s.index = make([]int, 0, len(s.items))
	for i, it := range s.items {
		if it.Blocked {
			s.blocked++
			continue
		}
		score := it.Weight.Score()
		if it.Expired && (s.stale < 0 || score >= s.pool[s.stale].Score) {
			s.stale = len(s.pool)
		}
		s.pool = append(s.pool, inject.Item{Cost: it.Cost + 1, Score: score, Weak: it.Trust != entry.Trusted})
		s.index = append(s.index, i)
	}
	return &s
}

// build writes the section at a share of its quota.
func (s *section) build(scale float64) string {
	quota := s.quota
	if scale < 1 {
		quota = max(minQuota, int(math.Floor(float64(quota)*scale)))
	}
	return s.write(s.choose(s.pool, quota, false))
}

// shrink writes what goes into room units, marks and notice included.
func (s *section) shrink(room int) string {
	room -= text.Len(s.heading())
	if room <= 0 {
		return ""
	}
	marked := slices.Clone(s.pool)
	for i := range marked {
		marked[i].Cost += text.Len(s.marks(s.items[s.index[i]]))
	}
	v := s.choose(marked, room, true)
	if hidden := s.hidden(v); hidden > 0 {
		room -= 1 + text.Len(s.more(s.hidden(version{}), s.hiddenStale(version{})))
		v = s.choose(marked, room, true)
	}
	return s.write(v)
}

// choose picks entries of the pool for a quota. When no expired one is among
// them, the best of these gets a place of its own: that a key was revoked must
// not disappear without a trace (W45).
func (s *section) choose(pool []inject.Item, quota int, strict bool) version {
	v, chosen := s.pick(pool, s.limit, quota, strict, -1)
	if s.stale < 0 || slices.ContainsFunc(chosen, func(i int) bool { return s.items[s.index[i]].Expired }) {
		return s.version(v, chosen)
	}
	if cost := pool[s.stale].Cost; len(chosen) > 1 && cost <= quota/2 && !s.repeats(s.stale) {
		v, chosen = s.pick(pool, s.limit-1, quota-cost, strict, s.stale)
		chosen = append(chosen, s.stale)
		slices.Sort(chosen)
	}
	return s.version(v, chosen)
}

// pick chooses from the pool without the entry except. With strict, the first
// entry too must fit.
func (s *section) pick(pool []inject.Item, limit, quota int, strict bool, except int) (version, []int) {
	var v version
	s.seen.round++
	chosen, _ := inject.Choose(pool, limit, quota, func(i int) bool {
		switch {
		case i == except || strict && pool[i].Cost > quota:
			return true
		case s.repeats(i):
			v.repeated = append(v.repeated, s.index[i])
			return true
		}
		return false
	})
	v.full = len(chosen) >= limit
	return v, chosen
}

// repeats reports whether the entry is shown already, and remembers it. One
// whose line is gone from its file is nothing to show either.
func (s *section) repeats(i int) bool {
	words := entry.Norm(s.part.Line(s.index[i]))
	return words == "" || s.seen.add(words, s)
}

func (s *section) version(v version, chosen []int) version {
	for _, i := range chosen {
		v.shown = append(v.shown, s.index[i])
	}
	return v
}

// write words a version and keeps it. Expired entries stand last.
func (s *section) write(v version) string {
	if len(v.shown) > 0 {
		var b strings.Builder
		b.WriteString(s.heading())
		for _, expired := range []bool{false, true} {
			for _, i := range v.shown {
				if it := s.items[i]; it.Expired == expired {
					b.WriteString("\n" + plain(s.part.Line(i)) + s.marks(it))
				}
			}
		}
		if hidden := s.hidden(v); hidden > 0 {
			b.WriteString("\n" + s.more(hidden, s.hiddenStale(v)))
		}
		v.text = b.String()
	}
	s.versions = append(s.versions, v)
	return v.text
}

// hidden counts the entries that a version leaves out.
func (s *section) hidden(v version) int {
	return len(s.pool) + s.rest.Hidden - len(v.shown) - len(v.repeated)
}

// hiddenStale counts those of them that are out of date.
func (s *section) hiddenStale(v version) int {
	n := s.rest.Expired
	for _, i := range s.index {
		if s.items[i].Expired {
			n++
		}
	}
	for _, i := range slices.Concat(v.shown, v.repeated) {
		if s.items[i].Expired {
			n--
		}
	}
	return n
}

func (s *section) heading() string { return "### " + s.title }

// marks returns the marks behind a line, each after a blank (spec/selfip.md 9).
func (s *section) marks(it Item) string {
	marks := ""
	switch it.Trust {
	case entry.External:
		marks = " " + s.ph.External
	case entry.Induced:
		marks = " " + s.ph.Induced
	}
	if it.Expired {
		marks += " " + s.ph.Expired
	}
	return marks
}

// more returns the line that counts what is not shown.
func (s *section) more(hidden, stale int) string {
	if stale > 0 {
		return fmt.Sprintf(s.ph.MoreStale, hidden, stale)
	}
	return fmt.Sprintf(s.ph.More, hidden)
}

// shown returns the version with the given text.
func (s *section) shown(t string) version {
	for _, v := range slices.Backward(s.versions) {
		if v.text == t {
			return v
		}
	}
	return version{}
}

// seen holds what is shown already, by the words of the line, across partitions
// and libraries (spec/selfip.md 10.4).
type seen struct {
	by    map[string]sighting
	round int // of choosing
}

type sighting struct {
	owner *section // nil: the other library
	round int
}

// add reports whether a line with these words is shown elsewhere, or twice in
// this round of its own section, and remembers it.
func (s *seen) add(words string, owner *section) bool {
	if was, ok := s.by[words]; ok && (was.owner != owner || was.round == s.round) {
		return true
	}
	s.by[words] = sighting{owner, s.round}
	return false
}
