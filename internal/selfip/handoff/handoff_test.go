package handoff_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/selfip/handoff"
	"github.com/dshkit/dshkit/pkg/text"
)

var clock = time.Date(2026, 9, 15, 12, 0, 0, 0, time.UTC)

func TestFixture01(t *testing.T) {
	data, err := os.ReadFile("testdata/selfip-fixtures/01-healthy-store/workspace/self-improvement/logs/handoff-latest.md")
	if err != nil {
		t.Fatal(err)
	}
	h := handoff.Parse(data, clock)
	if want := "- Done: lock added\n- Next: run the race test"; h.Text != want {
		t.Errorf("text: got %q, want %q", h.Text, want)
	}
	if want := time.Date(2026, 9, 14, 14, 0, 0, 0, time.UTC); !h.At.Equal(want) {
		t.Errorf("written at: got %s, want %s", h.At, want)
	}
	if got := handoff.Format(h.Text, h.At.In(time.FixedZone("", 8*3600))); string(got) != string(data) {
		t.Errorf("written again: got %q, want %q", got, data)
	}
}

func TestW31HandoffExpires(t *testing.T) {
	for name, c := range map[string]struct {
		data     string
		modified time.Time
		days     int
		show     bool
	}{
		"today":            {"# 会话交接 @ 2026-09-15T00:00:00Z\n\nx", clock, 0, true},
		"three days":       {"# 会话交接 @ 2026-09-12T00:00:00Z\n\nx", clock, 3, true},
		"fourteen days":    {"# 会话交接 @ 2026-09-01T12:00:00Z\n\nx", clock, 14, true},
		"past fourteen":    {"# 会话交接 @ 2026-09-01T11:59:59Z\n\nx", clock, 14, false},
		"no stamp, old":    {"x", clock.AddDate(0, 0, -20), 20, false},
		"no stamp, new":    {"# my notes\nx", clock.AddDate(0, 0, -2), 2, true},
		"nothing known":    {"x", time.Time{}, 0, true},
		"from the future":  {"# 会话交接 @ 2027-09-01T12:00:00Z\n\nx", clock, 0, true},
		"heading, no text": {"# 会话交接 @ 2026-09-15T00:00:00Z\n", clock, 0, false},
		"empty":            {"", clock, 0, false},
	} {
		days, show := handoff.Parse([]byte(c.data), c.modified).Age(clock)
		if days != c.days || show != c.show {
			t.Errorf("%s: got %d days, shown %v, want %d, %v", name, days, show, c.days, c.show)
		}
	}
}

func TestFormatKeepsTheHead(t *testing.T) {
	got := handoff.Parse(handoff.Format(strings.Repeat("下一步 ", 400), clock), clock).Text
	if n := text.Len(got); n > handoff.MaxLen || n < handoff.MaxLen-4 || !strings.HasPrefix(got, "下一步") {
		t.Errorf("got %d units from %q, want the first %d", n, got[:12], handoff.MaxLen)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("\ufeff# 会话交接 @ 2026-09-14T22:00:00.000+08:00\r\n\r\n- a\r\n- b\r\n"))
	f.Add([]byte("# a\n# b"))
	f.Fuzz(func(t *testing.T, data []byte) {
		h := handoff.Parse(data, clock)
		again := handoff.Parse(handoff.Format(h.Text, clock), clock)
		if text.Len(h.Text) <= handoff.MaxLen {
			if diff := cmp.Diff(h.Text, again.Text); diff != "" {
				t.Errorf("%q (-want +got):\n%s", data, diff)
			}
		}
	})
}
