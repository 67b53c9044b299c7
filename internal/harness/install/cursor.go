package install

import (
	"path/filepath"

	"github.com/dshkit/dshkit/internal/harness"
)

// cursorLayout is of Cursor (spec/harness-hooks.md 4.2, 8). One name that it does
// not know voids the whole file; it strips comments in a way that breaks any
// address, so a file with comments is refused, and so is a symbolic link.
func cursorLayout() layout {
	return layout{
		events: []event{
			{name: "sessionStart", timeout: 10},
			{name: "beforeSubmitPrompt", timeout: 10},
			{name: "postToolUse", timeout: 10, extra: traced},
			{name: "postToolUseFailure", timeout: 10},
			{name: "stop", timeout: 10},
			{name: "subagentStart", timeout: 10, extra: asked},
			{name: "subagentStop", timeout: 10},
			{name: "preCompact", timeout: 10, extra: asked},
			{name: "sessionEnd", timeout: 10},
		},
		shape:  shape{flat: true, untyped: true},
		lead:   []part{{"version", 1}},
		noBOM:  true,
		noLink: true,
	}
}

func cursorTargets(scope Scope, env Env) ([]Target, error) {
	file, err := pick(harness.Cursor, scope,
		filepath.Join(env.Home, ".cursor", "hooks.json"),
		filepath.Join(env.Dir, ".cursor", "hooks.json"))
	if err != nil {
		return nil, err
	}
	return []Target{{Harness: harness.Cursor, Scope: scope, File: file, layout: cursorLayout()}}, nil
}
