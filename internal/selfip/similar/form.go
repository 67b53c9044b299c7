// Package similar tells which texts say the same in other words: near
// duplicates, of which one can stand for the others. It is strict. Numbers,
// identifiers, paths, addresses, commands and negations must be the same and in
// the same order, and so must every word that carries meaning; what may differ
// is case, punctuation, articles, plural, and in a long text one plain word that
// the longer one has more. It prefers to miss a duplicate over joining two
// facts. It is pure, deterministic, and takes time linear in the texts.
package similar

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/dshkit/dshkit/pkg/text"
)

// Token is one unit of a text that carries meaning.
type Token struct {
	Text string
	Hard bool // a number, a name, a path, an address, a sign, a negation or a bound: never left out, never replaced
}

// Form is a text as its tokens, in order. The zero Form is that of a text that
// says nothing.
type Form struct{ tokens []Token }

// FormOf reads a text.
func FormOf(s string) Form {
	r := reader{}
	for chunk := range strings.FieldsSeq(text.Clean(composed(s))) {
		r.chunk(chunk)
	}
	return Form(r)
}

// composed returns s in compatibility normal form. Most texts are in it.
func composed(s string) string {
	if norm.NFKC.IsNormalString(s) {
		return s
	}
	return norm.NFKC.String(s)
}

// Len returns the number of tokens.
func (f Form) Len() int { return len(f.tokens) }

// Tokens returns what the text says, in order.
func (f Form) Tokens() []Token { return slices.Clone(f.tokens) }

// Hard returns the hard tokens in order.
func (f Form) Hard() []string {
	var out []string
	for _, t := range f.tokens {
		if t.Hard {
			out = append(out, t.Text)
		}
	}
	return out
}

// Key is what two texts share that say the same.
func (f Form) Key() string {
	parts := make([]string, len(f.tokens))
	for i, t := range f.tokens {
		parts[i] = t.Text
	}
	return strings.Join(parts, " ")
}

// IsBound reports whether a token denies, bounds or dates what stands behind it.
func (t Token) IsBound() bool { return t.Hard && isBound(t.Text) }

// IsCJK reports whether a token is a character of Chinese, Japanese or Korean.
func (t Token) IsCJK() bool {
	c, _ := utf8.DecodeRuneInString(t.Text)
	return text.IsCJK(c)
}

// reader turns chunks between blanks into tokens.
type reader struct{ tokens []Token }

func (r *reader) hard(s string) { r.tokens = append(r.tokens, Token{s, true}) }

// chunk reads what stands between two blanks. An address is taken whole; else
// Chinese, Japanese and Korean part from the rest.
func (r *reader) chunk(s string) {
	if at := strings.Index(s, "://"); at > 0 {
		r.address(s, at)
		return
	}
	for s != "" {
		first, size := utf8.DecodeRuneInString(s)
		if text.IsCJK(first) {
			r.character(first)
			s = s[size:]
			continue
		}
		end := strings.IndexFunc(s, func(c rune) bool { return text.IsCJK(c) || isWide(c) })
		switch {
		case end < 0:
			end = len(s)
		case end == 0:
			s = s[size:] // punctuation of Chinese
			continue
		}
		r.latin(s[:end])
		s = s[end:]
	}
}

