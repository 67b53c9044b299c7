package catalog

import (
	"bytes"
	"encoding/binary"
	"io"
)

// File is a catalog on disk that can be changed in place.
type File interface {
	io.ReaderAt
	io.WriterAt
}

// Append adds rows to the catalog that h is the header of, and makes it that of
// the sources as they are then: what has been added to a file costs as much as it
// is, not as the catalog. Killed in the middle of it, it leaves the catalog as it
// was, or one whose sources do not fit any more. The error is ErrStale when f is
// not that catalog any more, or one of f.
func (h Header) Append(f File, sources []Source, rows []Row) (Header, error) {
	if err := h.stillIn(f); err != nil {
		return Header{}, err
	}
	full := h.keyed + h.Added()/blockRows*blockRows // rows of blocks that stay as they are
	last := make([]byte, (h.rows-full)*rowSize, (h.rows-full+len(rows))*rowSize)
	if !readFull(f, last, h.at(full)) {
		return Header{}, ErrStale
	}
	sum := h.sum - sumOf(h.blockAt(full), last)
	for _, r := range rows {
		last = r.append(last)
	}
	if _, err := f.WriteAt(last[(h.rows-full)*rowSize:], h.at(h.rows)); err != nil {
		return Header{}, err
	}
	return h.become(f, sources, h.rows+len(rows), sum+sumOf(h.blockAt(full), last))
}

// Update puts rows in the place of those at the same offsets of the same
// sources, on the same terms as Append. Their keys stay.
func (h Header) Update(f File, sources []Source, rows []Row) (Header, error) {
	if err := h.stillIn(f); err != nil {
		return Header{}, err
	}
	sum, left := h.sum, len(rows)
	err := h.chunks(f, func(row int, chunk []byte) error {
		for ; len(chunk) > 0; row += blockRows {
			b := chunk[:min(len(chunk), blockSize)]
			chunk = chunk[len(b):]
			was := blockSum(h.blockAt(row), b)
			n := putRows(b, rows)
			if n == 0 {
				continue
			}
			left -= n
			sum += blockSum(h.blockAt(row), b) - was
			if _, err := f.WriteAt(b, h.at(row)); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil && left != 0 {
		err = ErrStale
	}
	if err != nil {
		return Header{}, err
	}
	return h.become(f, sources, h.rows, sum)
}

// putRows puts rows in the place of their predecessors in a block, and returns
// how many it met.
func putRows(block []byte, rows []Row) (n int) {
	le := binary.LittleEndian
	for ; len(block) > 0; block = block[rowSize:] {
		offset, source := int64(le.Uint32(block)), int(le.Uint16(block[12:]))
		for _, r := range rows {
			if r.Offset == offset && r.Source == source {
				r.append(block[:0])
				n++
			}
		}
	}
	return n
}

// stillIn reports as ErrStale that f is not the catalog any more that h was read
// from.
func (h Header) stillIn(f io.ReaderAt) error {
	was := h.encode()
	found := make([]byte, len(was))
	if !readFull(f, found, 0) || !bytes.Equal(found, was) {
		return ErrStale
	}
	return nil
}

// become writes a new header in the place of h.
func (h Header) become(f File, sources []Source, rows int, sum uint32) (Header, error) {
	next := Header{Sources: sources, Zone: h.Zone, rows: rows, keyed: h.keyed, sum: sum, begin: h.begin}
	is := next.encode()
	if len(is) != len(h.encode()) {
		return Header{}, ErrStale
	}
	_, err := f.WriteAt(is, 0)
	return next, err
}
