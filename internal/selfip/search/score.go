package search

import "math"

// The constants of the order. Saturation and length are BM25's k1 and b. A
// repeated word counts little in a note of a line and fully in a long text: a
// count above one is damped by length/(length+damping).
const (
	saturation = 0.9
	lengthPart = 0.75
	damping    = 32

	// What is worth less than a word or a pair of characters.
	charWeight     = 0.5  // a single character
	particleWeight = 0.25 // two characters of grammar
	sideWeight     = 0.3  // two words side by side
)

// The constants of the displayed score (spec/selfip.md 13.2).
const (
	shownSaturation = 1.2
	shownLengthPart = 0.75
	shownPhrase     = 25
)

// totals are what the weights depend on besides a document itself.
type totals struct {
	docs   int
	length int64
	df     []int // documents with the term, by its place in the query

	found       int // candidates
	foundLength int64
}

// rarity is the inverse document frequency of BM25 for a term in df of n.
func rarity(n, df int) float64 {
	return math.Log(1 + (float64(n-df)+0.5)/(float64(df)+0.5))
}

// scale is what the length of a document makes of the counts of its terms.
type scale struct{ damp, norm float64 }

func (t *totals) scale(length int) scale {
	l := float64(length)
	average := float64(t.length) / float64(t.docs)
	return scale{l / (l + damping), saturation * (1 - lengthPart + lengthPart*l/average)}
}

// times returns how often a term counts that occurs count times.
func (s scale) times(count uint8) float64 {
	n := 1 + float64(count-1)*s.damp
	return n * (saturation + 1) / (n + s.norm)
}

// shown returns how often each term of a document counts in the displayed
// score.
func (t *totals) shown(length int) float64 {
	average := float64(t.foundLength) / float64(t.found)
	return (shownSaturation + 1) / (1 + shownSaturation*(1-shownLengthPart+shownLengthPart*float64(length)/average))
}

func round2(f float64) float64 { return math.Round(f*100) / 100 }
