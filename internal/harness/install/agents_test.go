package install_test

import (
	"bytes"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
	"pgregory.net/rapid"

	"github.com/dshkit/dshkit/internal/harness"
	"github.com/dshkit/dshkit/internal/harness/install"
	"github.com/dshkit/dshkit/internal/harness/jsontext"
	"github.com/dshkit/dshkit/pkg/fault"
)

// TestAgentPlaces: which files, which events, in which unit.
func TestAgentPlaces(t *testing.T) {
	cases := []struct {
		h         harness.Harness
		scope     install.Scope
		variables map[string]string
		files     string
		events    string
	}{
		{harness.Hermes, install.User, nil, "/home/dev/.hermes/config.yaml", "pre_llm_call/10 post_tool_call/10 api_request_error/10 subagent_stop/10 on_session_end/10 on_session_finalize/10"},
		{harness.Hermes, install.User, map[string]string{"HERMES_HOME": "/h"}, "/h/config.yaml", ""},
		{harness.Goose, install.User, nil, "/home/dev/.agents/plugins/selfip/plugin.json /home/dev/.agents/plugins/selfip/hooks/hooks.json", "plugin.json/0 UserPromptSubmit/10 PostToolUseFailure/10 Stop/10 SessionEnd/10"},
		{harness.Goose, install.Project, nil, "/home/dev/acme/.agents/plugins/selfip/plugin.json /home/dev/acme/.agents/plugins/selfip/hooks/hooks.json", ""},
		{harness.Kiro, install.User, nil, "/home/dev/.kiro/hooks/selfip.json", "SessionStart/10 UserPromptSubmit/10 PostToolUse/10 Stop/10"},
		{harness.Kiro, install.Project, nil, "/home/dev/acme/.kiro/hooks/selfip.json", ""},
		{harness.Crush, install.User, nil, "/home/dev/.config/crush/crush.json", "mcp/0"},
		{harness.Crush, install.User, map[string]string{"XDG_CONFIG_HOME": "/x"}, "/x/crush/crush.json", ""},
		{harness.Crush, install.Project, nil, "/home/dev/acme/crush.json", ""},
	}
	for _, c := range cases {
		var files, events []string
		for _, file := range targets(t, c.h, c.scope, c.variables) {
			files = append(files, filepath.ToSlash(file.File))
			for _, e := range file.Install(nil, options).Entries {
				events = append(events, fmt.Sprintf("%s/%d", e.Event, e.Timeout))
			}
		}
		if got := strings.Join(files, " "); got != c.files {
			t.Errorf("%s %s with %v: %s, want %s", c.h, c.scope, c.variables, got, c.files)
		}
		if got := strings.Join(events, " "); c.events != "" && got != c.events {
			t.Errorf("%s: %s, want %s", c.h, got, c.events)
		}
	}
	if _, err := install.Targets(harness.Windsurf, install.User, env(nil)); fault.CodeOf(err) != "install-unwired" || install.Wired(harness.Windsurf) {
		t.Errorf("windsurf: %v", err)
	}
	windows := env(nil)
	windows.Home = `C:\Users\dev`
	if _, err := install.Targets(harness.Cline, install.User, windows); fault.CodeOf(err) != "install-windows" {
		t.Errorf("cline on Windows: %v", err)
	}
}

var ask = install.Options{Program: program, Binary: binary, Events: []string{"pre_llm_call", "on_session_end"}}

const (
	promptLines = "    - command: '" + binary + " hook hermes pre_llm_call'\n      timeout: 10\n"
	endLines    = "    - command: '" + binary + " hook hermes on_session_end'\n      timeout: 10\n"
)

