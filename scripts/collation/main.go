// Collation writes the table by which pkg/jsonvalue orders characters that
// golang.org/x/text does not know as ICU does: Han, and what Unicode added since
// version 6.2. It reads what order.mjs printed and compares it with x/text.
//
//	node scripts/collation/order.mjs | go run ./scripts/collation > pkg/jsonvalue/order.bin
package main

import (
	"bytes"
	"cmp"
	"compress/flate"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"
	"golang.org/x/text/unicode/norm"
)

// input is what order.mjs prints.
type input struct {
	Classes [][]member
	Expands []member
	Accents []rune
}

// member is a character and its rank within its class.
type member [2]rune

// entry is a character that stands elsewhere than x/text puts it: step places
// after the anchor, or in the anchor's own place. Rank orders those that share a
// place; the anchor has rank 0.
type entry struct {
	r, anchor  rune
	step, rank int
}

// Anchors that are no characters.
const (
	weightless = 0  // no primary weight
	expanding  = -1 // that of its compatibility decomposition
	last       = -2 // after everything that has a place
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "collation:", err)
		os.Exit(1)
	}
}

func run() error {
	var in input
	if err := json.NewDecoder(os.Stdin).Decode(&in); err != nil {
		return err
	}
	han := hanOrder(in.Classes)
	p := newPlanner(in)
	entries, accents := p.entries(), p.accents(in.Accents)
	_, err := os.Stdout.Write(pack(han, entries, accents))
	fmt.Fprintf(os.Stderr, "%d Han, %d others, %d accents\n", len(han), len(entries), len(accents))
	return err
}

func isHan(r rune) bool {
	switch {
	case 0xF900 <= r && r <= 0xFAFF:
		return !decomposes(r)
	case 0x2E80 <= r && r < 0x3400, 0x2F800 <= r && r < 0x30000:
		return false
	}
	// Those of the latest version are not in Go's tables yet.
	return 0x3400 <= r && r < 0x4DC0 || 0x4E00 <= r && r < 0xA000 || 0x20000 <= r && r < 0x33480
}

func decomposes(r rune) bool { return norm.NFD.String(string(r)) != string(r) }

func hanOrder(classes [][]member) []rune {
	var han []rune
	for _, class := range classes {
		for _, m := range class {
			if isHan(m[0]) {
				han = append(han, m[0])
			}
		}
	}
	return han
}

// planner looks for the characters that x/text has in their place.
type planner struct {
	collator, full *collate.Collator
	buf            collate.Buffer
	classes        [][]member
	expands        map[rune]rune // and whether it comes after its decomposition
	keys           map[rune]string
}

func newPlanner(in input) *planner {
	p := &planner{
		collator: collate.New(language.Und, collate.Loose),
		full:     collate.New(language.Und),
		expands:  map[rune]rune{},
		keys:     map[rune]string{},
	}
	for _, m := range in.Expands {
		if norm.NFKD.String(string(m[0])) != string(m[0]) {
			p.expands[m[0]] = m[1]
		}
	}
	for _, class := range in.Classes {
		class = slices.DeleteFunc(class, func(m member) bool { return decomposes(m[0]) })
		if len(class) > 0 {
			p.classes = append(p.classes, class)
		}
	}
	return p
}

// key is the primary weights that x/text gives.
func (p *planner) key(r rune) string {
	key, ok := p.keys[r]
	if !ok {
		p.buf.Reset()
		key = string(p.collator.KeyFromString(&p.buf, string(r)))
		p.keys[r] = key
	}
	return key
}

// known says whether x/text has a weight of its own for the character, not one
// made of its number. Those begin at 0x10000, in three bytes.
func (p *planner) known(r rune) bool {
	key := p.key(r)
	return key != "" && !isHan(r) && (key[0] < 0x80 || key[0] == 0x80)
}

// representative is the member of a class that x/text knows, if there is one.
func (p *planner) representative(class []member) (member, bool) {
	for _, m := range class {
		if _, ok := p.expands[m[0]]; p.known(m[0]) && !ok {
			return m, true
		}
	}
	return member{}, false
}

// inPlace finds the most classes whose representatives have the same order in
// x/text: the longest increasing subsequence of their keys.
func (p *planner) inPlace() map[int]bool {
	var tails []int // by length, the class that ends a sequence lowest
	before := map[int]int{}
	for i, class := range p.classes {
		m, ok := p.representative(class)
		if !ok || !p.besideASCII(i) {
			continue
		}
		n, _ := slices.BinarySearchFunc(tails, p.key(m[0]), func(tail int, key string) int {
			m, _ := p.representative(p.classes[tail])
			return cmp.Compare(p.key(m[0]), key)
		})
		before[i] = -1
		if n > 0 {
			before[i] = tails[n-1]
		}
		if n == len(tails) {
			tails = append(tails, i)
		} else {
			tails[n] = i
		}
	}
	in := map[int]bool{}
	for i := tails[len(tails)-1]; i >= 0; i = before[i] {
		in[i] = true
	}
	return in
}

// besideASCII says whether x/text has a class on the right sides of all ASCII. That
// stays in place whatever else has to move.
func (p *planner) besideASCII(i int) bool {
	m, _ := p.representative(p.classes[i])
	if m[0] < 0x80 {
		return true
	}
	for j, class := range p.classes {
		if r := class[0][0]; r < 0x80 && p.key(r) != "" && (j < i) != (p.key(r) < p.key(m[0])) {
			return false
		}
	}
	return true
}

