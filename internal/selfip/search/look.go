package search

import (
	"cmp"
	"slices"
	"strings"

	"github.com/dshkit/dshkit/pkg/text"
)

// secondLook weighs the candidates again, by their texts, and returns the best
// in order. load is asked in the order of the files; a candidate that it does
// not give, or that no longer shares a term with the query, is left out.
func (s *scan) secondLook(cs []candidate, load func(candidate) (Doc, bool), limit int) []Hit {
	slices.SortFunc(cs, func(a, b candidate) int { return cmp.Compare(a.key, b.key) })
	hits := make([]sortable, 0, len(cs))
	for _, c := range cs {
		d, ok := load(c)
		if !ok {
			continue
		}
		if hit, ok := s.examine(d); ok {
			hits = append(hits, sortable{hit, c.key})
		}
	}
	return inOrder(hits, limit)
}

// sortable is a hit with its place in the order of the files.
type sortable struct {
	Hit
	key uint64
}

// inOrder sorts hits and returns the first limit of them: a literal occurrence
// first, then the heavier, then the one that counts more by itself, then in
// the order of the files.
func inOrder(hits []sortable, limit int) []Hit {
	slices.SortFunc(hits, func(a, b sortable) int {
		return cmp.Or(
			boolOrder(a.Phrase, b.Phrase),
			cmp.Compare(b.Weight, a.Weight),
			cmp.Compare(b.Prior, a.Prior),
			cmp.Compare(a.key, b.key),
		)
	})
	out := make([]Hit, 0, min(limit, len(hits)))
	for _, h := range hits[:min(limit, len(hits))] {
		out = append(out, h.Hit)
	}
	return out
}

// boolOrder sorts true before false.
func boolOrder(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// examine makes a hit of a document, if it is one.
func (s *scan) examine(d Doc) (Hit, bool) {
	length, found := s.look(d.Text)
	if !found {
		return Hit{}, false
	}
	h := Hit{Doc: d, Phrase: strings.Contains(text.Fold(d.Text), s.q.folded)}
	h.Weight = s.weigh(s.row[:s.q.walked], length) + s.chars(length) + s.sides()
	h.Share = s.share()
	h.Score = s.rarities() * s.shown(length) * 100
	if h.Phrase {
		h.Score += shownPhrase
	}
	h.Score = round2(h.Score)
	return h, true
}

// chars weighs the single characters that the document shares with the query.
func (s *scan) chars(length int) float64 {
	scale := s.scale(length)
	sum := 0.0
	for i := s.q.walked; i < len(s.row); i++ {
		if s.row[i] > 0 {
			sum += s.worth(i) * scale.times(s.row[i])
		}
	}
	return sum
}

// sides weighs the words of the query that stand side by side in the document
// as they do there. Each such pair counts once.
func (s *scan) sides() float64 {
	if len(s.q.pairs) == 0 {
		return 0
	}
	var n neighbours
	done := map[[2]term]bool{}
	sum := 0.0
	for _, t := range s.a.tokens {
		pair, ok := n.next(t)
		if !ok || done[pair] {
			continue
		}
		for _, place := range s.q.pairs[pair] {
			done[pair] = true
			sum += sideWeight / 2 * rarity(s.totals.docs, s.df[place])
		}
	}
	return sum
}

// rarities sums the rarities, among the candidates, of what the document shares
// with the query: the displayed score. An alias counts in the place of its parts
// where they are missing, for the originals know parts only.
func (s *scan) rarities() float64 {
	sum := 0.0
	for i, t := range s.q.terms[:s.q.walked] {
		if s.row[i] > 0 && !slices.ContainsFunc(t.parts, s.has) {
			sum += rarity(s.found, s.df[i])
		}
	}
	return sum
}

// share returns which part of the weight of the query's words the document has.
// One that has an alias has its parts.
func (s *scan) share() float64 {
	all, part := 0.0, 0.0
	for i, t := range s.q.terms[:s.q.walked] {
		if len(t.parts) > 0 {
			continue
		}
		all += s.worth(i)
		if s.has(i) || s.hasAliasOf(i) {
			part += s.worth(i)
		}
	}
	return part / all
}

// has reports whether the document that was looked at last has a term of the
// query.
func (s *scan) has(place int) bool { return s.row[place] > 0 }

func (s *scan) hasAliasOf(place int) bool {
	for i, t := range s.q.terms[:s.q.walked] {
		if s.has(i) && slices.Contains(t.parts, place) {
			return true
		}
	}
	return false
}