// TestHermesConfig: what a config.yaml becomes, and that it becomes itself again.
func TestHermesConfig(t *testing.T) {
	hermes := target(t, harness.Hermes)
	cases := map[string]struct{ before, after, removed string }{
		"none":        {"", "hooks:\n  pre_llm_call:\n" + promptLines + "  on_session_end:\n" + endLines, "hooks: {}\n"},
		"no-hooks":    {"a: 1 # x", "a: 1 # x\nhooks:\n  pre_llm_call:\n" + promptLines + "  on_session_end:\n" + endLines, "a: 1 # x\nhooks: {}\n"},
		"null":        {"hooks:   # none\na: 1\n", "hooks:   # none\n  pre_llm_call:\n" + promptLines + "  on_session_end:\n" + endLines + "a: 1\n", "hooks: {}   # none\na: 1\n"},
		"empty":       {"hooks: {}\na: 1\n", "hooks:\n  pre_llm_call:\n" + promptLines + "  on_session_end:\n" + endLines + "a: 1\n", "hooks: {}\na: 1\n"},
		"empty-event": {"hooks:\n  pre_llm_call: []\n", "hooks:\n  pre_llm_call:\n" + promptLines + "  on_session_end:\n" + endLines, "hooks: {}\n"},
		"among-others": {
			"hooks:\n  pre_llm_call:\n  # mine\n  - command: beep\n\n  other:\n    - command: x\n# end\nb: |\n  # no comment\n",
			"hooks:\n  pre_llm_call:\n  # mine\n  - command: beep\n" + "  - command: '" + binary + " hook hermes pre_llm_call'\n    timeout: 10\n\n  other:\n    - command: x\n  on_session_end:\n" + endLines + "# end\nb: |\n  # no comment\n",
			"hooks:\n  pre_llm_call:\n  # mine\n  - command: beep\n\n  other:\n    - command: x\n# end\nb: |\n  # no comment\n",
		},
		"windows-lines": {"a: 1\r\n", "a: 1\r\n" + strings.ReplaceAll("hooks:\n  pre_llm_call:\n"+promptLines+"  on_session_end:\n"+endLines, "\n", "\r\n"), "a: 1\r\nhooks: {}\r\n"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			plan := hermes.Install([]byte(c.before), ask)
			if plan.Refusal != nil || len(plan.Entries) != 2 {
				t.Fatalf("refusal %v, entries %v", plan.Refusal, plan.Entries)
			}
			if diff := cmp.Diff(c.after, string(plan.After)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if again := hermes.Install(plan.After, ask); again.Refusal != nil || again.Changed() {
				t.Errorf("again: %v\n%s", again.Refusal, install.Diff(plan.After, again.After, "f"))
			}
			record := remembered(t, plan.Record("1.0", "", nil))
			if gone := hermes.Uninstall(plan.After, program, record); string(gone.After) != c.before {
				t.Errorf("uninstall leaves %q, want %q", gone.After, c.before)
			}
			if bare := hermes.Uninstall(plan.After, program, nil); string(bare.After) != c.removed {
				t.Errorf("without a record %q, want %q", bare.After, c.removed)
			}
		})
	}
}

// TestHermesMends: what is there and different is changed in its place, what is
// there twice goes once, and what cannot be told is refused.
func TestHermesMends(t *testing.T) {
	hermes := target(t, harness.Hermes)
	before := "hooks:\n  pre_llm_call:\n    - command: \"/old/selfip hook hermes\"\n      matcher: x\n    - command: beep\n    - command: /older/selfip hook hermes pre_llm_call\n  post_tool_call:\n    # why\n    - command: /old/selfip hook hermes post_tool_call\n      timeout: 10\n"
	want := "hooks:\n  pre_llm_call:\n    - command: '" + binary + " hook hermes pre_llm_call'\n      timeout: 10\n      matcher: x\n    - command: beep\n  on_session_end:\n" + endLines + "    # why\n"
	plan := hermes.Install([]byte(before), ask)
	if diff := cmp.Diff(want, string(plan.After)); diff != "" || plan.Refusal != nil {
		t.Errorf("refusal %v (-want +got):\n%s", plan.Refusal, diff)
	}
	if s := hermes.Status([]byte(before), program); len(s.Entries) != 3 || len(s.Repeated) != 1 || len(s.Missing) != 4 {
		t.Errorf("status %+v", s)
	}
	for text, code := range map[string]string{
		"hooks: {a: [{command: x}]}\n":           "config-not-mapping",
		"hooks:\n  pre_llm_call: {command: x}\n": "config-not-mapping",
		"- a\n":                                  "config-not-mapping",
		"a: 1\n...\n":                            "config-not-mapping",
		"a: 1\n---\nb: 1\n":                      "patch-not-yaml",
		"a: [\n":                                 "patch-not-yaml",
		"hooks: &x\n  other:\n    - command: b\n":                                                "config-not-mapping",
		"a: |\n  text\n  # still text\nhooks: 7\n":                                               "config-not-mapping",
		"hooks:\n  pre_llm_call:\n    - command: >-\n        /old/selfip hook\n        hermes\n": "patch-by-hand",
	} {
		plan := hermes.Install([]byte(text), ask)
		if plan.Refusal == nil || plan.Refusal.Code != code || plan.Changed() || len(plan.Fragment) == 0 {
			t.Errorf("%q: %v, want %s", text, plan.Refusal, code)
		}
		if gone := hermes.Uninstall([]byte(text), program, nil); gone.Changed() && gone.Refusal == nil && code != "patch-by-hand" {
			t.Errorf("%q: uninstall changes it to %q", text, gone.After)
		}
	}
	entries := []install.EntryRef{{Event: "a", Command: "x"}, {Event: "b", Command: "x"}}
	if n := install.HermesConsented([]byte(`{"approvals":[{"event":"a","command":"x"},{"event":"b","command":"y"}]}`), entries); n != 1 {
		t.Errorf("%d are agreed to, want 1", n)
	}
}

