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

	// Scanned are the documents that the index does not have: those of sources
	// that it leaves out, and those behind what it covers of the others, under
	// the caller's numbers. May be nil.
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
	hits := v.search(&q, set)
	if v.err != nil {
		return nil, v.err
	}
	return hits, nil
}

// search is Search over a view, which notes the error.
func (v *view) search(q *Query, set Settings) []Hit {
	if q.literal {
		return literalHits(*q, v.everything(set), set.Limit)
	}
	s := newScan(q)
	s.read(set.Scanned, v.places())
	lists := v.addTotals(s)
	top := &best{n: set.Limit + shortlist}
	s.rank(top)
	newWindow(v, s, lists).rank(top)
	return s.secondLook(top.heap, v.loader(s, set.Load), set.Limit)
}

// places returns how many documents the index has of each source: those scanned
// stand behind them.
func (v *view) places() map[int]int {
	out := map[int]int{}
	for i, span := range v.spans {
		if v.numbers[i] >= 0 {
			out[v.numbers[i]] = int(span.to - span.from)
		}
	}
	return out
}

// addTotals adds what the index knows to the totals of the scan and returns the
// postings of the walked terms.
func (v *view) addTotals(s *scan) []list {
	for i, span := range v.spans {
		if v.numbers[i] >= 0 {
			s.totals.docs += int(span.to - span.from)
			s.totals.length += span.length
		}
	}
	lists := make([]list, 0, s.q.walked)
	for i, t := range s.q.terms {
		l := v.list(t.term)
		s.df[i] += v.kept(l)
		if i < s.q.walked {
			lists = append(lists, l)
		}
	}
	return lists
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
				if v.err != nil {
					return
				}
				if !ok {
					continue
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
