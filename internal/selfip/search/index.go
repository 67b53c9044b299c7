package search

import (
	"encoding/binary"
	"io"
)

// Index answers queries from the bytes that Build made. It holds the head of
// them only and reads the rest where a query needs it. It is safe for use by
// several goroutines when its reader is.
type Index struct {
	r       io.ReaderAt
	head    header
	sources []Source
	spans   []span // by source
}

// span is the documents of one source.
type span struct {
	from, to uint32 // numbers of documents
	length   int64  // of all of them
	gone     uint32 // documents that are not in the file any more
}

// firstRead is enough for the head and the sources of most indexes.
const firstRead = 4096

// OpenIndex reads the head of the index of size bytes behind r. It fails with
// search-index-foreign for a file that is none or of another version, and with
// search-index-damaged for one that is cut or whose head is damaged.
func OpenIndex(r io.ReaderAt, size int64) (*Index, error) {
	b := make([]byte, min(size, firstRead))
	if err := readFull(r, b, 0); err != nil {
		return nil, err
	}
	head, sum, err := parseHeader(b, size)
	if err != nil {
		return nil, err
	}
	ix := &Index{r: r, head: head}
	if need := head.lengthsAt(); need > int64(len(b)) {
		b = make([]byte, need)
		if err := readFull(r, b, 0); err != nil {
			return nil, err
		}
	}
	sources := b[headSize:head.lengthsAt()]
	if checksum(b[16:headSize], sources) != sum || !ix.parseSources(sources) {
		return nil, errDamaged("header")
	}
	return ix, nil
}

func readFull(r io.ReaderAt, b []byte, at int64) error {
	if n, err := r.ReadAt(b, at); n < len(b) {
		return errDamaged("body").Because(err)
	}
	return nil
}

// Sources returns the files that the index was built from, in the order of the
// parts.
func (ix *Index) Sources() []Source { return append([]Source(nil), ix.sources...) }

// Docs returns how many documents the index holds.
func (ix *Index) Docs() int { return ix.head.docs }

// Gone returns how many of them are not in their files any more.
func (ix *Index) Gone() int {
	n := 0
	for _, s := range ix.spans {
		n += int(s.gone)
	}
	return n
}

// parseSources reports whether b is the sources that the head speaks of.
func (ix *Index) parseSources(b []byte) bool {
	doc := uint32(0)
	for range ix.head.sources {
		s, docs, rest := readSource(b, doc)
		if rest == nil || int64(docs.to) > int64(ix.head.docs) {
			return false
		}
		ix.sources, ix.spans = append(ix.sources, s), append(ix.spans, docs)
		b, doc = rest, docs.to
	}
	return len(b) == 0 && int(doc) == ix.head.docs
}

// cursor reads varints. After a mistake it is bad and gives zeros.
type cursor struct {
	rest []byte
	bad  bool
}

func (c *cursor) uvarint() uint64 {
	v, n := binary.Uvarint(c.rest)
	if n <= 0 {
		c.bad, c.rest = true, nil
		return 0
	}
	c.rest = c.rest[n:]
	return v
}
