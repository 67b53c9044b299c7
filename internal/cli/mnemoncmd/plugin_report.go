package mnemoncmd

import (
	"strings"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/mnemon"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// PluginJSON is what plugin add and show and allow and configure write with --json: an
// Entry of the workspace.
type PluginJSON struct {
	ID       string            `json:"id"`
	Name     string            `json:"name"` // a package, or a path
	Disabled bool              `json:"disabled"`
	Allowed  bool              `json:"allowed"`           // its code may run on this machine
	Follows  bool              `json:"follows,omitempty"` // also after its folder changes
	Grants   []string          `json:"grants"`            // what it may reach beyond its own data
	Digest   string            `json:"digest,omitempty"`  // of its code
	Config   *jsonvalue.Object `json:"config,omitempty"`
	Error    string            `json:"error,omitempty"` // why it cannot run
}

func pluginJSON(p mnemon.Plugin, say func(error) string) PluginJSON {
	out := PluginJSON{p.ID, p.Name, p.Disabled, p.Allowed, p.Follows, p.Grants, p.Digest, p.Config, ""}
	if p.Why != nil {
		out.Error = say(p.Why)
	}
	return out
}

type pluginsReport struct {
	all []mnemon.Plugin
	say func(error) string
}

// PluginListJSON is what plugin list writes with --json.
type PluginListJSON struct {
	Plugins []PluginJSON `json:"plugins"`
}

func (r pluginsReport) JSON() any {
	out := []PluginJSON{}
	for _, p := range r.all {
		out = append(out, pluginJSON(p, r.say))
	}
	return PluginListJSON{out}
}

func (r pluginsReport) Text(w *cli.Writer) {
	if len(r.all) == 0 {
		w.Say("plugins-none")
	}
	for _, p := range r.all {
		w.Say("plugin-row", p.ID, p.Name, w.Phrase(standing(p)))
	}
}

type installReport struct {
	installed []string
	now       pluginsReport
}

// InstallJSON is what plugin install writes with --json.
type InstallJSON struct {
	Installed []string     `json:"installed"` // packages; with --dry-run: those that are missing
	Plugins   []PluginJSON `json:"plugins"`   // all Entries, as they are now
}

func (r installReport) JSON() any {
	return InstallJSON{append([]string{}, r.installed...), r.now.JSON().(PluginListJSON).Plugins}
}

func (r installReport) Text(w *cli.Writer) {
	if len(r.installed) == 0 {
		w.Say("plugin-all-installed")
	}
	for _, name := range r.installed {
		w.Say("plugin-installed", name)
	}
	r.now.Text(w)
}

// standing says in one word how an Entry is.
func standing(p mnemon.Plugin) string {
	switch {
	case p.Disabled:
		return "plugin-disabled"
	case fault.CodeOf(p.Why) == mnemon.CodeMissing:
		return "plugin-absent"
	case p.Why != nil && p.Digest == "":
		return "plugin-broken"
	case !p.Allowed:
		return "plugin-waits"
	}
	return "plugin-enabled"
}

// pluginReport is one Entry, perhaps after a change that said tells of.
type pluginReport struct {
	mnemon.Plugin
	said string
	say  func(error) string
}

func (r pluginReport) JSON() any { return pluginJSON(r.Plugin, r.say) }

func (r pluginReport) Text(w *cli.Writer) {
	if r.said != "" {
		w.Say(r.said, r.ID)
	}
	w.Say("plugin-row", r.ID, r.Name, w.Phrase(standing(r.Plugin)))
	if r.Why != nil {
		w.Say("plugin-why", r.say(r.Why))
	}
	if len(r.Grants) > 0 {
		w.Say("plugin-grants", strings.Join(r.Grants, ", "))
	}
	if r.Config.Len() > 0 {
		w.Say("plugin-config", jsonvalue.Format(r.Config))
	}
}

type switchReport struct {
	id      string
	enabled bool
	changed bool
}

// SwitchJSON is what plugin enable and disable write with --json.
type SwitchJSON struct {
	ID      string `json:"id"`
	Enabled bool   `json:"enabled"`
	Changed bool   `json:"changed"` // false: it was so already
}

func (r switchReport) JSON() any { return SwitchJSON{r.id, r.enabled, r.changed} }

func (r switchReport) Text(w *cli.Writer) {
	if r.enabled {
		w.Say("plugin-is-enabled", r.id)
		return
	}
	w.Say("plugin-is-disabled", r.id)
}

type removedReport struct{ id string }

// RemovedJSON is what plugin rm writes with --json.
type RemovedJSON struct {
	Removed string `json:"removed"`
}

func (r removedReport) JSON() any { return RemovedJSON{r.id} }

func (r removedReport) Text(w *cli.Writer) { w.Say("plugin-removed", r.id) }