var yamlComments = regexp.MustCompile(`#[^\n]*`)

// checkHermes holds what is true of any file: nothing is lost, nothing of others
// changes, and what came goes again.
func checkHermes(t testing.TB, hermes install.Target, before []byte) {
	t.Helper()
	plan := hermes.Install(before, options)
	if plan.Refusal != nil {
		if plan.Changed() {
			t.Fatalf("refused and changed: %q", before)
		}
		return
	}
	if diff := cmp.Diff(yamlComments.FindAll(before, -1), yamlComments.FindAll(plan.After, -1)); diff != "" && bytes.IndexByte(before, '\r') < 0 && !bytes.Contains(before, []byte("selfip")) {
		t.Fatalf("comments of %q (-want +got):\n%s", before, diff)
	}
	var all any
	if err := yaml.Unmarshal(plan.After, &all); err != nil {
		t.Fatalf("%v in %q", err, plan.After)
	}
	if again := hermes.Install(plan.After, options); again.Refusal != nil || again.Changed() {
		t.Fatalf("again: %v, %q", again.Refusal, again.After)
	}
	if gone := hermes.Uninstall(plan.After, program, nil); gone.Refusal == nil && len(hermes.Status(gone.After, program).Entries) > 0 {
		t.Fatalf("uninstall leaves ours: %q", gone.After)
	}
	if len(hermes.Status(before, program).Entries) > 0 {
		return
	}
	record := plan.Record("1", "", nil)
	if gone := hermes.Uninstall(plan.After, program, &record); !bytes.Equal(gone.After, before) && len(bytes.TrimSpace(before)) > 0 {
		t.Fatalf("%q came back as %q", before, gone.After)
	}
}

func TestHermesProperties(t *testing.T) {
	hermes := target(t, harness.Hermes)
	piece := rapid.SampledFrom([]string{
		"a: 1\n", "# note\n", "\n", "hooks:\n", "hooks: {}\n", "  pre_llm_call:\n", "  other: []\n", "  on_session_end: []\n",
		"    - command: beep\n", "    - command: /x/selfip hook hermes pre_llm_call\n", "      timeout: 5\n", "  # in\n", "b: |\n  # text\n  x\n", "  - command: beep\n",
	})
	rapid.Check(t, func(r *rapid.T) {
		checkHermes(t, hermes, []byte(strings.Join(rapid.SliceOfN(piece, 0, 10).Draw(r, "file"), "")))
	})
}

func FuzzHermes(f *testing.F) {
	for _, text := range []string{"", "a: 1\n", "hooks:\n  pre_llm_call:\n    - command: beep\n", "hooks: {}\n# x", "hooks:\r\n  a: []\r\n", "? a\n: b\n", "hooks:\n  a: *x\n", "\"hooks\": {}\n"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, before []byte) { checkHermes(t, target(t, harness.Hermes), before) })
}

