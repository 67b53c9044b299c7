package entry

import (
	"strings"
	"time"
)

// stampLayout is the form in which stamps are written: local time with
// milliseconds and a numeric offset (spec/selfip.md 5).
const stampLayout = "2006-01-02T15:04:05.000-07:00"

// Stamp writes an instant as the memory files have it, in the zone of t.
func Stamp(t time.Time) string { return t.Format(stampLayout) }

// FileStamp writes an instant as it stands in file names: the colons and the
// point of a stamp become hyphens.
func FileStamp(t time.Time) string {
	return strings.NewReplacer(":", "-", ".", "-").Replace(Stamp(t))
}

// localLayouts are forms without a zone; dateLayouts name a day or less, which
// JavaScript reads as midnight in UTC.
var (
	localLayouts = []string{"2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04:05", "2006-01-02 15:04"}
	dateLayouts  = []string{"2006-01-02", "2006-01", "2006"}
	zoneLayouts  = []string{time.RFC3339, "2006-01-02T15:04Z07:00", "2006-01-02 15:04:05Z07:00", "2006-01-02T15:04:05Z0700"}
)

// ParseTime reads a stamp: with a zone, without one (then in loc), or a date
// alone (midnight UTC). The second result is false when it is none of these.
func ParseTime(s string, loc *time.Location) (time.Time, bool) {
	if len(s) < len("2006") || s[0] < '0' || s[0] > '9' {
		return time.Time{}, false
	}
	for _, group := range [...]struct {
		layouts []string
		loc     *time.Location
	}{{zoneLayouts, time.UTC}, {localLayouts, loc}, {dateLayouts, time.UTC}} {
		for _, layout := range group.layouts {
			if t, err := time.ParseInLocation(layout, s, group.loc); err == nil {
				return t, true
			}
		}
	}
	return time.Time{}, false
}

// Later reports whether stamp a is a later instant than stamp b. One that cannot
// be read is earlier than any.
func Later(a, b string) bool {
	at, ok := ParseTime(a, time.UTC)
	if !ok {
		return false
	}
	bt, ok := ParseTime(b, time.UTC)
	return !ok || at.After(bt)
}
