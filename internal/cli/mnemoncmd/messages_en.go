package mnemoncmd

import "github.com/dshkit/dshkit/internal/cli"

// english holds what the commands tell.
var english = cli.Table{
	{ID: "init-made", Text: "made in %s: %s"},
	{ID: "init-there", Text: "%s has all its files"},

	{ID: "plugins-none", Text: "no plugins; add one with: dsh-mnemon plugin add SPEC"},
	{ID: "plugin-row", Text: "%s  %s  (%s)"},
	{ID: "plugin-enabled", Text: "enabled"},
	{ID: "plugin-disabled", Text: "disabled"},
	{ID: "plugin-waits", Text: "not allowed here"},
	{ID: "plugin-broken", Text: "cannot be loaded"},
	{ID: "plugin-absent", Text: "not installed"},
	{ID: "plugin-added", Text: "added %s and allowed its code to run on this machine"},
	{ID: "plugin-installed", Text: "installed %s"},
	{ID: "plugin-all-installed", Text: "nothing is missing"},
	{ID: "plugin-allowed", Text: "allowed the code of %s to run on this machine"},
	{ID: "plugin-configured", Text: "configured %s"},
	{ID: "plugin-is-enabled", Text: "%s is enabled"},
	{ID: "plugin-is-disabled", Text: "%s is disabled; what it keeps stays"},
	{ID: "plugin-removed", Text: "removed %s from the list; what it keeps stays"},
	{ID: "plugin-why", Text: "  because: %s"},
	{ID: "plugin-grants", Text: "  may reach: %s"},
	{ID: "plugin-config", Text: "  config: %s"},

	{ID: "test-passed", Text: "  ok    %s"},
	{ID: "test-failed", Text: "  FAIL  %s"},
	{ID: "test-skipped", Text: "  skip  %s"},
	{ID: "test-todo", Text: "  todo  %s"},
	{ID: "tests-sum", Text: "%d passed, %d failed, %d skipped"},

	{ID: "strategies-none", Text: "no Strategy is installed"},
	{ID: "strategy-row", Text: "  %s  (%s)"},
	{ID: "strategy-selected-row", Text: "* %s  (%s)"},
	{ID: "strategy-chosen", Text: "turns use the Strategy %s"},

	{ID: "inspect-state-ready", Text: "the plugins compose"},
	{ID: "inspect-state-incomplete", Text: "something is missing"},
	{ID: "inspect-state-rejected", Text: "the plugins do not compose"},
	{ID: "inspect-strategy", Text: "Strategy: %s"},
	{ID: "inspect-source", Text: "Source: %s"},
	{ID: "inspect-add-strategy", Text: "add one that knows no roles with: dsh-mnemon plugin add dsh-mnemon-strategy-general"},
	{ID: "inspect-choose-strategy", Text: "choose one with: dsh-mnemon strategy use TYPE (there are: %s)"},

	{ID: "turns-none", Text: "no turns"},
	{ID: "turn-open-row", Text: "%s  begun %s  open"},
	{ID: "turn-ended-row", Text: "%s  begun %s  released"},
	{ID: "turn-released-now", Text: "released %s"},
	{ID: "turn-released-before", Text: "%s was released before"},
	{ID: "turn-unreadable", Text: "a turn cannot be read: %s"},

	{ID: "view-head", Text: "%s  by Strategy %s"},
	{ID: "view-fragment", Text: "  shows   %s  (%s, %d characters)"},
	{ID: "view-route", Text: "  route   %s  %s"},
	{ID: "view-action", Text: "  action  %s  %s"},
	{ID: "view-diagnostic", Text: "  %s: %s"},

	{ID: "evidence-none", Text: "nothing found"},
	{ID: "evidence-truncated", Text: "(there is more than the limits let through)"},
	{ID: "evidence-unavailable", Text: "unavailable: %s"},
	{ID: "receipt-row", Text: "%s, %s"},
	{ID: "receipt-committed", Text: "committed at %s"},
}
