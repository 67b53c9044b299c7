package search

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// identifier emits the words at i, and all that is joined to them by hyphens,
// underscores and the points of numbers as one alias. It returns the end.
func (a *analyser) identifier(s string, i int) int {
	a.joined = a.joined[:0]
	parts, first := 0, len(a.tokens)
	for {
		i = a.compound(s, i, &parts)
		width := joint(s, i)
		if width == 0 {
			break
		}
		if s[i] == '.' {
			a.joined = append(a.joined, '.')
		}
		i += width
	}
	if end := i + sign(s, i); end > i { // C++ and C#
		a.joined = append(a.joined, s[i:end]...)
		i, parts = end, parts+1
	}
	if parts > 1 {
		a.emitBytes(Alias, stemmed(a.joined))
		last := len(a.tokens) - 1
		a.tokens[last].back = uint16(min(last-first, 1<<16-1))
	}
	return i
}

// compound emits the parts of the run of letters and digits at i: one for each
// hump of camelCase. It returns the end of the run.
func (a *analyser) compound(s string, i int, parts *int) int {
	if end, hash := plainWord(s, i); end > i {
		a.plain(s[i:end], hash, parts)
		return end
	}
	a.word = a.word[:0]
	last := 0 // where the last letter begins in word
	var prev, before rune
	for {
		r, size := decode(s, i)
		if !isWordRune(r) {
			break
		}
		i += size
		switch {
		case unicode.IsLower(prev) && unicode.IsUpper(r):
			a.part(a.word, parts)
			a.word = a.word[:0]
		case isHump(before, prev, r) && !pluralOfCapitals(s, i, r):
			a.part(a.word[:last], parts)
			a.word = append(a.word[:0], a.word[last:]...)
		}
		last = len(a.word)
		a.word = appendFolded(a.word, r)
		before, prev = prev, r
	}
	a.part(a.word, parts)
	return i
}

// plainWord returns the end of the English word at i and a hash of it in lower
// case. The end is i when there are other letters, digits or inner capitals:
// those need a look letter by letter.
func plainWord(s string, i int) (end int, hash uint64) {
	hash = (fnvOffset ^ uint64(s[i]|0x20)) * fnvPrime
	if s[i]|0x20 < 'a' || s[i]|0x20 > 'z' {
		return i, 0
	}
	for end = i + 1; end < len(s) && s[end] >= 'a' && s[end] <= 'z'; end++ {
		hash = (hash ^ uint64(s[end])) * fnvPrime
	}
	if r, _ := decode(s, end); isWordRune(r) {
		return i, 0
	}
	return end, hash
}

// plain emits an English word. Most words of a text occur again, so the last
// ones are kept with what became of them.
func (a *analyser) plain(w string, hash uint64, parts *int) {
	var k *knownWord
	if a.known != nil {
		if k = &a.known[(hash>>32^hash)%knownWords]; k.hash == hash {
			*parts++
			a.joined = append(a.joined, w...)
			a.joined[len(a.joined)-len(w)] |= 0x20
			a.tokens = append(a.tokens, k.token)
			return
		}
	}
	a.word = append(a.word[:0], w...)
	a.word[0] |= 0x20
	a.part(a.word, parts)
	if k != nil {
		*k = knownWord{hash, a.tokens[len(a.tokens)-1]}
	}
}

// isHump reports whether prev begins a word after capitals, as the S of
// HTTPServer does.
func isHump(before, prev, r rune) bool {
	return unicode.IsUpper(before) && unicode.IsUpper(prev) && unicode.IsLower(r)
}

// pluralOfCapitals reports whether r, read before i, is the s of "APIs".
func pluralOfCapitals(s string, i int, r rune) bool {
	next, _ := decode(s, i)
	return r == 's' && !isWordRune(next)
}

// part emits one part of an identifier and notes it for the alias.
func (a *analyser) part(w []byte, parts *int) {
	if len(w) == 0 {
		return
	}
	*parts++
	a.joined = append(a.joined, w...)
	a.digits(w)
	if isStopWord(w) {
		a.emitBytes(Stop, w)
		return
	}
	a.emitBytes(Word, stemmed(w))
}

// digits emits the last number of a word that has letters too, when it has two
// digits or more.
func (a *analyser) digits(w []byte) {
	end := len(w)
	for end > 0 && !isDigit(w[end-1]) {
		end--
	}
	start := end
	for start > 0 && isDigit(w[start-1]) {
		start--
	}
	if end-start >= 2 && end-start < len(w) {
		a.emitBytes(Digits, w[start:end])
	}
}

// joint returns the width of what joins the words before and after i to one
// identifier, or 0.
func joint(s string, i int) int {
	if i >= len(s) || i == 0 {
		return 0
	}
	width := 1
	switch c := s[i]; {
	case c == '_' || c == '-' || c == '.' || c == ',':
	case hasHyphen(s, i):
		width = len("\u2010")
	default:
		return 0
	}
	next, _ := decode(s, i+width)
	if !isWordRune(next) {
		return 0
	}
	before, after := isDigit(s[i-1]), next >= '0' && next <= '9'
	if s[i] == '.' && !before && !after || s[i] == ',' && !(before && after) {
		return 0
	}
	return width
}

// hasHyphen reports whether U+2010 stands at i. NFKC turns U+2011 into it.
func hasHyphen(s string, i int) bool {
	return s[i] == 0xE2 && len(s) >= i+3 && s[i:i+3] == "\u2010"
}

// sign returns the width of "++" or "#" at i when no word follows.
func sign(s string, i int) int {
	width := 0
	switch {
	case i+1 < len(s) && s[i] == '+' && s[i+1] == '+':
		width = 2
	case i < len(s) && s[i] == '#':
		width = 1
	default:
		return 0
	}
	if next, _ := decode(s, i+width); isWordRune(next) {
		return 0
	}
	return width
}

// appendFolded appends r in lower case, a Latin letter without its accent.
func appendFolded(b []byte, r rune) []byte {
	if r < utf8.RuneSelf {
		if r >= 'A' && r <= 'Z' {
			r |= 0x20
		}
		return append(b, byte(r))
	}
	b = utf8.AppendRune(b, unicode.ToLower(r))
	if r < 0x250 || r >= 0x1E00 && r < 0x1F00 {
		_, size := utf8.DecodeLastRune(b)
		plain := norm.NFD.Properties(b[len(b)-size:]).Decomposition()
		if len(plain) > 0 && plain[0] < utf8.RuneSelf {
			return append(b[:len(b)-size], plain[0])
		}
	}
	return b
}

// stemmed returns the stem of w when it is a plain English word.
func stemmed(w []byte) []byte {
	for _, c := range w {
		if c < 'a' || c > 'z' {
			return w
		}
	}
	return stem(w)
}
