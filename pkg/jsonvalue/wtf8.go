package jsonvalue

import (
	"unicode/utf16"
	"unicode/utf8"
)

// Surrogates are the code units D800 to DFFF: high ones, then low ones.
const (
	highSurrogate   = 0xD800
	lowSurrogate    = 0xDC00
	afterSurrogates = 0xE000
)

func isSurrogate(r rune) bool { return highSurrogate <= r && r < afterSurrogates }

// decode reads the first code point of WTF-8 text and how many bytes it takes. A
// surrogate comes back as itself; a high and a low one in a row, which well-formed
// WTF-8 has not but joined strings may have, as the pair they are. A byte that
// belongs to nothing is U+FFFD, as in a range loop.
func decode(s string) (rune, int) {
	r, n := utf8.DecodeRuneInString(s)
	if r != utf8.RuneError || n != 1 {
		return r, n
	}
	high := surrogate(s)
	if high == 0 {
		return r, n
	}
	if high < lowSurrogate {
		if low := surrogate(s[3:]); low >= lowSurrogate {
			return utf16.DecodeRune(high, low), 6
		}
	}
	return high, 3
}

// surrogate returns the surrogate that the text begins with, or 0.
func surrogate(s string) rune {
	if len(s) < 3 || s[0] != 0xED || s[1] < 0xA0 || s[1] > 0xBF || s[2]&0xC0 != 0x80 {
		return 0
	}
	return 0xD000 | rune(s[1]&0x3F)<<6 | rune(s[2]&0x3F)
}

// appendRune appends a code point or surrogate. A low surrogate after a high one
// makes the pair, so the result is well-formed if dst was.
func appendRune(dst []byte, r rune) []byte {
	if !isSurrogate(r) {
		return utf8.AppendRune(dst, r)
	}
	if n := len(dst) - 3; r >= lowSurrogate && n >= 0 {
		if high := surrogate(string(dst[n:])); high != 0 && high < lowSurrogate {
			return utf8.AppendRune(dst[:n], utf16.DecodeRune(high, r))
		}
	}
	return append(dst, 0xED, 0x80|byte(r>>6)&0x3F, 0x80|byte(r)&0x3F)
}

// WellFormed returns the text as well-formed WTF-8: surrogates that belong
// together are a pair, bytes that belong to nothing are U+FFFD.
func WellFormed(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	dst := make([]byte, 0, len(s))
	for len(s) > 0 {
		r, n := decode(s)
		dst, s = appendRune(dst, r), s[n:]
	}
	return string(dst)
}

// FromUTF16 returns the text of UTF-16 code units.
func FromUTF16(units []uint16) string {
	dst := make([]byte, 0, len(units))
	for _, u := range units {
		dst = appendRune(dst, rune(u))
	}
	return string(dst)
}

// ToUTF16 returns the UTF-16 code units of a text.
func ToUTF16(s string) []uint16 {
	units := make([]uint16, 0, len(s))
	for len(s) > 0 {
		r, n := decode(s)
		s = s[n:]
		if isSurrogate(r) {
			units = append(units, uint16(r))
			continue
		}
		units = utf16.AppendRune(units, r)
	}
	return units
}

// Len returns the length of a text as ECMAScript counts it: UTF-16 code units.
func Len(s string) int {
	units := 0
	for i := 0; i < len(s); {
		if s[i] < utf8.RuneSelf {
			i++
			units++
			continue
		}
		r, n := decode(s[i:])
		if r > 0xFFFF {
			units++
		}
		units++
		i += n
	}
	return units
}
