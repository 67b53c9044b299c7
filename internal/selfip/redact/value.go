package redact

import (
	"strings"
	"unicode/utf8"

	"github.com/dshkit/dshkit/pkg/text"
)

// value is a candidate: where it stands and how it was written.
type value struct {
	start, end int
	quoted     bool
	nextLine   bool // a line end stands between the separator and the value
	tight      bool // nothing stands between the separator and the value
}

// Bounds of the look ahead to a value and to its closing quote.
const (
	maxGap    = 16
	maxQuoted = 2048
)

// quotes pairs the opening quotes with the closing ones.
var quotes = [...][2]string{
	{`\"`, `\"`},
	{`\'`, `\'`},
	{`"""`, `"""`},
	{"```", "```"},
	{`"`, `"`},
	{`'`, `'`},
	{"`", "`"},
	{"“", "”"},
	{"‘", "’"},
	{"「", "」"},
	{"『", "』"},
	{"«", "»"},
}

// valueAt reads the value that follows a separator ending at i.
func (sc *scanner) valueAt(i int) (v value, ok bool) {
	s := sc.s
	at := i
	for at < len(s) && at-i < maxGap {
		c := s[at]
		if c == '\n' && !v.nextLine {
			v.nextLine = true
		} else if c != ' ' && c != '\t' && c != '\r' && (c != '*' || at+1 >= len(s) || strings.IndexByte("* ", s[at+1]) < 0) {
			break
		}
		at++
	}
	if at >= len(s) {
		return v, false
	}
	v.tight = at == i
	if q, ok := sc.quotedAt(at); ok {
		q.nextLine, q.tight = v.nextLine, v.tight
		return q, q.end > q.start
	}
	at += openQuote(s[at:])
	v.start, v.end = at, unquotedEnd(s, at, min(len(s), at+judged))
	return v, v.end > v.start
}

// openQuote returns the length of a quote at the start of s.
func openQuote(s string) int {
	for _, q := range quotes {
		if strings.HasPrefix(s, q[0]) {
			return len(q[0])
		}
	}
	return 0
}

// quotedAt reads a quoted value at i, which may have a string prefix such as b
// or rb before its quote.
func (sc *scanner) quotedAt(i int) (value, bool) {
	s := sc.s
	k := i
	for k < len(s) && k-i < 2 && strings.IndexByte("bBrRfFuU@", s[k]) >= 0 {
		k++
	}
	if n := openQuote(s[k:]); n == 0 || k > i && s[k] != '"' && s[k] != '\'' {
		k = i
	}
	for q := range quotes {
		if !strings.HasPrefix(s[k:], quotes[q][0]) {
			continue
		}
		begin := k + len(quotes[q][0])
		end := sc.closeQuote(begin, q)
		return value{start: begin, end: end, quoted: true}, end >= 0
	}
	return value{}, false
}

// closeQuote returns where the closing quote of a value that begins at i
// stands, -1 if there is none on its line. A quote before a letter is part of
// the value, as in "ab"c". A value does not run over a mark, and the quote in
// front of one opened what the mark replaced.
func (sc *scanner) closeQuote(i, q int) int {
	s, quote := sc.s, quotes[q][1]
	limit := min(len(s), i+maxQuoted)
	at := max(i, sc.unclosed[q])
	for ; at < limit; at++ {
		switch c := s[at]; {
		case c == '\n' && !isFence(quote), c == '<' && strings.HasPrefix(s[at:], markOpen):
			limit = at
		case c == quote[0] && strings.HasPrefix(s[at:limit], quote):
			if after := at + len(quote); after >= len(s) || !alnum.has(s[after]) && !strings.HasPrefix(s[after:], markOpen) {
				return at
			}
		case c == '\\':
			at++
		}
	}
	sc.unclosed[q] = min(at, limit)
	return -1
}

// isFence reports whether a quote may stand on another line than its partner.
func isFence(quote string) bool { return quote == `"""` || quote == "```" }

// unquotedEnd returns the end of the unquoted value at i: the next blank, quote
// or character that no key holds, less the punctuation of the sentence.
func unquotedEnd(s string, i, limit int) int {
	at := i
	for at < limit && !endsValue(s, i, at) {
		_, size := utf8.DecodeRuneInString(s[at:])
		at += size
	}
	return i + len(trimSentence(s[i:min(at, len(s))]))
}

// endsValue reports whether the value that began at i ends before at.
func endsValue(s string, i, at int) bool {
	switch c := s[at]; {
	case c <= ' ' || c == 0x7F:
		return true
	case c >= utf8.RuneSelf:
		r, _ := utf8.DecodeRuneInString(s[at:])
		return text.IsCJK(r) || r >= 0x2000 && r <= 0x303F || r >= 0xFF00 && r <= 0xFFEF || r == 0xAB || r == 0xBB
	case c == '"' || c == '\'' || c == '`':
		return at+1 >= len(s) || !alnum.has(s[at+1])
	case c == '<':
		return strings.HasPrefix(s[at:], markOpen) || strings.HasPrefix(s[at:], "</")
	case c == ',' || c == ';' || c == '&':
		return isFieldStart(s[at+1:])
	case c == '\\':
		return at+1 < len(s) && (s[at+1] == '"' || strings.IndexByte("nrt", s[at+1]) >= 0 && isFieldStart(s[at+2:]))
	}
	return false
}

// isFieldStart reports whether s begins with what comes after a delimiter
// between fields: nothing, a blank, a quote, or a name and a separator.
func isFieldStart(s string) bool {
	if s == "" || strings.IndexByte(" \t\r\n\"'\\-#", s[0]) >= 0 {
		return true
	}
	n := (word | dash).run(s, 40)
	return n > 0 && n < len(s) && (s[n] == '=' || s[n] == ':')
}

// trimSentence takes the punctuation of the sentence off the end of a value. A
// closing bracket stays when the value opens it.
func trimSentence(v string) string {
	for v != "" {
		c := v[len(v)-1]
		open := opening(c)
		switch {
		case strings.IndexByte(".,;:?|", c) >= 0:
		case open != 0 && strings.Count(v, string(c)) > strings.Count(v, string(open)):
		case c == '*' && strings.HasSuffix(v, "**"):
		default:
			return v
		}
		v = v[:len(v)-1]
	}
	return v
}

func opening(c byte) byte {
	switch c {
	case ')':
		return '('
	case ']':
		return '['
	case '}':
		return '{'
	case '>':
		return '<'
	}
	return 0
}
