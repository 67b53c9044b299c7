package install

import (
	"path/filepath"

	"github.com/dshkit/dshkit/internal/harness"
	"github.com/dshkit/dshkit/pkg/fault"
)

// clineEvents are those that have a script by default (spec/harness-hooks.md 4.2).
// TaskError is of the SDK alone; the extension passes over it.
var clineEvents = []event{
	{name: "TaskStart"},
	{name: "UserPromptSubmit"},
	{name: "PostToolUse"},
	{name: "TaskComplete"},
	{name: "TaskCancel"},
	{name: "TaskError"},
	{name: "TaskResume", extra: asked},
	{name: "PreCompact", extra: asked},
	{name: "Notification", extra: asked},
	{name: "SessionShutdown", extra: asked},
}

// clineTargets are a small program for each event, in the folder that the
// extension, the SDK and its CLI read (spec/harness-hooks.md 16). An event has
// one file there: one that is somebody else's stays, and ours does not come. On
// Windows they would be of another shell, in which nobody has tried them.
func clineTargets(scope Scope, env Env) ([]Target, error) {
	dir, err := pick(harness.Cline, scope,
		filepath.Join(env.Home, "Documents", "Cline", "Hooks"),
		filepath.Join(env.Dir, ".clinerules", "hooks"))
	if err != nil {
		return nil, err
	}
	if isWindows(dir) {
		return nil, fault.New(fault.Refused, codeWindows, string(harness.Cline))
	}
	var targets []Target
	for _, e := range clineEvents {
		targets = append(targets, Target{
			Harness: harness.Cline, Scope: scope, File: filepath.Join(dir, e.name), format: ownText,
			own: own{parts: []string{"cline.sh"}, event: e.name, runs: true}, layout: layout{events: clineEvents},
		})
	}
	return targets, nil
}
