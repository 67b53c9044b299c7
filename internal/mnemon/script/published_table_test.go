package script_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/testkit"
)

// TestPublishedTable holds that every published package that is installed has a
// scenario of its name, that the scenario shows what the table of docs/plugins.md
// says, and that the table is that of the installed versions. UPDATE=1 writes it.
func TestPublishedTable(t *testing.T) {
	packages, err := filepath.Glob(filepath.Join(testkit.Plugins(t), "dsh-mnemon-*"))
	if err != nil || len(packages) == 0 {
		t.Fatal("no packages", err)
	}
	table := "| Package | Version | Loads | Composes | Reads | Writes | Files identical | Talks to |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n"
	for _, dir := range packages {
		table += row(t, dir)
	}
	file := filepath.Join(testkit.Root(t), "docs", "plugins.md")
	page, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	const begin, end = "<!-- written by TestPublishedTable -->\n\n", "\n<!-- end -->\n"
	before, rest, ok := strings.Cut(string(page), begin)
	old, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatalf("%s has no place for the table", file)
	}
	if os.Getenv("UPDATE") == "1" {
		if err := os.WriteFile(file, []byte(before+begin+table+end+after), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(old, table); diff != "" {
		t.Errorf("the table of docs/plugins.md is old: run UPDATE=1 go test -run TestPublishedTable ./internal/mnemon/script\n%s", diff)
	}
}

// row is the line of a package, as its scenario shows it.
func row(t *testing.T, dir string) string {
	t.Helper()
	var about struct{ Name, Version string }
	read(t, filepath.Join(dir, "package.json"), &about)
	name := strings.TrimPrefix(about.Name, "dsh-mnemon-")
	shown := look(t, name, about.Name)
	for what, is := range map[string]bool{"loads": shown.loads, "composes": shown.composes, "reads": shown.reads, "writes": shown.writes, "files": shown.files} {
		if !is {
			t.Errorf("%s: its scenario does not show that it %s", about.Name, what)
		}
	}
	return fmt.Sprintf("| `%s` | %s | %s | %s | %s | %s | %s | %s |\n", about.Name, about.Version,
		word(shown.loads), word(shown.composes), word(shown.reads), word(shown.writes), word(shown.files), shown.partner)
}

func word(is bool) string {
	if is {
		return "yes"
	}
	return "no"
}

func read(t *testing.T, file string, to any) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, to); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}

// shows is what a scenario shows of a package: each by a step that succeeded.
type shows struct {
	loads, composes, reads, writes, files bool
	partner                               string
}

func look(t *testing.T, name, pkg string) (s shows) {
	t.Helper()
	var scenario struct {
		Answers []answer `json:"answers"`
		Steps   []step   `json:"steps"`
	}
	var golden struct {
		Results []struct {
			OK json.RawMessage `json:"ok"`
		} `json:"results"`
	}
	read(t, filepath.Join(publishedDir, name+".json"), &scenario)
	read(t, filepath.Join(publishedDir, name+goldenSuffix), &golden)
	starts := func(s step) bool { return s.Export == "starts" }
	s.partner = partner(len(scenario.Answers) > 0, slices.ContainsFunc(scenario.Steps, starts))
	for i, step := range scenario.Steps {
		if ok := golden.Results[i].OK; len(ok) > 0 {
			s.note(step, string(ok), pkg)
		}
	}
	return s
}

// partner is what a package talks to, beside its files.
func partner(service, program bool) string {
	switch {
	case service && program:
		return "a local HTTP service, a stand-in for a program"
	case service:
		return "a local HTTP service"
	case program:
		return "a stand-in for its program"
	}
	return "files"
}

type step struct {
	Op     string          `json:"op"`
	Module string          `json:"module"`
	Export string          `json:"export"`
	Config json.RawMessage `json:"config"`

	Request struct {
		Mode string `json:"mode"`
	} `json:"request"`
}

func (s *shows) note(step step, ok, pkg string) {
	switch step.Op {
	case "mount", "provider":
		s.loads = s.loads || step.Module == pkg || strings.Contains(string(step.Config), `"`+pkg+`"`)
	case "beginTurn":
		s.composes = s.composes || strings.Contains(ok, `"digest"`)
	case "route":
		s.reads = s.reads || strings.Contains(ok, `"evidence:`)
	case "manage":
		s.reads = s.reads || step.Request.Mode == "read"
	case "action":
		s.writes = s.writes || strings.Contains(ok, `"succeeded"`)
	case "call":
		s.files = s.files || step.Export == "tree" && strings.Contains(ok, `"lines"`)
	}
}
