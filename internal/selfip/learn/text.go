package learn

import (
	"strings"
	"unicode"

	"github.com/dshkit/dshkit/pkg/text"
)

// Longest quotes, in UTF-16 units.
const (
	maxExcerpt = 200
	maxLine    = 160 // a decisive line of output
	maxCommand = 100
	maxPath    = 120
	maxWords   = 120 // words of a person or of the agent inside a lesson
)

// keep returns s as one line of at most n units in memory of its own: a part of
// a string keeps the whole of it alive, and outputs are long.
func keep(s string, n int) string {
	if len(s) > 8*n {
		s = text.Head(s, 2*n)
	}
	return strings.Clone(text.Ellipsize(text.OneLine(s), n))
}

// firstLine returns the first line of s that is not blank.
func firstLine(s string) string {
	for line := range strings.SplitSeq(s, "\n") {
		if line = strings.TrimSpace(line); line != "" {
			return line
		}
	}
	return ""
}

// commonWords are words that two texts share without being about one thing.
const commonWords = " the and not for use run test tests make error fail failed with this that from you your are was " +
	"have has but all can now should must out got want file files line code exit status type true false "

// marksOf returns what makes a text recognisable: words and numbers of at least
// three letters or two digits, in lower case, and pairs of CJK characters.
func marksOf(s string) map[string]bool {
	marks := make(map[string]bool)
	var word []rune
	flush := func() {
		if w := strings.ToLower(string(word)); len(w) > 2 && !strings.Contains(commonWords, " "+w+" ") ||
			len(w) == 2 && unicode.IsDigit(word[0]) {
			marks[w] = true
		}
		word = word[:0]
	}
	var before rune
	for _, r := range s {
		switch {
		case text.IsCJK(r):
			flush()
			if before != 0 {
				marks[string([]rune{before, r})] = true
			}
			before = r
			continue
		case r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)):
			word = append(word, r)
		default:
			flush()
		}
		before = 0
	}
	flush()
	return marks
}

// shared counts the marks that a and b have in common.
func shared(a, b map[string]bool) int {
	n := 0
	for m := range a {
		if b[m] {
			n++
		}
	}
	return n
}

// short returns a path without the session's directory.
func (e *Engine) short(path string) string {
	path = strings.ReplaceAll(path, `\`, "/")
	if e.root != "" {
		path = strings.TrimPrefix(path, e.root)
	}
	return strings.TrimPrefix(path, "./")
}

// shorten takes the session's directory out of a line.
func (e *Engine) shorten(line string) string {
	if e.root == "" {
		return line
	}
	return strings.ReplaceAll(line, e.root, "")
}
