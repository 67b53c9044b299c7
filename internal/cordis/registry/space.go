package registry

import (
	"strings"
	"unicode"
)

// IsSpace says whether r is whitespace to JavaScript: to \s and to trim. U+00A0,
// U+3000 and U+FEFF are, U+0085 and U+200B are not.
func IsSpace(r rune) bool {
	switch r {
	case '\t', '\n', '\v', '\f', '\r', '\u2028', '\u2029', '\uFEFF':
		return true
	}
	return unicode.Is(unicode.Zs, r)
}

func trim(s string) string { return strings.TrimFunc(s, IsSpace) }
