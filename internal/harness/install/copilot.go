package install

import (
	"path/filepath"

	"github.com/dshkit/dshkit/internal/harness"
	"github.com/dshkit/dshkit/pkg/fault"
)

// copilotLayout is of the Copilot CLI (spec/harness-hooks.md 4.2, 9). The entries
// stand in a file of our own, so that nobody's settings, and no lock on them, are
// touched. preToolUse is never there: whatever goes wrong in it denies the tool.
func copilotLayout() layout {
	return layout{
		events: []event{
			{name: "sessionStart", timeout: 10},
			{name: "userPromptSubmitted", timeout: 10},
			{name: "postToolUse", timeout: 10},
			{name: "postToolUseFailure", timeout: 10},
			{name: "errorOccurred", timeout: 10},
			{name: "agentStop", timeout: 10},
			{name: "subagentStart", timeout: 10, extra: asked},
			{name: "subagentStop", timeout: 10, extra: asked},
			{name: "preCompact", timeout: 10, extra: asked},
			{name: "notification", timeout: 10, extra: asked},
			{name: "sessionEnd", timeout: 10},
		},
		shape:    shape{flat: true, timeout: "timeoutSec"},
		lead:     []part{{"version", 1}},
		switches: []toggle{{[]string{"disableAllHooks"}, "true"}},
		noBOM:    true,
	}
}

func copilotTargets(scope Scope, env Env) ([]Target, error) {
	file, err := pick(harness.CopilotCLI, scope,
		filepath.Join(env.orElse("COPILOT_HOME", ".copilot"), "hooks", "selfip.json"),
		filepath.Join(env.Dir, ".github", "hooks", "selfip.json"))
	if err != nil {
		return nil, err
	}
	return []Target{{Harness: harness.CopilotCLI, Scope: scope, File: file, layout: copilotLayout()}}, nil
}

// vscodeLayout is of the agent of VS Code (spec/harness-hooks.md 9), in a file of
// our own. The Copilot CLI reads that folder too: there the payload tells who
// calls, and the version makes the file one that it takes.
func vscodeLayout() layout {
	return layout{
		events: []event{
			{name: "SessionStart", timeout: 10},
			{name: "UserPromptSubmit", timeout: 10},
			{name: "PostToolUse", timeout: 10},
			{name: "Stop", timeout: 10},
			{name: "SubagentStart", timeout: 10, extra: asked},
			{name: "SubagentStop", timeout: 10, extra: asked},
			{name: "PreCompact", timeout: 10},
		},
		shape:    shape{flat: true},
		lead:     []part{{"version", 1}},
		comments: true,
	}
}

// vscodeTargets is a file of the project. For the user alone VS Code has none of
// its own: it runs the hooks of Claude Code's settings.
func vscodeTargets(scope Scope, env Env) ([]Target, error) {
	if scope != Project {
		return nil, fault.New(fault.Usage, codeScope, string(harness.VSCode), string(scope), string(Project))
	}
	file := filepath.Join(env.Dir, ".github", "hooks", "selfip-vscode.json")
	return []Target{{Harness: harness.VSCode, Scope: scope, File: file, layout: vscodeLayout()}}, nil
}
