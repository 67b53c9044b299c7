package cli

import (
	"path/filepath"

	"github.com/dshkit/dshkit/pkg/fault"
)

// OwnFolder is a folder of ours for what concerns a user and no workspace: below
// the one that a variable names, else below the home; "" when that is unknown.
func (env *Env) OwnFolder(variable string, below ...string) string {
	base := env.Getenv(variable)
	if !filepath.IsAbs(base) {
		home := env.Home()
		if home == "" {
			return ""
		}
		base = filepath.Join(append([]string{home}, below...)...)
	}
	return filepath.Join(base, "dshkit")
}

// Folder returns the absolute path of a folder that the user has named; an empty
// one is the current folder.
func (env *Env) Folder(dir string) (string, error) {
	if filepath.IsAbs(dir) {
		return dir, nil
	}
	here, err := env.Getwd()
	if err != nil {
		return "", fault.New(fault.Failed, "no-current-folder").Because(err)
	}
	return filepath.Join(here, dir), nil
}
