package retro_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/dshkit/dshkit/pkg/retro"
	"github.com/google/go-cmp/cmp"
)

// clock is the instant at which the fixtures are evaluated.
var clock = time.Date(2026, 9, 15, 12, 0, 0, 0, time.UTC)

var lim = retro.DefaultLimits()

func read(t *testing.T, elem ...string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(append([]string{"testdata"}, elem...)...))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// fixture is the queue file of a fixture.
func fixture(t *testing.T, name string) []byte {
	t.Helper()
	return read(t, "selfip-fixtures", name, "workspace", "self-improvement", "logs", "pending.md")
}

// sketch is the queue file of a case. The cases only sketch rows; this puts
// them into the form of the originals and keeps the defect.
func sketch(t *testing.T, name string) []byte {
	t.Helper()
	data := string(read(t, "cases", name, "in", "self-improvement", "logs", "pending.md"))
	data = regexp.MustCompile(`(?m)^- `).ReplaceAllString(data, "")
	data = regexp.MustCompile(`"key":"[^"]*",`).ReplaceAllString(data, "")
	return []byte(strings.ReplaceAll(data, `"evidence":`, `"file":`))
}

// parse reads rows that are all well-formed.
func parse(t *testing.T, data string) retro.Queue {
	t.Helper()
	q, bad := retro.Parse([]byte(data))
	if len(bad) > 0 {
		t.Fatalf("Parse(%q): bad lines %v", data, bad)
	}
	return q
}

// lines are the rows of a file as text.
func lines(q retro.Queue) []string {
	text := strings.TrimSuffix(string(q.Format()), "\n")
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

func diff(t *testing.T, what string, got, want any) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s (-want +got):\n%s", what, d)
	}
}

func one(file string) retro.Item {
	return retro.Item{T: "2026-09-15T09:00:00.000+08:00", File: file, Errors: 1}
}