// TestKiroFile: it is one of ours as long as nobody changed it.
func TestKiroFile(t *testing.T) {
	kiro := target(t, harness.Kiro)
	made := kiro.Install(nil, options)
	want := "{\n  \"version\": \"v1\",\n  \"hooks\": [\n    {\n      \"name\": \"selfip SessionStart\",\n      \"trigger\": \"SessionStart\",\n      \"action\": {\n        \"type\": \"command\",\n        \"command\": \"" + binary + " hook kiro SessionStart\"\n      },\n      \"timeout\": 10,\n      \"enabled\": true\n    },\n"
	if !strings.HasPrefix(string(made.After), want) || !made.Created || !made.Own || !hasNote(made, "note-kiro-agents") || !bytes.Equal(made.After, made.Fragment) {
		t.Fatalf("%+v\n%s", made, made.After)
	}
	if again := kiro.Install(made.After, options); again.Changed() || again.Refusal != nil {
		t.Errorf("again: %+v", again)
	}
	few := options
	few.Events = []string{"Stop"}
	if plan := kiro.Install(made.After, few); !plan.Changed() || len(plan.Entries) != 1 || len(kiro.Status(plan.After, program).Missing) != 3 {
		t.Errorf("fewer events: %+v", plan)
	}
	if few.Events = []string{"Manual"}; kiro.Install(nil, few).Refusal == nil {
		t.Error("an event that we have nothing for is not refused")
	}
	edited := bytes.Replace(made.After, []byte("true"), []byte("false"), 1)
	for text, code := range map[string]string{string(edited): "install-own-changed", `{"hooks":[]}`: "install-own-foreign", `[`: "install-own-foreign"} {
		if plan := kiro.Install([]byte(text), options); plan.Refusal == nil || plan.Refusal.Code != code || plan.Changed() {
			t.Errorf("%s: %v, want %s", text, plan.Refusal, code)
		}
	}
	if s := kiro.Status(edited, program); !s.Edited || len(s.Entries) != 4 {
		t.Errorf("status of an edited one: %+v", s)
	}
	if gone := kiro.Uninstall(made.After, program, nil); !gone.Remove {
		t.Errorf("uninstall: %+v", gone)
	}
	for _, text := range []string{"", `{"hooks":[{"trigger":"Stop"}]}`} {
		if gone := kiro.Uninstall([]byte(text), program, nil); gone.Changed() || gone.Refusal != nil {
			t.Errorf("uninstall of %q: %+v", text, gone)
		}
	}
	if agent, refusal := install.KiroAgent(options); refusal != nil || !strings.Contains(string(agent), `"timeout_ms": 10000`) || !strings.Contains(string(agent), "hook kiro agentSpawn") {
		t.Errorf("for an agent: %v\n%s", refusal, agent)
	}
}

// TestClineScripts: a program for each event, with the mark on its second line.
func TestClineScripts(t *testing.T) {
	all := targets(t, harness.Cline, install.User, nil)
	var names []string
	for _, file := range all {
		plan := file.Install(nil, versioned)
		if plan.Refusal != nil {
			t.Fatal(plan.Refusal)
		}
		if plan.After == nil {
			continue
		}
		name := filepath.Base(file.File)
		names = append(names, name)
		lines := strings.Split(string(plan.After), "\n")
		if lines[0] != "#!/bin/sh" || !strings.HasPrefix(lines[1], "# Generated by selfip 1.2.3, form 1, sha256:") || !plan.Runs {
			t.Errorf("%s runs: %v\n%s", name, plan.Runs, plan.After)
		}
		if want := "exec " + binary + " hook cline " + name; lines[3] != want || plan.Entries[0].Command != strings.TrimPrefix(want, "exec ") {
			t.Errorf("%s calls %q, by its entry %q; want %q", name, lines[3], plan.Entries[0].Command, want)
		}
		if s := file.Status(plan.After, program); s.Stale || s.Edited || len(s.Entries) != 1 {
			t.Errorf("%s: status %+v", name, s)
		}
		foreign := file.Install([]byte("#!/bin/sh\nbeep\n"), versioned)
		if foreign.Refusal == nil || foreign.Refusal.Code != "install-own-taken" || foreign.Changed() {
			t.Errorf("%s over somebody else's: %v", name, foreign.Refusal)
		}
		if gone := file.Uninstall(plan.After, program, nil); !gone.Remove {
			t.Errorf("%s: uninstall %+v", name, gone)
		}
	}
	if diff := cmp.Diff([]string{"TaskStart", "UserPromptSubmit", "PostToolUse", "TaskComplete", "TaskCancel", "TaskError"}, names); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
	strange := versioned
	strange.Binary = "/a b/it's/selfip"
	if plan := all[0].Install(nil, strange); install.Binary(plan.Entries[0].Command) != strange.Binary {
		t.Errorf("a path with blanks: %+v", plan.Entries)
	}
	one := versioned
	one.Events = []string{"TaskStart"}
	made := all[1].Install(nil, versioned)
	if plan := all[1].Install(made.After, one); !plan.Remove {
		t.Errorf("an event that is not asked for any more: %+v", plan)
	}
	if plan := all[1].Install([]byte("theirs"), one); plan.Changed() || plan.Refusal != nil {
		t.Errorf("somebody else's event that is not asked for: %+v", plan)
	}
	if one.Events = []string{"Nothing"}; all[0].Install(nil, one).Refusal == nil {
		t.Error("an unknown event is not refused")
	}
}

