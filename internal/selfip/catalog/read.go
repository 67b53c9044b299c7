package catalog

import (
	"encoding/binary"
	"hash/crc32"
	"io"
	"sort"
)

// Header is the first part of a catalog: enough to tell whether it still
// belongs to its sources, and to look up keys.
type Header struct {
	Sources []Source
	Zone    int
	rows    int
	begin   int64 // of the rows
}

// ReadHeader reads the header of a catalog of the given size in bytes.
func ReadHeader(r io.ReaderAt, size int64) (Header, error) {
	fixed := make([]byte, fixedSize-4)
	if _, err := r.ReadAt(fixed, 0); err != nil || string(fixed[:len(magic)]) != magic {
		return Header{}, ErrStale
	}
	le := binary.LittleEndian
	nums := fixed[len(magic):]
	sources, rows := int(le.Uint32(nums)), int64(le.Uint32(nums[4:]))
	zone, names := int32(le.Uint32(nums[8:])), int64(le.Uint32(nums[12:]))
	begin := int64(fixedSize) + names
	if begin+rows*rowSize > size {
		return Header{}, ErrStale
	}
	table := make([]byte, names+4)
	if _, err := r.ReadAt(table, int64(len(fixed))); err != nil {
		return Header{}, ErrStale
	}
	sum := crc32.Update(crc32.ChecksumIEEE(fixed), crc32.IEEETable, table[:names])
	if sum != le.Uint32(table[names:]) {
		return Header{}, ErrStale
	}
	h := Header{Zone: int(zone), rows: int(rows), begin: begin}
	var ok bool
	h.Sources, ok = parseSources(table[:names], sources)
	if !ok {
		return Header{}, ErrStale
	}
	return h, nil
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
			Units: int64(le.Uint64(rest[24:])), Clean: rest[32] == 1,
		})
		table = rest[sourceSize:]
	}
	return out, len(table) == 0
}

// Rows reads all rows.
func (h Header) Rows(r io.ReaderAt) ([]Row, error) {
	data := make([]byte, h.rows*rowSize)
	if _, err := r.ReadAt(data, h.begin); err != nil && len(data) > 0 {
		return nil, ErrStale
	}
	rows := make([]Row, h.rows)
	for i := range rows {
		rows[i] = parseRow(data[i*rowSize:])
		if rows[i].Source >= len(h.Sources) {
			return nil, ErrStale
		}
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
		if _, err := r.ReadAt(b[:], table+int64(i)*keySize); err != nil {
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
		if _, err := r.ReadAt(b[:], h.begin+int64(row)*rowSize); err != nil {
			return nil, ErrStale
		}
		out = append(out, parseRow(b[:]))
	}
	return out, failed
}
