package text

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Fold returns the form under which two texts count as the same: compatibility
// normal form (so full-width letters equal their plain ones), lower case, one
// space between words, no full stop at the end.
func Fold(s string) string {
	if isPlain(s) {
		return strings.TrimRight(s, ". ")
	}
	folded, ok := foldCommon(s)
	if !ok {
		folded = foldAny(s)
	}
	return strings.TrimRight(folded, ".。 ")
}

// foldAny is Fold for any text, but for the full stop.
func foldAny(s string) string {
	s = strings.ToLower(norm.NFKC.String(Clean(s)))
	s = norm.NFKC.String(s) // a small letter may have a composed form where the capital has none
	return strings.Join(strings.Fields(s), " ")
}

// foldCommon is foldAny for texts of common characters, which need no tables:
// ASCII, full-width ASCII, Han and Kana. It gives up at the first other one.
func foldCommon(s string) (string, bool) {
	b := make([]byte, 0, len(s))
	blank := false // one is due before the next character
	for i := 0; i < len(s); {
		r, size := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(s[i:])
		}
		i += size
		switch {
		case r >= 0xFF01 && r <= 0xFF5E:
			r -= 0xFF01 - '!'
		case r == 0x3000:
			r = ' '
		case r >= utf8.RuneSelf && !isPlainRune(r):
			return "", false
		}
		switch {
		case r == ' ' || r >= '\t' && r <= '\r':
			blank = len(b) > 0
			continue
		case r < ' ' || r == 0x7F:
			continue
		case r >= 'A' && r <= 'Z':
			r += 'a' - 'A'
		}
		if blank {
			b, blank = append(b, ' '), false
		}
		b = utf8.AppendRune(b, r)
	}
	return string(b), true
}

// isPlain reports whether s is lower-case ASCII with single spaces, which is
// its own fold but for the full stop.
func isPlain(s string) bool {
	blank := true
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= 0x7F || c < ' ' || c >= 'A' && c <= 'Z' || c == ' ' && blank {
			return false
		}
		blank = c == ' '
	}
	return !blank
}
