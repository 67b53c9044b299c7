package grant

import (
	"strings"

	"github.com/dshkit/dshkit/pkg/fault"
)

// Denied says that a plugin wanted what is not granted, or can never be.
type Denied struct {
	PluginID string
	Want     string // what it wanted: read ./docs/a.md
	Grant    Grant  // what would allow it; the zero Grant when nothing would
	Note     string // why nothing would
	Root     string // the workspace, for the text of the grant
}

// Error names the plugin, what it wanted, and the command that allows it.
func (d *Denied) Error() string {
	return "plugin " + d.PluginID + " may not " + d.Want + ": " + d.advice()
}

// Fault is the refusal as commands report it.
func (d *Denied) Fault() *fault.Error {
	return fault.New(fault.Refused, codeDenied, d.PluginID, d.Want, d.advice())
}

func (d *Denied) advice() string {
	if d.Grant == (Grant{}) {
		return d.Note
	}
	return "the user of this workspace can allow it with `" + d.Command() + "`"
}

// Command is what allows it, as a line for a shell; "" when nothing does.
func (d *Denied) Command() string {
	if d.Grant == (Grant{}) {
		return ""
	}
	kind, target, _ := strings.Cut(d.Grant.Text(d.Root), " ")
	return "cordis grant allow " + kind + " " + quote(target)
}

// quote makes one word of a text for sh.
func quote(s string) string {
	if s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789./:_-@%+,=", r)
	}) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
