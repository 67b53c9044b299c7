// Package install plans how our hook gets into the settings of a harness and
// out of them again (spec/harness-hooks.md 4): bytes in, a Plan out. Other
// people's hooks, their order, their comments where the format has any, and
// every byte around our entries stay as they are; what cannot be parsed is
// refused, never repaired.
//
// The caller reads the file of a Target under the locks, asks for a Plan and
// writes Plan.After in one step; nothing here opens a file. A harness is added
// with one file that holds its layout, and a line in layoutOf.
package install

import (
	"path/filepath"

	"github.com/dshkit/dshkit/internal/harness"
	"github.com/dshkit/dshkit/pkg/fault"
)

// Scope says whose settings are changed.
type Scope string

// The scopes.
const (
	User    Scope = "user"    // one person's, for all projects
	Project Scope = "project" // a project's, for all who work on it
)

// Env is where a harness may keep its settings.
type Env struct {
	Home   string              // the user's home directory
	Dir    string              // the project's directory, for Project
	Config string              // our own configuration directory
	Getenv func(string) string // looked up for the variables that move a harness's folder only
	Bridge bool                // of DSH: through its bridge, not by a plugin of ours

	Experimental bool // of Crush: the hook, too
}

// Target is one file to change for a harness.
type Target struct {
	Harness harness.Harness
	Scope   Scope
	File    string
	format  format
	layout  layout
	row     row    // of a patch
	own     own    // of a file that is ours alone
	editor  editor // of a file in a form of its own, else nil
	Part    string // of a file that has several of ours, "" for the hooks
}

type format byte

const (
	hooksJSON format = iota // "hooks": {EVENT: [GROUP...]}, strict JSON
	patchYAML               // a list of patch rows of DSH
	ownText                 // a file that is ours alone
)

// layout is what install knows of one harness. The zero values are those of
// Claude Code, which most others took over.
type layout struct {
	events   []event
	shape    shape
	lead     []part   // members that the file has beside "hooks"
	leadOnce bool     // only a file that we make gets them
	switches []toggle // settings in the file that switch hooks off
	comments bool     // the file may hold comments
	noBOM    bool     // the harness rejects a byte order mark
	noLink   bool     // the harness rejects a path through a symbolic link
	bridge   string   // a package that must be there, or ""
	added    string   // note after an entry of ours was added, or ""
	replaced string   // note after one was changed in place, or ""
}

// shape is how the file holds an entry.
type shape struct {
	flat    bool   // in the event's list itself, not in groups with a matcher
	untyped bool   // without "type": "command"
	timeout string // name of the member, "" for "timeout"
}

func (s shape) timeoutKey() string {
	if s.timeout == "" {
		return "timeout"
	}
	return s.timeout
}

// toggle is a setting that switches hooks off when it has the value.
type toggle struct {
	path  []string
	value string // as JSON
}

// event is an event that we have an entry for.
type event struct {
	name    string
	timeout int    // in the unit of the harness
	matcher string // of the group, "" for none
	extra   eventKind
}

// eventKind says when an event is installed.
type eventKind byte

const (
	byDefault eventKind = iota
	traced              // with Options.Trace
	asked               // when Options.Events names it
)

// Targets returns the files to change for h, in the order to install; uninstall
// goes the other way. Errors: install-harness-unknown, install-scope-unknown
// (both Usage), install-place-unknown (Refused).
func Targets(h harness.Harness, scope Scope, env Env) ([]Target, error) {
	targets, err := layoutOf(h, scope, env)
	if err != nil {
		return nil, err
	}
	for _, t := range targets { // without a home, a path would lead into the working directory
		if !isAbsolute(t.File) {
			return nil, fault.New(fault.Refused, codePlace, string(h), t.File)
		}
	}
	return targets, nil
}

func layoutOf(h harness.Harness, scope Scope, env Env) ([]Target, error) {
	switch h {
	case harness.ClaudeCode:
		return claudeTargets(scope, env)
	case harness.Codex:
		return codexTargets(scope, env)
	case harness.DSH:
		return dshTargets(scope, env)
	case harness.GeminiCLI:
		return geminiTargets(scope, env)
	case harness.QwenCode:
		return qwenTargets(scope, env)
	case harness.CopilotCLI:
		return copilotTargets(scope, env)
	case harness.VSCode:
		return vscodeTargets(scope, env)
	case harness.Cursor:
		return cursorTargets(scope, env)
	case harness.OpenCode:
		return openCodeTargets(scope, env)
	case harness.Pi:
		return piTargets(scope, env)
	case harness.OpenClaw:
		return openClawTargets(scope, env)
	case harness.Hermes:
		return hermesTargets(scope, env)
	case harness.Goose:
		return gooseTargets(scope, env)
	case harness.Kiro:
		return kiroTargets(scope, env)
	case harness.Cline:
		return clineTargets(scope, env)
	case harness.Crush:
		return crushTargets(scope, env)
	case harness.Windsurf:
		return nil, fault.New(fault.Refused, codeUnwired, string(h))
	}
	return nil, fault.New(fault.Usage, codeHarness, string(h))
}

// Wired reports whether there are settings of h that are known.
func Wired(h harness.Harness) bool { return h.Known() && h != harness.Windsurf }

// Key tells targets apart: two may be in one file.
func (t Target) Key() string { return t.File + "\n" + t.row.file + "\n" + t.Part }

// NamesFile reports whether the entry in t names a file of ours, not the binary.
func (t Target) NamesFile() bool { return t.format == patchYAML }

// pick returns the file of the scope; a harness that lacks one gives "".
func pick(h harness.Harness, scope Scope, user, project string) (string, error) {
	file := map[Scope]string{User: user, Project: project}[scope]
	if file == "" {
		return "", fault.New(fault.Usage, codeScope, string(h), string(scope), string(User)+", "+string(Project))
	}
	return file, nil
}

// RefusesLinks reports whether the harness does not read the file through a
// symbolic link.
func (t Target) RefusesLinks() bool { return t.layout.noLink }

// orElse returns the directory that a variable names, else one below home.
func (e Env) orElse(variable, below string) string {
	if dir := e.Getenv(variable); dir != "" {
		return dir
	}
	return filepath.Join(e.Home, below)
}
