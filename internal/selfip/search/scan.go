package search

import (
	"iter"
	"strings"

	"github.com/dshkit/dshkit/pkg/text"
)

// Rank returns the best limit of docs for q, best first, without an index. The
// order of docs decides between notes that are equal in all else. A limit
// below one gives none.
func Rank(q Query, docs iter.Seq[Doc], limit int) []Hit {
	if q.Empty() || limit < 1 {
		return nil
	}
	if q.literal {
		return literalHits(q, docs, limit)
	}
	s := newScan(&q)
	s.read(docs, nil)
	top := &best{n: limit + shortlist}
	s.rank(top)
	return s.secondLook(top.heap, func(c candidate) (Doc, bool) { return s.docs[c.doc], true }, limit)
}

// scan is the first step over documents at hand. It collects the candidates and
// the totals; weights come when the totals are complete.
type scan struct {
	q *Query
	totals
	a      *analyser
	filter uint64 // bit n: a term of the query begins with the six bits n

	docs    []Doc // candidates
	keys    []uint64
	lengths []int
	counts  []uint8 // of the walked terms, for one candidate after the other
	row     []uint8
}

func newScan(q *Query) *scan {
	s := &scan{q: q, a: newAnalyser(), totals: totals{df: make([]int, len(q.terms))}, row: make([]uint8, len(q.terms))}
	for _, t := range q.terms {
		s.filter |= 1 << (t.term >> (termBits - 6))
	}
	return s
}

// read goes through documents. places are those that the first of each source
// takes, behind what an index has of it; nil: they begin the source.
func (s *scan) read(docs iter.Seq[Doc], places map[int]int) {
	if places == nil {
		places = map[int]int{}
	}
	for d := range docs {
		key := keyOf(d.Source, places[d.Source])
		places[d.Source]++
		length, found := s.look(d.Text)
		s.totals.docs++
		s.length += int64(length)
		for i, n := range s.row {
			s.df[i] += min(int(n), 1)
		}
		if found {
			s.docs, s.keys = append(s.docs, d), append(s.keys, key)
			s.lengths = append(s.lengths, length)
			s.counts = append(s.counts, s.row[:s.q.walked]...)
		}
	}
}

// look analyses a text and fills row with the counts of the query's terms.
// found reports whether the text is a candidate.
func (s *scan) look(doc string) (length int, found bool) {
	s.a.run(doc)
	terms, length := s.a.profile()
	clear(s.row)
	for _, t := range terms {
		if s.filter>>(t.term>>(termBits-6))&1 == 0 {
			continue
		}
		if place, ok := s.q.index[t.term]; ok {
			s.row[place] = t.count
			found = found || place < s.q.walked
		}
	}
	return length, found
}

// rank gives the candidates their weights and top the best of them.
func (s *scan) rank(top *best) {
	for i, length := range s.lengths {
		s.found++
		s.foundLength += int64(length)
		row := s.counts[i*s.q.walked : (i+1)*s.q.walked]
		top.add(candidate{weight: s.weigh(row, length), key: s.keys[i], doc: i})
	}
}

// weigh sums what the walked terms of a document weigh, in the order of the
// query: an index sums in the same order and so comes to the same number.
func (s *scan) weigh(row []uint8, length int) float64 {
	scale := s.scale(length)
	sum := 0.0
	for i, n := range row {
		if n > 0 {
			sum += float64(s.worth(i) * scale.times(n)) // the conversion forbids to fuse
		}
	}
	return sum
}

// worth is the weight of one occurrence of a term of the query.
func (s *scan) worth(place int) float64 {
	return s.q.terms[place].weight * rarity(s.totals.docs, s.df[place])
}

// literalHits finds a query without a single term, such as "(((".
func literalHits(q Query, docs iter.Seq[Doc], limit int) []Hit {
	var hits []sortable
	places := map[int]int{}
	for d := range docs {
		key := keyOf(d.Source, places[d.Source])
		places[d.Source]++
		if strings.Contains(text.Fold(d.Text), q.folded) {
			hits = append(hits, sortable{Hit{Doc: d, Score: shownPhrase, Share: 1, Phrase: true}, key})
		}
	}
	return inOrder(hits, limit)
}
