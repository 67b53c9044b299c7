package sleep

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/internal/selfip/gate"
	"github.com/dshkit/dshkit/internal/selfip/similar"
)

// Merge is entries that one of them can stand for.
type Merge struct {
	Keep  int         // place of the keeper in the items
	Drop  []int       // places of the others, ascending, never empty
	Entry entry.Entry // the keeper with what the others bring: weight, uses, dates
}

// Merges finds near duplicates. The keeper says all that the others say and is
// trusted at least as much as each of them.
func (m *Material) Merges() []Merge {
	drops := map[int][]int{} // by keeper
	gone := make([]bool, len(m.Items))
	take := func(keep, drop int) {
		if m.Items[keep].Trust() <= m.Items[drop].Trust() {
			drops[keep], gone[drop] = append(drops[keep], drop), true
		}
	}
	for _, places := range m.partitions() {
		entries := make([]entry.Entry, len(places))
		for n, i := range places {
			entries[n] = m.Items[i].Entry
		}
		for _, g := range similar.Groups(entries) {
			for _, other := range g.Others {
				take(places[g.Keeper], places[other])
			}
		}
	}
	m.joinBeginnings(gone, take)
	return m.merges(drops, gone)
}

// partitions lists the places of the items of each partition.
func (m *Material) partitions() [][]int {
	var out [][]int
	for i, it := range m.Items {
		for len(out) <= it.Partition {
			out = append(out, nil)
		}
		out[it.Partition] = append(out[it.Partition], i)
	}
	return out
}

// joinBeginnings finds entries that say what another begins with: an error with
// its cause, of which another tells the remedy too.
func (m *Material) joinBeginnings(gone []bool, take func(keep, drop int)) {
	type whole struct {
		partition int
		kind      entry.Kind
		key       string
	}
	short := map[whole][]int{}
	keys := make([][]string, len(m.Items))
	for i, it := range m.Items {
		if keys[i] = segmentKeys(it.Text); len(keys[i]) > 1 && !gone[i] {
			w := whole{it.Partition, it.Kind, strings.Join(keys[i], "\x1e")}
			short[w] = append(short[w], i)
		}
	}
	order := make([]int, 0, len(m.Items)) // the longest first: what it takes in, takes in nobody else
	for i := range m.Items {
		if len(keys[i]) > 2 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(len(keys[b]), len(keys[a])) })
	for _, i := range order {
		for n := len(keys[i]) - 1; n > 1 && !gone[i]; n-- {
			for _, s := range short[whole{m.Items[i].Partition, m.Items[i].Kind, strings.Join(keys[i][:n], "\x1e")}] {
				if !gone[s] {
					take(i, s)
				}
			}
		}
	}
}

// signs brings what parts segments to one form.
var signs = strings.NewReplacer("→", "->", "=>", "->", "｜", "->", " | ", "->")

// segments cuts a text at arrows and bars: error, cause, remedy; name, address,
// use.
func segments(s string) []string {
	s = signs.Replace(s)
	var out []string
	for part := range strings.SplitSeq(s, "->") {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}
	return out
}

func segmentKeys(s string) []string {
	if !strings.ContainsAny(s, ">→｜|") {
		return nil
	}
	var out []string
	for _, part := range segments(s) {
		out = append(out, similar.FormOf(part).Key())
	}
	return out
}

// merges words what was found. A keeper that another keeper took in hands on what
// it stood for.
func (m *Material) merges(drops map[int][]int, gone []bool) []Merge {
	for keep := range m.Items {
		if !gone[keep] {
			drops[keep] = m.all(drops, keep)
		}
	}
	var out []Merge
	for keep := range m.Items {
		if drop := drops[keep]; !gone[keep] && len(drop) > 0 {
			slices.Sort(drop)
			out = append(out, Merge{keep, drop, m.refreshed(keep, drop)})
		}
	}
	return out
}

func (m *Material) all(drops map[int][]int, keep int) []int {
	var out []int
	for _, d := range drops[keep] {
		out = append(append(out, d), m.all(drops, d)...)
	}
	return out
}

// refreshed is the keeper with what the others bring: the greater weight of those
// that are trusted as much, all uses, the last time it was said and confirmed.
func (m *Material) refreshed(keep int, drop []int) entry.Entry {
	e := m.Items[keep].Entry
	uses, weight, last, confirmed := e.Uses(), e.BaseImportance(), keep, e.Get("vfy")
	for _, d := range drop {
		o := m.Items[d]
		uses += o.Uses()
		if o.Trust() <= e.Trust() {
			weight = max(weight, o.BaseImportance())
		}
		if m.time(d).After(m.time(last)) {
			last = d
		}
		confirmed = m.laterStamp(confirmed, o.Get("vfy"))
	}
	if weight > e.BaseImportance() {
		e = e.With("imp", strconv.Itoa(weight))
	}
	if uses > e.Uses() {
		e = e.With("uses", strconv.Itoa(min(uses, gate.MaxUses)))
	}
	if confirmed != e.Get("vfy") {
		e = e.With("vfy", confirmed)
	}
	e.Stamp = m.Items[last].Stamp
	return e
}

// laterStamp is the later of two stamps. One that cannot be read or lies ahead
// does not count.
func (m *Material) laterStamp(a, b string) string {
	bt, ok := entry.ParseTime(b, m.now.Location())
	if !ok || bt.After(m.now) {
		return a
	}
	if at, ok := entry.ParseTime(a, m.now.Location()); ok && !bt.After(at) {
		return a
	}
	return b
}
