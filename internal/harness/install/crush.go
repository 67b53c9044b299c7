package install

import (
	"path/filepath"

	"github.com/dshkit/dshkit/internal/harness"
)

// crushLayout is of the one hook that Crush has (spec/harness-hooks.md 19), before
// a command runs. It is not installed unless it is asked for: whatever goes wrong
// in it is in the way of the command.
func crushLayout() layout {
	return layout{
		events: []event{{name: "PreToolUse", timeout: 5, matcher: "^bash$"}},
		shape:  shape{flat: true, untyped: true},
	}
}

// crushTargets are our MCP server and, when it is asked for, the hook, both in
// the one file of settings.
func crushTargets(scope Scope, env Env) ([]Target, error) {
	targets, err := MCPTargets(harness.Crush, scope, env)
	if err != nil {
		return nil, err
	}
	targets[0].layout.added = noteSkill
	hook := Target{Harness: harness.Crush, Scope: scope, File: targets[0].File, layout: crushLayout()}
	if env.Experimental {
		targets = append(targets, hook)
	}
	return targets, nil
}

// crushFile is where Crush keeps its settings.
func crushFile(scope Scope, env Env) (string, error) {
	return pick(harness.Crush, scope, filepath.Join(env.configHome(), "crush", "crush.json"), filepath.Join(env.Dir, "crush.json"))
}