// TestSkill: the front matter is what the format asks for.
func TestSkill(t *testing.T) {
	all, err := install.SkillTargets(install.User, env(map[string]string{"CLAUDE_CONFIG_DIR": "/c"}), func(dir string) bool { return dir == "/c" || dir == "/home/dev/.config/goose" })
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	for _, file := range all {
		files = append(files, filepath.ToSlash(file.File))
	}
	if diff := cmp.Diff([]string{"/home/dev/.agents/skills/selfip/SKILL.md", "/c/skills/selfip/SKILL.md", "/home/dev/.config/goose/skills/selfip/SKILL.md"}, files); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	text := string(all[0].Install(nil, versioned).After)
	_, rest, _ := strings.Cut(text, "---\n")
	head, body, _ := strings.Cut(rest, "\n---\n")
	var front map[string]string
	if err := yaml.Unmarshal([]byte(head), &front); err != nil {
		t.Fatal(err)
	}
	if n := len(front["description"]); front["name"] != "selfip" || n == 0 || n > 1024 || len(front) != 2 {
		t.Errorf("front matter %v, description of %d bytes", front, n)
	}
	for _, command := range []string{"selfip remember", "selfip search", "selfip feedback", "selfip playbook use"} {
		if !strings.Contains(body, command) {
			t.Errorf("the skill does not teach %q", command)
		}
	}
	if _, err := install.SkillTargets("team", env(nil), func(string) bool { return false }); fault.CodeOf(err) != "install-scope-unknown" {
		t.Errorf("an unknown scope: %v", err)
	}
	nowhere := install.Env{Getenv: func(string) string { return "" }}
	if _, err := install.SkillTargets(install.User, nowhere, func(string) bool { return true }); fault.CodeOf(err) != "install-place-unknown" {
		t.Errorf("without a home: %v", err)
	}
}

// TestAgentsBlock: every byte outside of the block stays.
func TestAgentsBlock(t *testing.T) {
	all, err := install.AgentsTargets(env(nil))
	if err != nil {
		t.Fatal(err)
	}
	file := all[0]
	rapid.Check(t, func(r *rapid.T) {
		line := rapid.SampledFrom([]string{"# rules\n", "text  \n", "\n", "<!-- selfip -->\n", "```\n", "\r\n", "end"})
		before := []byte(strings.Join(rapid.SliceOfN(line, 0, 8).Draw(r, "file"), ""))
		plan := file.Install(before, options)
		if plan.Refusal != nil || !bytes.HasPrefix(plan.After, before) {
			r.Fatalf("%v: %q", plan.Refusal, plan.After)
		}
		if again := file.Install(plan.After, options); again.Changed() {
			r.Fatalf("again: %q", again.After)
		}
		more := append(bytes.Clone(plan.After), "more\n"...)
		gone := file.Uninstall(more, program, nil)
		if want := strings.TrimSuffix(string(before), "\n") + "\nmore\n"; gone.Refusal != nil || string(gone.After) != want && len(before) > 0 {
			r.Fatalf("%q became %q", more, gone.After)
		}
		record := plan.Record("1", "", nil)
		if gone := file.Uninstall(plan.After, program, &record); !bytes.Equal(gone.After, before) {
			r.Fatalf("%q came back as %q", before, gone.After)
		}
	})
	stale := []byte("a\n<!-- selfip:begin -->\nold\n<!-- selfip:end -->\nb\n")
	if s := file.Status(stale, program); !s.Stale || len(s.Entries) != 1 {
		t.Errorf("status %+v", s)
	}
	if plan := file.Install(stale, options); !bytes.HasPrefix(plan.After, []byte("a\n<!-- selfip:begin -->\n## What")) || !bytes.HasSuffix(plan.After, []byte("<!-- selfip:end -->\nb\n")) {
		t.Errorf("brought up to date: %q", plan.After)
	}
	for _, text := range []string{"<!-- selfip:begin -->\n", "<!-- selfip:end -->\n", "<!-- selfip:begin -->\n<!-- selfip:begin -->\n<!-- selfip:end -->\n", "<!-- selfip:begin -->\n<!-- selfip:end -->\n<!-- selfip:end -->\n"} {
		if plan := file.Install([]byte(text), options); plan.Refusal == nil || plan.Refusal.Code != "agents-block" || plan.Changed() {
			t.Errorf("%q: %v", text, plan.Refusal)
		}
		if plan := file.Uninstall([]byte(text), program, nil); plan.Refusal == nil || plan.Changed() {
			t.Errorf("uninstall from %q: %v", text, plan.Refusal)
		}
	}
}

