package text

import "unicode/utf8"

// AppendJSON appends s to b as a JSON string, quotes included, as encoding/json
// writes it without the escapes for HTML: what is broken becomes U+FFFD. It
// spares a process that writes one line the building of an encoder.
func AppendJSON(b []byte, s string) []byte {
	b = append(b, '"')
	for len(s) > 0 {
		n := plainJSON(s)
		b = append(b, s[:n]...)
		if s = s[n:]; s == "" {
			break
		}
		r, size := utf8.DecodeRuneInString(s)
		b = appendEscape(b, r)
		s = s[size:]
	}
	return append(b, '"')
}

// plainJSON returns how many bytes of s stand in a JSON string as they are.
func plainJSON(s string) int {
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if c < ' ' || c == '"' || c == '\\' {
				return i
			}
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size == 1 || r == '\u2028' || r == '\u2029' {
			return i
		}
		i += size
	}
	return len(s)
}

func appendEscape(b []byte, r rune) []byte {
	const digits = "0123456789abcdef"
	switch r {
	case '"', '\\':
		return append(b, '\\', byte(r))
	case '\b':
		return append(b, `\b`...)
	case '\f':
		return append(b, `\f`...)
	case '\n':
		return append(b, `\n`...)
	case '\r':
		return append(b, `\r`...)
	case '\t':
		return append(b, `\t`...)
	}
	return append(b, '\\', 'u', digits[r>>12&15], digits[r>>8&15], digits[r>>4&15], digits[r&15])
}
