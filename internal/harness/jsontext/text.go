package jsontext

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Text returns the characters of a string, valid UTF-8 without NUL: what is
// broken becomes U+FFFD. A number gives its digits, because an identifier that
// was promised as text may arrive as one. ok is false for all else.
func (v Value) Text() (s string, ok bool) {
	switch {
	case v.IsNumber():
		return string(v[:digitsOf(v)]), true
	case !v.IsString():
		return "", false
	}
	return characters(v.inner()), true
}

// digitsOf returns the length of what may be part of a number at the start of v:
// a broken one can hold anything after it.
func digitsOf(v Value) int {
	for i, c := range v {
		if (c < '0' || c > '9') && !bytes.ContainsRune([]byte("+-.eE"), rune(c)) {
			return i
		}
	}
	return len(v)
}

// String returns the characters of a string or the digits of a number, "" for
// all else.
func (v Value) String() string {
	s, _ := v.Text()
	return s
}

// Int returns the whole number that v begins with, or 0.
func (v Value) Int() int64 {
	digits, _, _ := strings.Cut(string(v), ".")
	n, _ := strconv.ParseInt(digits, 10, 64)
	return n
}

// inner is the text between the quotes; a cut string has only the first.
func (v Value) inner() []byte {
	if len(v) < 2 {
		return nil
	}
	return v[1 : len(v)-1]
}

// Unquote returns the characters of the string token quoted, quotes included.
func Unquote(quoted []byte) string {
	return characters(Value(quoted).inner())
}

// characters spares the common text, without escapes, a second copy.
func characters(raw []byte) string {
	if plain(raw) == len(raw) {
		return string(raw)
	}
	return string(appendText(make([]byte, 0, len(raw)), raw))
}

func appendText(dst, raw []byte) []byte {
	for len(raw) > 0 {
		n := plain(raw)
		dst = append(dst, raw[:n]...)
		if raw = raw[n:]; len(raw) == 0 {
			break
		}
		var r rune
		if r, raw = special(raw); r != 0 {
			dst = utf8.AppendRune(dst, r)
		}
	}
	return dst
}

// plain returns the length of the run of bytes that stand for themselves.
func plain(raw []byte) int {
	end := bytes.IndexByte(raw, '\\')
	if end < 0 {
		end = len(raw)
	}
	for i := 0; i < end; {
		if c := raw[i]; c < utf8.RuneSelf {
			if c == 0 {
				return i
			}
			i++
			continue
		}
		r, size := utf8.DecodeRune(raw[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return end
}

// special decodes what is not plain: an escape, a broken byte, or a NUL, for
// which it returns 0.
func special(raw []byte) (rune, []byte) {
	switch {
	case raw[0] == 0:
		return 0, raw[1:]
	case raw[0] != '\\':
		return utf8.RuneError, raw[1:]
	case len(raw) == 1:
		return utf8.RuneError, nil
	case raw[1] == 'u':
		return unicodeEscape(raw)
	}
	return escaped(raw[1]), raw[2:]
}

func escaped(c byte) rune {
	switch c {
	case 'n':
		return '\n'
	case 't':
		return '\t'
	case 'r':
		return '\r'
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	}
	if c == 0 || c >= utf8.RuneSelf {
		return utf8.RuneError
	}
	return rune(c)
}

func unicodeEscape(raw []byte) (rune, []byte) {
	r, ok := hex4(raw)
	if !ok {
		return utf8.RuneError, raw[2:]
	}
	raw = raw[6:]
	if !utf16.IsSurrogate(r) {
		return r, raw
	}
	low, ok := hex4(raw)
	if both := utf16.DecodeRune(r, low); ok && both != utf8.RuneError {
		return both, raw[6:]
	}
	return utf8.RuneError, raw
}

func hex4(raw []byte) (rune, bool) {
	if len(raw) < 6 || raw[0] != '\\' || raw[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(raw[2:6]), 16, 32)
	return rune(n), err == nil
}
