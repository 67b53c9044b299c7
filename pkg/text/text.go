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

	"github.com/rivo/uniseg"
	"golang.org/x/text/unicode/norm"
)

// Len returns the length of s in UTF-16 code units. A byte that is not part of
// valid UTF-8 counts as one unit, the length of the U+FFFD that stands for it.
func Len(s string) int {
	n := 0
	for _, r := range s {
		n++
		if r > 0xFFFF {
			n++
		}
	}
	return n
}

// Head returns the longest prefix of s that ends on a grapheme boundary and is
// at most n units long.
func Head(s string, n int) string {
	if len(s) <= n { // a unit is at least one byte
		return s
	}
	end, units, state := 0, 0, -1
	for rest := s; rest != ""; {
		var cluster string
		cluster, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
		if units += Len(cluster); units > n {
			break
		}
		end += len(cluster)
	}
	return s[:end]
}

// Tail returns the longest suffix of s that begins on a grapheme boundary and
// is at most n units long.
func Tail(s string, n int) string {
	if len(s) <= n {
		return s
	}
	drop := Len(s) - n
	begin, state := 0, -1
	for rest := s; rest != "" && drop > 0; {
		var cluster string
		cluster, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
		drop -= Len(cluster)
		begin += len(cluster)
	}
	return s[begin:]
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

// isClean reports whether s is printable ASCII with tabs and line feeds, the
// common case, for which Clean has nothing to do.
func isClean(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c >= utf8.RuneSelf || c < ' ' && c != '\n' && c != '\t' || c == 0x7F {
			return false
		}
	}
	return true
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

// Fold returns the form under which two texts count as the same: compatibility
// normal form (so full-width letters equal their plain ones), lower case, one
// space between words, no full stop at the end.
func Fold(s string) string {
	if isPlain(s) {
		return strings.TrimRight(s, ".")
	}
	s = strings.ToLower(norm.NFKC.String(Clean(s)))
	return strings.TrimRight(strings.Join(strings.Fields(s), " "), ".。 ")
}

// isPlain reports whether s is lower-case ASCII with single spaces, which is
// its own fold but for the full stop.
func isPlain(s string) bool {
	blank := true
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= utf8.RuneSelf || c < ' ' || c >= 'A' && c <= 'Z' || c == ' ' && blank {
			return false
		}
		blank = c == ' '
	}
	return !blank
}

// IsCJK reports whether r is written without blanks between words: Han, Kana,
// Hangul and Bopomofo, with their compatibility blocks and extensions.
func IsCJK(r rune) bool {
	if r < 0x2E80 {
		return r >= 0x1100 && r <= 0x11FF
	}
	return r >= 0x3040 && r <= 0x30FF || r >= 0x3400 && r <= 0x9FFF ||
		r >= 0xAC00 && r <= 0xD7A3 || r >= 0x3005 && r <= 0x3007 ||
		r >= 0x3100 && r <= 0x318F || r >= 0x31A0 && r <= 0x31FF ||
		r >= 0xF900 && r <= 0xFAFF || r >= 0xFF66 && r <= 0xFFDC ||
		r >= 0x20000 && r <= 0x3FFFF || r >= 0x2E80 && r <= 0x2FDF
}
