package catalog

import (
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
	keyed   int    // rows in the key table, the first ones
	sum     uint32 // of the rows
	begin   int64  // of the rows
}

// A catalog is its header, the rows of the key table, the key table, and the
// rows that have been added since.

// at is where a row begins.
func (h Header) at(row int) int64 {
	at := h.begin + int64(row)*rowSize
	if row >= h.keyed {
		at += int64(h.keyed) * keySize
	}
	return at
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
	sources, zone := int(le.Uint32(nums)), int(int32(le.Uint32(nums[12:])))
	h := Header{Zone: zone, rows: int(le.Uint32(nums[4:])), keyed: int(le.Uint32(nums[8:])), sum: le.Uint32(nums[20:])}
	begin := int64(fixedSize) + int64(le.Uint32(nums[16:])) + sumSize
	h.begin = begin
	if h.keyed > h.rows || h.at(h.rows) > size {
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
			Units: int64(le.Uint64(rest[24:])), Entries: int(le.Uint32(rest[32:])),
			Broken: int(le.Uint32(rest[36:])), Clean: rest[40] == 1,
		})
		table = rest[sourceSize:]
	}
	return out, len(table) == 0
}

// Len returns the number of rows.
func (h Header) Len() int { return h.rows }

// Rows are read some blocks at a time. The checksum of all is the sum of those of
// the blocks, so that one that changes does not cost the others.
const (
	blockRows   = 64
	blockSize   = blockRows * rowSize
	chunkBlocks = 5
)

// blockSum is the checksum of a block, which depends on its place.
func blockSum(block int, b []byte) uint32 { return crc32.Update(uint32(block), crc32.IEEETable, b) }

// sumOf is the checksum of rows that begin with a block.
func sumOf(block int, rows []byte) (sum uint32) {
	for ; len(rows) > 0; block++ {
		n := min(len(rows), blockSize)
		sum += blockSum(block, rows[:n])
		rows = rows[n:]
	}
	return sum
}

// blockAt is the number of the block that begins with a row: the blocks of added
// rows are counted from the first of these.
func (h Header) blockAt(row int) int {
	if row >= h.keyed {
		return (row-h.keyed)/blockRows + addedBlock
	}
	return row / blockRows
}

// addedBlock is the number of the first block of added rows.
const addedBlock = 1 << 24

// Each calls yield with every row, in the order in which they were written:
// those of one source in the order of its file. The rows are known to be whole
// only when it has returned without an error, which is ErrStale: until then
// nothing may be done with them that cannot be undone.
func (h Header) Each(r io.ReaderAt, yield func(Row)) error {
	sum := uint32(0)
	err := h.chunks(r, func(first int, b []byte) error {
		sum += sumOf(h.blockAt(first), b)
		for ; len(b) > 0; b = b[rowSize:] {
			row := parseRow(b)
			if row.Source >= len(h.Sources) {
				return ErrStale
			}
			yield(row)
		}
		return nil
	})
	if err == nil && sum != h.sum {
		return ErrStale
	}
	return err
}

// chunks calls yield with all rows, some blocks at a time, and with the number
// of the first.
func (h Header) chunks(r io.ReaderAt, yield func(first int, b []byte) error) error {
	chunk := make([]byte, min(h.rows, chunkBlocks*blockRows)*rowSize)
	for row := 0; row < h.rows; {
		end := h.rows
		if row < h.keyed {
			end = h.keyed
		}
		n := min(end-row, chunkBlocks*blockRows)
		b := chunk[:n*rowSize]
		if !readFull(r, b, h.at(row)) {
			return ErrStale
		}
		if err := yield(row, b); err != nil {
			return err
		}
		row += n
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

// Lookup returns the rows that have the key: by binary search in the key table,
// and among the rows that were added since.
func (h Header) Lookup(r io.ReaderAt, key uint64) ([]Row, error) {
	table := h.begin + int64(h.keyed)*rowSize
	var failed error
	at := func(i int) (uint64, int) {
		var b [keySize]byte
		if !readFull(r, b[:], table+int64(i)*keySize) {
			failed = ErrStale
		}
		return binary.LittleEndian.Uint64(b[:]), int(binary.LittleEndian.Uint32(b[8:]))
	}
	first := sort.Search(h.keyed, func(i int) bool { k, _ := at(i); return k >= key })
	var out []Row
	for i := first; i < h.keyed && failed == nil; i++ {
		k, number := at(i)
		if k != key || number >= h.keyed {
			break
		}
		var b [rowSize]byte
		if !readFull(r, b[:], h.at(number)) {
			return nil, ErrStale
		}
		if row := parseRow(b[:]); row.Key == key && row.Source < len(h.Sources) {
			out = append(out, row)
		}
	}
	if failed != nil {
		return nil, failed
	}
	return h.lookupAdded(r, key, out)
}

// Added returns how many rows are not in the key table.
func (h Header) Added() int { return h.rows - h.keyed }

func (h Header) lookupAdded(r io.ReaderAt, key uint64, out []Row) ([]Row, error) {
	b := make([]byte, h.Added()*rowSize)
	if !readFull(r, b, h.at(h.keyed)) {
		return nil, ErrStale
	}
	for ; len(b) > 0; b = b[rowSize:] {
		if binary.LittleEndian.Uint64(b[36:]) != key {
			continue
		}
		if row := parseRow(b); row.Source < len(h.Sources) {
			out = append(out, row)
		}
	}
	return out, nil
}
