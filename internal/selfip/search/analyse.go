package search

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/dshkit/dshkit/pkg/text"
)

// Kind says what a token is made of.
type Kind uint8

// The kinds of token. Only words, pairs, particles and lone characters
// make a note a candidate and count for its length, as in spec/selfip.md 13.1; the others
// add to what a candidate weighs.
const (
	Word     Kind = iota // a word or a part of an identifier, stemmed
	Stop                 // a word without meaning, such as "the"
	Pair                 // two neighbouring characters of Chinese, Japanese, Korean
	Particle             // a pair of two characters of grammar: です, 什么
	Lone                 // such a character with no other beside it
	Char                 // such a character inside a run
	Kana                 // a hiragana inside a run
	Alias                // a whole identifier: "lograte" for LOG_RATE, logRate and log-rate; "v2.1"; "c++"
	Digits               // the number in a word such as E1042, of documents only
)

// Token is one unit that search compares.
type Token struct {
	Text string
	Kind Kind
}

// Tokens returns what search sees in s, in the order of the text.
func Tokens(s string) []Token {
	a := analyser{named: true}
	a.run(s)
	return a.names
}

// term is the identity of a token's text: a hash of 48 bits, the same in
// memory and in the index, so that both agree even where two texts collide.
type term uint64

const termBits = 48

type token struct {
	term term
	kind Kind
	back uint16 // of an alias: how many tokens before it its identifier begins
}

// analyser turns text into tokens. It keeps its buffers from text to text.
type analyser struct {
	tokens []token
	length int // what spec/selfip.md 13.1 adds for whole runs; see cjkRun
	named  bool
	names  []Token
	word   []byte      // the part that is being read, lower case
	joined []byte      // the parts of the identifier so far
	known  []knownWord // may be nil
	seen   places
	terms  []counted
}

// knownWords is how many words an analyser of many texts remembers.
const knownWords = 2048

// newAnalyser returns an analyser for many texts.
func newAnalyser() *analyser { return &analyser{known: make([]knownWord, knownWords)} }

// knownWord is a word that was met, by its hash, and its token.
type knownWord struct {
	hash  uint64
	token token
}

// run analyses s; tokens and length hold the result until the next run.
func (a *analyser) run(s string) {
	a.tokens, a.names, a.length = a.tokens[:0], nil, 0
	if !isInert(s) {
		s = norm.NFKC.String(s)
	}
	for i := 0; i < len(s); {
		r, size := decode(s, i)
		switch {
		case isCJK(r):
			i = a.cjkRun(s, i)
		case isWordRune(r):
			i = a.identifier(s, i)
		default:
			i += size
		}
	}
}

// cjkRun emits the characters and pairs of the run at i and returns its end. A
// run of n characters counts n for the length: its pairs and, as the originals
// count, itself.
func (a *analyser) cjkRun(s string, i int) int {
	var prev rune
	n := 0
	for i < len(s) {
		r, size := decode(s, i)
		if !isCJK(r) {
			break
		}
		i += size
		r = unicode.ToLower(r)
		if n > 0 {
			a.emitRunes(pairKind(prev, r), prev, r)
		}
		next, _ := decode(s, i)
		if !isStopChar(r) {
			a.emitRunes(charKind(r, n == 0 && !isCJK(next)), r)
		}
		prev = r
		n++
	}
	if n > 2 {
		a.length++
	}
	return i
}

func pairKind(a, b rune) Kind {
	if (isStopChar(a) || isHiragana(a)) && (isStopChar(b) || isHiragana(b)) {
		return Particle
	}
	return Pair
}

func charKind(r rune, lone bool) Kind {
	switch {
	case lone:
		return Lone
	case isHiragana(r):
		return Kana
	}
	return Char
}

func (a *analyser) emitRunes(k Kind, rs ...rune) {
	h := uint64(len(rs))
	for _, r := range rs {
		h = h<<21 | uint64(r)
	}
	a.tokens = append(a.tokens, token{term: mix(h), kind: k})
	if a.named {
		a.names = append(a.names, Token{string(rs), k})
	}
}

func (a *analyser) emitBytes(k Kind, b []byte) {
	h := uint64(fnvOffset)
	for _, c := range b {
		h = (h ^ uint64(c)) * fnvPrime
	}
	a.tokens = append(a.tokens, token{term: mix(h), kind: k})
	if a.named {
		a.names = append(a.names, Token{string(b), k})
	}
}

// The constants of FNV-1a.
const (
	fnvOffset = 14695981039346656037
	fnvPrime  = 1099511628211
)

// mix spreads h over all bits (the finaliser of splitmix64): the index looks
// terms up by their first bits.
func mix(h uint64) term {
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return term((h ^ h>>31) >> (64 - termBits))
}

// isInert reports whether compatibility normal form changes nothing in s that
// matters here. It knows the common characters only: asking the tables takes
// longer than all else that is done with a text.
func isInert(s string) bool {
	for i := 0; i < len(s); {
		if s[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if !isInertRune(r) {
			return false
		}
		i += size
	}
	return true
}

func isInertRune(r rune) bool {
	switch {
	case r >= 0x3400 && r <= 0x9FFF, r >= 0x3041 && r <= 0x3096, r >= 0x30A1 && r <= 0x30FE, // Han, Kana
		r >= 0xAC00 && r <= 0xD7A3,                                          // Hangul syllables
		r >= 0x2012 && r <= 0x2016, r >= 0x2018 && r <= 0x2022, r == 0x2026, // dashes, quotes
		r >= 0x3000 && r <= 0x3029, // ideographic marks
		r >= 0xC0 && r <= 0x131:    // Latin letters
		return true
	}
	switch r {
	case '！', '（', '）', '，', '：', '；', '？':
		return true
	}
	return false
}

// decode returns the rune at i and its size, or a blank at the end of s.
func decode(s string, i int) (rune, int) {
	if i >= len(s) {
		return ' ', 0
	}
	if s[i] < utf8.RuneSelf {
		return rune(s[i]), 1
	}
	return utf8.DecodeRuneInString(s[i:])
}

// isCJK reports whether r is a letter or numeral of a script without blanks;
// such as the dot between Katakana words is none.
func isCJK(r rune) bool {
	return r >= 0x1100 && text.IsCJK(r) && (unicode.IsLetter(r) || unicode.IsNumber(r))
}

func isWordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return r|0x20 >= 'a' && r|0x20 <= 'z' || r >= '0' && r <= '9'
	}
	return !isCJK(r) && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r))
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
