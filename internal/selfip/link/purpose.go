package link

import (
	"strings"
	"unicode/utf8"

	"github.com/dshkit/dshkit/pkg/text"
)

// maxAround is how many bytes on either side of an address can say what it is for.
const maxAround = 400

// maxWords bounds each part of a purpose, in UTF-16 units.
const maxWords = 80

// Purpose returns the words that stand before and after the address l of s in
// the same clause, without the small words that only lead to it: for
// "Runbook: https://a.example/r" it is "Runbook" and "".
func Purpose(s string, l Link) (before, after string) {
	before = wordsAfter(s[max(0, l.Start-maxAround):l.Start])
	after = wordsBefore(s[l.End:min(len(s), l.End+maxAround)])
	return trimBefore(lastClause(before)), trimAfter(firstClause(after))
}

// ands are the words that part what is said of one address from the next.
var ands = []string{" and ", " or ", "和", "与", "以及", "或"}

// wordsAfter returns what of the text in front of an address is its own: all of
// it, or behind another address the words after the last and.
func wordsAfter(s string) string {
	end := -1
	for begin, n := next(s, 0); begin >= 0; begin, n = next(s, max(n, begin+1)) {
		end = n
	}
	if end < 0 {
		return s
	}
	between := s[end:]
	_, n := lastAnd(between)
	return between[n:]
}

// wordsBefore returns what of the text behind an address is its own: all of it, or
// in front of another address the words before the last and.
func wordsBefore(s string) string {
	begin, _ := next(s, 0)
	if begin < 0 {
		return s
	}
	at, _ := lastAnd(s[:begin])
	return s[:at]
}

// lastAnd returns where the last and in s begins and ends. Without one all of s
// belongs to what is in front of it.
func lastAnd(s string) (begin, end int) {
	begin, end = len(s), len(s)
	for _, and := range ands {
		if i := strings.LastIndex(s, and); i >= 0 && (begin == len(s) || i > begin) {
			begin, end = i, i+len(and)
		}
	}
	return begin, end
}

// clauseEnds are the marks after which a new clause begins.
const clauseEnds = "\n。！？；，!?;,—–"

func lastClause(s string) string {
	s = strings.ToValidUTF8(s, "")
	for i := len(s); i > 0; {
		r, n := utf8.DecodeLastRuneInString(s[:i])
		if strings.ContainsRune(clauseEnds, r) || r == '.' && strings.HasPrefix(s[i:], " ") {
			return s[i:]
		}
		i -= n
	}
	return s
}

func firstClause(s string) string {
	s = strings.ToValidUTF8(s, "")
	for i, r := range s {
		if strings.ContainsRune(clauseEnds, r) || r == '.' && (i+1 == len(s) || s[i+1] == ' ' || s[i+1] == '\n') {
			return s[:i]
		}
	}
	return s
}

// joints are the marks that tie an address to its words.
const joints = " \t:：-–—=<>()（）[]【】\"'`|*#.、，“”"

// Words that lead to an address and say nothing of it.
var (
	leadWords = []string{
		"in", "at", "is", "are", "on", "here", "see", "check", "check out", "use", "look at", "look", "take a look", "read", "open", "visit", "fetch",
		"from", "to", "the", "here is", "here's", "this", "url", "link", "and", "or", "also", "please", "with", "via", "per",
		"it", "that", "it is", "it's",
	}
	leadMarks = []string{
		"在", "是", "为", "见", "看", "看看", "看下", "看一下", "参考", "参照", "参见", "详见", "按", "按照", "根据", "打开", "访问", "请",
		"地址", "链接", "网址", "和", "以及", "用", "从", "这里", "这个", "到", "去",
	}
	tailWords = []string{"and", "or", "is", "are", "as", "the", "a", "please", "first", "then", "now", "here", "it", "which"}
	tailMarks = []string{"是", "为", "和", "里", "上", "中", "这个", "这里", "一下", "吧", "的"}
)

func trimBefore(s string) string {
	s = trimLoop(s, leadWords, leadMarks, strings.CutSuffix, false)
	return text.Tail(trimLoop(s, append(tailWords, "see", "check", "use", "read", "open", "fix"), nil, strings.CutPrefix, true), maxWords)
}

func trimAfter(s string) string {
	return text.Head(trimLoop(s, tailWords, tailMarks, strings.CutPrefix, true), maxWords)
}

// trimLoop takes joints and small words off one end of s until none is left.
func trimLoop(s string, words, marks []string, cut func(s, part string) (string, bool), front bool) string {
	for range 12 {
		s = strings.Trim(s, joints)
		was := s
		for _, w := range words {
			s = cutWord(s, w, front)
		}
		for _, m := range marks {
			if rest, ok := cut(s, m); ok {
				s = rest
			}
		}
		if s == was {
			break
		}
	}
	return s
}

// cutWord takes an English word off one end of s, whatever its case, unless it
// is part of a longer one.
func cutWord(s, word string, front bool) string {
	if len(s) < len(word) {
		return s
	}
	if front {
		rest := s[len(word):]
		if strings.EqualFold(s[:len(word)], word) && !inWord(rest, true) {
			return rest
		}
		return s
	}
	rest := s[:len(s)-len(word)]
	if strings.EqualFold(s[len(rest):], word) && !inWord(rest, false) {
		return rest
	}
	return s
}

// inWord reports whether the end of s that touches a cut goes on with a letter
// or digit.
func inWord(s string, front bool) bool {
	if s == "" {
		return false
	}
	c := s[len(s)-1]
	if front {
		c = s[0]
	}
	return isHostByte(c) && c != '.' || c == '_' || c == '\''
}
