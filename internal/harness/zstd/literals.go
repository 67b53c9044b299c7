package zstd

import "encoding/binary"

// The kinds of literals (RFC 8878, 3.1.1.3.1).
const (
	rawLiterals = iota
	runLiterals
	packedLiterals
	treelessLiterals // packed by the tree of an earlier block
)

// readLiterals returns the literals of a block and where its sequences begin.
func (d *decoder) readLiterals(data []byte) (literals []byte, next int, err error) {
	if len(data) == 0 {
		return nil, 0, corrupt("empty block")
	}
	if kind := int(data[0] & 3); kind == packedLiterals || kind == treelessLiterals {
		return d.unpackLiterals(data, kind)
	}
	head, size := plainSize(data)
	if head > len(data) || size > maxBlock {
		return nil, 0, corrupt("size of literals")
	}
	if data[0]&3 == rawLiterals {
		if head+size > len(data) {
			return nil, 0, corrupt("literals are cut")
		}
		return data[head : head+size], head + size, nil
	}
	if head == len(data) {
		return nil, 0, corrupt("literals are cut")
	}
	literals = d.room(size)
	for i := range literals {
		literals[i] = data[head]
	}
	return literals, head + 1, nil
}

// plainSize reads the header of literals that are not packed: its length and
// their number.
func plainSize(data []byte) (head, size int) {
	switch data[0] >> 2 & 3 {
	case 1:
		return 2, int(little(data[:min(2, len(data))])) >> 4
	case 3:
		return 3, int(little(data[:min(3, len(data))])) >> 4
	}
	return 1, int(data[0] >> 3)
}

// room is where literals are unpacked to.
func (d *decoder) room(size int) []byte {
	if cap(d.literals) < size {
		d.literals = make([]byte, size, maxBlock)
	}
	return d.literals[:size]
}

func (d *decoder) unpackLiterals(data []byte, kind int) (literals []byte, next int, err error) {
	form := data[0] >> 2 & 3
	head, width := [4]int{3, 3, 4, 5}[form], [4]int{10, 10, 14, 18}[form]
	if head > len(data) {
		return nil, 0, corrupt("literals are cut")
	}
	sizes := little(data[:head]) >> 4
	size, packed := int(sizes&(1<<width-1)), int(sizes>>width&(1<<width-1))
	next = head + packed
	if size > maxBlock || next > len(data) {
		return nil, 0, corrupt("size of literals")
	}
	stream := data[head:next]
	if kind == packedLiterals {
		tree, from, err := readHuffman(stream)
		if err != nil {
			return nil, 0, err
		}
		d.tree, stream = tree, stream[from:]
	}
	if d.tree == nil {
		return nil, 0, corrupt("no tree yet")
	}
	literals = d.room(size)
	if form == 0 {
		return literals, next, d.tree.decode(literals, stream)
	}
	return literals, next, d.tree.decodeFour(literals, stream)
}

// decodeFour decodes four streams, each with a quarter of the literals.
func (h *huffman) decodeFour(out, stream []byte) error {
	const table = 6
	if len(stream) < table {
		return corrupt("streams of literals")
	}
	rest, quarter := stream[table:], (len(out)+3)/4
	for i := range 3 {
		n := int(binary.LittleEndian.Uint16(stream[2*i:]))
		if n > len(rest) || quarter > len(out) {
			return corrupt("streams of literals")
		}
		if err := h.decode(out[:quarter], rest[:n]); err != nil {
			return err
		}
		out, rest = out[quarter:], rest[n:]
	}
	return h.decode(out, rest)
}
