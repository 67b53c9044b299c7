package search

import (
	"slices"
	"strings"

	"github.com/dshkit/dshkit/pkg/text"
)

// maxTerms bounds the work for a query that is a whole document.
const maxTerms = 256

// Query is a question, read once. There is no syntax: an operator is a word, a
// quote or a star is a character. The zero Query finds nothing.
type Query struct {
	folded  string // for the literal occurrence
	terms   []queryTerm
	walked  int               // the first so many make candidates, the others only add weight
	index   map[term]int      // place in terms
	pairs   map[[2]term][]int // neighbouring words: their places, without stop words
	literal bool              // nothing but marks, such as "(((": only a literal occurrence counts
}

type queryTerm struct {
	term   term
	weight float64
	parts  []int // of an alias: the places of the words it is made of
}

// Empty reports whether q can find nothing: it is blank, or holds only
// characters that are too common to look for.
func (q Query) Empty() bool { return len(q.terms) == 0 && !q.literal }

// Parse reads a query. Every text is a valid one.
func Parse(s string) Query {
	s = strings.TrimSpace(text.Clean(s))
	var a analyser
	a.run(s)
	q := Query{folded: text.Fold(s), index: map[term]int{}, pairs: map[[2]term][]int{}}
	q.literal = q.folded != "" && len(a.tokens) == 0 && !strings.ContainsFunc(s, isCJK)
	q.addWalked(a.tokens)
	q.walked = len(q.terms)
	for _, t := range a.tokens {
		if t.kind == Char {
			q.add(t.term, charWeight)
		}
	}
	q.addPairs(a.tokens)
	return q
}

// addWalked takes the terms that a note must share one of. Stop words count
// only when there is nothing else.
func (q *Query) addWalked(tokens []token) {
	onlyStops := !slices.ContainsFunc(tokens, func(t token) bool { return t.kind != Stop && t.kind != Alias })
	for i, t := range tokens {
		switch {
		case t.kind == Word, t.kind == Pair, t.kind == Lone, t.kind == Stop && onlyStops:
			q.add(t.term, 1)
		case t.kind == Particle:
			q.add(t.term, particleWeight)
		case t.kind == Alias:
			if place, fresh := q.add(t.term, 1); fresh {
				q.terms[place].parts = q.places(tokens[i-int(t.back) : i])
			}
		}
	}
}

// add returns the place of t and whether t is new. A query that is too long
// keeps its first terms; the place of another is -1.
func (q *Query) add(t term, weight float64) (place int, fresh bool) {
	if place, ok := q.index[t]; ok {
		return place, false
	}
	if len(q.terms) == maxTerms {
		return -1, false
	}
	q.index[t] = len(q.terms)
	q.terms = append(q.terms, queryTerm{term: t, weight: weight})
	return len(q.terms) - 1, true
}

// places returns where the words among tokens stand in the query.
func (q *Query) places(tokens []token) []int {
	var out []int
	for _, t := range tokens {
		if place, ok := q.index[t.term]; ok && t.kind == Word {
			out = append(out, place)
		}
	}
	return out
}

// addPairs notes which words stand side by side.
func (q *Query) addPairs(tokens []token) {
	var n neighbours
	for i, t := range tokens {
		if pair, ok := n.next(t); ok {
			if places := q.places([]token{n.before, tokens[i]}); len(places) > 0 {
				q.pairs[pair] = places
			}
		}
	}
}

// neighbours finds words that stand side by side in a row of tokens.
type neighbours struct {
	before, last token
	open         bool // last is a word with nothing of another kind behind it
}

// next takes the next token and returns the pair that it ends, if any.
func (n *neighbours) next(t token) (pair [2]term, ok bool) {
	switch t.kind {
	case Alias, Digits:
		return pair, false
	case Word, Stop:
		n.before, n.last = n.last, t
		pair, ok = [2]term{n.before.term, t.term}, n.open
		n.open = true
		return pair, ok
	}
	n.open = false
	return pair, false
}
