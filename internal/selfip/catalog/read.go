package catalog

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"io"
	"sort"
)

// Header is the first part of a catalog: enough to tell whether it still
// belongs to its sources, to go through its rows, and to look up keys.
type Header struct {
	Sources []Source
	Zone    int
	rows    int
	sum     uint32 // of the rows
	begin   int64  // of the rows
}

// firstRead holds the header of a catalog of some thirty sources, in bytes.
const firstRead = 2048

// ReadHeader reads the header of a catalog of the given size in bytes. The error
// is ErrStale.
func ReadHeader(r io.ReaderAt, size int64) (Header, error) {
	head := make([]byte, min(size, firstRead))
	if !readFull(r, head, 0) || len(head) < fixedSize || string(head[:len(magic)]) != magic {
		return Header{}, ErrStale
	}
	le := binary.LittleEndian
	nums := head[len(magic):]
	sources, rows, zone := int(le.Uint32(nums)), int64(le.Uint32(nums[4:])), int32(le.Uint32(nums[8:]))
	names, sum := int64(le.Uint32(nums[12:])), le.Uint32(nums[16:])
	begin := int64(fixedSize) + names + sumSize
	if begin+rows*rowSize > size {
		return Header{}, ErrStale
	}
	if begin > int64(len(head)) {
		head = make([]byte, begin)
		if !readFull(r, head, 0) {
			return Header{}, ErrStale
		}
	}
	if crc32.ChecksumIEEE(head[:begin-sumSize]) != le.Uint32(head[begin-sumSize:]) {
		return Header{}, ErrStale
	}
	h := Header{Zone: int(zone), rows: int(rows), sum: sum, begin: begin}
	var ok bool
	if h.Sources, ok = parseSources(head[fixedSize:begin-sumSize], sources); !ok {
		return Header{}, ErrStale
	}
	return h, nil
}

// readFull reports whether b could be filled.
func readFull(r io.ReaderAt, b []byte, at int64) bool {
	n, _ := r.ReadAt(b, at)
	return n == len(b)
}

func parseSources(table []byte, n int) ([]Source, bool) {
	le := binary.LittleEndian
	var out []Source
	for range n {
		if len(table) < 2 {
			return nil, false
		}
		size := int(le.Uint16(table))
		if len(table) < 2+size+sourceSize {
			return nil, false
		}
		rest := table[2+size:]
		out = append(out, Source{
			Name: string(table[2 : 2+size]),
			Size: int64(le.Uint64(rest)), ModTime: int64(le.Uint64(rest[8:])), Inode: le.Uint64(rest[16:]),
			Units: int64(le.Uint64(rest[24:])), Entries: int(le.Uint32(rest[32:])), Clean: rest[36] == 1,
		})
		table = rest[sourceSize:]
	}
	return out, len(table) == 0
}

// Len returns the number of rows.
func (h Header) Len() int { return h.rows }

// chunkRows is how many rows are read at a time.
const chunkRows = 340

// Each calls yield with every row, in the order in which they were written:
// those of one source in the order of its file. The rows are known to be whole
// only when it has returned without an error, which is ErrStale: until then
// nothing may be done with them that cannot be undone.
func (h Header) Each(r io.ReaderAt, yield func(Row)) error {
	chunk := make([]byte, min(h.rows, chunkRows)*rowSize)
	sum, at := uint32(0), h.begin
	for left := h.rows; left > 0; {
		b := chunk[:min(left, chunkRows)*rowSize]
		if !readFull(r, b, at) {
			return ErrStale
		}
		sum = crc32.Update(sum, crc32.IEEETable, b)
		at += int64(len(b))
		for ; len(b) > 0; b = b[rowSize:] {
			row := parseRow(b)
			if row.Source >= len(h.Sources) {
				return ErrStale
			}
			yield(row)
			left--
		}
	}
	if sum != h.sum {
		return ErrStale
	}
	return nil
}

// Rows returns all rows, those of the first source first.
func (h Header) Rows(r io.ReaderAt) ([]Row, error) {
	rows := make([]Row, 0, h.rows)
	sorted := true
	err := h.Each(r, func(row Row) {
		sorted = sorted && (len(rows) == 0 || rows[len(rows)-1].Source <= row.Source)
		rows = append(rows, row)
	})
	if err != nil {
		return nil, err
	}
	if !sorted { // rows were added since the catalog was made
		sort.SliceStable(rows, func(a, b int) bool { return rows[a].Source < rows[b].Source })
	}
	return rows, nil
}

func parseRow(b []byte) Row {
	le := binary.LittleEndian
	return Row{
		Offset: int64(le.Uint32(b)), Size: int(le.Uint32(b[4:])), Cost: int(le.Uint32(b[8:])),
		Source: int(le.Uint16(b[12:])), Importance: int(b[14]), Uses: int(b[15]), Flags: int(b[16]),
		Stamp: int64(le.Uint64(b[20:])), Expires: int64(le.Uint64(b[28:])), Key: le.Uint64(b[36:]),
	}
}

// Lookup returns the rows that have the key, by binary search in the key table.
func (h Header) Lookup(r io.ReaderAt, key uint64) ([]Row, error) {
	table := h.begin + int64(h.rows)*rowSize
	var failed error
	at := func(i int) (uint64, uint32) {
		var b [keySize]byte
		if !readFull(r, b[:], table+int64(i)*keySize) {
			failed = ErrStale
		}
		return binary.LittleEndian.Uint64(b[:]), binary.LittleEndian.Uint32(b[8:])
	}
	first := sort.Search(h.rows, func(i int) bool { k, _ := at(i); return k >= key })
	var out []Row
	for i := first; i < h.rows && failed == nil; i++ {
		k, row := at(i)
		if k != key || int(row) >= h.rows {
			break
		}
		var b [rowSize]byte
		if !readFull(r, b[:], h.begin+int64(row)*rowSize) {
			return nil, ErrStale
		}
		out = append(out, parseRow(b[:]))
	}
	return out, failed
}

// File is a catalog on disk that can be added to.
type File interface {
	io.ReaderAt
	io.WriterAt
}

// Append adds rows to the catalog without a key table that h is the header of,
// and makes it that of the sources as they are then: what has been added to a
// file costs as much as it is, not as the catalog. Killed in the middle of it,
// it leaves the catalog as it was, or one whose sources do not fit any more.
// The error is ErrStale when f is not that catalog any more, or one of f.
func (h Header) Append(f File, sources []Source, rows []Row) (Header, error) {
	next := Header{Sources: sources, Zone: h.Zone, rows: h.rows + len(rows), begin: h.begin}
	added := make([]byte, 0, len(rows)*rowSize)
	for _, r := range rows {
		added = r.append(added)
	}
	next.sum = crc32.Update(h.sum, crc32.IEEETable, added)
	was, is := h.encode(), next.encode()
	found := make([]byte, len(was))
	if len(was) != len(is) || !readFull(f, found, 0) || !bytes.Equal(found, was) {
		return Header{}, ErrStale
	}
	if _, err := f.WriteAt(added, h.begin+int64(h.rows)*rowSize); err != nil {
		return Header{}, err
	}
	_, err := f.WriteAt(is, 0)
	return next, err
}
