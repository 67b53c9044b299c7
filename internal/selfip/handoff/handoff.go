// Package handoff is the note that the end of one session leaves for the start
// of the next: how its file is read and written, and how long it is worth
// showing (spec/selfip.md 3.3).
package handoff

import (
	"strings"
	"time"

	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/pkg/text"
)

// MaxLen is the length of a hand-off in UTF-16 units, stored and shown.
const MaxLen = 700

// MaxAge is how long a hand-off is shown: last month's "next step" misleads (W31).
const MaxAge = 14 * 24 * time.Hour

// heading begins the file. It is part of the format, whatever the language.
const heading = "# 会话交接 @ "

// Handoff is the latest hand-off of a workspace. The zero Handoff is none.
type Handoff struct {
	Text string
	At   time.Time // when it was written; zero when not known
}

// Parse reads a hand-off file. A first line that begins with "#" is no part of
// the text. When it holds no stamp, for instance because a person wrote the
// file, the hand-off is as old as the file was at modified (zero: not known).
func Parse(data []byte, modified time.Time) Handoff {
	s := strings.TrimSpace(text.Clean(string(data)))
	h := Handoff{At: modified}
	if strings.HasPrefix(s, "#") {
		first, rest, _ := strings.Cut(s, "\n")
		s = strings.TrimSpace(rest)
		if _, stamp, ok := strings.Cut(first, "@"); ok {
			if at, ok := entry.ParseTime(strings.TrimSpace(stamp), modified.Location()); ok {
				h.At = at
			}
		}
	}
	h.Text = s
	return h
}

// Format writes a hand-off file for the given text, of which the first MaxLen
// units are kept.
func Format(s string, now time.Time) []byte {
	s = strings.TrimSpace(text.Head(strings.TrimSpace(text.Clean(s)), MaxLen))
	return []byte(heading + entry.Stamp(now) + "\n\n" + s + "\n")
}

// Age returns how many whole days old the hand-off is at now, and whether it is
// still to be shown. One from the future, or of unknown age, is new.
func (h Handoff) Age(now time.Time) (days int, show bool) {
	if h.At.IsZero() || now.Before(h.At) {
		return 0, h.Text != ""
	}
	age := now.Sub(h.At)
	return int(age / (24 * time.Hour)), h.Text != "" && age <= MaxAge
}
