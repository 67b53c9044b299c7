package quarantine

import (
	"html"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/dshkit/dshkit/pkg/text"
	"golang.org/x/text/unicode/norm"
)

// foldView returns s as the detectors read it: compatibility form, small
// letters without accents, look-alike letters made Latin, traditional
// characters made simplified, nothing without width, emphasis inside words and
// the fences of HTML comments gone. Line ends stay.
func foldView(s string) string {
	if !isASCII(s) {
		s = norm.NFKD.String(strings.ToValidUTF8(s, " "))
	}
	var b strings.Builder
	b.Grow(len(s))
	for i, r := range s {
		if r < utf8.RuneSelf {
			if !isInnerMark(s, i) {
				b.WriteByte(foldASCII(byte(r)))
			}
			continue
		}
		if r = foldRune(r); r >= 0 {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func isASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func foldASCII(c byte) byte {
	switch {
	case c >= 'A' && c <= 'Z':
		return c | 0x20
	case c == '\r' || c == '\v' || c == '\f':
		return '\n'
	case c < ' ' && c != '\n':
		return ' '
	}
	return c
}

// isInnerMark reports whether the byte at i is emphasis: an asterisk, or
// another mark between two letters.
func isInnerMark(s string, i int) bool {
	switch s[i] {
	case '*':
		return true
	case '`', '~':
		return i > 0 && i+1 < len(s) && isLetter(s[i-1]) && isLetter(s[i+1])
	}
	return false
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func isWordByte(c byte) bool { return isLetter(c) || c >= '0' && c <= '9' || c == '_' }

// foldRune returns what r stands for, -1 when it is nothing that can be seen.
func foldRune(r rune) rune {
	switch {
	case r >= 0xE0020 && r <= 0xE007E: // letters in tag characters
		return unicode.ToLower(r - 0xE0000)
	case r == 0x85 || r == 0x2028 || r == 0x2029:
		return '\n'
	case unicode.Is(unicode.Mn, r), unicode.Is(unicode.Cf, r), r >= 0xE0000 && r <= 0xE0FFF:
		return -1
	case unicode.IsSpace(r), isBlank(r):
		return ' '
	case text.IsCJK(r):
		return simplified(r)
	}
	return latin(unicode.ToLower(r))
}

// isBlank reports whether r takes up room and shows nothing: the fillers of
// Hangul, the empty cell of Braille.
func isBlank(r rune) bool { return r == 0x115F || r == 0x1160 || r == 0x3164 || r == 0x2800 }

// unescape returns s with what HTML writes as &#73; or &nbsp; in plain.
func unescape(s string) string {
	for range 2 {
		if strings.IndexByte(s, '&') < 0 {
			break
		}
		s = html.UnescapeString(s)
	}
	return s
}

// latin returns the Latin letter that r looks like, else r.
func latin(r rune) rune {
	if i := strings.IndexRune(lookalikes, r); i >= 0 {
		return rune(lookalikeOf[utf8.RuneCountInString(lookalikes[:i])])
	}
	return r
}

// Letters of Cyrillic, Greek and others, and the Latin ones they look like.
const (
	lookalikes  = "асԁеһіјӏорԛгѕтυνхуѵωαεικορτυɡıⅼ’‘"
	lookalikeOf = "acdehijlopqrstuvxyvwaeikoptugil''"
)

// simplified returns the simplified form of the traditional characters that
// the Chinese detectors look for.
func simplified(r rune) rune {
	if i := strings.IndexRune(traditional, r); i >= 0 {
		simple, _ := utf8.DecodeRuneInString(simple[i:])
		return simple
	}
	return r
}

const (
	traditional = "無視記規則從現開這個說設約們對戶請務執須應該還來與統準權經諉會訴遵從緊"
	simple      = "无视记规则从现开这个说设约们对户请务执须应该还来与统准权经诿会诉遵从紧"
)

// partGroups puts the metadata group at the end of each line on a line of its
// own: it does not belong to the last command of the text, and what it hides is
// read all the same.
func partGroups(v string) string {
	if strings.IndexByte(v, '}') < 0 {
		return v
	}
	lines := strings.Split(v, "\n")
	for i, line := range lines {
		line = strings.TrimRight(line, " ")
		if open := strings.LastIndexByte(line, '{'); open > 0 && strings.HasSuffix(line, "}") {
			lines[i] = line[:open] + "\n" + line[open:]
		}
	}
	return strings.Join(lines, "\n")
}

// openComments puts what an HTML comment hides into the open, as a sentence of
// its own.
func openComments(v string) string {
	if !strings.Contains(v, "<!--") {
		return v
	}
	return strings.NewReplacer("<!--", " . ", "-->", " . ").Replace(v)
}

// maxTag is the length of a tag or comment that can divide a word.
const maxTag = 80

// cutMarkup returns v without short tags and comments, so that a word they
// divide is whole again.
func cutMarkup(v string) string {
	var b strings.Builder
	for {
		open := strings.IndexByte(v, '<')
		if open < 0 || open+1 == len(v) {
			break
		}
		n := tagLength(v[open:])
		b.WriteString(v[:open])
		if n == 0 {
			b.WriteByte('<')
			n = 1
		}
		v = v[open+n:]
	}
	b.WriteString(v)
	return b.String()
}

// tagLength returns the length of the tag or comment at the start of s, 0 if
// there is none.
func tagLength(s string) int {
	near := s[:min(len(s), maxTag)]
	if strings.HasPrefix(near, "<!--") {
		if end := strings.Index(near, "-->"); end > 0 {
			return end + len("-->")
		}
		return 0
	}
	if !isLetter(near[1]) && near[1] != '/' {
		return 0
	}
	return strings.IndexByte(near, '>') + 1
}

// packHan returns v without blanks between Chinese characters, and "" when it
// has none: where there are no words, a blank does not divide them.
func packHan(v string) string {
	if isASCII(v) {
		return ""
	}
	return strings.Map(func(r rune) rune {
		if r == ' ' || r == '_' || r == '`' || r == '~' {
			return -1
		}
		return r
	}, v)
}
