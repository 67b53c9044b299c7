package selfipcmd

import (
	"strconv"
	"strings"
	"time"

	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/pkg/fault"
)

// parseInstant reads an instant as a person writes it: a date, which means its
// end, a date with a time, a stamp of an entry, or how long ago: 90m, 36h, 7d, 2w.
// An empty word is the zero time.
func parseInstant(s string, now time.Time) (time.Time, error) {
	s = strings.TrimSpace(s)
	if s == "" {
		return time.Time{}, nil
	}
	if day, err := time.ParseInLocation(time.DateOnly, s, now.Location()); err == nil {
		return day.AddDate(0, 0, 1).Add(-time.Millisecond), nil
	}
	for _, form := range []string{"2006-01-02 15:04", "2006-01-02T15:04", time.DateTime} {
		if at, err := time.ParseInLocation(form, s, now.Location()); err == nil {
			return at, nil
		}
	}
	if at, ok := ago(s, now); ok {
		return at, nil
	}
	if at, ok := entry.ParseTime(s, now.Location()); ok {
		return at, nil
	}
	return time.Time{}, fault.New(fault.Usage, "bad-instant", s)
}

// ago reads how long ago: a number and a unit. Days and weeks are those of the
// calendar, also where a day has 23 or 25 hours.
func ago(s string, now time.Time) (time.Time, bool) {
	n, err := strconv.Atoi(s[:len(s)-1])
	if err != nil || n < 0 || n > 100_000 {
		return time.Time{}, false
	}
	switch s[len(s)-1] {
	case 'm':
		return now.Add(-time.Duration(n) * time.Minute), true
	case 'h':
		return now.Add(-time.Duration(n) * time.Hour), true
	case 'd':
		return now.AddDate(0, 0, -n), true
	case 'w':
		return now.AddDate(0, 0, -7*n), true
	}
	return time.Time{}, false
}
