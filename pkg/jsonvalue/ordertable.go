package jsonvalue

import (
	"bytes"
	"compress/flate"
	_ "embed" // the table of order
	"encoding/binary"
	"io"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// packedOrder is what scripts/collation wrote.
//
//go:embed order.bin
var packedOrder []byte

// Anchors that are no characters.
const (
	weightless = 0  // no primary weight
	expanding  = -1 // the weights of the compatibility decomposition
	last       = -2 // after everything that has a place
)

// stray is a character that stands elsewhere than x/text puts it: so many steps
// after its anchor, or in its place. Rank orders those that share a place, where
// the anchor has 0.
type stray struct {
	r, anchor  rune
	step, rank int32
}

// orderTable is the unpacked table.
type orderTable struct {
	han    [2][]uint32 // from hanStart: the place of an ideograph, 0 for none
	strays []stray
	pages  [(unicode.MaxRune + 1) >> 8]*[256]uint16 // the number of a stray by its character, from 1
	// apart are pairs of a letter and an accent to which x/text gives a primary
	// weight of their own, and ICU does not.
	apart map[[2]rune]bool
}

// hanStart are the first characters of the two stretches that hold ideographs.
var hanStart = [2]rune{0x3400, 0x20000}

// order unpacks the table when the first text beyond ASCII is compared.
var order = sync.OnceValue(func() *orderTable {
	raw, err := io.ReadAll(flate.NewReader(bytes.NewReader(packedOrder)))
	if err != nil {
		panic("jsonvalue: the embedded table of order is damaged: " + err.Error())
	}
	t := &orderTable{}
	n := numbers(raw)
	t.readHan(&n)
	t.readStrays(&n)
	t.readApart(&n)
	return t
})

// numbers is packed numbers that were not read yet.
type numbers []byte

func (n *numbers) next() int {
	v, size := binary.Varint(*n)
	*n = (*n)[size:]
	return int(v)
}

// readHan reads the ideographs in their order. Each is a distance from the one
// after the last of its block, times two, plus one if the block is another than
// before; then the block follows.
func (t *orderTable) readHan(n *numbers) {
	t.han = [2][]uint32{make([]uint32, 0xFB00-hanStart[0]), make([]uint32, 0x33480-hanStart[1])}
	var next [16]rune // by block
	block := 0
	for place := range n.next() {
		v := n.next()
		if v&1 == 1 {
			block = n.next()
		}
		r := next[block] + rune(v>>1)
		next[block] = r + 1
		*t.hanPlace(r) = uint32(place) + 1
	}
}

// hanPlace returns where the place of an ideograph is kept, or nil.
func (t *orderTable) hanPlace(r rune) *uint32 {
	for i, start := range hanStart {
		if n := r - start; n >= 0 && int(n) < len(t.han[i]) {
			return &t.han[i][n]
		}
	}
	return nil
}

// readStrays reads the other characters, each as its differences from the one
// before.
func (t *orderTable) readStrays(n *numbers) {
	t.strays = make([]stray, n.next())
	var s stray
	for i := range t.strays {
		s.r += rune(n.next()) + 1
		s.anchor += rune(n.next())
		s.step += int32(n.next())
		s.rank = int32(n.next())
		t.strays[i] = s
		page := &t.pages[s.r>>8]
		if *page == nil {
			*page = new([256]uint16)
		}
		(*page)[s.r&0xFF] = uint16(i + 1)
	}
}

// readApart reads accented letters.
func (t *orderTable) readApart(n *numbers) {
	t.apart = map[[2]rune]bool{}
	for range n.next() {
		parts := []rune(norm.NFD.String(string(rune(n.next()))))
		t.apart[[2]rune{parts[0], parts[1]}] = true
	}
}

// stray finds a character that x/text does not have in its place.
func (t *orderTable) stray(r rune) (stray, bool) {
	page := t.pages[r>>8]
	if page == nil || page[r&0xFF] == 0 {
		return stray{}, false
	}
	return t.strays[page[r&0xFF]-1], true
}

// hanRank returns the place of an ideograph among all, from 1, or 0.
func (t *orderTable) hanRank(r rune) uint32 {
	if p := t.hanPlace(r); p != nil {
		return *p
	}
	return 0
}
