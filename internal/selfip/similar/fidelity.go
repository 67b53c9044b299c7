package similar

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Names returns the numbers, names, paths and addresses of a text, sorted, each
// once: what a text in other words must still hold.
func (f Form) Names() []string {
	return f.sorted(func(t Token) bool { return t.Hard && t.Text != "->" && !isBound(t.Text) })
}

// Bounds returns what bounds or dates what a text says, sorted, each once: only,
// before, every, 只, 旧. How sure or how long ago it is, as "should" and "was" say
// it, is not among them.
func (f Form) Bounds() []string {
	return f.sorted(func(t Token) bool { return t.Hard && isBound(t.Text) && !isDenial(t.Text) && !isMood(t.Text) })
}

func isMood(w string) bool {
	switch w {
	case "was", "were", "will", "may", "might", "must", "should", "can", "could", "would", "or", "both", "over", "under":
		return true
	}
	return false
}

// Denies reports whether a text denies or forbids something.
func (f Form) Denies() bool {
	return slices.ContainsFunc(f.tokens, func(t Token) bool { return t.Hard && isDenial(t.Text) })
}

// Affirmed is the key without what denies: two texts that share it, of which one
// denies, say the opposite of each other.
func (f Form) Affirmed() string {
	kept := slices.DeleteFunc(slices.Clone(f.tokens), func(t Token) bool { return t.Hard && isDenial(t.Text) })
	return Form{kept}.Key()
}

// isDenial reports whether a bound turns what is said into its opposite.
func isDenial(w string) bool {
	switch w {
	case "not", "no", "never", "none", "nor", "without", "neither", "cannot", "except", "unless", "instead",
		"不", "没", "别", "勿", "未", "无", "非", "禁", "莫", "否", "除":
		return true
	}
	return false
}

// Lost returns the names of f that other does not hold.
func (f Form) Lost(other Form) []string {
	held := other.Names()
	return slices.DeleteFunc(f.Names(), func(name string) bool {
		_, ok := slices.BinarySearch(held, name)
		return ok
	})
}

// Marks returns what a text is about: its names, its words without their endings,
// the pairs of its Chinese characters. Sorted, each once. Texts about one thing
// share some of them.
func (f Form) Marks() []string {
	var out []string
	for i, t := range f.tokens {
		switch {
		case t.IsCJK():
			if i+1 < len(f.tokens) && f.tokens[i+1].IsCJK() {
				out = append(out, t.Text+f.tokens[i+1].Text)
			}
		case t.Hard && (t.Text == "->" || isBound(t.Text)), !t.Hard && isCommon(t.Text):
		case t.Hard:
			out = append(out, t.Text)
		default:
			out = append(out, root(t.Text))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Shared counts what two sorted lists have in common.
func Shared(a, b []string) int {
	n, i, j := 0, 0, 0
	for i < len(a) && j < len(b) {
		switch c := strings.Compare(a[i], b[j]); {
		case c == 0:
			n, i, j = n+1, i+1, j+1
		case c < 0:
			i++
		default:
			j++
		}
	}
	return n
}

func (f Form) sorted(keep func(Token) bool) []string {
	var out []string
	for _, t := range f.tokens {
		if keep(t) {
			out = append(out, t.Text)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// isCommon reports whether a word says little about what a text is about.
func isCommon(w string) bool {
	switch w {
	case "to", "of", "in", "on", "at", "by", "for", "from", "with", "into", "as", "when", "then", "than", "because", "has", "have",
		"had", "been", "being", "use", "using", "used", "need", "he", "she", "they", "their", "them", "his", "her", "what", "who", "where", "how", "why",
		"also", "here", "now", "get", "got", "let", "make", "made", "via", "about", "out", "up", "off":
		return true
	}
	return utf8.RuneCountInString(w) < 2
}

// root takes the endings of English off a word, so that "moved" and "moving",
// "fill" and "filled" are one mark. It need not be a word.
func root(w string) string {
	for _, end := range [...]string{"ing", "ied", "ies", "ed", "es", "s", "e", "y"} {
		if short, ok := strings.CutSuffix(w, end); ok && len(short) > 2 && !strings.HasSuffix(w, "ss") {
			w = short
			break
		}
	}
	if n := len(w); n > 3 && w[n-1] == w[n-2] {
		w = w[:n-1] // running, run
	}
	return w
}
