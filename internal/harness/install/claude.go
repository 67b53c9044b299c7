package install

import (
	"path/filepath"

	"github.com/dshkit/dshkit/internal/harness"
)

// claudeLayout is of Claude Code (spec/harness-hooks.md 4.2, 5). The entry for
// SessionEnd has a shorter timeout: all its hooks share what settings allow.
func claudeLayout() layout {
	return layout{
		switches: []toggle{
			{[]string{"disableAllHooks"}, "true"},
			{[]string{"allowManagedHooksOnly"}, "true"}, // counts in managed settings
		},
		events: []event{
			{name: "SessionStart", timeout: 10, matcher: "startup|resume|clear|compact|fork"},
			{name: "UserPromptSubmit", timeout: 10},
			{name: "PostToolUse", timeout: 10, extra: traced},
			{name: "PostToolUseFailure", timeout: 10},
			{name: "Stop", timeout: 10},
			{name: "StopFailure", timeout: 10},
			{name: "SubagentStart", timeout: 10, extra: asked},
			{name: "SubagentStop", timeout: 10},
			{name: "PreCompact", timeout: 10},
			{name: "Notification", timeout: 10, matcher: "idle_prompt", extra: asked},
			{name: "SessionEnd", timeout: 5},
		},
	}
}

func claudeTargets(scope Scope, env Env) ([]Target, error) {
	file, err := pick(harness.ClaudeCode, scope,
		filepath.Join(env.orElse("CLAUDE_CONFIG_DIR", ".claude"), "settings.json"),
		filepath.Join(env.Dir, ".claude", "settings.json"))
	if err != nil {
		return nil, err
	}
	return []Target{{Harness: harness.ClaudeCode, Scope: scope, File: file, layout: claudeLayout()}}, nil
}