// accents are those of the letters that x/text gives a primary weight of their own,
// as Unicode did with some of Cyrillic.
func (p *planner) accents(letters []rune) []rune {
	return slices.DeleteFunc(letters, func(r rune) bool {
		first, _ := utf8.DecodeRuneInString(norm.NFD.String(string(r)))
		return p.key(r) == p.key(first) || !p.known(r) || !p.known(first)
	})
}

func (p *planner) entries() []entry {
	in := p.inPlace()
	var entries []entry
	anchor, step := rune(weightless), 0
	for i, class := range p.classes {
		if i == 0 {
			entries = append(entries, p.weightless(class)...)
			continue
		}
		if n := slices.IndexFunc(class, func(m member) bool { return isHan(m[0]) }); n >= 0 {
			entries = append(entries, p.members(class, class[n], 0)...)
			anchor, step = last, 0
			continue
		}
		rep, ok := p.representative(class)
		if ok && in[i] {
			entries = append(entries, p.members(class, rep, 0)...)
			if single(p.key(rep[0])) {
				anchor, step = rep[0], 0
			}
			continue
		}
		step++
		entries = append(entries, p.members(class, member{anchor, class[0][1]}, step)...)
	}
	return entries
}

// single says whether a key is of one weight.
func single(key string) bool { return len(key) == 2 || len(key) == 3 && key[0] >= 0x80 }

// members makes the entries of a class that has the place of its anchor, or a
// place after it.
func (p *planner) members(class []member, anchor member, step int) []entry {
	if step > 0 {
		return p.later(class, anchor, step)
	}
	kept := p.kept(class, anchor)
	var entries []entry
	for _, m := range class {
		if isHan(m[0]) || slices.Contains(kept, m) {
			continue
		}
		near := nearest(kept, m)
		entries = append(entries, entry{m[0], near[0], 0, int(m[1] - near[1])})
	}
	return entries
}

// later makes the entries of a class with a place of its own, or with that of a
// decomposition.
func (p *planner) later(class []member, anchor member, step int) []entry {
	var entries []entry
	for _, m := range class {
		after, ok := p.expands[m[0]]
		switch {
		case !ok:
			entries = append(entries, entry{m[0], anchor[0], step, int(m[1] - class[0][1])})
		case p.unlike(m[0], int(after)):
			entries = append(entries, entry{r: m[0], anchor: expanding, rank: int(after * (m[1] + 1))})
		}
	}
	return entries
}

// kept are the members of a class that x/text has in their place and in their
// order, the anchor first. Beside Han there are none: x/text has their places by
// number.
func (p *planner) kept(class []member, anchor member) []member {
	kept := []member{anchor}
	if isHan(anchor[0]) {
		return kept
	}
	for _, m := range class {
		if m != anchor && p.key(m[0]) == p.key(anchor[0]) && !slices.ContainsFunc(kept, func(k member) bool {
			return p.full.CompareString(string(k[0]), string(m[0])) != cmp.Compare(k[1], m[1])
		}) {
			kept = append(kept, m)
		}
	}
	return kept
}

// nearest is the last member not after m, else the first: beside a capital letter
// of old, a new variant of it belongs to that.
func nearest(kept []member, m member) member {
	near := kept[0]
	for _, k := range kept {
		if k[1] <= m[1] && (near[1] > m[1] || k[1] > near[1]) {
			near = k
		}
	}
	return near
}

// unlike says whether x/text gives a character another weight than its
// decomposition, or one with Han, which it orders otherwise, or orders it
// otherwise beside that.
func (p *planner) unlike(r rune, after int) bool {
	p.buf.Reset()
	parts := norm.NFKD.String(string(r))
	for _, part := range parts {
		if !p.known(part) {
			return true
		}
	}
	return string(p.collator.KeyFromString(&p.buf, parts)) != p.key(r) || p.full.CompareString(string(r), parts) != after
}

func (p *planner) weightless(class []member) []entry {
	var entries []entry
	for _, m := range class {
		if p.key(m[0]) != "" && !unicode.Is(unicode.Cs, m[0]) {
			entries = append(entries, entry{r: m[0], rank: int(m[1])})
		}
	}
	return entries
}

// pack writes the tables as numbers that are mostly 0 and 1, which compress well.
// What they mean stands where they are read, in pkg/jsonvalue/ordertable.go.
func pack(han []rune, entries []entry, accents []rune) []byte {
	var raw []byte
	put := func(n int) { raw = binary.AppendVarint(raw, int64(n)) }
	put(len(han))
	previous := map[rune]rune{}
	block := rune(-1)
	for _, r := range han {
		b := hanBlock(r)
		put(int(r-previous[b])<<1 | map[bool]int{true: 1}[b != block])
		if b != block {
			put(int(b))
		}
		previous[b], block = r+1, b
	}
	put(len(entries))
	var p entry
	for _, e := range entries {
		put(int(e.r - p.r - 1))
		put(int(e.anchor - p.anchor))
		put(e.step - p.step)
		put(e.rank)
		p = e
	}
	put(len(accents))
	for _, r := range accents {
		put(int(r))
	}
	return deflate(raw)
}

// hanBlock is a number of a stretch of ideographs that is ordered within itself,
// mostly.
func hanBlock(r rune) rune {
	starts := []rune{0x4E00, 0x9FA6, 0xF900, 0x20000, 0x2A6DE, 0x2A700, 0x2B740, 0x2B820, 0x2CEB0, 0x2EBF0, 0x30000, 0x31350, 0x323B0}
	n, found := slices.BinarySearch(starts, r)
	if found {
		n++
	}
	return rune(n)
}

func deflate(raw []byte) []byte {
	var out bytes.Buffer
	w, _ := flate.NewWriter(&out, flate.BestCompression)
	w.Write(raw)
	w.Close()
	return out.Bytes()
}
