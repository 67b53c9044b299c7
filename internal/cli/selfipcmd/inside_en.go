package selfipcmd

import "github.com/dshkit/dshkit/internal/cli"

// insideEnglish speaks of files of ours that run inside a harness.
var insideEnglish = cli.Table{
	{ID: "install-own-changed", Text: "%s was changed by hand since it was written: it is left as it is"},
	{ID: "install-own-changed.hint", Text: "move the file away to have it written anew, or keep it and look after it yourself"},
	{ID: "install-own-foreign", Text: "%s is there already and not ours: it is left as it is"},
	{ID: "install-own-foreign.hint", Text: "move the file away, then install again"},
	{ID: "install-no-events", Text: "%s has no events to choose: the file that is installed passes on all that count"},
	{ID: "install-no-events.hint", Text: "install without --events and --trace"},
	{ID: "install-no-bridge", Text: "%s has no hooks bridge: that is of DSH alone"},
	{ID: "install-no-bridge.hint", Text: "install without --bridge"},
	{ID: "note-openclaw", Text: "OpenClaw has to be told of the folder, and allowed to show its plugin what is said:\n" +
		"  openclaw plugins install --link %[1]s --force\n" +
		"  openclaw config set plugins.entries.selfip.hooks.allowConversationAccess true\n" +
		"Before you uninstall: openclaw plugins uninstall selfip"},
	{ID: "doctor-stale", Text: "%s was written by another version: selfip install %s brings it up to date"},
	{ID: "doctor-no-file", Text: "%s names %s, which is not there: DSH does not start with it; selfip install dsh writes it anew"},
	{ID: "help.install.flag.bridge", Text: "DSH: wire its hooks bridge, not a plugin of ours"},
}
