package compact

import (
	"slices"
	"strings"

	"github.com/dshkit/dshkit/internal/selfip/similar"
)

// saying is a text in the form in which two are compared.
type saying struct {
	form  similar.Form
	hard  []string        // names and numbers
	bound map[string]bool // each bound with what it bounds
	words []string        // plain words
	chars []string        // single characters of Chinese, Japanese, Korean
	pairs []string        // neighbouring characters of Chinese, Japanese, Korean
	set   map[string]bool // hard, words and pairs
}

func sayingOf(s string) saying {
	out := saying{form: similar.FormOf(s), bound: map[string]bool{}, set: map[string]bool{}}
	tokens := out.form.Tokens()
	for i, t := range tokens {
		cjk := t.IsCJK()
		switch {
		case t.IsBound():
			out.bound[bounding(tokens, i)] = true
		case t.Hard:
			out.hard = append(out.hard, t.Text)
		case cjk:
			out.chars = append(out.chars, t.Text)
		case !isPreposition(t.Text):
			out.words = append(out.words, t.Text)
		}
		if cjk && i+1 < len(tokens) && tokens[i+1].IsCJK() {
			out.pairs = append(out.pairs, t.Text+tokens[i+1].Text)
		}
	}
	for _, list := range [][]string{out.hard, out.words, out.chars, out.pairs} {
		for _, s := range list {
			out.set[s] = true
		}
	}
	return out
}

// bounding is a bound with the token behind it, two where a token is one
// character: what is denied counts as much as that something is.
func bounding(tokens []similar.Token, i int) string {
	n := 1
	if i+1 < len(tokens) && tokens[i+1].IsCJK() {
		n = 2
	}
	var b strings.Builder
	for _, t := range tokens[i:min(i+1+n, len(tokens))] {
		b.WriteString(t.Text)
		b.WriteByte(' ')
	}
	return b.String()
}

// isPreposition reports whether a word only joins others: a merged sentence
// joins them in another way. Those that tell a direction are not among them.
func isPreposition(w string) bool {
	switch w {
	case "of", "on", "in", "at", "by", "for", "with", "as":
		return true
	}
	return false
}

// Of how many plain words or characters, and of how many pairs of characters, one
// may be said in another way. A merged sentence has other neighbours.
const (
	missingShare = 6
	missingPairs = 2
)

// covers reports whether what old says is found in s: each name and number, each
// bound with what it bounds, and of the plain words all but one in six.
func (s saying) covers(old saying) bool {
	for _, h := range old.hard {
		if !s.set[h] {
			return false
		}
	}
	for b := range old.bound {
		if !s.bound[b] {
			return false
		}
	}
	return s.missing(old.words, s.hasWord) <= len(old.words)/missingShare &&
		s.missing(old.chars, s.has) <= len(old.chars)/missingShare &&
		s.missing(old.pairs, s.has) <= len(old.pairs)/missingPairs
}

func (s saying) has(w string) bool { return s.set[w] }

func (s saying) missing(list []string, has func(string) bool) (n int) {
	for _, w := range list {
		if !has(w) {
			n++
		}
	}
	return n
}

// hasWord reports whether a word is there, perhaps with another ending.
func (s saying) hasWord(w string) bool {
	return s.set[w] || slices.ContainsFunc(s.words, func(own string) bool { return sameStem(own, w) })
}

// Bounds of what counts as another ending of a word, in bytes.
const (
	minStem   = 4
	maxEnding = 3
)

func sameStem(a, b string) bool {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n >= minStem && len(a)-n <= maxEnding && len(b)-n <= maxEnding
}

// coverage is the share of the tokens of old that are found in a set
// (spec/selfip.md 20.5). A text without tokens is covered.
func coverage(old saying, all map[string]bool) float64 {
	n, found := 0, 0
	for _, list := range [][]string{old.hard, old.words, old.chars, old.pairs} {
		for _, w := range list {
			n++
			if all[w] {
				found++
			}
		}
	}
	if n == 0 {
		return 1
	}
	return float64(found) / float64(n)
}

// invents reports whether s names, counts, denies or bounds anything that its
// sources do not.
func (s saying) invents(sources []saying) bool {
	for _, h := range s.hard {
		if !slices.ContainsFunc(sources, func(o saying) bool { return o.set[h] }) {
			return true
		}
	}
	for b := range s.bound {
		if !slices.ContainsFunc(sources, func(o saying) bool { return o.bound[b] }) {
			return true
		}
	}
	return false
}

// ownShare is the most of a line, in plain words and characters, that may be the
// model's own.
const ownShare = 0.4

// own returns the share of the plain words of s that none of the sources has.
func (s saying) own(sources []saying) float64 {
	n, own := len(s.words)+len(s.chars), 0
	for _, w := range s.words {
		if !slices.ContainsFunc(sources, func(o saying) bool { return o.hasWord(w) }) {
			own++
		}
	}
	for _, c := range s.chars {
		if !slices.ContainsFunc(sources, func(o saying) bool { return o.set[c] }) {
			own++
		}
	}
	if n == 0 {
		return 0
	}
	return float64(own) / float64(n)
}
