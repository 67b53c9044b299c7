package zstd

// huffman decodes literals: a table by the next log bits (RFC 8878, 4.2).
type huffman struct {
	log  int
	rows []huffmanRow
}

type huffmanRow struct{ symbol, bits uint8 }

// The bounds of a tree.
const (
	maxHuffmanLog = 11
	maxWeights    = 255 // the last weight follows from the others
	maxWeightLog  = 6   // accuracy of packed weights
)

// readHuffman reads the description of a tree and returns where the next part of
// data begins.
func readHuffman(data []byte) (h *huffman, next int, err error) {
	if len(data) == 0 {
		return nil, 0, corrupt("no tree")
	}
	weights, head := []uint8(nil), int(data[0])
	if head >= 128 {
		n := head - 127
		next = 1 + (n+1)/2
		if next > len(data) {
			return nil, 0, corrupt("weights of a tree")
		}
		for i := range n {
			weights = append(weights, data[1+i/2]>>(4*(1-i%2))&15)
		}
	} else {
		next = 1 + head
		if next > len(data) {
			return nil, 0, corrupt("weights of a tree")
		}
		if weights, err = packedWeights(data[1:next]); err != nil {
			return nil, 0, err
		}
	}
	h, err = newHuffman(weights)
	return h, next, err
}

// packedWeights unpacks weights: two states take turns until the bits are used
// up.
func packedWeights(data []byte) ([]uint8, error) {
	counts, log, next, err := readCounts(data, maxWeightLog, maxHuffmanLog+2)
	if err != nil {
		return nil, err
	}
	table, err := newTable(counts, log)
	if err != nil {
		return nil, err
	}
	in, err := newBackward(data[next:])
	if err != nil {
		return nil, err
	}
	now, other := table.start(&in), table.start(&in)
	var weights []uint8
	for in.at >= 0 && len(weights) < maxWeights {
		weights = append(weights, now.row.symbol)
		if int(now.row.bits) > in.at {
			return append(weights, other.row.symbol), nil
		}
		now.step(&in)
		now, other = other, now
	}
	return nil, corrupt("packed weights")
}

// newHuffman makes the table. Symbols of small weight have the long codes and
// come first.
func newHuffman(weights []uint8) (*huffman, error) {
	sum := 0
	for _, w := range weights {
		if w > maxHuffmanLog {
			return nil, corrupt("weight")
		}
		if w > 0 {
			sum += 1 << (w - 1)
		}
	}
	if sum == 0 || len(weights) > maxWeights {
		return nil, corrupt("weights")
	}
	log := highBit(sum) + 1
	last := 1<<log - sum // a power of two
	if log > maxHuffmanLog || last&(last-1) != 0 {
		return nil, corrupt("sum of weights")
	}
	weights = append(weights[:len(weights):len(weights)], uint8(highBit(last)+1))
	h := &huffman{log: log, rows: make([]huffmanRow, 0, 1<<log)}
	for w := 1; w <= log; w++ {
		for symbol, weight := range weights {
			if int(weight) != w {
				continue
			}
			for range 1 << (w - 1) {
				h.rows = append(h.rows, huffmanRow{uint8(symbol), uint8(log + 1 - w)})
			}
		}
	}
	return h, nil
}

// decode fills out from a stream, which must end with it.
func (h *huffman) decode(out, stream []byte) error {
	in, err := newBackward(stream)
	if err != nil {
		return err
	}
	for i := range out {
		row := h.rows[in.peek(h.log)]
		out[i] = row.symbol
		in.at -= int(row.bits)
	}
	if in.at != 0 {
		return corrupt("stream of literals")
	}
	return nil
}
