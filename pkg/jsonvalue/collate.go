package jsonvalue

import (
	"cmp"
	"math"
	"slices"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"
	"golang.org/x/text/unicode/norm"
)

// CompareKeys compares two texts as String.prototype.localeCompare does under the
// root order of ICU: negative, zero or positive. Different texts may compare
// alike, so a sort by it must be stable.
func CompareKeys(a, b string) int {
	if a == b {
		return 0
	}
	if n, ok := compareASCII(a, b); ok {
		return n
	}
	c := collators.Get().(*collator)
	defer collators.Put(c)
	return c.compare(a, b)
}

// collator compares texts by x/text, corrected by the table of order: that library
// is of Unicode 6.2 and puts Han by number.
//
// First it compares primary weights. Those of x/text are numbers below 1<<23; the
// characters of the table get places between. If they are alike, both texts have
// the same letters, and x/text tells accents and case apart, in a form of the texts
// where it knows every character; rank decides between what that form made alike.
type collator struct {
	table         *orderTable
	primary, full *collate.Collator
	buf           collate.Buffer
	a, b          []uint64
}

// collators are kept for use again: one must not serve two comparisons at once.
var collators = sync.Pool{New: func() any {
	return &collator{
		table:   order(),
		primary: collate.New(language.Und, collate.Loose),
		full:    collate.New(language.Und),
	}
}}

func (c *collator) compare(a, b string) int {
	a, b = decomposed(a), decomposed(b)
	c.a, c.b = c.weights(c.a[:0], a), c.weights(c.b[:0], b)
	if n := slices.Compare(c.a, c.b); n != 0 {
		return n
	}
	a, left := c.known(a)
	b, right := c.known(b)
	if n := c.full.CompareString(a, b); n != 0 {
		return n
	}
	return slices.Compare(left, right)
}

// decomposed returns a text in canonical decomposition. Surrogates stay.
func decomposed(s string) string {
	if !utf8.ValidString(s) {
		s = WellFormed(s)
	}
	if norm.NFD.IsNormalString(s) {
		return s
	}
	return norm.NFD.String(s)
}

// Primary weights, with room for 1<<32 steps after each. Those of x/text that
// come from a table are below hanWeight.
const (
	weightShift = 32
	hanWeight   = 0x10000 << weightShift
	// unassigned is what x/text adds to a number that has no character.
	unassigned = 0x50000
	lastWeight = 0x7FFFFF << weightShift
)

// weights appends the primary weights of a text.
func (c *collator) weights(dst []uint64, s string) []uint64 {
	start, before := 0, rune(0)
	for i := 0; i < len(s); {
		r, n := decode(s[i:])
		switch {
		case r < utf8.RuneSelf:
		case c.special(r):
			dst = c.plain(dst, s[start:i])
			dst = c.specialWeights(dst, r)
			start = i + n
		case c.table.apart[[2]rune{before, r}]:
			dst = c.plain(dst, s[start:i])
			start = i
		}
		before = letter(before, r)
		i += n
	}
	return c.plain(dst, s[start:])
}

// letter returns the letter that an accent after r belongs to.
func letter(before, r rune) rune {
	if r >= utf8.RuneSelf && unicode.Is(unicode.Mn, r) {
		return before
	}
	return r
}

// plain appends the weights that x/text gives: two bytes each, or three of which
// the first has its top bit set.
func (c *collator) plain(dst []uint64, s string) []uint64 {
	if s == "" {
		return dst
	}
	c.buf.Reset()
	key := c.primary.KeyFromString(&c.buf, s)
	for len(key) > 0 {
		if key[0] < 0x80 {
			dst = append(dst, (uint64(key[0])<<8|uint64(key[1]))<<weightShift)
			key = key[2:]
			continue
		}
		dst = append(dst, (uint64(key[0]&0x7F)<<16|uint64(key[1])<<8|uint64(key[2]))<<weightShift)
		key = key[3:]
	}
	return dst
}

// lowest and highest are what ICU keeps as bounds below and above every text.
const lowest, highest = 0xFFFE, 0xFFFF

// special says whether x/text does not have a character in its place.
func (c *collator) special(r rune) bool {
	if isSurrogate(r) || r == lowest || r == highest || c.table.hanRank(r) > 0 {
		return true
	}
	_, ok := c.table.stray(r)
	return ok
}

