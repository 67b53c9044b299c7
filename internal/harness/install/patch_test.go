package install_test

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/dshkit/dshkit/internal/harness"
	"github.com/dshkit/dshkit/internal/harness/install"
	"github.com/dshkit/dshkit/pkg/fault"
)

func patchTarget(t testing.TB) install.Target {
	return targets(t, harness.DSH, install.User, nil)[1]
}

func TestPatchRows(t *testing.T) {
	files, err := filepath.Glob("testdata/patch/*.before.yml")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d files, error %v", len(files), err)
	}
	patch := patchTarget(t)
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".before.yml")
		if strings.HasPrefix(name, "refused-") {
			continue
		}
		t.Run(name, func(t *testing.T) {
			before := read(t, file)
			plan := patch.Install(before, options)
			if plan.Refusal != nil || !plan.Changed() || len(plan.Entries) != 1 {
				t.Fatalf("refusal %v, entries %v", plan.Refusal, plan.Entries)
			}
			golden(t, "testdata/patch/"+name+".after.yml", plan.After)
			if again := patch.Install(plan.After, options); again.Changed() || again.Refusal != nil {
				t.Errorf("a second install: %v\n%s", again.Refusal, install.Diff(plan.After, again.After, "f"))
			}
			gone := patch.Uninstall(plan.After, program, remembered(t, plan.Record("1", "", nil)))
			if name != "ours-old-path" && !bytes.Equal(gone.After, before) {
				t.Errorf("left:\n%s", install.Diff(before, gone.After, "f"))
			}
			bare := patch.Uninstall(plan.After, program, nil)
			golden(t, "testdata/patch/"+name+".removed.yml", bare.After)
			if s := patch.Status(bare.After, program); len(s.Entries) != 0 || s.Trouble != nil {
				t.Errorf("status after uninstall: %+v", s)
			}
		})
	}
}

func TestPatchRefuses(t *testing.T) {
	want := map[string]string{
		"refused-flow":     "1:1 patch-not-list",
		"refused-mapping":  "1:1 patch-not-list",
		"refused-two":      "2:1 patch-not-yaml",
		"refused-end-mark": "1:1 patch-not-list",
		"refused-syntax":   "2:1 patch-not-yaml",
	}
	patch := patchTarget(t)
	for name, code := range want {
		before := read(t, "testdata/patch/"+name+".before.yml")
		for _, plan := range []install.Plan{patch.Install(before, options), patch.Uninstall(before, program, nil)} {
			if plan.Refusal == nil {
				t.Errorf("%s is not refused", name)
				continue
			}
			got := fmt.Sprintf("%v:%v %s", plan.Refusal.Args[1], plan.Refusal.Args[2], plan.Refusal.Code)
			if got != code || plan.Refusal.Kind != fault.Refused || plan.Changed() {
				t.Errorf("%s: %s, want %s", name, got, code)
			}
		}
	}
}

func TestPatchNeedsTheBridge(t *testing.T) {
	without := options
	without.Bridge = false
	for _, file := range targets(t, harness.DSH, install.User, nil) {
		plan := file.Install(nil, without)
		if plan.Refusal == nil || plan.Refusal.Code != "install-bridge-missing" || plan.Changed() {
			t.Errorf("%s: %v, changed %v", file.File, plan.Refusal, plan.Changed())
		}
	}
}

func TestPatchCreatesTheFile(t *testing.T) {
	patch := patchTarget(t)
	plan := patch.Install(nil, options)
	want := `- insert:
    - id: selfip-hooks
      name: '@deepseek-ai/dsh-hooks-claude-code'
      config:
        configPath: /home/dev/.config/selfip/dsh-hooks.json
`
	if !plan.Created || string(plan.After) != want || string(plan.Fragment) != want {
		t.Fatalf("created %v:\n%s\nfragment:\n%s", plan.Created, plan.After, plan.Fragment)
	}
	record := plan.Record("1", "", nil)
	if gone := patch.Uninstall(plan.After, program, &record); !gone.Remove {
		t.Errorf("left %q", gone.After)
	}
	edited := append([]byte("- remove: [ui]\n"), plan.After...)
	if gone := patch.Uninstall(edited, program, &record); gone.Remove || string(gone.After) != "- remove: [ui]\n" {
		t.Errorf("left %q", gone.After)
	}
}

func TestPatchKeepsReformattedRowsForTheUser(t *testing.T) {
	text := []byte("- insert: [{id: a, name: b}, {id: selfip-hooks, name: '" + install.DSHBridge + "', config: {configPath: /x/dsh-hooks.json}}]\n")
	plan := patchTarget(t).Uninstall(text, program, nil)
	if plan.Refusal == nil || plan.Refusal.Code != "patch-by-hand" || plan.Changed() {
		t.Errorf("refusal %v, changed %v: %s", plan.Refusal, plan.Changed(), plan.After)
	}
}

func TestPatchQuotesPaths(t *testing.T) {
	for _, name := range oddNames(t) {
		e := env(nil)
		e.Config = "/c/" + name
		all, err := install.Targets(harness.DSH, install.User, e)
		if err != nil {
			t.Fatal(err)
		}
		plan := all[1].Install([]byte("- remove: [ui]\n"), options)
		if plan.Refusal != nil || plan.Entries[0].Command != all[0].File {
			t.Errorf("%q: %v %v\n%s", name, plan.Refusal, plan.Entries, plan.After)
		}
	}
}

// TestPatchUndone holds for any rows of others.
func TestPatchUndone(t *testing.T) {
	rows := rapid.SampledFrom([]string{
		"- insert:\n    - id: a\n      name: b\n", "- remove: [x]\n", "# note\n", "\n", "- replace:\n    id: selfip-hooks\n    config: 1 # one\n",
		"- insert:\n    - id: t\n      config:\n        text: |+\n          x\n\n",
	})
	patch := patchTarget(t)
	rapid.Check(t, func(t *rapid.T) {
		before := []byte(strings.Join(rapid.SliceOfN(rows, 0, 5).Draw(t, "rows"), ""))
		plan := patch.Install(before, options)
		if plan.Refusal != nil {
			t.Fatalf("refused %v:\n%s", plan.Refusal, before)
		}
		record := plan.Record("1", "", nil)
		if gone := patch.Uninstall(plan.After, program, &record); !bytes.Equal(gone.After, before) {
			t.Fatalf("left:\n%s", install.Diff(before, gone.After, "f"))
		}
		if gone := patch.Uninstall(plan.After, program, nil); !bytes.Equal(gone.After, before) {
			t.Fatalf("without a record:\n%s", install.Diff(before, gone.After, "f"))
		}
	})
}

func FuzzPatch(f *testing.F) {
	files, _ := filepath.Glob("testdata/patch/*.before.yml")
	for _, file := range files {
		f.Add(read(f, file))
	}
	patch := patchTarget(f)
	f.Fuzz(func(t *testing.T, before []byte) {
		plan := patch.Install(before, options)
		if plan.Refusal != nil {
			if plan.Changed() {
				t.Fatal("changed what was refused")
			}
			return
		}
		record := plan.Record("1", "", nil)
		fresh := len(patch.Status(before, program).Entries) == 0
		if gone := patch.Uninstall(plan.After, program, &record); fresh && gone.Refusal == nil && !bytes.Equal(gone.After, before) {
			t.Fatalf("left:\n%s", install.Diff(before, gone.After, "f"))
		}
	})
}
