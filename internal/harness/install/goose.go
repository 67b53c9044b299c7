package install

import (
	"encoding/json"
	"path/filepath"
	"slices"

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

// GooseSettingsFile is where Goose keeps which plugins are switched off.
func GooseSettingsFile(env Env) string {
	return filepath.Join(env.configHome(), "goose", "settings.json")
}

// GooseDisabled reads that file and reports whether ours is among them.
func GooseDisabled(data []byte) bool {
	var doc struct {
		DisabledPlugins []string `json:"disabledPlugins"`
	}
	_ = json.Unmarshal(data, &doc) // one that cannot be read switches nothing off
	return slices.Contains(doc.DisabledPlugins, "selfip")
}
