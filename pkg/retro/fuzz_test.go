package retro_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/dshkit/dshkit/pkg/retro"
	"github.com/google/go-cmp/cmp"
)

func FuzzParse(f *testing.F) {
	seeds, _ := filepath.Glob("testdata/*/*/*/self-improvement/logs/pending.md")
	if len(seeds) < 6 {
		f.Fatalf("%d queue files under testdata, want 6 or more", len(seeds))
	}
	for _, name := range seeds {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte("{\"a\":[\"}\"],\"\\u0074\":\"\\ud800\",\"errors\":1e400}\r{\"file\":\"a\\\\b\"}\x00\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		q, bad := retro.Parse(data)
		again, none := retro.Parse(q.Format())
		if len(none) > 0 {
			t.Fatalf("Format wrote lines that are no rows: %v", none)
		}
		if d := cmp.Diff(q, again, cmp.AllowUnexported(retro.Item{})); d != "" {
			t.Fatalf("Parse(Format(q)) (-want +got):\n%s", d)
		}
		for line := range bytes.Lines(retro.FormatBad(bad, clock)) {
			if !json.Valid(line) {
				t.Fatalf("bad line %q is no JSON", line)
			}
		}
		work(t, q)
	})
}

// work sends a queue once through the hands of a worker.
func work(t *testing.T, q retro.Queue) {
	next, batch, report := q.Claim(clock, "w1", lim, nil)
	if len(next)+len(report.Dead)+report.Merged != len(q) {
		t.Fatalf("%d rows, then %d waiting, %d dead, %d merged", len(q), len(next), len(report.Dead), report.Merged)
	}
	for n := range 2 { // a key must not change when its row is written and read
		_, stale := next.Settle("w1", retro.Keys(batch))
		if len(stale) > 0 {
			t.Fatalf("round %d: keys %q are not held in\n%s", n, stale, next.Format())
		}
		next, _ = retro.Parse(next.Format())
	}
	failed, _ := next.Fail("w1", retro.Keys(batch), "boom")
	if i := slices.IndexFunc(failed, func(i retro.Item) bool { return i.Claim == "w1" }); i >= 0 {
		t.Fatalf("row is still claimed after Fail: %+v", failed[i])
	}
}
