package compose

import (
	"strconv"
	"strings"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// dateToken is a run of digits ('0'), a word ('a'), a blank (' '), something in
// parentheses ('('), one other character, or the end (0).
type dateToken struct {
	kind   byte
	length int
	value  int    // of digits, as much as nine significant ones say
	word   string // in small letters
}

func (t dateToken) digits(n int) bool { return t.kind == '0' && t.length == n }

func (t dateToken) sign() bool { return t.kind == '+' || t.kind == '-' }

func (t dateToken) is(word string) bool {
	return t.kind == 'a' && t.word == word
}

// pair says whether t is two digits within the bounds.
func (t dateToken) pair(low, high int) bool {
	return t.digits(2) && within(t.value, low, high)
}

func within(n, low, high int) bool { return low <= n && n <= high }

func dateTokens(s string) []dateToken {
	units := jsonvalue.ToUTF16(s)
	var out []dateToken
	for len(units) > 0 {
		t := nextDateToken(units)
		out = append(out, t)
		units = units[t.length:]
	}
	return out
}

func nextDateToken(units []uint16) dateToken {
	switch c := units[0]; {
	case isDigitUnit(c):
		n := run(units, isDigitUnit)
		digits := strings.TrimLeft(string(utf8Of(units[:n])), "0")
		value, _ := strconv.Atoi(digits[:min(9, len(digits))])
		return dateToken{kind: '0', length: n, value: value}
	case isWordUnit(c):
		n := run(units, isWordUnit)
		return dateToken{kind: 'a', length: n, word: strings.ToLower(string(utf8Of(units[:n])))}
	case isSpace(rune(c)):
		return dateToken{kind: ' ', length: 1}
	case c == '(':
		return dateToken{kind: '(', length: parenthesised(units)}
	default:
		return dateToken{kind: byte(c), length: 1}
	}
}

// isWordUnit: whatever is no blank and comes after the digits in the alphabet of
// computers is taken for a letter.
func isWordUnit(c uint16) bool { return c >= 'A' && !isSpace(rune(c)) }

func isDigitUnit(c uint16) bool { return '0' <= c && c <= '9' }

func run(units []uint16, f func(uint16) bool) int {
	n := 0
	for n < len(units) && f(units[n]) {
		n++
	}
	return n
}

// utf8Of is for texts where only ASCII matters.
func utf8Of(units []uint16) []byte { return []byte(jsonvalue.FromUTF16(units)) }

// parenthesised is how long the parentheses are that open here; the end closes
// them all.
func parenthesised(units []uint16) int {
	depth := 0
	for i, c := range units {
		switch c {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth == 0 {
			return i + 1
		}
	}
	return len(units)
}
