package install

import (
	"path/filepath"

	"github.com/dshkit/dshkit/internal/harness"
)

// gooseTargets are a plugin folder of our own (spec/harness-hooks.md 17): what it
// is, and its hooks in Claude's form. They have no matcher: a bare * would switch
// them off.
func gooseTargets(scope Scope, env Env) ([]Target, error) {
	dir, err := pick(harness.Goose, scope,
		filepath.Join(env.Home, ".agents", "plugins", "selfip"),
		filepath.Join(env.Dir, ".agents", "plugins", "selfip"))
	if err != nil {
		return nil, err
	}
	hooks := layout{events: []event{
		{name: "SessionStart", timeout: 10, extra: asked},
		{name: "UserPromptSubmit", timeout: 10},
		{name: "PostToolUse", timeout: 10, extra: traced},
		{name: "PostToolUseFailure", timeout: 10},
		{name: "Stop", timeout: 10},
		{name: "SessionEnd", timeout: 10},
	}, added: noteNoContext}
	return []Target{
		{
			Harness: harness.Goose, Scope: scope, File: filepath.Join(dir, "plugin.json"), format: ownText,
			own: own{parts: []string{"goose.plugin.json"}, folder: true, silent: true},
		},
		{Harness: harness.Goose, Scope: scope, File: filepath.Join(dir, "hooks", "hooks.json"), layout: hooks},
	}, nil
}
