package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// Head returns the longest prefix of s that ends on a grapheme boundary and is
// at most n units long.
func Head(s string, n int) string {
	if len(s) <= n { // a unit is at least one byte
		return s
	}
	end, units := 0, 0
	for end < len(s) {
		size := cluster(s[end:])
		if units += clusterLen(s[end : end+size]); units > n {
			break
		}
		end += size
	}
	return s[:end]
}

// Tail returns the longest suffix of s that begins on a grapheme boundary and
// is at most n units long.
func Tail(s string, n int) string {
	if len(s) <= n {
		return s
	}
	if n <= 0 {
		return ""
	}
	begin := lastUnits(s, n)
	for at := boundaryBefore(s, begin); at < len(s); at += cluster(s[at:]) {
		if at >= begin {
			return s[at:]
		}
	}
	return ""
}

// lastUnits returns where the last n units of s begin, grapheme clusters aside.
func lastUnits(s string, n int) int {
	begin := len(s)
	for begin > 0 {
		r, size := utf8.DecodeLastRuneInString(s[:begin])
		n--
		if r > 0xFFFF {
			n--
		}
		if n < 0 {
			break
		}
		begin -= size
	}
	return begin
}

// boundaryBefore returns a grapheme boundary at i or before it: one between two
// plain characters, which are easily told, or the beginning of s.
func boundaryBefore(s string, i int) int {
	right := false
	if i < len(s) {
		r, _ := utf8.DecodeRuneInString(s[i:])
		right = isPlainRune(r)
	}
	for i > 0 {
		r, size := utf8.DecodeLastRuneInString(s[:i])
		left := isPlainRune(r)
		if left && right {
			return i
		}
		i, right = i-size, left
	}
	return 0
}

// cluster returns the size in bytes of the grapheme cluster at the front of s,
// which is not empty.
func cluster(s string) int {
	if size := plainCluster(s); size > 0 {
		return size
	}
	c, rest, _, _ := uniseg.FirstGraphemeClusterInString(s, -1)
	size := len(c)
	// The library is of Unicode 15.0. Since 15.1 a conjunct of an Indic script
	// is one cluster: consonant, linker, consonant (rule GB9c).
	for rest != "" && endsInLinker(c) && isIndicLetter(rest) {
		c, rest, _, _ = uniseg.FirstGraphemeClusterInString(rest, -1)
		size += len(c)
	}
	return size
}

// plainCluster returns the size of the character at the front of s if it and the
// next one are plain, so that it is a cluster by itself; else 0.
func plainCluster(s string) int {
	r, size := utf8.DecodeRuneInString(s)
	if !isPlainRune(r) {
		return 0
	}
	if size < len(s) {
		if next, _ := utf8.DecodeRuneInString(s[size:]); !isPlainRune(next) {
			return 0
		}
	}
	return size
}

// isPlainRune reports whether r is one of the common characters of which no two
// join: printable ASCII and line feeds, Han, Kana, full-width forms.
func isPlainRune(r rune) bool {
	if r < 0x3001 {
		return r >= ' ' && r < 0x7F || r == '\n'
	}
	return r >= 0x4E00 && r <= 0x9FFF || r <= 0x3002 || r >= 0x3041 && r <= 0x3096 ||
		r >= 0x30A1 && r <= 0x30FC || r >= 0x3400 && r <= 0x4DBF || r >= 0xFF01 && r <= 0xFF5E
}

// clusterLen is Len for a cluster, which seldom is longer than a character.
func clusterLen(c string) int {
	if len(c) < 4 && len(c) > 0 {
		if _, size := utf8.DecodeRuneInString(c); size == len(c) {
			return 1
		}
	}
	return Len(c)
}

// linkers join two consonants into a conjunct: the viramas for which Unicode has
// Indic_Conjunct_Break=Linker.
const linkers = "\u094D\u09CD\u0ACD\u0B4D\u0C4D\u0D4D" +
	"\u1039\u17D2\u1A60\u1B44\u1BAB\uA9C0\uAAF6\U00010A3F\U00011133\U000113D0\U0001193E\U00011A47\U00011A99\U00011F42"

// endsInLinker reports whether nothing but marks follow the last linker of c.
func endsInLinker(c string) bool {
	if len(c) < 4 { // a consonant and a linker are six bytes at least, without one of them three
		return false
	}
	return strings.ContainsAny(c, linkers)
}

// isIndicLetter reports whether s begins with a letter that can be the second
// part of a conjunct.
func isIndicLetter(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return r >= 0x0900 && unicode.Is(unicode.Lo, r) && !IsCJK(r)
}
