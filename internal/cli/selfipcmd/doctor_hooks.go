package selfipcmd

import (
	"cmp"
	"errors"
	"io/fs"
	"maps"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/dshkit/dshkit/internal/harness"
	"github.com/dshkit/dshkit/internal/harness/install"
	"github.com/dshkit/dshkit/pkg/fault"
)

// hooks looks at the settings of one harness, for the user and for the project,
// and reports whether any has an entry of ours.
func (d *doctor) hooks(o *opened, h harness.Harness) bool {
	scopes := 0
	seen := map[string]bool{} // in the home directory both scopes have one file
	for _, scope := range []install.Scope{install.User, install.Project} {
		found := false
		for _, t := range d.targets(h, scope) {
			if key := t.Key(); !seen[key] {
				seen[key] = true
				found = d.target(t) || found
			}
		}
		if found {
			scopes++
		}
		servers, _ := install.MCPTargets(h, scope, installEnv(d.env)) // none where nobody knows the place
		for _, t := range servers {
			if key := t.Key(); !seen[key] && !t.Unsure() {
				seen[key] = true
				d.target(t)
			}
		}
	}
	switch scopes {
	case 0:
		return false
	case 2:
		d.add(levelNote, "hooks", "doctor-both-scopes", string(h))
	}
	d.version(h)
	if o == nil || o.memory == nil {
		return true
	}
	d.beats(h, o.memory.Beats(string(h)))
	return true
}

// beats names the event of a harness that arrived last, and the earlier ones.
func (d *doctor) beats(h harness.Harness, at map[string]string) {
	events := slices.SortedFunc(maps.Keys(at), func(a, b string) int {
		return cmp.Or(strings.Compare(at[b], at[a]), strings.Compare(a, b))
	})
	switch len(events) {
	case 0:
	case 1:
		d.add(levelOK, "hooks", "doctor-beat", string(h), events[0], at[events[0]])
	default:
		d.add(levelOK, "hooks", "doctor-beats", string(h), events[0], at[events[0]], strings.Join(events[1:], ", "))
	}
}

// version names the version that the hooks were written for, and the one that is
// here: harnesses change every week.
func (d *doctor) version(h harness.Harness) {
	switch written, found := h.WrittenFor(), versionFound(d.env, h); {
	case written == "":
	case found == "":
		d.add(levelOK, "hooks", "doctor-written-for", string(h), written)
	default:
		d.add(levelOK, "hooks", "doctor-version-found", string(h), written, found)
	}
}

// targets lists the files that may have entries of ours, none when the harness
// has no settings of that scope. DSH can be wired in two ways.
func (d *doctor) targets(h harness.Harness, scope install.Scope) []install.Target {
	where := installEnv(d.env)
	where.Experimental = true
	targets, err := install.Targets(h, scope, where)
	if err != nil || h != harness.DSH {
		return targets
	}
	where.Bridge = true
	bridge, err := install.Targets(h, scope, where)
	if err != nil {
		return targets
	}
	return append(targets, bridge...)
}

// target examines one settings file and reports whether it has entries of ours.
func (d *doctor) target(t install.Target) bool {
	current, err := readSettings(t.File)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		d.add(levelTrouble, "hooks", "doctor-error", err)
		return false
	}
	s := t.Status(current, program)
	if s.Trouble != nil && len(current) > 0 {
		d.add(levelNote, "hooks", "doctor-error", s.Trouble)
	}
	if len(s.Entries) == 0 {
		return false
	}
	if t.RefusesLinks() && isLinked(t.File) {
		d.add(levelTrouble, "hooks", "doctor-error", fault.New(fault.Refused, "install-link", t.File, string(t.Harness)))
	}
	if t.Part == install.MCPPart {
		d.add(levelOK, "mcp", "doctor-mcp", string(t.Harness), t.File)
	} else {
		d.add(levelOK, "hooks", "doctor-installed", string(t.Harness), len(s.Entries), t.File)
	}
	d.entries(t, s)
	switch t.Harness {
	case harness.Codex:
		d.codex(t.File, s.Entries)
	case harness.Hermes:
		d.hermes(s.Entries)
	case harness.Goose:
		d.goose()
	case harness.ClaudeCode:
		d.managed(install.ManagedFile(runtime.GOOS))
	}
	return true
}

