package search

import "encoding/binary"

// windowDocs is how many documents are weighed at a time: so few that their
// weights stay in the nearest cache however large the index is.
const windowDocs = 4096

// window weighs the documents of an index by lists of postings, term by term
// for a range of documents and then for the next range.
type window struct {
	v      *view
	s      *scan
	lists  []walker
	worths []float64
	scales *scales

	from    uint32 // first document
	weights [windowDocs]float64
	touched []uint32 // documents with a weight
	lengths []byte   // of the documents, once one is touched
}

func newWindow(v *view, s *scan, lists []list) *window {
	w := &window{v: v, s: s, scales: newScales(&s.totals)}
	for i, l := range lists {
		if walk := v.walk(l); walk.next() {
			w.lists = append(w.lists, walk)
			w.worths = append(w.worths, s.worth(i))
		}
	}
	return w
}

// rank gives top the best documents and counts all that were found.
func (w *window) rank(top *best) {
	for len(w.lists) > 0 && w.v.err == nil {
		w.weigh()
		for _, doc := range w.touched {
			w.s.found++
			w.s.foundLength += int64(w.length(doc))
			if weight := w.weights[doc-w.from]; top.wants(weight) {
				top.add(w.v.candidate(doc, weight))
			}
			w.weights[doc-w.from] = 0
		}
	}
}

// weigh moves to the next documents that a list names and sums their weights.
// Lists that end are dropped.
func (w *window) weigh() {
	w.from = w.lists[0].doc
	for i := range w.lists {
		w.from = min(w.from, w.lists[i].doc)
	}
	w.touched = w.touched[:0]
	w.loadLengths()
	kept := 0
	for i := range w.lists {
		if w.take(&w.lists[i], w.worths[i]) {
			w.lists[kept], w.worths[kept] = w.lists[i], w.worths[i]
			kept++
		}
	}
	w.lists, w.worths = w.lists[:kept], w.worths[:kept]
}

// take adds what the documents of one list weigh and reports whether the list
// goes on behind the window.
func (w *window) take(l *walker, worth float64) bool {
	for l.doc-w.from < windowDocs {
		i := l.doc - w.from
		if w.weights[i] == 0 {
			w.touched = append(w.touched, l.doc)
		}
		w.weights[i] += float64(worth * w.scales.times(w.length(l.doc), l.count)) // not fused: see scan.weigh
		if !l.next() {
			return false
		}
	}
	return true
}

func (w *window) loadLengths() {
	n := min(windowDocs, w.v.head.docs-int(w.from))
	w.lengths = w.v.read(w.v.head.lengthsAt()+lengthSize*int64(w.from), lengthSize*n)
}

// length returns the length of a document of the window.
func (w *window) length(doc uint32) int {
	if at := lengthSize * int(doc-w.from); at < len(w.lengths) {
		return int(binary.LittleEndian.Uint16(w.lengths[at:]))
	}
	return 0 // the read failed
}

// scales has what a single occurrence counts at every common length.
type scales struct {
	t      *totals
	single [256]float64
}

func newScales(t *totals) *scales {
	k := &scales{t: t}
	for length := range k.single {
		k.single[length] = t.scale(length).times(1)
	}
	return k
}

func (k *scales) times(length int, count uint8) float64 {
	if count == 1 && length < len(k.single) {
		return k.single[length]
	}
	return k.t.scale(length).times(count)
}
