package redact

import (
	"strings"
	"unicode/utf8"
)

// charset is a set of kinds of byte.
type charset uint16

// The kinds of byte and the sets that rules are written in.
const (
	digit charset = 1 << iota
	upper
	lower
	under // _
	dash  // -
	dot   // .
	radix // + / =
	blank // space and tab

	letter = upper | lower
	alnum  = digit | letter
	word   = alnum | under
	token  = word | dash
)

func kindOf(c byte) charset {
	switch {
	case 'a' <= c && c <= 'z':
		return lower
	case 'A' <= c && c <= 'Z':
		return upper
	case '0' <= c && c <= '9':
		return digit
	}
	switch c {
	case ' ', '\t':
		return blank
	case '_':
		return under
	case '-':
		return dash
	case '.':
		return dot
	case '+', '/', '=':
		return radix
	}
	return 0
}

func (set charset) has(c byte) bool { return kindOf(c)&set != 0 }

// run returns how many bytes from the start of s are in the set, at most limit.
func (set charset) run(s string, limit int) int {
	n := 0
	for n < len(s) && n < limit && set.has(s[n]) {
		n++
	}
	return n
}

// unbounded is the limit of a run that has been judged already.
const unbounded = 1 << 62

// scanner finds the spans of one text. A rule that starts at i looks at most a
// few hundred bytes around it before it decides; only what was accepted is
// followed to its end, and then the scan goes on behind it.
type scanner struct {
	s     string
	spans []span
	// jwtDead is the end of a run in which no JSON web token begins.
	jwtDead int
	// noEnd is set when no END line of a key block follows.
	noEnd bool
}

func scan(s string) []span {
	sc := scanner{s: s}
	for i := 0; i < len(s); {
		if end := sc.at(i); end > i {
			i = end
			continue
		}
		i++
	}
	return sc.spans
}

// at looks at what may begin at i and returns where the scan goes on, 0 when
// nothing was found.
func (sc *scanner) at(i int) int {
	c := sc.s[i]
	switch {
	case alnum.has(c):
		if i > 0 && word.has(sc.s[i-1]) && !sc.afterEscape(i) {
			return 0
		}
		return sc.atWord(i)
	case c >= utf8.RuneSelf:
		return sc.atRune(i)
	}
	switch c {
	case '=', ':', '|', '>':
		return sc.atSeparator(i)
	case '-':
		return sc.atDash(i)
	case '<':
		return sc.skipMark(i)
	}
	return 0
}

// afterEscape reports whether the letters before i belong to an escape: the \n
// of a quoted text, or the end of a terminal colour such as [32m.
func (sc *scanner) afterEscape(i int) bool {
	switch sc.s[i-1] {
	case 'n', 'r', 't':
		return i > 1 && sc.s[i-2] == '\\'
	case 'm':
		k := i - 2
		for k > 0 && i-k < 12 && (digit.has(sc.s[k]) || sc.s[k] == ';') {
			k--
		}
		return k >= 0 && k < i-2 && sc.s[k] == '['
	}
	return false
}

func (sc *scanner) atWord(i int) int {
	if end := sc.prefix(i); end > 0 {
		return end
	}
	return sc.prose(i)
}

// atRune looks at a character beyond ASCII: a full-width separator or the start
// of a Chinese word.
func (sc *scanner) atRune(i int) int {
	switch sc.s[i] {
	case 0xEF:
		if strings.HasPrefix(sc.s[i:], "：") || strings.HasPrefix(sc.s[i:], "＝") {
			return sc.assignment(i, i+3)
		}
	case 0xE5, 0xE4, 0xE7:
		return sc.chineseProse(i)
	}
	return 0
}

func (sc *scanner) atSeparator(i int) int {
	s := sc.s
	switch s[i] {
	case ':':
		if strings.HasPrefix(s[i:], "://") {
			return sc.userinfo(i)
		}
		if strings.HasPrefix(s[i:], "::") || i > 0 && s[i-1] == ':' {
			return 0
		}
	case '>':
		return sc.atAngle(i)
	}
	return sc.assignment(i, i+1)
}

// atAngle looks at the end of an arrow or of an opening tag.
func (sc *scanner) atAngle(i int) int {
	if i == 0 || sc.s[i-1] == '=' {
		return 0
	}
	return sc.assignment(i, i+1)
}

func (sc *scanner) atDash(i int) int {
	s := sc.s[i:]
	if !strings.HasPrefix(s, "--") {
		return sc.userFlag(i)
	}
	if strings.HasPrefix(s, "-----") {
		return sc.keyBlock(i)
	}
	return sc.flag(i)
}

// skipMark steps over a mark, so that nothing inside it is looked at.
func (sc *scanner) skipMark(i int) int {
	if !strings.HasPrefix(sc.s[i:], markOpen) {
		return 0
	}
	end := strings.IndexByte(sc.s[i:min(len(sc.s), i+64)], '>')
	if end < 0 {
		return 0
	}
	return i + end + 1
}

// take records a span and returns its end.
func (sc *scanner) take(start, end int, rule, label string) int {
	sc.spans = append(sc.spans, span{start, end, rule, label})
	return end
}
