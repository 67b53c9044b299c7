package entry_test

import (
	"os"
	"strings"
	"testing"
	"time"
	_ "time/tzdata" // the zones of the table, wherever the test runs

	"github.com/dshkit/dshkit/internal/selfip/entry"
)

// testCase82 reads the table of the case: zone, local time, the same in UTC,
// local day.
func testCase82(t *testing.T) {
	data, err := os.ReadFile("testdata/cases/82-day-with-25-hours/cases.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		cols := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if strings.HasPrefix(line, "#") || len(cols) != 4 {
			continue
		}
		loc, err := time.LoadLocation(cols[0])
		if err != nil {
			t.Fatal(err)
		}
		want, err := time.Parse(time.RFC3339, cols[2])
		if err != nil {
			t.Fatal(err)
		}
		got, ok := entry.ParseTime(cols[1], loc)
		if !ok || !got.Equal(want) {
			t.Errorf("%s in %s: got %s, want %s", cols[1], cols[0], got, want)
		}
		stamp := entry.Stamp(want.In(loc))
		if stamp[:10] != cols[3] || !strings.HasPrefix(stamp, cols[1]) {
			t.Errorf("stamp of %s in %s: got %s, want %s on the day %s", cols[2], cols[0], stamp, cols[1], cols[3])
		}
		if again, ok := entry.ParseTime(stamp, time.UTC); !ok || !again.Equal(want) {
			t.Errorf("%s read back: got %s, want %s", stamp, again, want)
		}
		checkBoundary(t, stamp, want, loc)
	}
}

// checkBoundary: thirty days are thirty times 24 hours, in every zone.
func checkBoundary(t *testing.T, stamp string, at time.Time, loc *time.Location) {
	t.Helper()
	e, _ := entry.ParseLine("- [x] (fact) y {ttl:30,vfy:" + stamp + "}")
	end := at.Add(30 * 24 * time.Hour).In(loc)
	if e.Expired(end) {
		t.Errorf("%s, ttl 30: expired at %s, want not yet", stamp, end)
	}
	if past := end.Add(time.Millisecond); !e.Expired(past) {
		t.Errorf("%s, ttl 30: not expired at %s, want expired", stamp, past)
	}
}
