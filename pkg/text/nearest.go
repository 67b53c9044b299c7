package text

import "strings"

// Nearest returns the choice that a person most likely meant by word, or ""
// when none is near. Case, blanks, hyphens and underscores do not count as
// differences; of two equally near choices the first wins.
func Nearest(word string, choices []string) string {
	if len(word) > 100 { // nobody mistypes that much
		return ""
	}
	from := []rune(squash(word))
	limit := max(2, len(from)/3)
	best := ""
	for _, choice := range choices {
		to := []rune(squash(choice))
		d := distance(from, to)
		if d <= limit && d < max(len(from), len(to)) {
			best, limit = choice, d-1
		}
	}
	return best
}

func squash(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || r == ' ' {
			return -1
		}
		return r
	}, strings.ToLower(s))
}

// distance counts the insertions, deletions, replacements and swaps of two
// neighbours that turn a into b (optimal string alignment).
func distance(a, b []rune) int {
	before, last := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range a {
		row := make([]int, len(b)+1)
		row[0] = i + 1
		for j := range b {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(last[j]+cost, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}
