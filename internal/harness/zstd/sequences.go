package zstd

import "sync"

// decoder is what the blocks of a frame leave for the next.
type decoder struct {
	tree     *huffman
	tables   [3]*fseTable // of literal lengths, offsets, match lengths
	recent   [3]int       // offsets
	literals []byte       // room for them
}

func newDecoder() decoder { return decoder{recent: [3]int{1, 4, 8}} }

// The tables of sequences, in the order in which a block has them.
const (
	literalLengths = iota
	offsets
	matchLengths
)

// alphabet is the symbols of a table: for each the least value that it stands
// for, and how many bits are added to that.
type alphabet struct {
	maxLog  int
	log     int   // of the table that needs no description
	counts  []int // of that table
	base    []int
	bits    []uint8
	symbols int
}

// alphabets are those of RFC 8878, 3.1.1.3.2.1 and its appendix A. The values of a
// symbol begin where those of the one before it end.
var alphabets = sync.OnceValue(func() *[3]alphabet {
	ones := func(n int) (list []int) {
		for range n {
			list = append(list, 1)
		}
		return list
	}
	rare := []int{-1, -1, -1, -1, -1, -1, -1}
	out := &[3]alphabet{
		literalLengths: {
			maxLog: 9, log: 6,
			counts: append([]int{4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1}, rare[:4]...),
			bits:   append(make([]uint8, 16), 1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16),
		},
		offsets: {
			maxLog: 8, log: 5,
			counts: append([]int{1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, rare[:5]...),
		},
		matchLengths: {
			maxLog: 9, log: 6,
			counts: append(append([]int{1, 4, 3, 2, 2, 2, 2, 2, 2}, ones(37)...), rare...),
			bits:   append(make([]uint8, 32), 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16),
		},
	}
	for n := range uint8(32) {
		out[offsets].bits = append(out[offsets].bits, n)
	}
	for kind, first := range [3]int{0, 1, 3} {
		a := &out[kind]
		a.symbols = len(a.bits)
		for _, n := range a.bits {
			a.base = append(a.base, first)
			first += 1 << n
		}
	}
	return out
})

// block unpacks a block and appends it to out, of which the last window bytes
// can be referred to. It gives no more than most bytes.
func (d *decoder) block(out, data []byte, window, most int) ([]byte, error) {
	literals, next, err := d.readLiterals(data)
	if err != nil {
		return out, err
	}
	count, data, err := d.readTables(data[next:])
	if err != nil {
		return out, err
	}
	end := len(out) + most
	if count > 0 {
		in, err := newBackward(data)
		if err != nil {
			return out, err
		}
		if out, literals, err = d.sequences(out, literals, count, &in, window, end); err != nil {
			return out, err
		}
	}
	if len(out)+len(literals) > end {
		return out, corrupt("block too long")
	}
	return append(out, literals...), nil
}

// readTables reads the number of sequences and the tables that they need, and
// returns the stream of the sequences.
func (d *decoder) readTables(data []byte) (count int, rest []byte, err error) {
	if len(data) == 0 {
		return 0, nil, corrupt("no sequences")
	}
	n := 1
	switch count = int(data[0]); {
	case count == 0:
		if len(data) > 1 {
			return 0, nil, corrupt("more than no sequences")
		}
		return 0, nil, nil
	case count == 255:
		n = 3
	case count >= 128:
		n = 2
	}
	if len(data) < n+1 {
		return 0, nil, corrupt("sequences are cut")
	}
	switch n {
	case 2:
		count = (count-128)<<8 + int(data[1])
	case 3:
		count = int(data[1]) + int(data[2])<<8 + 0x7F00
	}
	modes, rest := data[n], data[n+1:]
	if modes&3 != 0 {
		return 0, nil, corrupt("reserved bits of sequences")
	}
	for kind := range d.tables {
		if rest, err = d.readTable(kind, int(modes>>(6-2*kind)&3), rest); err != nil {
			return 0, nil, err
		}
	}
	return count, rest, nil
}

// The ways in which a table is given.
const (
	usualTable = iota
	oneSymbol
	ownTable
	sameTable
)

func (d *decoder) readTable(kind, mode int, data []byte) (rest []byte, err error) {
	a := &alphabets()[kind]
	switch mode {
	case usualTable:
		d.tables[kind], err = newTable(a.counts, a.log)
	case oneSymbol:
		if len(data) == 0 || int(data[0]) >= a.symbols {
			return nil, corrupt("symbol of a table")
		}
		d.tables[kind], data = runTable(data[0]), data[1:]
	case ownTable:
		counts, log, next, err := readCounts(data, a.maxLog, a.symbols)
		if err != nil {
			return nil, err
		}
		data = data[next:]
		if d.tables[kind], err = newTable(counts, log); err != nil {
			return nil, err
		}
	case sameTable:
		if d.tables[kind] == nil {
			return nil, corrupt("no table yet")
		}
	}
	return data, err
}

// sequences carries out count sequences: literals, then a match. It returns the
// literals that are left.
func (d *decoder) sequences(out, literals []byte, count int, in *backward, window, end int) ([]byte, []byte, error) {
	var states [3]fseState
	for kind := range states {
		states[kind] = d.tables[kind].start(in)
	}
	all := alphabets()
	for i := range count {
		var values [3]int
		for _, kind := range [3]int{offsets, matchLengths, literalLengths} {
			a, symbol := &all[kind], states[kind].row.symbol
			values[kind] = a.base[symbol] + int(in.read(int(a.bits[symbol])))
		}
		if i < count-1 {
			for _, kind := range [3]int{literalLengths, matchLengths, offsets} {
				states[kind].step(in)
			}
		}
		n, length := values[literalLengths], values[matchLengths]
		if in.at < 0 || n > len(literals) || len(out)+n+length > end {
			return out, nil, corrupt("sequence")
		}
		out, literals = append(out, literals[:n]...), literals[n:]
		offset := d.offset(values[offsets], n)
		if offset < 1 || offset > len(out) || offset > window {
			return out, nil, corrupt("offset")
		}
		out = repeat(out, offset, length)
	}
	if in.at != 0 {
		return out, nil, corrupt("stream of sequences")
	}
	return out, literals, nil
}

// offset returns what a value stands for: one of the recent offsets, or one of
// its own (RFC 8878, 3.1.1.5).
func (d *decoder) offset(value, literals int) int {
	r := &d.recent
	if value > 3 {
		r[0], r[1], r[2] = value-3, r[0], r[1]
		return r[0]
	}
	if literals == 0 {
		value++
	}
	switch value {
	case 1:
	case 2:
		r[0], r[1] = r[1], r[0]
	case 3:
		r[0], r[1], r[2] = r[2], r[0], r[1]
	default:
		r[0], r[1], r[2] = r[0]-1, r[0], r[1]
	}
	return r[0]
}

// repeat appends length bytes that stand offset bytes before the end; they may
// be among those that it appends.
func repeat(out []byte, offset, length int) []byte {
	for length > 0 {
		n := min(length, offset)
		from := len(out) - offset
		out = append(out, out[from:from+n]...)
		length -= n
	}
	return out
}
