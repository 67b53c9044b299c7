package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/dshkit/dshkit/internal/selfip/entry"
)

// TestTorture is a short run: everybody at once, a third of them killed.
func TestTorture(t *testing.T) {
	if testing.Short() {
		t.Skip("many processes")
	}
	dir := t.TempDir()
	binary := filepath.Join(dir, "selfip")
	build := exec.Command("go", "build", "-trimpath", "-o", binary, "github.com/dshkit/dshkit/cmd/selfip")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	o := options{binary: binary, time: 6 * time.Second, seed: 1, kill: 0.35, sessions: 10}
	c, err := newCrowd(o, dir)
	if err != nil {
		t.Fatal(err)
	}
	c.torture()
	if err := c.finish(); err != nil {
		t.Fatal(err)
	}
	for _, wrong := range c.check() {
		t.Error(wrong)
	}
	if len(c.changes) == 0 || c.killed == 0 || c.live == 0 {
		t.Errorf("%d changes acknowledged, %d processes killed, %d entries: the run proves nothing", len(c.changes), c.killed, c.live)
	}
}

// TestJudge: the checker sees what it has to see.
func TestJudge(t *testing.T) {
	parse := func(lines ...string) (out []line) {
		for _, s := range lines {
			archived := strings.HasPrefix(s, "archive ")
			e, ok := entry.ParseLine(strings.TrimPrefix(s, "archive "))
			if !ok {
				t.Fatalf("no entry: %q", s)
			}
			out = append(out, line{e, "facts.md", archived})
		}
		return out
	}
	const live, gone = "- [2026-09-15] (fact) the value of mark0000001q is 12", "- [2026-09-15] (fact) the value of mark0000001q is 12 {invalid:2026-09-16}"
	for name, c := range map[string]struct {
		mark  mark
		lines []line
		told  int
		want  string // part of the complaint; "": none
	}{
		"there once":              {mark{acked: 2}, parse(live), 1, ""},
		"there in the archive":    {mark{acked: 1}, parse("archive " + live), 1, ""},
		"there and archived":      {mark{acked: 1}, parse(live, "archive "+live), 1, ""},
		"not there":               {mark{acked: 1}, nil, 1, "not there"},
		"twice":                   {mark{acked: 1}, parse(live, live), 1, "stands 2 times"},
		"untold":                  {mark{acked: 1}, parse(live), 0, "the journal knows nothing"},
		"killed, not there":       {mark{unknown: 1}, nil, 0, ""},
		"killed, twice":           {mark{unknown: 1}, parse(live, live), 1, "stands 2 times"},
		"forgotten":               {mark{acked: 1, forgotten: true}, parse(gone), 2, ""},
		"forgotten and back":      {mark{acked: 1, forgotten: true}, parse(gone, "archive "+live), 2, "forgotten, and live"},
		"forgotten and deleted":   {mark{acked: 1, forgotten: true}, nil, 2, "forgotten, and gone"},
		"perhaps forgotten":       {mark{acked: 1, doubtful: true}, parse(gone), 2, ""},
		"perhaps forgotten, live": {mark{acked: 1, doubtful: true}, parse(live), 2, ""},
	} {
		got := strings.Join(c.mark.judge(c.lines, c.told), "\n")
		if c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}
