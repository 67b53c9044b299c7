package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/testkit"
)

func testPlayer(t *testing.T) *player {
	t.Helper()
	testkit.Plugins(t)
	p, err := newPlayer()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// everyScenario runs f for each recorded one, those of newer rules too.
func everyScenario(t *testing.T, p *player, f func(t *testing.T, file string)) {
	t.Helper()
	dir := filepath.Join(p.oracle, "scenarios")
	files, err := scenarios([]string{dir, filepath.Join(dir, "next")})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != 31 {
		t.Errorf("%d scenarios, want 31", len(files))
	}
	for _, file := range files {
		t.Run(name(file), func(t *testing.T) { f(t, file) })
	}
}

// TestScenarios plays what was recorded from the published packages: their
// plugins on our Core answer with the same bytes. Each is listed with what it
// holds of docs/conformance.md.
func TestScenarios(t *testing.T) {
	p := testPlayer(t)
	holds := map[string]string{}
	for _, scenario := range []struct{ name, holds string }{
		{"activation-graph", "MN51-MN54, MN57"},
		{"auto-capture", "MN80"},
		{"bad-schema", "MN23"},
		{"budgets", "MN19, MN25-MN27"},
		{"canonical-digest", "MN10-MN12"},
		{"configuration", "MN121"},
		{"create-turn", "MN29, MN31-MN33"},
		{"definitions", "MN15, MN16, MN123"},
		{"determinism", "MN8-MN10, MN16, MN17, MN19-MN22"},
		{"documents-source", "MN99-MN102"},
		{"eager", "MN1, MN4, MN5, MN17, MN24"},
		{"extensions", "MN9, MN57, MN58, MN60, MN62-MN64"},
		{"holographic-provider", "MN118, MN120"},
		{"lifecycle", "MN3, MN67-MN69, MN71, MN72"},
		{"light-context", "MN74, MN76, MN79, MN81"},
		{"management", "MN73"},
		{"receipts", "MN37, MN123"},
		{"required-false", "MN7, MN18, MN41-MN43, MN49, MN50"},
		{"routed", "MN1"},
		{"runtime-source", "MN89, MN90, MN92, MN94, MN95"},
		{"scoped", "MN78"},
		{"spaces-source", "MN109, MN112, MN114"},
		{"strategy-selection", "MN55, MN56"},
		{"three-tier-compose", "MN17, MN74-MN77"},
		{"three-tier-retrieval", "MN33, MN82, MN83, MN85"},
		{"timeouts", "MN7, MN44, MN46, MN49"},
		{"two-instances", "MN5, MN18"},
		{"unauthorised", "MN8, MN24, MN35, MN36, MN39"},
		{"any-strategy-extension", "MN16, MN59, MN60"},
		{"general-strategy", "MN88"},
		{"strategy-fallback", "MN56"},
	} {
		holds[scenario.name] = scenario.holds
	}
	everyScenario(t, p, func(t *testing.T, file string) {
		if name(file) != "timeouts" { // which measures
			t.Parallel()
		}
		if os.Getenv("UPDATE") == "1" {
			update(t, p, file)
		}
		if holds[name(file)] == "" {
			t.Error("nobody says what it holds")
		}
		differences, err := p.check(t.Context(), file)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range differences {
			t.Error(d)
		}
	})
}

// update rewrites what we say in place of an older recording.
func update(t *testing.T, p *player, file string) {
	t.Helper()
	newer := filepath.Join(p.root, "testdata", "newer", name(file)+goldenSuffix)
	if _, err := os.Stat(newer); err != nil {
		return
	}
	got, err := p.play(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(newer, []byte(got), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestNewer holds that our answers in place of recorded ones differ from these
// where newer rules say so, and nowhere else.
func TestNewer(t *testing.T) {
	p := testPlayer(t)
	for name, allowed := range map[string][]string{
		"definitions": {
			"results.2.ok.6.",           // a Strategy for any role
			"results.3.ok.5.error.mess", // an extension for any Strategy needs a standard slot
		},
		"strategy-selection": {
			"results.37.ok.", // the only Strategy stands in for the missing type
		},
	} {
		t.Run(name, func(t *testing.T) {
			old, err := os.ReadFile(filepath.Join(p.oracle, "scenarios", name+goldenSuffix))
			if err != nil {
				t.Fatal(err)
			}
			newer, err := os.ReadFile(filepath.Join(p.root, "testdata", "newer", name+goldenSuffix))
			if err != nil {
				t.Fatal(err)
			}
			met := map[string]bool{}
			for _, d := range compare(old, newer) {
				prefix := prefixOf(d, allowed)
				if prefix == "" {
					t.Errorf("no newer rule says so: %s", d)
				}
				met[prefix] = true
			}
			for _, prefix := range allowed {
				if !met[prefix] {
					t.Errorf("no difference at %s", prefix)
				}
			}
		})
	}
	listed, err := filepath.Glob(filepath.Join(p.root, "testdata", "newer", "*"))
	if err != nil || len(listed) != 2 {
		t.Errorf("testdata/newer: %v %v", listed, err)
	}
}

func prefixOf(s string, prefixes []string) string {
	for _, prefix := range prefixes {
		if strings.HasPrefix(s, prefix) {
			return prefix
		}
	}
	return ""
}

// TestScenariosUnderNode holds that recordings, packages and scenarios belong
// together, where there is a Node. What newer rules say is not published.
func TestScenariosUnderNode(t *testing.T) {
	program, err := exec.LookPath("node")
	if err != nil {
		return
	}
	p := testPlayer(t)
	files, err := scenarios([]string{filepath.Join(p.oracle, "scenarios")})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), program, append([]string{"run.mjs", "--check"}, files...)...)
	cmd.Dir = p.oracle
	out, err := cmd.CombinedOutput()
	if err != nil || bytes.Count(out, []byte("same ")) != len(files) {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestUsage(t *testing.T) {
	for _, tc := range []struct {
		args []string
		code int
		want string
	}{
		{nil, 64, usage + "\n"},
		{[]string{"mnemon"}, 64, usage + "\n"},
		{[]string{"other", "x"}, 64, usage + "\n"},
		{[]string{"mnemon", "testdata/none"}, 1, "replay: stat "},
	} {
		var out, problems bytes.Buffer
		code := run(t.Context(), tc.args, &out, &problems)
		if code != tc.code || !strings.HasPrefix(problems.String(), tc.want) || out.Len() > 0 {
			t.Errorf("%q: exit %d, %q, %q", tc.args, code, out.String(), problems.String())
		}
	}
}

// TestReplayTellsWhatDiffers plays a scenario of another folder, with a recording
// that somebody changed, beside one that nobody recorded and one that is broken.
func TestReplayTellsWhatDiffers(t *testing.T) {
	p := testPlayer(t)
	dir := filepath.Join(t.TempDir(), "[a]") // nothing to match by
	for file, text := range map[string]string{
		"broken.json": "{", "broken.golden.json": "{}", "new.json": `{"steps": []}`, "package.json": `{"name": "x"}`, "gone.golden.json": "{}",
	} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.CopyFS(filepath.Join(dir, "plugins"), os.DirFS(filepath.Join(p.oracle, "scenarios", "plugins"))); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"light-context", "receipts"} {
		text, err := os.ReadFile(filepath.Join(p.oracle, "scenarios", name+".json"))
		if err != nil {
			t.Fatal(err)
		}
		golden, err := os.ReadFile(filepath.Join(p.oracle, "scenarios", name+goldenSuffix))
		if err != nil {
			t.Fatal(err)
		}
		golden = bytes.Replace(golden, []byte(`"authorizeCalls": 1`), []byte(`"authorizeCalls": 2`), 1)
		for file, text := range map[string][]byte{name + ".json": text, name + goldenSuffix: golden} {
			if err := os.WriteFile(filepath.Join(dir, file), text, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	var out, problems bytes.Buffer
	code := run(t.Context(), []string{"mnemon", dir}, &out, &problems)
	told := regexp.MustCompile(`(?m)^(fails .*)\n  .*$`).ReplaceAllString(out.String(), "$1")
	want := "fails broken\nsame light-context\nfails new\ndiffers receipts\n  results.3.ok.authorizeCalls: want 2, got 1\n"
	if diff := cmp.Diff(want, told); diff != "" || code != 1 || problems.Len() > 0 {
		t.Errorf("exit %d, %q (-want +got):\n%s", code, problems.String(), diff)
	}
}

func TestCompare(t *testing.T) {
	for _, tc := range []struct {
		name, want, got string
		differences     []string
	}{
		{"same", `{"a":1}`, `{"a":1}`, nil},
		{"member", `{"a":1,"b":2}`, `{"b":3,"c":4}`, []string{`a: want 1, got nothing`, `b: want 2, got 3`, `c: want nothing, got 4`}},
		{"element", `[1,2]`, `[1]`, []string{`1: want 2, got nothing`}},
		{"more elements", `[]`, `[{"x":1}]`, []string{`0: want nothing, got {"x":1}`}},
		{"kind", `{"a":[]}`, `{"a":{}}`, []string{`a: want [], got {}`}},
		{"all", `1`, `"1"`, []string{`all: want 1, got "1"`}},
		{"blank", "{\n}", `{}`, []string{`line 1: want "{", got "{}"`}},
		{"order", `{"a":1,"b":2}`, `{"b":2,"a":1}`, []string{`line 1: want "{\"a\":1,\"b\":2}", got "{\"b\":2,\"a\":1}"`}},
		{"no JSON", "a\nb", "a", []string{`line 2: want "b", got the end`}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if diff := cmp.Diff(tc.differences, compare([]byte(tc.want), []byte(tc.got))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
