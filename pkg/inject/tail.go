package inject

import (
	"strings"

	"github.com/dshkit/dshkit/pkg/text"
)

// tailMark stands for what was cut off in front.
const tailMark = "…\n"

// minTail is the least that is worth showing of a text, maxWord the farthest to
// look for the beginning of a word.
const minTail, maxWord = 12, 24

// Tail returns s when it is at most limit units long, else an ellipsis on a
// line of its own and as many whole lines from the end of s as go with it, limit
// units in all. Part of a line says something else than the line, so it is only
// shown when s has no other: then it begins with a word, or at least with a
// whole character. Tail is empty when nothing can be shown.
func Tail(s string, limit int) string {
	if text.Len(s) <= limit {
		return s
	}
	room := limit - text.Len(tailMark)
	if room < minTail {
		return ""
	}
	end := text.Tail(s, room)
	if begin := len(s) - len(end); s[begin-1] != '\n' {
		end = fromBorder(end, strings.Contains(s, "\n"))
	}
	if strings.TrimSpace(end) == "" {
		return ""
	}
	return tailMark + end
}

// fromBorder cuts end, which begins inside a line, to the next line or word.
func fromBorder(end string, lines bool) string {
	if lines {
		_, whole, _ := strings.Cut(end, "\n")
		return whole
	}
	if word := strings.IndexByte(end, ' ') + 1; word > 0 && word < len(end) && text.Len(end[:word]) <= maxWord {
		return end[word:]
	}
	return end
}
