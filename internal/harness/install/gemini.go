package install

import (
	"path/filepath"

	"github.com/dshkit/dshkit/internal/harness"
)

// geminiLayout is of the Gemini CLI (spec/harness-hooks.md 4.2, 7). Its timeouts
// are in milliseconds. It strips comments from the file but reads no byte order
// mark.
func geminiLayout() layout {
	return layout{
		events: []event{
			{name: "SessionStart", timeout: 10000},
			{name: "BeforeAgent", timeout: 10000},
			{name: "AfterTool", timeout: 10000},
			{name: "AfterAgent", timeout: 10000},
			{name: "PreCompress", timeout: 10000, extra: asked},
			{name: "SessionEnd", timeout: 10000},
		},
		switches: []toggle{{[]string{"hooksConfig", "enabled"}, "false"}},
		comments: true,
		noBOM:    true,
	}
}

func geminiTargets(scope Scope, env Env) ([]Target, error) {
	home := env.orElse("GEMINI_CLI_HOME", ".") // in the place of the user's home
	file, err := pick(harness.GeminiCLI, scope,
		filepath.Join(home, ".gemini", "settings.json"),
		filepath.Join(env.Dir, ".gemini", "settings.json"))
	if err != nil {
		return nil, err
	}
	return []Target{{Harness: harness.GeminiCLI, Scope: scope, File: file, layout: geminiLayout()}}, nil
}