// entries tells what is odd about the entries of ours in one settings file.
func (d *doctor) entries(t install.Target, s install.Status) {
	for _, key := range s.Disabled {
		d.add(levelTrouble, "hooks", "note-hooks-disabled", t.File, key)
	}
	for _, event := range s.Repeated {
		d.add(levelTrouble, "hooks", "doctor-repeated", event, t.File)
	}
	for _, event := range s.Missing {
		d.add(levelNote, "hooks", "doctor-missing", event, t.File)
	}
	switch {
	case s.Edited:
		d.add(levelNote, "hooks", "install-own-changed", t.File)
	case s.Stale:
		d.add(levelTrouble, "hooks", "doctor-stale", t.File, string(t.Harness))
	}
	switch command := s.Entries[0].Command; {
	case t.NamesFile() && !exists(command):
		d.add(levelTrouble, "hooks", "doctor-no-file", t.File, command)
	case command != "" && !t.NamesFile():
		d.binary(t.File, install.Binary(command))
	}
}

// managed looks at the settings that an administrator of the machine imposes on
// Claude Code. A file that is not there, or not for us to read, says nothing.
func (d *doctor) managed(file string) {
	current, err := readSettings(file)
	if err != nil {
		return
	}
	for _, key := range install.Disabled(current) {
		d.add(levelTrouble, "hooks", "note-hooks-disabled", file, key)
	}
}

// codex looks at what Codex itself keeps of hooks: it runs only those that the
// user trusts.
func (d *doctor) codex(file string, entries []install.EntryRef) {
	config := install.CodexConfigFile(installEnv(d.env))
	data, err := readSettings(config)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		d.add(levelNote, "hooks", "doctor-error", err)
		return
	}
	c := install.ReadCodexConfig(data)
	if c.HooksOff {
		d.add(levelTrouble, "hooks", "note-hooks-disabled", config, "features.hooks")
	}
	untrusted := 0
	for _, e := range entries {
		if !slices.Contains(c.Trusted, install.TrustKey(file, e)) {
			untrusted++
		}
	}
	if untrusted > 0 {
		d.add(levelNote, "hooks", "doctor-untrusted", untrusted, file)
	}
}

// goose looks at whether its settings switch our plugin off.
func (d *doctor) goose() {
	file := install.GooseSettingsFile(installEnv(d.env))
	data, err := readSettings(file)
	if err == nil && install.GooseDisabled(data) {
		d.add(levelTrouble, "hooks", "note-hooks-disabled", file, "disabledPlugins")
	}
}

// hermes looks at what the user of Hermes has agreed to: it runs nothing else.
func (d *doctor) hermes(entries []install.EntryRef) {
	file := install.HermesConsentFile(installEnv(d.env))
	data, err := readSettings(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		d.add(levelNote, "hooks", "doctor-error", err)
		return
	}
	if n := len(entries) - install.HermesConsented(data, entries); n > 0 {
		d.add(levelNote, "hooks", "doctor-unconsented", n, file)
	}
}

// binary checks that the program a hook calls is still there. A bare word is
// looked for as a shell does.
func (d *doctor) binary(file, path string) {
	if filepath.IsAbs(path) {
		if _, err := exec.LookPath(path); err != nil {
			d.add(levelTrouble, "hooks", "doctor-no-binary", path)
		}
		return
	}
	if _, err := lookPath(d.env, path); err != nil {
		d.add(levelTrouble, "hooks", "doctor-no-word", file, path)
	}
}