// address takes an address with what stands before and behind it.
func (r *reader) address(s string, at int) {
	begin := at
	for begin > 0 && (isLetter(s[begin-1]) || s[begin-1] == '+') {
		begin--
	}
	end := at + len("://")
	for end < len(s) {
		c, size := utf8.DecodeRuneInString(s[end:])
		if text.IsCJK(c) || isWide(c) || strings.ContainsRune("<>\"'`|", c) {
			break
		}
		end += size
	}
	r.chunk(s[:begin])
	if address := strings.TrimRight(s[begin:end], ".,;:!?)]}/"); address != "" { // "1://" names no scheme and no place
		r.hard(address)
	}
	r.chunk(s[end:])
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// isWide reports whether c is punctuation that stands between words without a
// blank: that of Chinese, and quotes.
func isWide(c rune) bool {
	return c >= utf8.RuneSelf && (unicode.IsPunct(c) || unicode.IsSpace(c)) && c != '…' && c != '–' && c != '—' || c == '"' || c == '`'
}

// character reads one character of Chinese, Japanese or Korean. Characters of
// grammar are passed over; those that deny or bound are hard.
func (r *reader) character(c rune) {
	switch {
	case strings.ContainsRune("的了吧呢啊呀哦嘛请是在", c):
	case unicode.IsLetter(c) || unicode.IsNumber(c):
		s := string(c)
		r.tokens = append(r.tokens, Token{s, isBound(s) || unicode.IsNumber(c)})
	}
}

// latin reads a chunk of another script.
func (r *reader) latin(s string) {
	switch s {
	case "->", "→", "=>":
		r.hard("->")
		return
	}
	s = strings.TrimLeft(s, "([{<'*_")
	s = strings.TrimRight(s, ")]}>'*_.,;:!?…")
	if s == "" || s == "-" || s == "–" || s == "—" {
		return
	}
	for _, sep := range []string{",", ";", "->", "→", "=>"} {
		if before, after, ok := strings.Cut(s, sep); ok && (before != "" || after != "") && !betweenDigits(before, sep, after) {
			r.latin(before)
			if sep != "," && sep != ";" {
				r.hard("->")
			}
			r.latin(after)
			return
		}
	}
	switch {
	case r.word(s):
	case r.hyphened(s):
	default:
		r.hard(s)
	}
}

// betweenDigits reports whether a comma belongs to a number.
func betweenDigits(before, sep, after string) bool {
	return sep == "," && before != "" && after != "" &&
		before[len(before)-1] >= '0' && before[len(before)-1] <= '9' && after[0] >= '0' && after[0] <= '9'
}

// word reads a plain word, and reports whether it is one. One with capitals
// inside is a name, and so is one of capitals that would be passed over as a
// small word: IT, US.
func (r *reader) word(s string) bool {
	letters, upper, inner := 0, 0, false // inner: a capital behind the first letter
	for _, c := range s {
		switch {
		case c == '\'' || c == '’':
			continue
		case !unicode.IsLetter(c) && !unicode.IsMark(c):
			return false
		case unicode.IsUpper(c):
			upper++
			inner = inner || letters > 0
		}
		letters++
	}
	low := strings.ToLower(s)
	capitals := upper == letters && letters > 1
	if inner && !capitals {
		return false
	}
	if capitals && (isFiller(low) || isBound(low)) && len(s) == 2 {
		return false
	}
	r.plain(low)
	return true
}

// plain adds a word in lower case.
func (r *reader) plain(low string) {
	low = strings.ReplaceAll(low, "’", "'")
	switch {
	case low == "cannot" || low == "can't":
		r.word("can")
		r.hard("not")
		return
	case low == "won't":
		r.word("will")
		r.hard("not")
		return
	case strings.HasSuffix(low, "n't"):
		r.word(strings.TrimSuffix(low, "n't"))
		r.hard("not")
		return
	}
	low, _, _ = strings.Cut(low, "'") // it's, John's
	if isFiller(low) || low == "" {
		return
	}
	if isBound(low) {
		r.hard(low)
		return
	}
	r.tokens = append(r.tokens, Token{singular(low), false})
}

// hyphened reads words that hyphens join, and reports whether it could.
func (r *reader) hyphened(s string) bool {
	parts := strings.Split(s, "-")
	if len(parts) < 2 {
		return false
	}
	for _, p := range parts {
		if len(p) < 2 || strings.IndexFunc(p, func(c rune) bool { return !unicode.IsLower(c) }) > 0 || !unicode.IsLetter(rune(p[0])) {
			return false
		}
	}
	for _, p := range parts {
		r.plain(strings.ToLower(p))
	}
	return true
}

// singular takes the ending of the plural off.
func singular(w string) string {
	switch {
	case len(w) < 4 || !strings.HasSuffix(w, "s"):
	case strings.HasSuffix(w, "ss"), strings.HasSuffix(w, "us"), strings.HasSuffix(w, "is"), strings.HasSuffix(w, "as"):
	case strings.HasSuffix(w, "ies") && len(w) > 4:
		return w[:len(w)-3] + "y"
	case strings.HasSuffix(w, "ches"), strings.HasSuffix(w, "shes"), strings.HasSuffix(w, "xes"), strings.HasSuffix(w, "sses"):
		return w[:len(w)-2]
	default:
		return w[:len(w)-1]
	}
	return w
}
