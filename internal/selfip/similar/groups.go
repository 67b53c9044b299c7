package similar

import (
	"cmp"
	"hash/maphash"
	"slices"
	"time"

	"github.com/dshkit/dshkit/internal/selfip/entry"
)

// Group is entries that say the same, by their places in what was given. The
// keeper says all that the others say.
type Group struct {
	Keeper int
	Others []int // ascending, never empty
}

// looseFrom is the number of tokens from which on a text may have one plain word
// more than another that says the same.
const looseFrom = 12

// Groups returns the groups of near duplicates among entries, by the place of
// their first entry. Entries of two kinds are never in one group, and neither
// is one that says nothing.
func Groups(entries []entry.Entry) []Group {
	buckets := bucketsOf(entries)
	joinLonger(buckets)
	var out []Group
	for _, b := range buckets {
		if g, ok := b.group(entries); ok {
			out = append(out, g)
		}
	}
	slices.SortFunc(out, func(a, b Group) int { return cmp.Compare(a.first(), b.first()) })
	return out
}

func (g Group) first() int { return min(g.Keeper, g.Others[0]) }

// bucket is entries of one kind and one key, and those that were joined to them
// because they have a word less.
type bucket struct {
	kind    entry.Kind
	form    Form
	members []int // of this key
	joined  []int // of shorter keys
	gone    bool  // joined to another
}

func bucketsOf(entries []entry.Entry) []*bucket {
	var list []*bucket
	known := make(map[string]*bucket, len(entries))
	for i, e := range entries {
		f := FormOf(e.Text)
		if f.Len() == 0 {
			continue
		}
		id := string(e.Kind) + "\x00" + f.Key()
		b := known[id]
		if b == nil {
			b = &bucket{kind: e.Kind, form: f}
			known[id], list = b, append(list, b)
		}
		b.members = append(b.members, i)
	}
	return list
}

// group makes a bucket a group, when it holds more than one entry.
func (b *bucket) group(entries []entry.Entry) (Group, bool) {
	if b.gone || len(b.members)+len(b.joined) < 2 {
		return Group{}, false
	}
	keeper := b.members[0]
	for _, i := range b.members[1:] {
		if Better(entries[i], entries[keeper]) {
			keeper = i
		}
	}
	others := slices.Concat(b.members, b.joined)
	others = slices.DeleteFunc(others, func(i int) bool { return i == keeper })
	slices.Sort(others)
	return Group{keeper, others}, true
}

// Better reports whether of two entries that say the same a should be kept
// rather than b: the better founded, then the more important, then the one with
// the later stamp, then the one that was found more often.
func Better(a, b entry.Entry) bool {
	at, _ := a.Time(time.UTC)
	bt, _ := b.Time(time.UTC)
	return cmp.Or(
		cmp.Compare(Footing(b), Footing(a)),
		cmp.Compare(a.BaseImportance(), b.BaseImportance()),
		at.Compare(bt),
		cmp.Compare(a.Uses(), b.Uses()),
	) > 0
}

// Footing is how well founded an entry is, the less the better: 0 when it is the
// user's own word, else one more than its level of trust.
func Footing(e entry.Entry) int {
	if e.Trust() == entry.Trusted && (e.Get("src") == "user" || e.Get("origin") == "command") {
		return 0
	}
	return 1 + int(e.Trust())
}

// joinLonger joins to a long text those that have one plain word less. The
// longest come first; what has been joined takes nobody else in, so that nothing
// is ever more than one word away from its keeper.
func joinLonger(buckets []*bucket) {
	h := newHasher()
	byHash := make(map[uint64][]*bucket)
	for _, b := range buckets {
		if b.form.Len() >= looseFrom-1 {
			sum := h.of(b.form.tokens, -1)
			byHash[sum] = append(byHash[sum], b)
		}
	}
	order := slices.DeleteFunc(slices.Clone(buckets), func(b *bucket) bool { return b.form.Len() < looseFrom })
	slices.SortStableFunc(order, func(a, b *bucket) int { return cmp.Compare(b.form.Len(), a.form.Len()) })
	for _, long := range order {
		if !long.gone {
			long.takeIn(h, byHash)
		}
	}
}

// takeIn joins the buckets that equal this one without one of its plain words.
func (b *bucket) takeIn(h *hasher, byHash map[uint64][]*bucket) {
	h.prepare(b.form.tokens)
	for i, t := range b.form.tokens {
		if t.Hard || t.IsCJK() {
			continue // one character of Chinese is seldom without meaning
		}
		for _, short := range byHash[h.without(i)] {
			if short.gone || short == b || len(short.joined) > 0 || short.kind != b.kind || !equalsWithout(b.form.tokens, i, short.form.tokens) {
				continue
			}
			short.gone = true
			b.joined = append(b.joined, short.members...)
		}
	}
}

func equalsWithout(long []Token, skip int, short []Token) bool {
	return len(long) == len(short)+1 && slices.Equal(long[:skip], short[:skip]) && slices.Equal(long[skip+1:], short[skip:])
}

// hasher hashes sequences of tokens such that the hash without one of them
// takes no time. Equal hashes are compared afterwards: the seed of a process
// changes nothing in the result.
type hasher struct {
	seed   maphash.Seed
	prefix []uint64 // of the first n tokens
	suffix []uint64 // of the tokens from n on
	power  []uint64 // of base
}

const base = 0x9E3779B97F4A7C15

func newHasher() *hasher { return &hasher{seed: maphash.MakeSeed(), power: []uint64{1}} }

func (h *hasher) token(t Token) uint64 { return maphash.String(h.seed, t.Text) | 1 }

func (h *hasher) pow(n int) uint64 {
	for len(h.power) <= n {
		h.power = append(h.power, h.power[len(h.power)-1]*base)
	}
	return h.power[n]
}

// of is the hash of all tokens but the one at skip.
func (h *hasher) of(tokens []Token, skip int) (sum uint64) {
	for i, t := range tokens {
		if i != skip {
			sum = sum*base + h.token(t)
		}
	}
	return sum
}

func (h *hasher) prepare(tokens []Token) {
	n := len(tokens)
	h.prefix = append(h.prefix[:0], make([]uint64, n+1)...)
	h.suffix = append(h.suffix[:0], make([]uint64, n+1)...)
	for i, t := range tokens {
		h.prefix[i+1] = h.prefix[i]*base + h.token(t)
	}
	for i := n - 1; i >= 0; i-- {
		h.suffix[i] = h.suffix[i+1] + h.token(tokens[i])*h.pow(n-1-i)
	}
}

// without is the hash of the prepared tokens but the one at i.
func (h *hasher) without(i int) uint64 {
	n := len(h.suffix) - 1
	return h.prefix[i]*h.pow(n-1-i) + h.suffix[i+1]
}
