package redact

import (
	"strings"
	"unicode/utf8"
)

// hasDisguise reports whether s holds characters that make a credential look
// different to a scanner and the same to a reader: full-width letters and
// digits, and characters without width.
func hasDisguise(s string) bool {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case 0xC2, 0xE2, 0xE3, 0xEF:
			r, size := utf8.DecodeRuneInString(s[i:])
			if plain, _ := undisguised(r); plain != r {
				return true
			}
			i += size - 1
		}
	}
	return false
}

// undisguise returns s as a scanner should see it, and for every byte of the
// result, and for its end, where it stands in s.
func undisguise(s string) (view string, origin []int) {
	var b strings.Builder
	b.Grow(len(s))
	origin = make([]int, 0, len(s)+1)
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		plain, drop := undisguised(r)
		switch {
		case drop:
		case plain != r:
			b.WriteRune(plain)
			origin = append(origin, i)
		default: // the very bytes, valid or not
			b.WriteString(s[i : i+size])
			for k := range size {
				origin = append(origin, i+k)
			}
		}
		i += size
	}
	return b.String(), append(origin, len(s))
}

// undisguised returns what r stands for, and whether it has no width at all.
// Chinese punctuation stays: it ends a value where its ASCII twin may not.
func undisguised(r rune) (plain rune, drop bool) {
	switch {
	case r >= '０' && r <= '９' || r >= 'Ａ' && r <= 'Ｚ' || r >= 'ａ' && r <= 'ｚ' || r == '＿' || r == '－':
		return r - 0xFEE0, false
	case r == 0xA0 || r == 0x3000:
		return ' ', false
	case r == 0xAD || r >= 0x200B && r <= 0x200F || r >= 0x202A && r <= 0x202E || r >= 0x2060 && r <= 0x2064 || r == 0xFEFF:
		return -1, true
	}
	return r, false
}
