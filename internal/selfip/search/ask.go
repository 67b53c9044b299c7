package search

import "iter"

// Settings say over what an index is asked.
type Settings struct {
	Limit int // how many hits at most; below one: none

	// Number gives a source of the index, by its place in Sources, the number
	// under which hits name it. A negative one leaves the source out: its file
	// is gone, may not be read, or is among Scanned. Nil keeps all as they are.
	Number func(source int) int

	// Load returns the document at ref: text, id and prior. False leaves the
	// document out. It is asked for the few best candidates only.
	Load func(ref Ref) (Doc, bool)

	// Scanned are the documents of the sources that the index does not have as
	// they are now, under the caller's numbers. May be nil.
	Scanned iter.Seq[Doc]
}

// Search returns the best documents for q, of the index and of those scanned.
// It is the answer that Rank gives for all of them, ordered by the numbers of
// their sources. An error means that the index is damaged; then there are no
// hits, and Rank over the files is the way out.
//
// A query without a single term, such as "(((", loads every document.
func (ix *Index) Search(q Query, set Settings) ([]Hit, error) {
	if q.Empty() || set.Limit < 1 {
		return nil, nil
	}
	if set.Scanned == nil {
		set.Scanned = func(func(Doc) bool) {}
	}
	v := ix.view(set.Number)
	if q.literal {
		hits := literalHits(q, v.everything(set), set.Limit)
		return hits, v.err
	}
	s := newScan(&q)
	s.read(set.Scanned)
	lists := v.addTotals(s)
	top := &best{n: set.Limit + shortlist}
	s.rank(top)
	v.rank(s, lists, top)
	hits := s.secondLook(top.heap, v.loader(s, set.Load), set.Limit)
	if v.err != nil {
		return nil, v.err
	}
	return hits, nil
}

// addTotals adds what the index knows to the totals of the scan and returns the
// documents of each walked term.
func (v *view) addTotals(s *scan) [][]posting {
	for i, span := range v.spans {
		if v.numbers[i] >= 0 {
			s.totals.docs += int(span.to - span.from)
			s.totals.length += span.length
		}
	}
	var all []posting
	ends := make([]int, s.q.walked)
	for i, t := range s.q.terms {
		if i >= s.q.walked {
			s.df[i] += v.count(t.term)
			continue
		}
		before := len(all)
		all = v.postings(t.term, all)
		ends[i] = len(all)
		s.df[i] += len(all) - before
	}
	return cut(all, ends)
}

func cut(all []posting, ends []int) [][]posting {
	lists, from := make([][]posting, len(ends)), 0
	for i, end := range ends {
		lists[i], from = all[from:end], end
	}
	return lists
}

// rank weighs the documents of the lists and gives top the best of them.
func (v *view) rank(s *scan, lists [][]posting, top *best) {
	weights := make([]float64, v.head.docs)
	var touched []uint32
	scales := newScales(s)
	for i, list := range lists {
		worth := s.worth(i)
		for _, p := range list {
			if weights[p.doc] == 0 {
				touched = append(touched, p.doc)
			}
			weights[p.doc] += float64(worth * scales.times(v.length(p.doc), p.count)) // not fused: see scan.weigh
		}
	}
	s.found += len(touched)
	for _, doc := range touched {
		s.foundLength += int64(v.length(doc))
		source := v.source(doc)
		top.add(candidate{
			weight: weights[doc], key: keyOf(v.numbers[source], int(doc-v.spans[source].from)),
			doc: int(doc), stored: true,
		})
	}
}

// scales remembers the scale of common lengths.
type scales struct {
	s      *scan
	known  [256]scale
	single [256]float64
}

func newScales(s *scan) *scales { return &scales{s: s} }

func (k *scales) times(length int, count uint8) float64 {
	if length >= len(k.known) {
		return k.s.scale(length).times(count)
	}
	if k.single[length] == 0 {
		k.known[length] = k.s.scale(length)
		k.single[length] = k.known[length].times(1)
	}
	if count == 1 {
		return k.single[length]
	}
	return k.known[length].times(count)
}

// loader returns the texts of candidates.
func (v *view) loader(s *scan, load func(Ref) (Doc, bool)) func(candidate) (Doc, bool) {
	return func(c candidate) (Doc, bool) {
		if !c.stored {
			return s.docs[c.doc], true
		}
		ref, ok := v.ref(uint32(c.doc))
		if !ok {
			return Doc{}, false
		}
		d, ok := load(ref)
		d.Ref = ref
		return d, ok
	}
}

// everything gives all documents, those of the index first.
func (v *view) everything(set Settings) iter.Seq[Doc] {
	stored := func(yield func(Doc) bool) {
		for i, span := range v.spans {
			for doc := span.from; v.numbers[i] >= 0 && doc < span.to; doc++ {
				ref, ok := v.ref(doc)
				if !ok {
					return
				}
				d, ok := set.Load(ref)
				d.Ref = ref
				if ok && !yield(d) {
					return
				}
			}
		}
	}
	return func(yield func(Doc) bool) {
		for _, docs := range []iter.Seq[Doc]{stored, set.Scanned} {
			for d := range docs {
				if !yield(d) {
					return
				}
			}
		}
	}
}
