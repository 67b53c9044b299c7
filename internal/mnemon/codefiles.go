package mnemon

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/dshkit/dshkit/internal/jscache"
	"github.com/dshkit/dshkit/internal/mnemon/machine"
)

// codeFiles are the files that a plugin may import by names that it makes up
// while it runs. What its text imports was read by whoever allowed the code; a
// name made at run time could be any file that is JSON.
type codeFiles struct {
	jscache.Disk
	folder  string // the plugin's code
	folders []machine.Grant
}

// RealPath follows links, to where the plugin's code, a package that it could
// name, or what was granted lies.
func (c codeFiles) RealPath(name string) (string, error) {
	real, err := c.Disk.RealPath(name)
	if err != nil {
		return "", err
	}
	if !c.reaches(real) {
		return "", fmt.Errorf("it lies outside of the plugin, its packages and what was granted; fs:read=%s would let it", filepath.Dir(real))
	}
	return real, nil
}

func (c codeFiles) reaches(path string) bool {
	for dir := c.real(c.folder); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if below(filepath.Join(dir, "node_modules"), path) {
			return true
		}
	}
	return below(c.real(c.folder), path) ||
		slices.ContainsFunc(c.folders, func(g machine.Grant) bool { return below(c.real(g.Path), path) })
}

// real is a folder without links, or the folder itself when it is not there.
func (c codeFiles) real(dir string) string {
	if real, err := c.Disk.RealPath(dir); err == nil {
		return real
	}
	return dir
}

// below says whether a path is a folder or lies in it.
func below(dir, path string) bool {
	return path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, string(filepath.Separator))+string(filepath.Separator))
}
