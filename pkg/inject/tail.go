package inject

import (
	"strings"

	"github.com/dshkit/dshkit/pkg/text"
)

// tailMark stands for what was cut off in front.
const tailMark = "…\n"

// Tail returns s when it is at most limit units long, else an ellipsis on a
// line of its own and the longest end of s that goes with it, limit units in
// all. The end begins with a whole line, or with a whole character when the last
// line alone is too long. It is empty when not even a word would be left.
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
		if _, whole, ok := strings.Cut(end, "\n"); ok && strings.TrimSpace(whole) != "" {
			end = whole
		}
	}
	return tailMark + end
}

// minTail is the least that is worth showing of a text.
const minTail = 12
