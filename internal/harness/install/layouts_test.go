package install_test

import (
	"bytes"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/harness"
	"github.com/dshkit/dshkit/internal/harness/install"
	"github.com/dshkit/dshkit/internal/harness/jsontext"
)

// first is the first file of a harness, in the first scope that it has.
func first(t testing.TB, h harness.Harness) install.Target {
	t.Helper()
	for _, scope := range []install.Scope{install.User, install.Project} {
		if all, err := install.Targets(h, scope, env(nil)); err == nil {
			return all[0]
		}
	}
	t.Fatalf("%s has no settings", h)
	return install.Target{}
}

// hooked are the harnesses whose settings are JSON with hooks.
var hooked = []harness.Harness{
	harness.ClaudeCode, harness.Codex, harness.DSH, harness.GeminiCLI, harness.QwenCode, harness.CopilotCLI, harness.VSCode, harness.Cursor,
}

var comments = regexp.MustCompile(`//[^\n]*|/\*(?s:.*?)\*/`)

// TestInstallAmongComments: in a file that may hold comments each one stays,
// beside what it is about, when ours comes and when it goes.
func TestInstallAmongComments(t *testing.T) {
	gemini := target(t, harness.GeminiCLI)
	files, err := filepath.Glob("testdata/commented/[^r]*.before.json")
	if err != nil || len(files) < 7 {
		t.Fatalf("%d files, error %v", len(files), err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".before.json")
		t.Run(name, func(t *testing.T) {
			before := read(t, file)
			plan := gemini.Install(before, options)
			if plan.Refusal != nil || len(plan.Entries) != 5 {
				t.Fatalf("refusal %v, entries %v", plan.Refusal, plan.Entries)
			}
			golden(t, "testdata/commented/"+name+".after.json", plan.After)
			if again := gemini.Install(plan.After, options); again.Refusal != nil || again.Changed() {
				t.Errorf("a second install changes:\n%s", install.Diff(plan.After, again.After, "f"))
			}
			record := remembered(t, plan.Record("1.0", "", nil))
			if gone := gemini.Uninstall(plan.After, program, record); name != "ours-first" && !bytes.Equal(gone.After, before) {
				t.Errorf("uninstall leaves:\n%s", install.Diff(before, gone.After, "f"))
			}
			bare := gemini.Uninstall(plan.After, program, nil)
			golden(t, "testdata/commented/"+name+".removed.json", bare.After)
			want := comments.FindAllString(string(before), -1)
			for step, text := range map[string][]byte{"install": plan.After, "uninstall": bare.After} {
				if diff := cmp.Diff(want, comments.FindAllString(string(text), -1)); diff != "" {
					t.Errorf("%s: comments (-want +got):\n%s", step, diff)
				}
				if _, err := jsontext.ParseCommented(text); err != nil {
					t.Errorf("%s: %v in:\n%s", step, err, text)
				}
			}
		})
	}
	for name, want := range map[string]string{"trailing-comma": "2:9 settings-trailing-comma", "open-comment": "2:10 settings-comment"} {
		before := read(t, "testdata/commented/refused-"+name+".before.json")
		plan := gemini.Install(before, options)
		if plan.Refusal == nil || plan.Changed() {
			t.Fatalf("%s is not refused", name)
		}
		if got := fmt.Sprintf("%v:%v %s", plan.Refusal.Args[1], plan.Refusal.Args[2], plan.Refusal.Code); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// TestLayouts: which file, which events, in which unit.
func TestLayouts(t *testing.T) {
	cases := []struct {
		h         harness.Harness
		scope     install.Scope
		variables map[string]string
		file      string
		events    string
	}{
		{harness.GeminiCLI, install.User, nil, "/home/dev/.gemini/settings.json", "SessionStart/10000 BeforeAgent/10000 AfterTool/10000 AfterAgent/10000 SessionEnd/10000"},
		{harness.GeminiCLI, install.User, map[string]string{"GEMINI_CLI_HOME": "/g"}, "/g/.gemini/settings.json", ""},
		{harness.GeminiCLI, install.Project, nil, "/home/dev/acme/.gemini/settings.json", ""},
		{harness.QwenCode, install.User, nil, "/home/dev/.qwen/settings.json", "SessionStart/10 UserPromptSubmit/10 PostToolUseFailure/10 Stop/10 StopFailure/10 SessionEnd/10"},
		{harness.QwenCode, install.User, map[string]string{"QWEN_HOME": "/q"}, "/q/settings.json", ""},
		{harness.QwenCode, install.Project, nil, "/home/dev/acme/.qwen/settings.json", ""},
		{harness.CopilotCLI, install.User, nil, "/home/dev/.copilot/hooks/selfip.json", "sessionStart/10 userPromptSubmitted/10 postToolUse/10 postToolUseFailure/10 errorOccurred/10 agentStop/10 sessionEnd/10"},
		{harness.CopilotCLI, install.User, map[string]string{"COPILOT_HOME": "/c"}, "/c/hooks/selfip.json", ""},
		{harness.CopilotCLI, install.Project, nil, "/home/dev/acme/.github/hooks/selfip.json", ""},
		{harness.VSCode, install.Project, nil, "/home/dev/acme/.github/hooks/selfip-vscode.json", "SessionStart/10 UserPromptSubmit/10 PostToolUse/10 Stop/10 PreCompact/10"},
		{harness.Cursor, install.User, nil, "/home/dev/.cursor/hooks.json", "sessionStart/10 beforeSubmitPrompt/10 postToolUseFailure/10 stop/10 subagentStop/10 sessionEnd/10"},
		{harness.Cursor, install.Project, nil, "/home/dev/acme/.cursor/hooks.json", ""},
	}
	for _, c := range cases {
		file := targets(t, c.h, c.scope, c.variables)[0]
		if got := filepath.ToSlash(file.File); got != c.file {
			t.Errorf("%s %s with %v: %s, want %s", c.h, c.scope, c.variables, got, c.file)
		}
		var events []string
		for _, e := range file.Install(nil, options).Entries {
			events = append(events, fmt.Sprintf("%s/%d", e.Event, e.Timeout))
		}
		if got := strings.Join(events, " "); c.events != "" && got != c.events {
			t.Errorf("%s: %s, want %s", c.h, got, c.events)
		}
	}
	for _, h := range hooked {
		if got := first(t, h).RefusesLinks(); got != (h == harness.Cursor) {
			t.Errorf("%s refuses links: %v", h, got)
		}
	}
}

// TestInstallFlat: entries that stand in the event's list itself, of Cursor and
// Copilot, beside those of others.
func TestInstallFlat(t *testing.T) {
	cursor := target(t, harness.Cursor)
	before := []byte("{\n  \"version\": 1,\n  \"hooks\": {\n    \"stop\": [\n      { \"command\": \"beep\" },\n      { \"command\": \"/old/selfip hook cursor stop\", \"loop_limit\": 2 }\n    ]\n  }\n}\n")
	plan := cursor.Install(before, install.Options{Program: program, Binary: binary, Events: []string{"stop", "sessionEnd"}})
	want := "{\n  \"version\": 1,\n  \"hooks\": {\n    \"stop\": [\n      { \"command\": \"beep\" },\n      { \"command\": \"" + binary + " hook cursor stop\", \"loop_limit\": 2, \"timeout\": 10 }\n    ],\n" +
		"    \"sessionEnd\": [\n      {\n        \"command\": \"" + binary + " hook cursor sessionEnd\",\n        \"timeout\": 10\n      }\n    ]\n  }\n}\n"
	if diff := cmp.Diff(want, string(plan.After)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if e := plan.Entries[0]; e.Event != "stop" || e.Index != 1 || e.Handler != 0 {
		t.Errorf("entry %+v", e)
	}
	gone := cursor.Uninstall(plan.After, program, nil)
	if diff := cmp.Diff("{\n  \"version\": 1,\n  \"hooks\": {\n    \"stop\": [\n      { \"command\": \"beep\" }\n    ]\n  }\n}\n", string(gone.After)); diff != "" {
		t.Errorf("uninstall (-want +got):\n%s", diff)
	}
	for _, text := range []string{"{\n  // mine\n  \"version\": 1\n}", "\xEF\xBB\xBF{}"} {
		if refused := cursor.Install([]byte(text), options); refused.Refusal == nil {
			t.Errorf("%q is not refused", text)
		}
	}
}

// TestInstallLead: the member that a file needs beside hooks comes and goes with
// them, and Qwen's only into a file that we make.
func TestInstallLead(t *testing.T) {
	cursor, qwen := target(t, harness.Cursor), target(t, harness.QwenCode)
	before := []byte("{\n  \"mine\": true\n}\n")
	plan := cursor.Install(before, options)
	if !bytes.Contains(plan.After, []byte("\"version\": 1,\n  \"hooks\": {")) {
		t.Errorf("no version:\n%s", plan.After)
	}
	record := remembered(t, plan.Record("1.0", "", nil))
	record.Undo = nil
	if gone := cursor.Uninstall(plan.After, program, record); !bytes.Equal(gone.After, before) {
		t.Errorf("uninstall leaves:\n%s", install.Diff(before, gone.After, "f"))
	}
	theirs := []byte("{\n  \"version\": 1,\n  \"mine\": true\n}\n")
	plan = cursor.Install(theirs, options)
	record = remembered(t, plan.Record("1.0", "", nil))
	record.Undo = nil
	if gone := cursor.Uninstall(plan.After, program, record); !bytes.Equal(gone.After, theirs) {
		t.Errorf("uninstall takes what is not ours:\n%s", install.Diff(theirs, gone.After, "f"))
	}
	if plan = qwen.Install(before, options); bytes.Contains(plan.After, []byte("$version")) {
		t.Errorf("a version in a file that is not ours:\n%s", plan.After)
	}
	for name, text := range map[string][]byte{"new": nil, "blank": []byte(" \n")} {
		if plan = qwen.Install(text, options); !bytes.HasPrefix(plan.After, []byte("{\n  \"$version\": 4,\n  \"hooks\": {")) {
			t.Errorf("%s:\n%s", name, plan.After)
		}
	}
}

// TestFragments: what --print shows is what an install into nothing writes, but
// for a version that only a file of ours needs.
func TestFragments(t *testing.T) {
	for _, h := range hooked {
		plan := first(t, h).Install(nil, options)
		want := strings.Replace(string(plan.After), "  \"$version\": 4,\n", "", 1)
		if diff := cmp.Diff(want, string(plan.Fragment)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", h, diff)
		}
	}
}

func TestStatusOfSwitches(t *testing.T) {
	cases := []struct {
		h    harness.Harness
		text string
		want []string
	}{
		{harness.GeminiCLI, `{"hooksConfig":{"enabled":false}}`, []string{"hooksConfig.enabled"}},
		{harness.GeminiCLI, `{"hooksConfig":{"enabled":true,"disabled":["beep"]}}`, nil},
		{harness.GeminiCLI, `{"hooksConfig":{"disabled":["beep","/x/selfip hook gemini-cli AfterTool"]}}`, []string{"hooksConfig.disabled"}},
		{harness.QwenCode, `{"disableAllHooks":true}`, []string{"disableAllHooks"}},
		{harness.CopilotCLI, `{"disableAllHooks":true}`, []string{"disableAllHooks"}},
		{harness.Cursor, `{"disableAllHooks":true}`, nil},
	}
	for _, c := range cases {
		if diff := cmp.Diff(c.want, first(t, c.h).Status([]byte(c.text), program).Disabled); diff != "" {
			t.Errorf("%s %s (-want +got):\n%s", c.h, c.text, diff)
		}
	}
}
