package install

import (
	"path/filepath"

	"github.com/dshkit/dshkit/internal/harness"
)

// qwenLayout is of Qwen Code (spec/harness-hooks.md 4.2, 12). Its timeouts are in
// seconds; from 1000 on they would be read as milliseconds. A file without a
// version is rewritten by it, so one that we make has it.
func qwenLayout() layout {
	return layout{
		events: []event{
			{name: "SessionStart", timeout: 10},
			{name: "UserPromptSubmit", timeout: 10},
			{name: "PostToolUse", timeout: 10, extra: traced},
			{name: "PostToolUseFailure", timeout: 10},
			{name: "Stop", timeout: 10},
			{name: "StopFailure", timeout: 10},
			{name: "SubagentStart", timeout: 10, extra: asked},
			{name: "SubagentStop", timeout: 10, extra: asked},
			{name: "PreCompact", timeout: 10, extra: asked},
			{name: "Notification", timeout: 10, matcher: "idle_prompt", extra: asked},
			{name: "SessionEnd", timeout: 10},
		},
		lead:     []part{{"$version", 4}},
		leadOnce: true,
		switches: []toggle{{[]string{"disableAllHooks"}, "true"}},
		comments: true,
		noBOM:    true,
	}
}

func qwenTargets(scope Scope, env Env) ([]Target, error) {
	file, err := pick(harness.QwenCode, scope,
		filepath.Join(env.orElse("QWEN_HOME", ".qwen"), "settings.json"),
		filepath.Join(env.Dir, ".qwen", "settings.json"))
	if err != nil {
		return nil, err
	}
	return []Target{{Harness: harness.QwenCode, Scope: scope, File: file, layout: qwenLayout()}}, nil
}
