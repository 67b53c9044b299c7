package install

import (
	"strings"

	"github.com/dshkit/dshkit/internal/harness/jsontext"
	"github.com/dshkit/dshkit/pkg/fault"
)

// Status is what a settings file says about us, for the doctor.
type Status struct {
	File     string
	Exists   bool
	Trouble  *fault.Error // why the file cannot be read; the rest is empty then
	Entries  []EntryRef   // ours
	Missing  []string     // events that are installed by default and have no entry of ours
	Repeated []string     // events with more than one
	Disabled []string     // settings in this file that switch hooks off
	Stale    bool         // a file of ours that another version of us made otherwise
	Edited   bool         // a file of ours that somebody changed
}

// Status reads the file of t, which holds current (nil: there is none).
func (t Target) Status(current []byte, program string) Status {
	s := Status{File: t.File, Exists: current != nil}
	if t.editor != nil {
		return t.editor.status(t, s, current, program)
	}
	if t.format == ownText {
		return t.ownStatus(s, current, program)
	}
	if t.format == patchYAML {
		return t.rowStatus(s, current, program)
	}
	if blankFile(current) {
		current = []byte("{}")
	}
	f, refusal := t.openHooks(current, program)
	if refusal != nil {
		s.Trouble = refusal
		return s
	}
	s.Entries, s.Disabled = f.refs(), f.disabled()
	count := map[string]int{}
	for _, e := range s.Entries {
		if count[e.Event]++; count[e.Event] == 2 {
			s.Repeated = append(s.Repeated, e.Event)
		}
	}
	for _, e := range t.layout.events {
		if e.extra == byDefault && count[e.name] == 0 {
			s.Missing = append(s.Missing, e.name)
		}
	}
	return s
}

func (t Target) rowStatus(s Status, current []byte, program string) Status {
	p, refusal := t.openPatch(current, program)
	switch {
	case refusal != nil:
		s.Trouble = refusal
	case p.ours == nil:
		s.Missing = []string{program + t.row.id}
	default:
		s.Entries = []EntryRef{{Event: p.id, Command: p.path}}
	}
	return s
}

// disabled returns the settings in this file that switch hooks off.
func (f *hooksFile) disabled() []string {
	var flags []string
	for _, s := range f.layout.switches {
		if v := f.setting(s.path...); v != nil && string(f.data[v.Begin:v.End]) == s.value {
			flags = append(flags, strings.Join(s.path, "."))
		}
	}
	return append(flags, f.disabledByName()...)
}

// disabledByName returns the setting with which Gemini CLI leaves out single
// hooks, when it names one of ours. A hook without a name goes by its command.
func (f *hooksFile) disabledByName() []string {
	list := f.setting("hooksConfig", "disabled")
	for i := 0; list != nil && i < len(list.Items); i++ {
		if isOurs(list.Items[i].Text(f.data), f.program, f.harness) {
			return []string{"hooksConfig.disabled"}
		}
	}
	return nil
}

// setting returns the value under a path of names, or nil.
func (f *hooksFile) setting(path ...string) *jsontext.Node {
	node := f.root
	for _, name := range path {
		m := node.Get(name)
		if m == nil {
			return nil
		}
		node = &m.Value
	}
	return node
}

// ManagedFile is where Claude Code reads the settings of the machine's
// administrator (spec/harness-hooks.md 5).
func ManagedFile(goos string) string {
	switch goos {
	case "darwin":
		return "/Library/Application Support/ClaudeCode/managed-settings.json"
	case "windows":
		return `C:\Program Files\ClaudeCode\managed-settings.json`
	}
	return "/etc/claude-code/managed-settings.json"
}

// Disabled returns the settings in a settings file of Claude Code, also a
// managed one, that switch hooks off. A file that cannot be parsed gives none.
func Disabled(settings []byte) []string {
	root, err := jsontext.Parse(settings)
	if err != nil {
		return nil
	}
	return (&hooksFile{data: settings, root: root, layout: claudeLayout()}).disabled()
}
