package install

import (
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/dshkit/dshkit/internal/harness"
	"github.com/dshkit/dshkit/pkg/fault"
)

// DSHBridge is the package of DSH that runs hooks in Claude's form. The caller
// looks for it: a row that names a package which is not there stops DSH at its
// start (spec/harness-hooks.md 13).
const DSHBridge = "@deepseek-ai/dsh-hooks-claude-code"

// The base names of our files: of the plugin, and of the hooks of the bridge.
const (
	dshPluginFile = "dsh-plugin.mjs"
	dshHooksFile  = "dsh-hooks.json"
)

// dshLayout is of DSH's Claude bridge. There PostToolUse tells failures too.
func dshLayout() layout {
	return layout{
		events: []event{
			{name: "SessionStart", timeout: 10},
			{name: "UserPromptSubmit", timeout: 10},
			{name: "PostToolUse", timeout: 10},
			{name: "Stop", timeout: 10},
			{name: "SubagentStart", timeout: 10, extra: asked},
			{name: "SubagentStop", timeout: 10},
		},
		bridge: DSHBridge,
		added:  noteSandbox,
	}
}

// dshTargets are a file of our own and the row that makes DSH read it: a plugin,
// or with env.Bridge the hooks of the bridge. The plugin is told more, needs no
// package, and runs outside of the sandbox.
func dshTargets(scope Scope, env Env) ([]Target, error) {
	if scope != User {
		return nil, fault.New(fault.Usage, codeScope, string(harness.DSH), string(scope), string(User))
	}
	patch := Target{
		Harness: harness.DSH, Scope: scope, format: patchYAML,
		File: filepath.Join(env.orElse("DSH_HOME", ".dsh"), "cordis.patch.yml"),
	}
	if env.Bridge {
		hooks := filepath.Join(env.Config, dshHooksFile)
		patch.layout, patch.row = dshLayout(), row{id: "-hooks", file: hooks, bridge: true}
		return []Target{{Harness: harness.DSH, Scope: scope, File: hooks, layout: dshLayout()}, patch}, nil
	}
	plugin := filepath.Join(env.Config, dshPluginFile)
	patch.row = row{file: plugin}
	return []Target{{
		Harness: harness.DSH, Scope: scope, File: plugin, format: ownText,
		own: own{parts: []string{"shared.js", "dsh.mjs"}},
	}, patch}, nil
}

// row is a patch row of ours.
type row struct {
	id     string // of the inserted row, after the program's name
	file   string // that it names
	bridge bool   // through the bridge, which then reads the file
}

// text is the patch row as lines, each after indent.
func (r row) text(id, indent string) string {
	lines := []string{"- insert:", "    - id: " + id}
	if r.bridge {
		lines = append(lines,
			"      name: '"+DSHBridge+"'",
			"      config:",
			"        configPath: "+yamlText(r.file))
	} else {
		lines = append(lines, "      name: "+yamlText(r.file))
	}
	return indent + strings.Join(lines, "\n"+indent) + "\n"
}

// scalar returns the place in a mapping where the row names its file, nil when
// the mapping is no such row.
func (r row) scalar(node *yaml.Node, program string) *yaml.Node {
	id, name := child(node, "id"), child(node, "name")
	if id == nil || name == nil || !strings.HasPrefix(id.Value, program+r.id) {
		return nil
	}
	path := name
	if r.bridge {
		if path = child(child(node, "config"), "configPath"); name.Value != DSHBridge {
			return nil
		}
	}
	if path == nil || filepath.Base(slashes(path.Value)) != filepath.Base(r.file) {
		return nil
	}
	return path
}
