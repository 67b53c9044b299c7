package archtest_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/cli/selfipcmd"
	"github.com/dshkit/dshkit/internal/config"
	"github.com/dshkit/dshkit/internal/testkit"
)

// documents returns the Markdown files that people read, by their path from the
// root.
func documents(t *testing.T) map[string]string {
	t.Helper()
	root := testkit.Root(t)
	docs := map[string]string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		name := d.Name()
		if err == nil && d.IsDir() && path != root && (name == "testdata" || strings.HasPrefix(name, ".")) {
			return fs.SkipDir
		}
		if err != nil || d.IsDir() || filepath.Ext(name) != ".md" {
			return err
		}
		data, err := os.ReadFile(path)
		rel, _ := filepath.Rel(root, path)
		docs[filepath.ToSlash(rel)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if docs["README.md"] == "" {
		t.Fatal("there is no README.md")
	}
	return docs
}

var linkPattern = regexp.MustCompile(`\]\(([^)\s]+)\)`)

// deadLinks returns the relative links of a document that lead nowhere.
func deadLinks(root, name, text string) []string {
	var dead []string
	for _, m := range linkPattern.FindAllStringSubmatch(text, -1) {
		target, _, _ := strings.Cut(m[1], "#")
		if target == "" || strings.Contains(target, "://") {
			continue
		}
		if !present(filepath.Join(root, filepath.Dir(name), target)) {
			dead = append(dead, m[1])
		}
	}
	return dead
}

var placePattern = regexp.MustCompile("`((?:cmd|internal|pkg|scripts|docs|changelog|completions)/[a-z0-9_./-]*)`")

// invented are the places and targets of the projects that examples play in.
var invented = []string{"internal/export/month.go", "internal/dates/month.go", "migrate"}

// deadPlaces returns what a document names in the repository and is not there.
func deadPlaces(root, text string) []string {
	var dead []string
	for _, m := range placePattern.FindAllStringSubmatch(text, -1) {
		if !present(filepath.Join(root, m[1])) && !slices.Contains(invented, m[1]) {
			dead = append(dead, m[1])
		}
	}
	return dead
}

func present(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func TestDocumentsLeadSomewhere(t *testing.T) {
	root := testkit.Root(t)
	for name, text := range documents(t) {
		for _, link := range deadLinks(root, name, text) {
			t.Errorf("%s: the link %s leads nowhere", name, link)
		}
		for _, place := range deadPlaces(root, text) {
			t.Errorf("%s: there is no %s", name, place)
		}
	}
}

// TestDecisionsAreListed holds that the list of decisions names every page.
func TestDecisionsAreListed(t *testing.T) {
	dir := filepath.Join(testkit.Root(t), "docs", "adr")
	list, err := os.ReadFile(filepath.Join(dir, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	pages, err := filepath.Glob(filepath.Join(dir, "[0-9]*.md"))
	if err != nil || len(pages) == 0 {
		t.Fatalf("no pages: %v", err)
	}
	for _, page := range pages {
		if link := "(" + filepath.Base(page) + ")"; !strings.Contains(string(list), link) {
			t.Errorf("docs/adr/README.md does not link %s", link)
		}
	}
}

// codePattern finds inline code, and the lines of code blocks with what follows
// a prompt.
var codePattern = regexp.MustCompile("`([^`\n]+)`|(?m:^(?:\\$ )?((?:selfip|make|bin/selfip) .*)$)")

// commandsIn returns the command lines of a program that a document shows.
func commandsIn(text, program string) []string {
	var lines []string
	for _, m := range codePattern.FindAllStringSubmatch(text, -1) {
		line, _, _ := strings.Cut(m[1]+m[2], " #")
		if rest, ok := strings.CutPrefix(strings.TrimPrefix(line, "bin/"), program+" "); ok {
			lines = append(lines, rest)
		}
	}
	return lines
}

// wrongCommand returns what is wrong with a command line of selfip, "" when the
// program has such a command with such flags.
func wrongCommand(root *cobra.Command, line string) string {
	words := strings.Fields(line)
	if isPlaceholder(words[0]) {
		return ""
	}
	cmd, rest, err := root.Find(words)
	if err != nil {
		return err.Error()
	}
	if cmd.HasSubCommands() && len(rest) > 0 && !strings.HasPrefix(rest[0], "-") && !isPlaceholder(rest[0]) {
		return "no command " + rest[0] + " of " + cmd.Name()
	}
	for _, word := range rest {
		name, _, _ := strings.Cut(strings.TrimPrefix(word, "--"), "=")
		if strings.HasPrefix(word, "--") && cmd.Flag(name) == nil && name != "help" {
			return "no flag --" + name
		}
	}
	return ""
}

// isPlaceholder reports whether a word stands for others, as COMMAND does.
func isPlaceholder(word string) bool {
	word = strings.Trim(word, "[]<>.|")
	return word == "" || word == strings.ToUpper(word)
}

func TestDocumentsNameRealCommands(t *testing.T) {
	shown := 0
	for name, text := range documents(t) {
		for _, line := range commandsIn(text, "selfip") {
			shown++
			if why := wrongCommand(selfipcmd.New(cli.System()), line); why != "" {
				t.Errorf("%s: selfip %s: %s", name, line, why)
			}
		}
	}
	if shown < 20 {
		t.Errorf("the documents show %d commands: does the pattern still find them?", shown)
	}
}

func TestDocumentsNameRealTargets(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(testkit.Root(t), "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	var targets []string
	for _, m := range regexp.MustCompile(`(?m)^([a-z0-9-]+):`).FindAllStringSubmatch(string(data), -1) {
		targets = append(targets, m[1])
	}
	for name, text := range documents(t) {
		for _, line := range commandsIn(text, "make") {
			if target := strings.Fields(line)[0]; !slices.Contains(targets, target) && !slices.Contains(invented, target) {
				t.Errorf("%s: make has no target %s", name, target)
			}
		}
	}
}

func TestDocumentsListEverySetting(t *testing.T) {
	docs := documents(t)
	for _, name := range []string{"README.md", "README.zh-CN.md", "docs/formats/config.md"} {
		for _, key := range config.Keys() {
			if !strings.Contains(docs[name], "\n| `"+key+"` |") {
				t.Errorf("%s: no row for the setting %s", name, key)
			}
		}
	}
}

// TestDocumentChecksCanFail holds that the checks see what they are there for.
func TestDocumentChecksCanFail(t *testing.T) {
	root := testkit.Root(t)
	text := "[a](docs/none.md) [b](README.md#x) [c](https://a.example) `internal/none` `pkg/text`\n```sh\nselfip nonsense\n$ selfip scope both --wrong\n```\n`selfip queue runn`\n"
	if got := deadLinks(root, "README.md", text); !slices.Equal(got, []string{"docs/none.md"}) {
		t.Errorf("dead links %q, want docs/none.md alone", got)
	}
	if got := deadPlaces(root, text); !slices.Equal(got, []string{"internal/none"}) {
		t.Errorf("dead places %q, want internal/none alone", got)
	}
	lines := commandsIn(text, "selfip")
	if want := []string{"nonsense", "scope both --wrong", "queue runn"}; !slices.Equal(lines, want) {
		t.Fatalf("commands %q, want %q", lines, want)
	}
	for _, line := range lines {
		if wrongCommand(selfipcmd.New(cli.System()), line) == "" {
			t.Errorf("selfip %s passes", line)
		}
	}
}
