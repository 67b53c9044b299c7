package selfipcmd

import "github.com/dshkit/dshkit/internal/cli"

// wiringEnglish is what install, uninstall and doctor say of harnesses in
// particular.
var wiringEnglish = cli.Table{
	{ID: "install-link", Text: "%s is behind a symbolic link, through which %s reads no hooks"},
	{ID: "install-link.hint", Text: "put a file there in place of the link, or install for the other scope with --scope"},
	{ID: "doctor-written-for", Text: "hooks for %s are written for its version %s"},
	{ID: "doctor-version-found", Text: "hooks for %s are written for its version %s; here is version %s"},
}
