package redact

import "strings"

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

// kinds holds the kind of every byte, laid out by the compiler. What is not here
// is of no kind.
var kinds = [256]charset{
	'0': digit, '1': digit, '2': digit, '3': digit, '4': digit, '5': digit, '6': digit, '7': digit, '8': digit,
	'9': digit,
	'A': upper, 'B': upper, 'C': upper, 'D': upper, 'E': upper, 'F': upper, 'G': upper, 'H': upper, 'I': upper,
	'J': upper, 'K': upper, 'L': upper, 'M': upper, 'N': upper, 'O': upper, 'P': upper, 'Q': upper, 'R': upper,
	'S': upper, 'T': upper, 'U': upper, 'V': upper, 'W': upper, 'X': upper, 'Y': upper, 'Z': upper,
	'a': lower, 'b': lower, 'c': lower, 'd': lower, 'e': lower, 'f': lower, 'g': lower, 'h': lower, 'i': lower,
	'j': lower, 'k': lower, 'l': lower, 'm': lower, 'n': lower, 'o': lower, 'p': lower, 'q': lower, 'r': lower,
	's': lower, 't': lower, 'u': lower, 'v': lower, 'w': lower, 'x': lower, 'y': lower, 'z': lower,
	' ': blank, '\t': blank, '_': under, '-': dash, '.': dot, '+': radix, '/': radix, '=': radix,
}

func kindOf(c byte) charset { return kinds[c] }

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
	// unclosed holds for each kind of quote up to where none closes.
	unclosed [len(quotes)]int
	// noEnd is set when no END line of a key block follows.
	noEnd bool
}

func scan(s string) []span {
	sc := scanner{s: s}
	for i := 0; i < len(s); {
		if kinds[s[i]]&word != 0 {
			i = sc.atWord(i)
			continue
		}
		i = max(i+1, sc.atMark(i))
	}
	return sc.spans
}

// atWord looks at the word that begins at i and returns where the scan goes on.
func (sc *scanner) atWord(i int) int {
	s := sc.s
	end := i + 1
	for end < len(s) && kinds[s[end]]&word != 0 {
		end++
	}
	i = min(i+escape(s, i), end-1)
	if at := sc.prefix(i); at > 0 {
		return at
	}
	return max(end, sc.prose(i))
}

// escape returns how many of the letters at i belong to an escape before the
// word: the \n of a quoted text, or the end of a terminal colour such as [32m.
func escape(s string, i int) int {
	if i == 0 {
		return 0
	}
	switch s[i-1] {
	case '\\':
		if c := s[i]; c == 'n' || c == 'r' || c == 't' {
			return 1
		}
	case '[', ';':
		if n := digit.run(s[i:], 4); n > 0 && i+n < len(s) && s[i+n] == 'm' {
			return n + 1
		}
	}
	return 0
}

// atMark looks at what a byte that is part of no word may begin, and returns
// where the scan goes on, 0 when nothing was found.
func (sc *scanner) atMark(i int) int {
	switch c := sc.s[i]; c {
	case '=', ':', '|', '>':
		return sc.atSeparator(i)
	case '-':
		return sc.atDash(i)
	case '<':
		return sc.skipMark(i)
	case '$', '{':
		return sc.crypt(i)
	case 0xEF, 0xE4, 0xE5, 0xE6, 0xE7, 0xE9:
		return sc.atRune(i)
	}
	return 0
}

// atRune looks at a character beyond ASCII: a full-width separator or the start
// of a Chinese word.
func (sc *scanner) atRune(i int) int {
	switch sc.s[i] {
	case 0xEF:
		if strings.HasPrefix(sc.s[i:], "：") || strings.HasPrefix(sc.s[i:], "＝") {
			return sc.assignment(i, i+3)
		}
	case 0xE4, 0xE5, 0xE6, 0xE7, 0xE9:
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
		if end := sc.pgpass(i); end > 0 {
			return end
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
		return sc.shortFlag(i)
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