// server is where a harness is told of our MCP server.
func server(t testing.TB, h harness.Harness, scope install.Scope) install.Target {
	t.Helper()
	all, err := install.MCPTargets(h, scope, env(nil))
	if err != nil {
		t.Fatal(err)
	}
	return all[0]
}

// TestMCPServers: a server among others, in the form of the harness.
func TestMCPServers(t *testing.T) {
	copilot := server(t, harness.CopilotCLI, install.User)
	if copilot.File != "/home/dev/.copilot/mcp-config.json" {
		t.Errorf("file %s", copilot.File)
	}
	before := []byte("{\n    \"mcpServers\": {\n        \"theirs\": {\"command\": \"x\"}\n    },\n    \"z\": 1\n}\n")
	plan := copilot.Install(before, options)
	want := "{\n    \"mcpServers\": {\n        \"theirs\": {\"command\": \"x\"},\n        \"selfip\": {\n            \"type\": \"local\",\n            \"command\": \"" + binary + "\",\n            \"args\": [\n                \"mcp\"\n            ],\n            \"tools\": [\n                \"*\"\n            ]\n        }\n    },\n    \"z\": 1\n}\n"
	if diff := cmp.Diff(want, string(plan.After)); diff != "" || plan.Refusal != nil {
		t.Fatalf("%v (-want +got):\n%s", plan.Refusal, diff)
	}
	if again := copilot.Install(plan.After, options); again.Changed() || again.Refusal != nil {
		t.Errorf("again: %+v", again)
	}
	moved := options
	moved.Binary = "/opt/selfip"
	if plan := copilot.Install(plan.After, moved); string(plan.After) != strings.Replace(want, binary, "/opt/selfip", 1) {
		t.Errorf("moved: %s", plan.After)
	}
	if gone := copilot.Uninstall(plan.After, program, nil); !bytes.Equal(gone.After, before) {
		t.Errorf("uninstall: %s", gone.After)
	}
	alone := copilot.Install([]byte("{\"z\":1}\n"), options)
	record := alone.Record("1", "", nil)
	record.Undo = nil
	if gone := copilot.Uninstall(alone.After, program, &record); string(gone.After) != "{\"z\":1}\n" {
		t.Errorf("what we made goes, too: %s", gone.After)
	}
	made := copilot.Install(nil, options)
	record = made.Record("1", "", nil)
	record.Undo = nil
	if gone := copilot.Uninstall(made.After, program, &record); !gone.Remove {
		t.Errorf("a file that we made: %+v", gone)
	}
	for text, code := range map[string]string{
		`{"mcpServers":{"selfip":{"command":"other"}}}`: "mcp-foreign",
		`{"mcpServers":{"selfip":7}}`:                   "mcp-foreign",
		`{"mcpServers":[]}`:                             "mcp-shape",
		`{"mcpServers":{},"mcpServers":{}}`:             "settings-key-twice",
		`{`:                                             "settings-cut",
	} {
		if plan := copilot.Install([]byte(text), options); plan.Refusal == nil || plan.Refusal.Code != code || plan.Changed() {
			t.Errorf("%s: %v, want %s", text, plan.Refusal, code)
		}
		if gone := copilot.Uninstall([]byte(text), program, nil); gone.Changed() {
			t.Errorf("uninstall changes %s", text)
		}
	}
}

