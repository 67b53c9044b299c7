package learn_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/selfip/learn"
	"github.com/dshkit/dshkit/pkg/transcript"
)

const root = "/home/dev/acme-orders"

func engine(language string, records []transcript.Record) *learn.Engine {
	e := learn.New(language, root)
	for _, r := range records {
		e.Add(r)
	}
	return e
}

// show writes conclusions down as the golden files have them.
func show(c learn.Conclusions) string {
	var b strings.Builder
	for _, list := range []struct {
		name  string
		lines []learn.Conclusion
	}{{"lessons", c.Lessons}, {"facts", c.Facts}, {"resources", c.Resources}, {"methods", c.Methods}} {
		fmt.Fprintf(&b, "## %s\n", list.name)
		for _, l := range list.lines {
			fmt.Fprintf(&b, "- (%s) %s {src:%s,imp:%d}\n", l.Kind, l.Text, l.Source, l.Importance)
			for _, q := range l.Evidence {
				fmt.Fprintf(&b, "    #%d %s %s: %s\n", q.Ordinal, q.Time.Format("15:04:05"), q.Kind, q.Excerpt)
			}
		}
	}
	fmt.Fprintf(&b, "## handoff\n%s\n## left\n%s\n", c.Handoff, strings.Join(c.Left, "\n"))
	return b.String()
}

// golden compares got with a file; UPDATE=1 rewrites the file.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", "golden", name)
	if os.Getenv("UPDATE") == "1" {
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

func TestSampleStory(t *testing.T) {
	for _, harness := range []string{"claude-code", "codex", "dsh"} {
		for _, language := range []string{"en", "zh-CN"} {
			t.Run(harness+"/"+language, func(t *testing.T) {
				golden(t, harness+"."+language+".txt", show(engine(language, sample(t, harness)).Conclude(nil)))
			})
		}
	}
}

// TestDocsShowTheSampleStory holds that docs/learning.md shows what the engine
// does.
func TestDocsShowTheSampleStory(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "learning.md"))
	if err != nil {
		t.Fatal(err)
	}
	page := strings.ReplaceAll(string(data), `\|`, "|")
	for _, line := range lines(engine("en", sample(t, "claude-code")).Conclude(nil)) {
		if _, text, _ := strings.Cut(line, ": "); !strings.Contains(page, "| "+text+" |\n") {
			t.Errorf("docs/learning.md lacks %q", text)
		}
	}
}
