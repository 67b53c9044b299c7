package install

import (
	"path/filepath"

	"github.com/dshkit/dshkit/internal/harness"
	"github.com/dshkit/dshkit/pkg/fault"
)

// DSHBridge is the package of DSH that runs hooks in Claude's form. The caller
// looks for it: a row that names a package which is not there stops DSH at its
// start (spec/harness-hooks.md 13).
const DSHBridge = "@deepseek-ai/dsh-hooks-claude-code"

// dshHooksFile is the base name of the hooks file that is ours alone.
const dshHooksFile = "dsh-hooks.json"

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

// dshTargets are a hooks file of our own and the row that makes DSH read it.
func dshTargets(scope Scope, env Env) ([]Target, error) {
	if scope != User {
		return nil, fault.New(fault.Usage, codeScope, string(harness.DSH), string(scope), string(User))
	}
	hooks := filepath.Join(env.Config, dshHooksFile)
	patch := filepath.Join(env.orElse("DSH_HOME", ".dsh"), "cordis.patch.yml")
	return []Target{
		{Harness: harness.DSH, Scope: scope, File: hooks, layout: dshLayout()},
		{Harness: harness.DSH, Scope: scope, File: patch, layout: dshLayout(), format: patchYAML, hooks: hooks},
	}, nil
}
