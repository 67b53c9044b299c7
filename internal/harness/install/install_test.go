package install_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/harness"
	"github.com/dshkit/dshkit/internal/harness/install"
	"github.com/dshkit/dshkit/pkg/fault"
)

const (
	program = "selfip"
	binary  = "/home/dev/.local/bin/selfip"
)

func env(variables map[string]string) install.Env {
	return install.Env{
		Home: "/home/dev", Dir: "/home/dev/acme", Config: "/home/dev/.config/selfip", Bridge: true,
		Getenv: func(name string) string { return variables[name] },
	}
}

func targets(t testing.TB, h harness.Harness, scope install.Scope, variables map[string]string) []install.Target {
	t.Helper()
	all, err := install.Targets(h, scope, env(variables))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func target(t testing.TB, h harness.Harness) install.Target {
	return targets(t, h, install.User, nil)[0]
}

var options = install.Options{Program: program, Binary: binary, Bridge: true}

func read(t testing.TB, file string) []byte {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// golden compares got with a file; UPDATE=1 writes it.
func golden(t *testing.T, file string, got []byte) {
	t.Helper()
	if os.Getenv("UPDATE") == "1" {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(string(read(t, file)), string(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", file, diff)
	}
}

// settings returns the names of the settings files and their bytes.
func settings(t testing.TB, refused bool) map[string][]byte {
	t.Helper()
	files, err := filepath.Glob("testdata/settings/*.before.json")
	if err != nil || len(files) < 20 {
		t.Fatalf("%d files, error %v", len(files), err)
	}
	out := map[string][]byte{}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".before.json")
		if strings.HasPrefix(name, "refused-") == refused {
			out[name] = read(t, file)
		}
	}
	return out
}

// remembered passes a record through its file form.
func remembered(t testing.TB, r install.Record) *install.Record {
	t.Helper()
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var back install.Record
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	return &back
}

func TestInstallSettings(t *testing.T) {
	claude := target(t, harness.ClaudeCode)
	for name, before := range settings(t, false) {
		t.Run(name, func(t *testing.T) {
			plan := claude.Install(before, options)
			if plan.Refusal != nil || !plan.Changed() || plan.Created {
				t.Fatalf("refusal %v, changed %v, created %v", plan.Refusal, plan.Changed(), plan.Created)
			}
			golden(t, "testdata/settings/"+name+".after.json", plan.After)
			if len(plan.Entries) != 8 {
				t.Errorf("%d entries, want 8", len(plan.Entries))
			}
			again := claude.Install(plan.After, options)
			if again.Refusal != nil || again.Changed() {
				t.Errorf("a second install changes:\n%s", install.Diff(plan.After, again.After, "f"))
			}
			gone := claude.Uninstall(plan.After, program, remembered(t, plan.Record("1.0", "", nil)))
			if !bytes.Contains(before, []byte("selfip hook claude-code")) && !bytes.Equal(gone.After, before) {
				t.Errorf("uninstall leaves:\n%s", install.Diff(before, gone.After, "f"))
			}
			structural := claude.Uninstall(plan.After, program, nil)
			golden(t, "testdata/settings/"+name+".removed.json", structural.After)
			if twice := claude.Uninstall(structural.After, program, nil); twice.Changed() || twice.Refusal != nil {
				t.Errorf("a second uninstall changes:\n%s", install.Diff(structural.After, twice.After, "f"))
			}
		})
	}
}

// The words before a colon are line and column.
func TestInstallRefuses(t *testing.T) {
	want := map[string]string{
		"refused-comment":          "2:3 settings-comment",
		"refused-block-comment":    "2:10 settings-comment",
		"refused-trailing-comma":   "2:9 settings-trailing-comma",
		"refused-broken":           "3:3 settings-unexpected",
		"refused-cut":              "2:13 settings-cut",
		"refused-two-documents":    "2:1 settings-unexpected",
		"refused-array":            "1:1 settings-not-object",
		"refused-hooks-not-object": "2:12 settings-hooks-not-object",
		"refused-event-not-array":  "3:13 settings-event-not-array",
		"refused-hooks-twice":      "3:3 settings-key-twice",
		"refused-event-twice":      "3:5 settings-key-twice",
		"refused-single-quotes":    "1:2 settings-unexpected",
	}
	claude := target(t, harness.ClaudeCode)
	seen := 0
	for name, before := range settings(t, true) {
		t.Run(name, func(t *testing.T) {
			seen++
			for verb, plan := range map[string]install.Plan{
				"install":   claude.Install(before, options),
				"uninstall": claude.Uninstall(before, program, nil),
			} {
				if plan.Refusal == nil {
					t.Fatalf("%s is not refused", verb)
				}
				args := plan.Refusal.Args
				got := fmt.Sprintf("%v:%v %s", args[1], args[2], plan.Refusal.Code)
				if got != want[name] || args[0] != claude.File || plan.Refusal.Kind != fault.Refused {
					t.Errorf("%s: %s of %v, kind %s; want %s", verb, got, args[0], plan.Refusal.Kind, want[name])
				}
				if plan.Changed() || !bytes.Equal(plan.After, before) {
					t.Errorf("%s changes a refused file", verb)
				}
			}
			if f := claude.Install(before, options).Fragment; !bytes.Contains(f, []byte(`"SessionStart": [`)) {
				t.Errorf("fragment %s", f)
			}
		})
	}
	if seen != len(want) {
		t.Errorf("%d files, want %d", seen, len(want))
	}
}

func TestInstallCreatesTheFile(t *testing.T) {
	for _, h := range hooked {
		file := first(t, h)
		plan := file.Install(nil, options)
		if !plan.Created || !plan.Changed() || plan.Before != nil {
			t.Fatalf("%s: created %v, changed %v, refusal %v", h, plan.Created, plan.Changed(), plan.Refusal)
		}
		golden(t, "testdata/created."+string(h)+".json", plan.After)
		record := remembered(t, plan.Record("1.0", "", nil))
		gone := file.Uninstall(plan.After, program, record)
		if !gone.Remove || gone.After != nil {
			t.Errorf("%s: the file stays: %q", h, gone.After)
		}
		edited := bytes.Replace(plan.After, []byte("{\n"), []byte("{\n  \"model\": \"x\",\n"), 1)
		gone = file.Uninstall(edited, program, record)
		if gone.Remove || string(gone.After) != "{\n  \"model\": \"x\"\n}\n" {
			t.Errorf("%s: a file with more in it became %q, removed %v", h, gone.After, gone.Remove)
		}
		head, _, _ := strings.Cut(string(plan.After), "  \"hooks\"") // with the version that some have
		if lost := file.Uninstall(plan.After, program, nil); lost.Remove || string(lost.After) != head+"  \"hooks\": {}\n}\n" {
			t.Errorf("%s: without a record: %q, removed %v", h, lost.After, lost.Remove)
		}
	}
}

func TestInstallKeepsTheRecordThroughUpgrades(t *testing.T) {
	claude := target(t, harness.ClaudeCode)
	original := read(t, "testdata/settings/others.before.json")
	first := claude.Install(original, options)
	record := remembered(t, first.Record("1.0", "b1", nil))
	moved := options
	moved.Binary, moved.Trace = "/opt/new place/selfip", true
	second := claude.Install(first.After, moved)
	if second.Refusal != nil || len(second.Entries) != 9 {
		t.Fatalf("refusal %v, entries %v", second.Refusal, second.Entries)
	}
	for _, e := range second.Entries {
		if !strings.HasPrefix(e.Command, `"/opt/new place/selfip" hook claude-code `) {
			t.Errorf("command %q", e.Command)
		}
	}
	record = remembered(t, second.Record("1.1", "", record))
	if record.Backup != "b1" || record.Version != "1.1" || len(record.Undo) != 2 {
		t.Errorf("record %+v", record)
	}
	gone := claude.Uninstall(second.After, program, record)
	if !bytes.Equal(gone.After, original) {
		t.Errorf("after an upgrade, uninstall leaves:\n%s", install.Diff(original, gone.After, "f"))
	}
	touched := bytes.Replace(second.After, []byte(`"permissions"`), []byte(`"more": 1, "permissions"`), 1)
	gone = claude.Uninstall(touched, program, record)
	want := bytes.Replace(original, []byte(`"permissions"`), []byte(`"more": 1, "permissions"`), 1)
	want = bytes.Replace(want, []byte(",\n    \"SessionEnd\": []"), nil, 1) // an event left empty goes
	if !bytes.Equal(gone.After, want) {
		t.Errorf("after another's change, uninstall leaves:\n%s", install.Diff(want, gone.After, "f"))
	}
}

func TestInstallEvents(t *testing.T) {
	claude := target(t, harness.ClaudeCode)
	names := func(o install.Options) string {
		plan := claude.Install(nil, o)
		if plan.Refusal != nil {
			return plan.Refusal.Code
		}
		var names []string
		for _, e := range plan.Entries {
			names = append(names, fmt.Sprintf("%s/%d", e.Event, e.Timeout))
		}
		return strings.Join(names, " ")
	}
	defaults := "SessionStart/10 UserPromptSubmit/10 PostToolUseFailure/10 Stop/10 StopFailure/10 SubagentStop/10 PreCompact/10 SessionEnd/5"
	if got := names(options); got != defaults {
		t.Errorf("defaults: %s", got)
	}
	o := options
	o.Events = []string{"SessionEnd", "Stop"}
	if got := names(o); got != "Stop/10 SessionEnd/5" {
		t.Errorf("chosen: %s", got)
	}
	o.Trace = true
	if got := names(o); got != "PostToolUse/10 Stop/10 SessionEnd/5" {
		t.Errorf("traced: %s", got)
	}
	o.Events = []string{"PreToolUse"}
	if got := names(o); got != "install-event-unknown" {
		t.Errorf("never installed: %s", got)
	}
	fewer := options
	fewer.Events = []string{"Stop"}
	plan := claude.Install(claude.Install([]byte("{}"), options).After, fewer)
	if len(plan.Entries) != 1 || plan.Entries[0].Event != "Stop" {
		t.Errorf("fewer events: %v", plan.Entries)
	}
}

func TestInstallProjectScope(t *testing.T) {
	for h, file := range map[harness.Harness]string{
		harness.ClaudeCode: "/home/dev/acme/.claude/settings.json",
		harness.Codex:      "/home/dev/acme/.codex/hooks.json",
	} {
		project := targets(t, h, install.Project, nil)[0]
		plan := project.Install(nil, install.Options{Program: program})
		if filepath.ToSlash(project.File) != file || plan.Refusal != nil {
			t.Fatalf("%s: file %s, refusal %v", h, project.File, plan.Refusal)
		}
		for _, e := range plan.Entries {
			if e.Command != "selfip hook "+string(h)+" "+e.Event {
				t.Errorf("command %q", e.Command)
			}
		}
		if !hasNote(plan, "note-bare-word") {
			t.Errorf("%s: notes %v", h, plan.Notes)
		}
	}
}

func hasNote(plan install.Plan, code string) bool {
	for _, n := range plan.Notes {
		if n.Code == code {
			return true
		}
	}
	return false
}

func TestTargets(t *testing.T) {
	cases := []struct {
		h         harness.Harness
		variables map[string]string
		want      string
	}{
		{harness.ClaudeCode, nil, "/home/dev/.claude/settings.json"},
		{harness.ClaudeCode, map[string]string{"CLAUDE_CONFIG_DIR": "/c"}, "/c/settings.json"},
		{harness.Codex, nil, "/home/dev/.codex/hooks.json"},
		{harness.Codex, map[string]string{"CODEX_HOME": "/c"}, "/c/hooks.json"},
		{harness.DSH, nil, "/home/dev/.config/selfip/dsh-hooks.json /home/dev/.dsh/cordis.patch.yml"},
		{harness.DSH, map[string]string{"DSH_HOME": "/d"}, "/home/dev/.config/selfip/dsh-hooks.json /d/cordis.patch.yml"},
	}
	for _, c := range cases {
		var files []string
		for _, file := range targets(t, c.h, install.User, c.variables) {
			files = append(files, filepath.ToSlash(file.File))
		}
		if got := strings.Join(files, " "); got != c.want {
			t.Errorf("%s with %v: %s, want %s", c.h, c.variables, got, c.want)
		}
	}
	for h, scope := range map[harness.Harness]install.Scope{harness.DSH: install.Project, harness.Hermes: install.Project, "emacs": install.User, harness.Codex: "team"} {
		_, err := install.Targets(h, scope, env(nil))
		var e *fault.Error
		if !errors.As(err, &e) || e.Kind != fault.Usage {
			t.Errorf("Targets(%s, %s) = %v, want a usage error", h, scope, err)
		}
	}
}

func TestTargetsNeedAPlace(t *testing.T) {
	for _, h := range slices.DeleteFunc(slices.Clone(hooked), func(h harness.Harness) bool { return h == harness.VSCode }) {
		nowhere := install.Env{Config: "/c", Getenv: func(string) string { return "" }}
		if _, err := install.Targets(h, install.User, nowhere); fault.CodeOf(err) != "install-place-unknown" {
			t.Errorf("%s without a home: %v", h, err)
		}
	}
}

func TestInstallRefusesBinaries(t *testing.T) {
	cases := map[string]string{
		"selfip": "install-binary-relative", "./selfip": "install-binary-relative", "~/selfip": "install-binary-relative",
		"": "install-binary-relative", "/a/selfip-dev": "install-binary-name", "/a/selfip/": "install-binary-name",
		"/a\nb/selfip": "install-binary-chars", `C:\x\other.exe`: "install-binary-name",
	}
	for path, want := range cases {
		o := options
		o.Binary = path
		if plan := target(t, harness.ClaudeCode).Install(nil, o); plan.Refusal == nil || plan.Refusal.Code != want {
			t.Errorf("binary %q: %v, want %s", path, plan.Refusal, want)
		}
	}
	o := options
	o.Binary = `C:\Program Files\selfip.exe`
	plan := target(t, harness.ClaudeCode).Install(nil, o)
	if plan.Refusal != nil || plan.Entries[0].Command != `"C:/Program Files/selfip.exe" hook claude-code SessionStart` {
		t.Errorf("windows: %v %v", plan.Refusal, plan.Entries)
	}
}

func TestInstallCodexSaysTrust(t *testing.T) {
	codex := target(t, harness.Codex)
	plan := codex.Install([]byte("{}"), options)
	if !hasNote(plan, "note-codex-trust") {
		t.Errorf("notes %v", plan.Notes)
	}
	moved := options
	moved.Binary = "/opt/selfip"
	if again := codex.Install(plan.After, moved); !hasNote(again, "note-codex-untrusted") {
		t.Errorf("notes %v", again.Notes)
	}
	if same := codex.Install(plan.After, options); len(same.Notes) != 0 {
		t.Errorf("notes %v", same.Notes)
	}
	if bom := codex.Install([]byte("\xEF\xBB\xBF{}"), options); bom.Refusal == nil || bom.Refusal.Code != "settings-bom" {
		t.Errorf("a byte order mark: %v", bom.Refusal)
	}
}

func TestInstallNeverMovesOthersPositions(t *testing.T) {
	codex := target(t, harness.Codex)
	before := []byte(`{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"a"}]},{"hooks":[{"type":"command","command":"b"}]}]}}`)
	plan := codex.Install(before, options)
	for _, e := range plan.Entries {
		if want := map[string]int{"Stop": 2}[e.Event]; e.Index != want || e.Handler != 0 {
			t.Errorf("entry %+v, want index %d", e, want)
		}
	}
}

func TestStatus(t *testing.T) {
	claude := target(t, harness.ClaudeCode)
	s := claude.Status(nil, program)
	if s.Exists || len(s.Missing) != 8 || s.Trouble != nil {
		t.Errorf("no file: %+v", s)
	}
	s = claude.Status(read(t, "testdata/settings/ours-twice.before.json"), program)
	if diff := cmp.Diff([]string{"Stop"}, s.Repeated); diff != "" || len(s.Entries) != 5 || len(s.Missing) != 7 {
		t.Errorf("twice: %+v", s)
	}
	if s = claude.Status([]byte("{,"), program); s.Trouble == nil || s.Trouble.Code != "settings-unexpected" {
		t.Errorf("broken: %+v", s)
	}
	s = claude.Status([]byte(`{"disableAllHooks":true,"allowManagedHooksOnly":false}`), program)
	if diff := cmp.Diff([]string{"disableAllHooks"}, s.Disabled); diff != "" {
		t.Error(diff)
	}
	if got := install.Disabled([]byte(`{"allowManagedHooksOnly": true}`)); len(got) != 1 || got[0] != "allowManagedHooksOnly" {
		t.Errorf("managed: %v", got)
	}
	if plan := claude.Install(read(t, "testdata/settings/disabled.before.json"), options); !hasNote(plan, "note-hooks-disabled") {
		t.Errorf("notes %v", plan.Notes)
	}
}
