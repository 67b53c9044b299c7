package search

// maxCount is where the count of a term in a document stops to grow.
const maxCount = 15

// counted is a term of a document and how often it occurs, at most maxCount.
type counted struct {
	term  term
	count uint8
}

// profile returns the distinct terms of the tokens of the last run, in the
// order of their first occurrence, and the length of the text as
// spec/selfip.md 13.1 counts: distinct words, pairs, lone characters and runs.
// The slice is good until the next call.
func (a *analyser) profile() (terms []counted, length int) {
	a.seen.clear(len(a.tokens))
	a.terms = a.terms[:0]
	length = a.length
	for _, t := range a.tokens {
		place := a.seen.place(t.term, len(a.terms))
		if place < len(a.terms) {
			a.terms[place].count = min(a.terms[place].count+1, maxCount)
			continue
		}
		a.terms = append(a.terms, counted{t.term, 1})
		switch t.kind {
		case Word, Stop, Pair, Particle, Lone:
			length++
		}
	}
	return a.terms, min(length, maxLength)
}

// places is a hash table from a term to a small number. Clearing it costs
// nothing: a slot of an older round counts as free.
type places struct {
	slots []slot
	round uint32
}

type slot struct {
	term  term
	round uint32
	place uint32
}

// clear empties p and makes room for n terms.
func (p *places) clear(n int) {
	p.round++
	if len(p.slots) < 2*n || p.round == 0 {
		size := 64
		for size < 4*n {
			size *= 2
		}
		p.slots, p.round = make([]slot, size), 1
	}
}

// place returns the number that t has, after giving it the number next when it
// has none.
func (p *places) place(t term, next int) int {
	mask := len(p.slots) - 1
	for i := int(t) & mask; ; i = (i + 1) & mask {
		s := &p.slots[i]
		if s.round != p.round {
			*s = slot{t, p.round, uint32(next)}
			return next
		}
		if s.term == t {
			return int(s.place)
		}
	}
}
