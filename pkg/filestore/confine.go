package filestore

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/dshkit/dshkit/pkg/fault"
)

// confine refuses a path that symbolic links lead out of the root. The folder
// may have come with somebody's repository: a memory file in it that is a link
// to a file of the user's home must not be written to. The root itself may be
// reached through links.
func (d *Dir) confine(full string) error {
	if !d.opts.Confined {
		return nil
	}
	target, _, err := resolve(full)
	if err != nil {
		return err
	}
	folder, err := realFolder(filepath.Dir(target))
	if err != nil {
		return writeFault(full, err)
	}
	root, err := realFolder(d.root)
	if err != nil {
		return writeFault(d.root, err)
	}
	if folder != root && !strings.HasPrefix(folder, root+string(filepath.Separator)) {
		return fault.New(fault.Refused, codeLinkOutside, full, target)
	}
	return nil
}

// realFolder is the path of a folder, of which the last parts need not exist,
// without symbolic links.
func realFolder(path string) (string, error) {
	missing := ""
	for {
		real, err := filepath.EvalSymlinks(path)
		switch {
		case err == nil:
			return filepath.Join(real, missing), nil
		case !errors.Is(err, fs.ErrNotExist):
			return "", err
		}
		if _, err := os.Lstat(path); err == nil {
			return "", fs.ErrNotExist // a link that leads nowhere
		}
		missing = filepath.Join(filepath.Base(path), missing)
		if path == filepath.Dir(path) {
			return "", fs.ErrNotExist
		}
		path = filepath.Dir(path)
	}
}
