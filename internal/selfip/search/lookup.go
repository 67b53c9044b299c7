package search

import (
	"encoding/binary"
	"sort"
)

// view is an index during one search: without the sources that are left out,
// the others under the numbers that the caller gave them. The first error stays
// and everything after it gives nothing.
type view struct {
	*Index
	numbers []int // by source; negative: left out
	whole   bool  // nothing is left out
	lengths [][]byte
	scratch []byte
	err     error
}

// lengthPage is how many bytes of the lengths are read at a time.
const lengthPage = 4096

func (ix *Index) view(number func(source int) int) *view {
	v := &view{Index: ix, whole: true, numbers: make([]int, len(ix.sources))}
	for i := range v.numbers {
		v.numbers[i] = i
		if number != nil {
			v.numbers[i] = number(i)
		}
		v.whole = v.whole && v.numbers[i] >= 0
	}
	v.lengths = make([][]byte, lengthSize*ix.head.docs/lengthPage+1)
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

// list returns the bytes of the postings at place and how many documents they
// name.
func (v *view) list(place uint32) (b []byte, docs int) {
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

// count returns how many documents that are not left out have t.
func (v *view) count(t term) int {
	place, ok := v.find(t)
	if !ok {
		return 0
	}
	if v.whole && place&onlyDoc == 0 {
		_, n := v.list(place)
		return n
	}
	return len(v.decode(place, nil))
}

// postings appends the documents with t that are not left out to buf.
func (v *view) postings(t term, buf []posting) []posting {
	place, ok := v.find(t)
	if !ok {
		return buf
	}
	return v.decode(place, buf)
}

func (v *view) decode(place uint32, buf []posting) []posting {
	if place&onlyDoc != 0 {
		doc := place &^ onlyDoc
		if int64(doc) >= int64(v.head.docs) {
			v.err = errDamaged("terms")
			return buf
		}
		return v.keep(append(buf, posting{doc, 1}), len(buf))
	}
	b, n := v.list(place)
	start, doc := len(buf), uint64(0)
	for range n {
		gap, count, size := readPosting(b)
		doc += uint64(gap)
		if size == 0 || count == 0 || doc >= uint64(v.head.docs) || gap == 0 && len(buf) > start {
			v.err = errDamaged("postings")
			return buf[:start]
		}
		b = b[size:]
		buf = append(buf, posting{uint32(doc), count})
	}
	return v.keep(buf, start)
}

// keep drops the postings of sources that are left out from buf[start:].
func (v *view) keep(buf []posting, start int) []posting {
	if v.whole {
		return buf
	}
	kept, source := buf[:start], 0
	for _, p := range buf[start:] {
		for p.doc >= v.spans[source].to {
			source++
		}
		if v.numbers[source] >= 0 {
			kept = append(kept, p)
		}
	}
	return kept
}

// length returns the length of a document.
func (v *view) length(doc uint32) int {
	at := int(doc) * lengthSize
	page := at / lengthPage
	if v.lengths[page] == nil {
		v.loadLengths(page)
	}
	return int(binary.LittleEndian.Uint16(v.lengths[page][at%lengthPage:]))
}

func (v *view) loadLengths(page int) {
	from := page * lengthPage
	b := make([]byte, lengthPage)
	copy(b, v.read(v.head.lengthsAt()+int64(from), min(lengthPage, lengthSize*v.head.docs-from)))
	v.lengths[page] = b
}

// source returns the source of a document.
func (v *view) source(doc uint32) int {
	return sort.Search(len(v.spans), func(i int) bool { return doc < v.spans[i].to })
}

// ref returns where a document stands.
func (v *view) ref(doc uint32) (Ref, bool) {
	b := v.read(v.head.docsAt()+docSize*int64(doc), docSize)
	if b == nil {
		return Ref{}, false
	}
	offset, size := readDoc(b)
	return Ref{Source: v.numbers[v.source(doc)], Offset: offset, Size: size}, true
}
