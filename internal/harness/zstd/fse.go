package zstd

// fseTable decodes symbols by a finite state machine (RFC 8878, 4.1).
type fseTable struct {
	log  int // bits of a state
	rows []fseRow
}

// fseRow is a state: its symbol, and how the next one is found.
type fseRow struct {
	base   uint16
	symbol uint8
	bits   uint8
}

// readCounts reads how probable each symbol is, at most symbols of them, and
// returns where the next part of data begins.
func readCounts(data []byte, maxLog, symbols int) (counts []int, log, next int, err error) {
	in := forward{data: data}
	log = in.read(4) + 5
	if log > maxLog {
		return nil, 0, 0, corrupt("accuracy of a table")
	}
	left := 1 << log
	for left > 0 && len(counts) < symbols {
		count := in.readCount(left)
		counts = append(counts, count)
		left -= max(count, -count)
		for repeat := 3; count == 0 && repeat == 3; {
			repeat = in.read(2)
			counts = append(counts, make([]int, repeat)...)
		}
	}
	next = in.bytes()
	if left != 0 || len(counts) > symbols || next > len(data) {
		return nil, 0, 0, corrupt("counts of a table")
	}
	return counts, log, next, nil
}

// readCount reads one count of a table of which left is not given away yet. Small
// values take a bit less.
func (f *forward) readCount(left int) int {
	n := highBit(left+1) + 1
	low := 1<<(n-1) - 1
	short := 1<<n - 2 - left // values below this take n-1 bits
	value := f.read(n)
	switch {
	case value&low < short:
		f.at--
		value &= low
	case value > low:
		value -= short
	}
	return value - 1
}

// newTable makes the table for counts, the sum of which is 1<<log; -1 counts as
// one and stands at the end.
func newTable(counts []int, log int) (*fseTable, error) {
	size := 1 << log
	t := &fseTable{log: log, rows: make([]fseRow, size)}
	next := make([]int, len(counts))
	high := size - 1
	for s, n := range counts {
		next[s] = n
		if n == -1 {
			t.rows[high].symbol = uint8(s)
			next[s] = 1
			high--
		}
	}
	if err := t.spread(counts, high); err != nil {
		return nil, err
	}
	for i := range t.rows {
		row := &t.rows[i]
		n := next[row.symbol]
		next[row.symbol]++
		row.bits = uint8(log - highBit(n))
		row.base = uint16(n<<row.bits - size)
	}
	return t, nil
}

// spread lays the symbols out over the states up to high.
func (t *fseTable) spread(counts []int, high int) error {
	mask := len(t.rows) - 1
	step := len(t.rows)>>1 + len(t.rows)>>3 + 3
	at := 0
	for s, n := range counts {
		for range max(n, 0) {
			t.rows[at].symbol = uint8(s)
			at = (at + step) & mask
			for at > high {
				at = (at + step) & mask
			}
		}
	}
	if at != 0 {
		return corrupt("spread of a table")
	}
	return nil
}

// runTable always gives the same symbol.
func runTable(symbol uint8) *fseTable {
	return &fseTable{rows: []fseRow{{symbol: symbol}}}
}

// fseState is a place in a table.
type fseState struct {
	table *fseTable
	row   fseRow
}

func (t *fseTable) start(in *backward) fseState {
	return fseState{t, t.rows[in.read(t.log)]}
}

// step goes to the next state.
func (s *fseState) step(in *backward) {
	s.row = s.table.rows[uint64(s.row.base)+in.read(int(s.row.bits))]
}
