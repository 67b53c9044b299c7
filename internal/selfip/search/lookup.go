package search

import (
	"encoding/binary"
	"slices"
	"sort"
)

// view is an index during one search: without the sources that are left out,
// the others under the numbers that the caller gave them. The first error stays
// and everything after it gives nothing.
type view struct {
	*Index
	numbers []int // by source; negative: left out
	whole   bool  // nothing is left out
	scratch []byte
	err     error
}

func (ix *Index) view(number func(source int) int) *view {
	v := &view{Index: ix, whole: true, numbers: make([]int, len(ix.sources))}
	for i := range v.numbers {
		v.numbers[i] = i
		if number != nil {
			v.numbers[i] = number(i)
		}
		v.whole = v.whole && v.numbers[i] >= 0
	}
	return v
}

// read returns n bytes at a place; they are good until the next read.
func (v *view) read(at int64, n int) []byte {
	if v.err == nil && (n < 0 || at+int64(n) > v.head.size) {
		v.err = errDamaged("body")
	}
	if v.err != nil {
		return nil
	}
	if cap(v.scratch) < n {
		v.scratch = make([]byte, max(n, firstRead))
	}
	b := v.scratch[:n]
	if v.err = readFull(v.r, b, at); v.err != nil {
		return nil
	}
	return b
}

// find returns the place of a term's postings as its row has it.
func (v *view) find(t term) (place uint32, ok bool) {
	bucket := int64(t >> (termBits - v.head.bits))
	b := v.read(v.head.bucketsAt()+bucketSize*bucket, 2*bucketSize)
	if b == nil {
		return 0, false
	}
	from, to := binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint32(b[bucketSize:])
	if from > to || int64(to) > int64(v.head.terms) {
		v.err = errDamaged("terms")
		return 0, false
	}
	rows := v.read(v.head.rowsAt()+rowSize*int64(from), rowSize*int(to-from))
	n := len(rows) / rowSize
	i := sort.Search(n, func(i int) bool { return readTerm(rows[i*rowSize:]) >= t })
	if i == n || readTerm(rows[i*rowSize:]) != t {
		return 0, false
	}
	return binary.LittleEndian.Uint32(rows[i*rowSize+termSize:]), true
}

// guess is how many bytes of a list are read before its size is known.
const guess = 1024

// listBytes returns the list at place and how many documents it names. The bytes
// are good until the next read.
func (v *view) listBytes(place uint32) (b []byte, docs int) {
	at := v.head.postingsAt() + int64(place)
	b = v.read(at, int(min(guess, v.head.size-at)))
	c := cursor{rest: b}
	n, size := c.uvarint(), c.uvarint()
	if v.err != nil {
		return nil, 0
	}
	if c.bad || n > uint64(v.head.docs) || size > uint64(v.head.size) {
		v.err = errDamaged("postings")
		return nil, 0
	}
	if int(size) <= len(c.rest) {
		return c.rest[:size], int(n)
	}
	return v.read(at+int64(len(b)-len(c.rest)), int(size)), int(n)
}

// list returns the postings of t; none when no document has it.
func (v *view) list(t term) list {
	place, ok := v.find(t)
	switch {
	case !ok:
		return list{}
	case place&onlyDoc != 0:
		return list{appendPosting(nil, place&^onlyDoc, 1), 1}
	}
	b, docs := v.listBytes(place)
	return list{slices.Clone(b), docs}
}

// list is the postings of one term as the index has them.
type list struct {
	bytes []byte
	docs  int
}

// kept returns how many documents of l are not left out.
func (v *view) kept(l list) int {
	if v.whole {
		return l.docs
	}
	n := 0
	for w := v.walk(l); w.next(); {
		n++
	}
	return n
}

// walker goes through the documents of a list that are not left out. Damage
// ends it and is noted in the view.
type walker struct {
	v      *view
	rest   []byte
	left   int
	source int // of doc, where sources are left out

	doc   uint32
	count uint8
}

func (v *view) walk(l list) walker { return walker{v: v, rest: l.bytes, left: l.docs} }

// next moves to the next document and reports whether there is one.
func (w *walker) next() bool {
	for w.left > 0 {
		gap, count, size := readPosting(w.rest)
		doc := uint64(w.doc) + uint64(gap)
		if size == 0 || count == 0 || doc >= uint64(w.v.head.docs) {
			w.v.err = errDamaged("postings")
			return false
		}
		w.left--
		w.rest, w.doc, w.count = w.rest[size:], uint32(doc), count
		if w.v.whole || w.keeps() {
			return true
		}
	}
	return false
}

// keeps reports whether the source of the present document is not left out.
func (w *walker) keeps() bool {
	for w.doc >= w.v.spans[w.source].to {
		w.source++
	}
	return w.v.numbers[w.source] >= 0
}

// source returns the source of a document.
func (v *view) source(doc uint32) int {
	return sort.Search(len(v.spans), func(i int) bool { return doc < v.spans[i].to })
}

// ref returns where a document stands. ok is false when it is gone.
func (v *view) ref(doc uint32) (ref Ref, ok bool) {
	b := v.read(v.head.docsAt()+docSize*int64(doc), docSize)
	if b == nil {
		return Ref{}, false
	}
	offset, size := readDoc(b)
	if offset == goneAt {
		return Ref{}, false
	}
	return Ref{Source: v.numbers[v.source(doc)], Offset: offset, Size: size}, true
}

// candidate makes a candidate of a document with a weight.
func (v *view) candidate(doc uint32, weight float64) candidate {
	source := v.source(doc)
	place := int(doc - v.spans[source].from)
	return candidate{weight: weight, key: keyOf(v.numbers[source], place), doc: int(doc), stored: true}
}