// checkServer holds what is true of any file: what is refused stays, what came
// goes again.
func checkServer(t testing.TB, file install.Target, before []byte) {
	t.Helper()
	plan := file.Install(before, options)
	if plan.Refusal != nil {
		if plan.Changed() {
			t.Fatalf("refused and changed: %q", before)
		}
		return
	}
	if again := file.Install(plan.After, options); again.Refusal != nil || again.Changed() {
		t.Fatalf("again: %v, %q", again.Refusal, again.After)
	}
	gone := file.Uninstall(plan.After, program, nil)
	if gone.Refusal != nil || len(file.Status(gone.After, program).Entries) > 0 {
		t.Fatalf("uninstall from %q: %v, %q", plan.After, gone.Refusal, gone.After)
	}
	if len(file.Status(before, program).Entries) > 0 {
		return
	}
	record := plan.Record("1", "", nil)
	if gone := file.Uninstall(plan.After, program, &record); !bytes.Equal(gone.After, before) {
		t.Fatalf("%q came back as %q", before, gone.After)
	}
}

// sharers are the harnesses that keep servers and other settings in one file.
var sharers = []harness.Harness{harness.GeminiCLI, harness.QwenCode, harness.OpenCode, harness.Crush, harness.CopilotCLI, harness.Pi}

func FuzzMCP(f *testing.F) {
	for i, text := range []string{
		"", "{}", "{\"mcpServers\":{}}", "{\n  // mine\n  \"mcp\": {\n    // none\n  }\n}\n", "{\"mcpServers\":{\"selfip\":{\"command\":\"/x/selfip\"}},\"a\":1}",
		"{\"mcp\":{\"selfip\":{\"command\":[\"/x/selfip\",\"mcp\"]}}}", "[1]", "{\"mcpServers\":{\"a\":{}, /* b */ \"selfip\":{\"command\":\"selfip\"}}}",
	} {
		f.Add(byte(i), []byte(text))
	}
	f.Fuzz(func(t *testing.T, which byte, before []byte) {
		checkServer(t, server(t, sharers[int(which)%len(sharers)], install.User), before)
	})
}

// TestMCPFragments: where nobody knows the place for sure nothing is written, and
// what is printed is of the harness's form.
func TestMCPFragments(t *testing.T) {
	for _, h := range harness.All() {
		for _, scope := range []install.Scope{install.User, install.Project} {
			all, err := install.MCPTargets(h, scope, env(nil))
			if err != nil {
				if code := fault.CodeOf(err); code != "mcp-unknown" && code != "install-scope-unknown" {
					t.Errorf("%s: %v", h, err)
				}
				continue
			}
			asked := options
			asked.Print = true
			plan := all[0].Install(nil, asked)
			name := fmt.Sprintf("%s %s", h, scope)
			if plan.Refusal != nil || !bytes.Contains(plan.Fragment, []byte("selfip")) || !bytes.Contains(plan.Fragment, []byte("mcp")) {
				t.Errorf("%s: %v\n%s", name, plan.Refusal, plan.Fragment)
			}
			switch {
			case plan.Fragment[0] == '{':
				if _, err := jsontext.Parse(plan.Fragment); err != nil {
					t.Errorf("%s: %v in\n%s", name, err, plan.Fragment)
				}
			case h == harness.Hermes || h == harness.Goose:
				var doc map[string]map[string]map[string]any
				if err := yaml.Unmarshal(plan.Fragment, &doc); err != nil {
					t.Errorf("%s: %v in\n%s", name, err, plan.Fragment)
				}
			}
			written := all[0].Install(nil, options)
			if all[0].Unsure() != (written.Refusal != nil) || all[0].Unsure() && (written.Refusal.Code != "mcp-place" || written.Changed()) {
				t.Errorf("%s: unsure %v, refusal %v", name, all[0].Unsure(), written.Refusal)
			}
		}
	}
	for h, want := range map[harness.Harness]string{
		harness.ClaudeCode: "claude mcp add --scope user selfip -- " + binary + " mcp\n",
		harness.Codex:      "[mcp_servers.selfip]\ncommand = \"" + binary + "\"\nargs = [\"mcp\"]\n",
		harness.Goose:      "extensions:\n  selfip:\n    type: stdio\n    enabled: true\n    cmd: " + binary + "\n    args: [mcp]\n",
	} {
		if got := string(server(t, h, install.User).Install(nil, options).Fragment); got != want {
			t.Errorf("%s: %q, want %q", h, got, want)
		}
	}
	if _, err := install.MCPTargets(harness.DSH, install.User, env(nil)); fault.CodeOf(err) != "mcp-unknown" {
		t.Errorf("dsh: %v", err)
	}
}
