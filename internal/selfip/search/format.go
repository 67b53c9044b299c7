package search

import (
	"encoding/binary"
	"hash/crc32"
	"math"
)

// An index is, in little-endian numbers:
//
//	header     headSize bytes, see header
//	sources    for each: its name behind 2 bytes of length, then numbers of 8
//	           bytes: size, time, inode, covered, documents, length, gone
//	lengths    for each document 2 bytes
//	documents  for each document 5 bytes of offset, all bits set when it is
//	           gone, and 3 of size
//	buckets    1<<bits + 1 numbers of 4 bytes: how many rows stand before a
//	           bucket, which is the terms with the same first bits
//	rows       for each term, ascending, 6 bytes of term and 4 of place: the
//	           top bit set, the one document that has the term once; else where
//	           in the postings its list begins
//	postings   lists: documents with the term, bytes of the list, then for each
//	           document the distance from the one before, doubled, plus one when
//	           a byte with the count follows; varints
//
// A change of the layout, or of what the analyser makes of a text, is a new
// indexVersion.
const (
	indexMagic   = "selfipix"
	indexVersion = 2

	headSize   = 56
	lengthSize = 2
	docSize    = 8
	bucketSize = 4
	rowSize    = 10
	termSize   = termBits / 8

	onlyDoc   = 1 << 31   // in a row: the place is a document
	goneAt    = 1<<40 - 1 // in place of an offset: the document is gone
	maxDocs   = 1 << 28
	maxLength = 1<<16 - 1
)

// header is the fixed head of an index. The places of the parts follow from
// the counts.
type header struct {
	size        int64 // of the whole file
	docs, terms int
	sources     int
	sourceBytes int
	bits        uint  // of a term that say its bucket
	length      int64 // of all documents
}

func (h header) lengthsAt() int64  { return int64(headSize) + int64(h.sourceBytes) }
func (h header) docsAt() int64     { return h.lengthsAt() + lengthSize*int64(h.docs) }
func (h header) bucketsAt() int64  { return h.docsAt() + docSize*int64(h.docs) }
func (h header) rowsAt() int64     { return h.bucketsAt() + bucketSize*(1<<h.bits+1) }
func (h header) postingsAt() int64 { return h.rowsAt() + rowSize*int64(h.terms) }

// append writes h and the checksum over it and the sources.
func (h header) append(b, sources []byte) []byte {
	le := binary.LittleEndian
	start := len(b)
	b = append(b, indexMagic...)
	b = le.AppendUint32(b, indexVersion)
	b = le.AppendUint32(b, 0) // checksum
	b = le.AppendUint64(b, uint64(h.size))
	b = le.AppendUint64(b, uint64(h.length))
	for _, n := range []int{h.docs, h.terms, h.sources, h.sourceBytes, int(h.bits), 0} {
		b = le.AppendUint32(b, uint32(n))
	}
	le.PutUint32(b[start+12:], checksum(b[start+16:start+headSize], sources))
	return b
}

// parseHeader reads the head of a file of the given size. Its checksum is
// returned, for a look at the sources.
func parseHeader(b []byte, size int64) (h header, sum uint32, err error) {
	if len(b) < headSize || string(b[:8]) != indexMagic {
		return h, 0, errForeign()
	}
	le := binary.LittleEndian
	if le.Uint32(b[8:]) != indexVersion {
		return h, 0, errForeign()
	}
	number := func(i int) int { return int(le.Uint32(b[32+4*i:])) }
	h = header{
		size: int64(le.Uint64(b[16:])), length: int64(le.Uint64(b[24:])),
		docs: number(0), terms: number(1), sources: number(2), sourceBytes: number(3), bits: uint(number(4)),
	}
	if h.size != size || h.docs > maxDocs || h.bits > 32 || h.length < 0 || h.postingsAt() > size {
		return h, 0, errDamaged("header")
	}
	return h, le.Uint32(b[12:]), nil
}

func checksum(head, sources []byte) uint32 {
	return crc32.Update(crc32.ChecksumIEEE(head), crc32.IEEETable, sources)
}

// sourceNumbers is how many numbers of a source follow its name: a source that
// has changed takes as many bytes as before.
const sourceNumbers = 7

func appendSource(b []byte, s Source, docs span) []byte {
	le := binary.LittleEndian
	b = append(le.AppendUint16(b, uint16(len(s.Name))), s.Name...)
	for _, n := range [sourceNumbers]uint64{
		uint64(s.Size), uint64(s.ModTime), s.Inode, uint64(s.Covered), uint64(docs.to - docs.from), uint64(docs.length), uint64(docs.gone),
	} {
		b = le.AppendUint64(b, n)
	}
	return b
}

// readSource reads a source whose documents begin with number from. The rest is
// nil when b is damaged.
func readSource(b []byte, from uint32) (s Source, docs span, rest []byte) {
	le := binary.LittleEndian
	if len(b) < 2 || len(b) < 2+int(le.Uint16(b))+8*sourceNumbers {
		return s, docs, nil
	}
	end := 2 + int(le.Uint16(b))
	number := func(i int) uint64 { return le.Uint64(b[end+8*i:]) }
	s = Source{Name: string(b[2:end]), Size: int64(number(0)), ModTime: int64(number(1)), Inode: number(2), Covered: int64(number(3))}
	if number(4) > maxDocs || int64(number(5)) < 0 || number(6) > number(4) {
		return s, docs, nil
	}
	docs = span{from: from, to: from + uint32(number(4)), length: int64(number(5)), gone: uint32(number(6))}
	return s, docs, b[end+8*sourceNumbers:]
}

// appendTerm writes a term so that the order of bytes is that of numbers.
func appendTerm(b []byte, t term) []byte {
	var n [8]byte
	binary.BigEndian.PutUint64(n[:], uint64(t)<<(64-termBits))
	return append(b, n[:termSize]...)
}

func readTerm(b []byte) term {
	return term(binary.BigEndian.Uint32(b))<<16 | term(binary.BigEndian.Uint16(b[4:]))
}

// appendDoc writes where a document stands. A size that does not fit is the
// largest that does.
func appendDoc(b []byte, offset int64, size int) []byte {
	b = binary.LittleEndian.AppendUint32(b, uint32(offset))
	b = append(b, byte(offset>>32))
	size = min(size, 1<<24-1)
	return append(b, byte(size), byte(size>>8), byte(size>>16))
}

func readDoc(b []byte) (offset int64, size int) {
	offset = int64(binary.LittleEndian.Uint32(b)) | int64(b[4])<<32
	return offset, int(b[5]) | int(b[6])<<8 | int(b[7])<<16
}

// appendPosting writes one document of a list.
func appendPosting(b []byte, gap uint32, count uint8) []byte {
	if count == 1 {
		return binary.AppendUvarint(b, uint64(gap)<<1)
	}
	return append(binary.AppendUvarint(b, uint64(gap)<<1|1), count)
}

// readPosting reads what appendPosting wrote. The size is 0 when b is damaged.
func readPosting(b []byte) (gap uint32, count uint8, size int) {
	if len(b) > 0 && b[0] < 0x80 && b[0]&1 == 0 {
		return uint32(b[0] >> 1), 1, 1
	}
	n, size := binary.Uvarint(b)
	if size <= 0 || n>>1 > math.MaxUint32 {
		return 0, 0, 0
	}
	if n&1 == 0 {
		return uint32(n >> 1), 1, size
	}
	if size == len(b) {
		return 0, 0, 0
	}
	return uint32(n >> 1), b[size], size + 1
}