func (c *collator) specialWeights(dst []uint64, r rune) []uint64 {
	switch {
	case isSurrogate(r):
		return append(dst, (unassigned+uint64(r))<<weightShift)
	case r == lowest:
		return append(dst, 0)
	case r == highest:
		return append(dst, math.MaxUint64)
	}
	if place := c.table.hanRank(r); place > 0 {
		return append(dst, hanWeight+uint64(place))
	}
	s, _ := c.table.stray(r)
	switch {
	case s.anchor == expanding:
		return c.weights(dst, norm.NFKD.String(string(r)))
	case s.anchor == last:
		return append(dst, lastWeight+uint64(s.step))
	case s.anchor == weightless && s.step == 0:
		return dst
	case s.anchor == weightless:
		return append(dst, uint64(s.step))
	}
	dst = c.weights(dst, string(s.anchor))
	dst[len(dst)-1] += uint64(s.step)
	return dst
}

// joiner has no weight. Between a letter and an accent it keeps x/text from taking
// both for one letter.
const joiner = "\u034F"

// stand is a letter in place of one that x/text does not know.
const stand = "一"

// known returns a text in which x/text knows every character that is not Han, and
// for each character that is a letter or has one its rank among those that are the
// same there, up to the last that has one.
func (c *collator) known(s string) (text string, ranks []int32) {
	var dst []byte
	before := rune(0)
	for len(s) > 0 {
		r, n := decode(s)
		if c.table.apart[[2]rune{before, r}] {
			dst = append(dst, joiner...)
		}
		before = letter(before, r)
		part, rank := c.knownPart(r, s[:n])
		dst = append(dst, part...)
		if rank != 0 || part != "" && !unicode.In(r, unicode.Mn, unicode.Me, unicode.Cc, unicode.Cf) {
			ranks = append(ranks, rank)
		}
		s = s[n:]
	}
	for len(ranks) > 0 && ranks[len(ranks)-1] == 0 {
		ranks = ranks[:len(ranks)-1]
	}
	return string(dst), ranks
}

func (c *collator) knownPart(r rune, itself string) (part string, rank int32) {
	if isSurrogate(r) || r == lowest || r == highest {
		return stand, 0
	}
	s, ok := c.table.stray(r)
	switch {
	case !ok:
		return itself, 0
	case s.anchor == expanding:
		return norm.NFKD.String(itself), s.rank
	case s.anchor == weightless && s.step == 0:
		return "", s.rank
	case s.step > 0:
		return stand, s.rank
	}
	return string(s.anchor), s.rank
}

// asciiWeights has for each ASCII character its place in the order, letters of
// both cases in one, 0 for controls, which do not count.
const asciiWeights = "" +
	"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01\x02\x03\x04\x05\x00\x00" +
	"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00" +
	"\x06\x0c\x10\x1c\x26\x1d\x1b\x0f\x11\x12\x18\x20\x09\x08\x0e\x19" +
	"\x27\x28\x29\x2a\x2b\x2c\x2d\x2e\x2f\x30\x0b\x0a\x21\x22\x23\x0d" +
	"\x17\x31\x32\x33\x34\x35\x36\x37\x38\x39\x3a\x3b\x3c\x3d\x3e\x3f" +
	"\x40\x41\x42\x43\x44\x45\x46\x47\x48\x49\x4a\x13\x1a\x14\x1f\x07" +
	"\x1e\x31\x32\x33\x34\x35\x36\x37\x38\x39\x3a\x3b\x3c\x3d\x3e\x3f" +
	"\x40\x41\x42\x43\x44\x45\x46\x47\x48\x49\x4a\x15\x24\x16\x25\x00"

// compareASCII compares without the tables, if the characters that decide are
// ASCII: the first that differ but for case, else the first that differ in case,
// where the small one comes first.
func compareASCII(a, b string) (result int, ok bool) {
	byCase, same := 0, 0
	for same < min(len(a), len(b)) && a[same] == b[same] && ' ' <= a[same] && a[same] < 0x7F {
		same++
	}
	for i, j := same, same; ; i, j = i+1, j+1 {
		i, j = skipControls(a, i), skipControls(b, j)
		if beyond(a, i) || beyond(b, j) {
			return 0, false
		}
		if i == len(a) || j == len(b) {
			return cmp.Or(cmp.Compare(min(1, len(a)-i), min(1, len(b)-j)), byCase), true
		}
		x, y := a[i], b[j]
		if x == y {
			continue
		}
		if n := cmp.Compare(asciiWeights[x], asciiWeights[y]); n != 0 {
			// What follows may belong to the character, as an accent does.
			return n, !beyond(a, i+1) && !beyond(b, j+1)
		}
		if byCase == 0 {
			byCase = cmp.Compare(y, x)
		}
	}
}

// skipControls returns the place of the next character that counts.
func skipControls(s string, i int) int {
	for i < len(s) && s[i] < utf8.RuneSelf && asciiWeights[s[i]] == 0 {
		i++
	}
	return i
}

// beyond says whether a character beyond ASCII stands there.
func beyond(s string, i int) bool { return i < len(s) && s[i] >= utf8.RuneSelf }
