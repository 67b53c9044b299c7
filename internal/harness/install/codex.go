package install

import (
	"path/filepath"

	"github.com/dshkit/dshkit/internal/harness"
)

// codexLayout is of Codex (spec/harness-hooks.md 4.2, 6). Its trust in a hook
// hangs on the command and the position.
func codexLayout() layout {
	return layout{
		events: []event{
			{name: "SessionStart", timeout: 10},
			{name: "UserPromptSubmit", timeout: 10},
			{name: "PostToolUse", timeout: 10},
			{name: "Stop", timeout: 10},
			{name: "SubagentStart", timeout: 10, extra: asked},
			{name: "SubagentStop", timeout: 10},
			{name: "PreCompact", timeout: 10},
			{name: "SessionEnd", timeout: 3},
		},
		noBOM:    true,
		added:    noteTrust,
		replaced: noteTrustAgain,
	}
}

func codexTargets(scope Scope, env Env) ([]Target, error) {
	file, err := pick(harness.Codex, scope,
		filepath.Join(env.orElse("CODEX_HOME", ".codex"), "hooks.json"),
		filepath.Join(env.Dir, ".codex", "hooks.json"))
	if err != nil {
		return nil, err
	}
	return []Target{{Harness: harness.Codex, Scope: scope, File: file, layout: codexLayout()}}, nil
}
