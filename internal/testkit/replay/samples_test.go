package replay_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/dshkit/dshkit/internal/cordis/guide"
	"github.com/dshkit/dshkit/internal/testkit"
	"github.com/dshkit/dshkit/internal/testkit/replay"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// options build cordis and find what pages need.
func options(t *testing.T) replay.Options {
	t.Helper()
	root := testkit.Root(t)
	o := replay.Options{
		Binary: filepath.Join(t.TempDir(), "cordis"), Path: os.Getenv("PATH"),
		Pages: filepath.Join(root, "testdata", "reference", "page.mjs"),
	}
	build := exec.Command("go", "build", "-o", o.Binary, "./cmd/cordis")
	build.Dir = root
	if text, err := build.CombinedOutput(); err != nil {
		t.Fatalf("cordis does not build: %v\n%s", err, text)
	}
	node, err := exec.LookPath("node")
	if err != nil {
		t.Fatalf("samples with a page need Node: %v", err)
	}
	if _, err := os.Stat(filepath.Join(root, "testdata", "reference", "node_modules")); err != nil {
		t.Fatalf("the published runtime is not installed: run make plugins, which needs npm (%v)", err)
	}
	o.Node = node
	return o
}

// TestSamples plays all samples of the reference, with halves in processes of
// their own and in that of the host: CR-A16. What they hold of the checklist:
//
//	01 CR-R9, CR-R22, CR-R24    02 CR-C9, CR-C10       03 CR-C2, CR-C3, CR-C4
//	04 CR-C1, CR-C5, CR-C6      05 CR-S5               06 CR-S4
//	07 CR-A10                   09, 10 CR-S9           11 CR-S8
//	12 CR-R5, CR-S11            13 CR-X1, CR-X5, CR-X7 14 CR-S3, CR-S6, CR-S7
//	15 CR-C8                    17 CR-V1               18 CR-R2, CR-R7
//	19 CR-Z2                    20 CR-R11              24 CR-R12, CR-R13
//	25 CR-A4                    26 CR-A13              27 CR-R14, CR-R16, CR-V3
//	28 CR-A11, CR-A12
//
// And, in the table of differences, where ours does better: CR-W1, CR-W2, CR-W5 to
// CR-W20 (CR-W6, CR-W7, CR-W8, CR-W9, CR-W10, CR-W11, CR-W12, CR-W13, CR-W14,
// CR-W15, CR-W16, CR-W17, CR-W18, CR-W19), CR-W24, CR-W26, CR-W27, CR-W29.
func TestSamples(t *testing.T) {
	root := testkit.Root(t)
	samples, err := replay.Samples(filepath.Join(root, "testdata", "cordis-samples"))
	if err != nil {
		t.Fatal(err)
	}
	if len(samples) != 30 {
		t.Errorf("%d samples, want 30", len(samples))
	}
	o := options(t)
	for _, trusted := range []bool{false, true} {
		o.Trusted = trusted
		for i, s := range samples {
			if testing.Short() && (trusted || i%5 != 0) {
				continue // all take half a minute
			}
			t.Run(fmt.Sprintf("%s/trusted=%v", s.Name, trusted), func(t *testing.T) {
				t.Parallel()
				differences, err := replay.Check(t.Context(), o, replay.Goldens(s.Dir, root), s)
				if err != nil {
					t.Fatal(err)
				}
				for _, d := range differences {
					t.Error(d)
				}
			})
		}
	}
}

// TestMoreSamples plays those of testdata/cordis-more, half of them with halves in
// processes of their own.
func TestMoreSamples(t *testing.T) {
	root := testkit.Root(t)
	samples, err := replay.Samples(filepath.Join(root, "testdata", "cordis-more"))
	if err != nil {
		t.Fatal(err)
	}
	if len(samples) != 19 {
		t.Errorf("%d samples, want 19", len(samples))
	}
	o := options(t)
	for i, s := range samples {
		if testing.Short() && i%4 != 0 {
			continue
		}
		o := o
		o.Trusted = i%2 == 0
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			differences, err := replay.Check(t.Context(), o, replay.Goldens(s.Dir, root), s)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range differences {
				t.Error(d)
			}
		})
	}
}

// TestSkillRuns holds that the code of the skill does what the skill says: what
// is for a half runs there, what is wrong is refused. CR-A15.
func TestSkillRuns(t *testing.T) {
	blocks := regexp.MustCompile("(?s)```js (\\w+)\n(.*?)```").FindAllStringSubmatch(guide.Skill("en"), -1)
	dir := t.TempDir()
	steps := []any{jsonvalue.Of("do", "page")}
	add := func(pairs ...any) { steps = append(steps, jsonvalue.Of(pairs...)) }
	for i, b := range blocks {
		file, kind := fmt.Sprintf("%d.js", i), b[1]
		if err := os.WriteFile(filepath.Join(dir, file), []byte(b[2]), 0o600); err != nil {
			t.Fatal(err)
		}
		half := "host"
		if kind == "client" || strings.Contains(b[2], "<button>") {
			half = "client"
		}
		id := fmt.Sprintf("d%d", i)
		add("id", id, "do", "define", "new", "skill", half, file)
		if half == "client" && kind == "wrong" {
			continue // it is refused
		}
		add("id", "r", "do", "run", "plugin", "$"+id+".pluginId", "package", "$"+id+".packageId", "note", kind)
		if half == "client" {
			add("do", "wait", "ms", float64(1))
			add("do", "approve", "plugin", "$"+id+".pluginId", "silent", true)
			add("do", "inventory", "plugin", "$"+id+".pluginId", "note", kind)
		}
	}
	add("do", "call", "tool", "count_words", "args", jsonvalue.Of("text", "one two"))
	scenario := jsonvalue.Format(jsonvalue.Of("steps", steps))
	if err := os.WriteFile(filepath.Join(dir, "scenario.json"), []byte(scenario), 0o600); err != nil {
		t.Fatal(err)
	}
	samples, err := replay.Samples(dir)
	if err != nil {
		t.Fatal(err)
	}
	results, err := replay.Play(t.Context(), options(t), samples[0])
	if err != nil {
		t.Fatal(err)
	}
	var refused []string
	ran := map[string]int{}
	for _, r := range results {
		text := jsonvalue.Format(r.Result)
		ran[r.Note]++
		if strings.Contains(text, `"error"`) {
			refused = append(refused, text)
		} else if r.Note != "" && !strings.Contains(text, `"running"`) && !strings.Contains(text, `"awaiting-approval"`) {
			t.Errorf("%s %s: %s", r.Step, r.Note, text)
		}
	}
	if got := len(refused); got != 2 || !strings.Contains(strings.Join(refused, ""), "guard.undeclared(fs)") {
		t.Errorf("refused: %v; want what is wrong, and nothing else", refused)
	}
	if ran["host"] < 9 || ran["client"] < 10 {
		t.Errorf("ran %v, want all samples of the skill", ran)
	}
	last := jsonvalue.Format(results[len(results)-1].Result)
	if !strings.Contains(last, `{"words":2}`) {
		t.Errorf("count_words gave %s", last)
	}
}
