package search

import (
	"cmp"
	"encoding/binary"
	"iter"
	"math/bits"
	"slices"
)

// Source is a file that an index was built from, as it was then. The package
// does not look at it; the caller compares it with the file of now.
type Source struct {
	Name    string
	Size    int64 // bytes
	ModTime int64 // nanoseconds since 1970
	Inode   uint64
	Covered int64 // bytes from the start: documents behind them are not in the index
}

// Part is a source with its documents in the order of the file. Their Offset,
// Size and Text count; the number of the source is its place among the parts.
type Part struct {
	Source Source
	Docs   iter.Seq[Doc]
}

// Build returns the index of parts: the bytes of a file that can be thrown
// away. It fails with search-index-too-large beyond 268 million documents or
// 2 GiB of postings.
func Build(parts []Part) ([]byte, error) {
	b := builder{head: header{sources: len(parts)}, a: newAnalyser()}
	for _, p := range parts {
		b.addPart(p)
	}
	return b.bytes()
}

// builder collects the terms of all documents, then turns the table round.
type builder struct {
	head    header
	a       *analyser
	sources []byte
	lengths []byte
	docs    []byte

	ids    termIDs
	df     []uint32 // by id
	counts []uint32 // of every term of every document: id<<countBits | count
	ends   []int    // where the counts of a document end
}

const countBits = 4 // holds maxCount

func (b *builder) addPart(p Part) {
	docs, length := 0, int64(0)
	for d := range p.Docs {
		docs++
		length += int64(b.addDoc(d))
	}
	b.head.length += length
	b.sources = appendSource(b.sources, p.Source, span{from: uint32(b.head.docs - docs), to: uint32(b.head.docs), length: length})
}

// addDoc takes one document and returns its length.
func (b *builder) addDoc(d Doc) int {
	b.a.run(d.Text)
	terms, length := b.a.profile()
	for _, t := range terms {
		id := b.ids.id(t.term)
		if id == len(b.df) {
			b.df = append(b.df, 0)
		}
		b.df[id]++
		b.counts = append(b.counts, uint32(id)<<countBits|uint32(t.count))
	}
	b.ends = append(b.ends, len(b.counts))
	b.lengths = binary.LittleEndian.AppendUint16(b.lengths, uint16(length))
	b.docs = appendDoc(b.docs, d.Offset, d.Size)
	b.head.docs++
	return length
}

func (b *builder) bytes() ([]byte, error) {
	b.head.terms, b.head.sourceBytes = len(b.df), len(b.sources)
	b.head.bits = uint(bits.Len(uint(len(b.df) / 64)))
	buckets, rows, postings := b.tables()
	b.head.size = b.head.postingsAt() + int64(len(postings))
	if b.head.docs > maxDocs || b.head.terms > maxDocs || len(postings) >= onlyDoc {
		return nil, errTooLarge()
	}
	out := b.head.append(make([]byte, 0, b.head.size), b.sources)
	for _, part := range [][]byte{b.sources, b.lengths, b.docs, buckets, rows, postings} {
		out = append(out, part...)
	}
	return out, nil
}

// tables writes the three parts by which a term is found.
func (b *builder) tables() (buckets, rows, postings []byte) {
	order := b.ids.sorted()
	lists, ends := b.invert()
	rows = make([]byte, 0, rowSize*len(order))
	bucket := uint64(0)
	for i, t := range order {
		for ; bucket <= uint64(t.term>>(termBits-b.head.bits)); bucket++ {
			buckets = binary.LittleEndian.AppendUint32(buckets, uint32(i))
		}
		list := lists[ends[t.id]-int(b.df[t.id]) : ends[t.id]]
		place := uint32(len(postings))
		if len(list) == 1 && list[0].count == 1 {
			place = onlyDoc | list[0].doc
		} else {
			postings = appendList(postings, list)
		}
		rows = binary.LittleEndian.AppendUint32(appendTerm(rows, t.term), place)
	}
	for ; bucket <= 1<<b.head.bits; bucket++ {
		buckets = binary.LittleEndian.AppendUint32(buckets, uint32(len(order)))
	}
	return buckets, rows, postings
}

// invert returns the documents of all terms, ascending, and where those of each
// term end: a counting sort by term.
func (b *builder) invert() (lists []posting, ends []int) {
	ends = make([]int, len(b.df))
	sum := 0
	for id, n := range b.df {
		ends[id] = sum // grows to the end below
		sum += int(n)
	}
	lists = make([]posting, sum)
	from := 0
	for doc, end := range b.ends {
		for _, c := range b.counts[from:end] {
			id := c >> countBits
			lists[ends[id]] = posting{uint32(doc), uint8(c & maxCount)}
			ends[id]++
		}
		from = end
	}
	return lists, ends
}

// posting is a document with a term and how often it has it.
type posting struct {
	doc   uint32
	count uint8
}

func appendList(b []byte, list []posting) []byte {
	b = binary.AppendUvarint(b, uint64(len(list)))
	size, last := 0, uint32(0)
	var room [16]byte
	for _, p := range list {
		size += len(appendPosting(room[:0], p.doc-last, p.count))
		last = p.doc
	}
	b = binary.AppendUvarint(b, uint64(size))
	last = 0
	for _, p := range list {
		b = appendPosting(b, p.doc-last, p.count)
		last = p.doc
	}
	return b
}

// termIDs numbers terms in the order in which they are met.
type termIDs struct {
	slots []uint32 // id+1, or 0
	terms []term   // by id
}

// id returns the number of t.
func (m *termIDs) id(t term) int {
	if 2*len(m.terms) >= len(m.slots) {
		m.grow()
	}
	at := m.slot(t)
	if m.slots[at] == 0 {
		m.terms = append(m.terms, t)
		m.slots[at] = uint32(len(m.terms))
	}
	return int(m.slots[at]) - 1
}

// slot returns where t stands, or where it belongs.
func (m *termIDs) slot(t term) int {
	mask := len(m.slots) - 1
	i := int(t) & mask
	for m.slots[i] != 0 && m.terms[m.slots[i]-1] != t {
		i = (i + 1) & mask
	}
	return i
}

func (m *termIDs) grow() {
	m.slots = make([]uint32, max(1024, 4*len(m.slots)))
	for id, t := range m.terms {
		m.slots[m.slot(t)] = uint32(id + 1)
	}
}

type numberedTerm struct {
	term term
	id   int
}

func (m *termIDs) sorted() []numberedTerm {
	out := make([]numberedTerm, 0, len(m.terms))
	for id, t := range m.terms {
		out = append(out, numberedTerm{t, id})
	}
	slices.SortFunc(out, func(a, b numberedTerm) int { return cmp.Compare(a.term, b.term) })
	return out
}
