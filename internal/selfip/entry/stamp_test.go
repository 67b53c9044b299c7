package entry_test

import (
	"regexp"
	"testing"
	"time"

	"github.com/dshkit/dshkit/internal/selfip/entry"
)

// TestStamp writes an instant in a zone east of Greenwich, where the local day
// begins before that of UTC.
func TestStamp(t *testing.T) {
	zone := time.FixedZone("", 8*3600)
	now := time.Date(2026, 9, 15, 23, 30, 1, 234_000_000, time.UTC).In(zone)
	stamp := entry.Stamp(now)
	hold := func(id string, ok bool) {
		t.Run(id, func(t *testing.T) {
			if !ok {
				t.Errorf("%s: the stamp of %v is %q", id, now, stamp)
			}
		})
	}
	at, parsed := entry.ParseTime(stamp, time.UTC)
	hold("TS01", regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d\d:\d\d$`).MatchString(stamp))
	hold("TS02", stamp[:10] == "2026-09-16")
	hold("TS03", stamp[11:13] == "07")
	hold("TS04", parsed)
	hold("TS05", at.Equal(now))
	hold("TS06", stamp[len(stamp)-1] != 'Z')
	hold("TS07", stamp[:10] == now.Format(time.DateOnly))
	hold("TS08", stamp[:10] >= now.UTC().Format(time.DateOnly))

	const utc, local = "2026-09-12T04:05:00.000Z", "2026-09-12T12:05:00.000+08:00"
	a, _ := entry.ParseTime(utc, time.UTC)
	b, ok := entry.ParseTime(local, time.UTC)
	hold("TS09", ok && a.Equal(b))
	later, _ := entry.ParseTime("2026-09-12T05:00:00.000Z", time.UTC)
	hold("TS10", "2026-09-12T05:00:00.000Z" < local && later.After(b))
	e, ok := entry.ParseLine("- [" + utc + "] (fact) an old line")
	old, dated := e.Time(time.UTC)
	hold("TS11", ok && dated && old.Equal(a))
}

// TestLater orders stamps by what they mean: a zone counts, and one that cannot
// be read is earlier than any.
func TestLater(t *testing.T) {
	const early, late = "2026-09-12T12:05:00.000+08:00", "2026-09-12T05:00:00.000Z"
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{late, early, true},
		{early, late, false},
		{early, early, false},
		{early, "", true},
		{"soon", early, false},
		{"", "", false},
	} {
		if got := entry.Later(c.a, c.b); got != c.want {
			t.Errorf("%q later than %q: got %v, want %v", c.a, c.b, got, c.want)
		}
	}
}
