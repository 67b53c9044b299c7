// Package text measures, cuts and folds text in the units that the file
// formats of this project count in.
//
// A length is a number of UTF-16 code units, the length that JavaScript gives
// a string: one for each code point of the basic plane, two above it
// (spec/selfip.md, "how to read it"). A cut never falls inside a grapheme
// cluster (Unicode Annex 29), so what is shown is always whole characters.
// All functions are pure and accept any bytes.
package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Len returns the length of s in UTF-16 code units. A byte that is not part of
// valid UTF-8 counts as one unit, the length of the U+FFFD that stands for it.
func Len(s string) int {
	n := asciiPrefix(s)
	for _, r := range s[n:] {
		n++
		if r > 0xFFFF {
			n++
		}
	}
	return n
}

// asciiPrefix returns how many bytes at the front of s are known to be ASCII:
// all of them up to the word that holds the first that is not.
func asciiPrefix(s string) int {
	n := 0
	for ; n+8 <= len(s); n += 8 {
		w := s[n : n+8]
		if (w[0]|w[1]|w[2]|w[3]|w[4]|w[5]|w[6]|w[7])&0x80 != 0 {
			break
		}
	}
	return n
}

// Ellipsize returns s when it is at most n units long, else a head of it that
// ends in an ellipsis, n units at most in all.
func Ellipsize(s string, n int) string {
	if Len(s) <= n {
		return s
	}
	if n < 1 {
		return ""
	}
	return strings.TrimRight(Head(s, n-1), " ") + "…"
}

// Clean returns s as valid UTF-8 without the characters that no reader of our
// files can stand: NUL and the other C0 and C1 controls except tab and line
// feed, and byte order marks. CRLF, a lone CR and the separators U+0085, U+2028
// and U+2029, vertical tab and form feed become a line feed.
func Clean(s string) string {
	if isClean(s) {
		return s
	}
	s = strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\r\n", "\n")
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case isLineEnd(r):
			return '\n'
		case r == '\uFEFF' || unicode.IsControl(r):
			return -1
		}
		return r
	}, s)
}

// isClean reports whether Clean has nothing to do, the common case.
func isClean(s string) bool {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c < ' ' && c != '\n' && c != '\t', c == 0x7F:
			return false
		case c < 0xC2:
			continue
		case c == 0xC2 && i+1 < len(s) && s[i+1] < 0xA0, // C1 controls
			c == 0xE2 && (strings.HasPrefix(s[i:], "\u2028") || strings.HasPrefix(s[i:], "\u2029")),
			c == 0xEF && strings.HasPrefix(s[i:], "\uFEFF"):
			return false
		}
	}
	return utf8.ValidString(s)
}

func isLineEnd(r rune) bool {
	switch r {
	case '\n', '\r', '\v', '\f', 0x85, 0x2028, 0x2029:
		return true
	}
	return false
}

// OneLine cleans s and folds every run of blanks and line ends to one space,
// without blanks at either end.
func OneLine(s string) string {
	return strings.Join(strings.Fields(Clean(s)), " ")
}

// IsCJK reports whether r is written without blanks between words: Han, Kana,
// Hangul and Bopomofo, with their compatibility blocks and extensions.
func IsCJK(r rune) bool {
	if r < 0x2E80 {
		return r >= 0x1100 && r <= 0x11FF
	}
	return r >= 0x3040 && r <= 0x30FF || r >= 0x3400 && r <= 0x9FFF ||
		r >= 0xAC00 && r <= 0xD7FF || r >= 0xA960 && r <= 0xA97F || r >= 0x3005 && r <= 0x3007 ||
		r >= 0x3100 && r <= 0x318F || r >= 0x31A0 && r <= 0x31FF ||
		r >= 0xF900 && r <= 0xFAFF || r >= 0xFF66 && r <= 0xFFDC ||
		r >= 0x1AFF0 && r <= 0x1B16F || r >= 0x20000 && r <= 0x3FFFF || r >= 0x2E80 && r <= 0x2FDF
}
