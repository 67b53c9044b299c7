package filestore

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/dshkit/dshkit/pkg/fault"
)

// confine refuses a path that symbolic links lead out of the root, or out of the
// folder that they may stay within. The folder
// may have come with somebody's repository: a memory file in it that is a link
// to a file of the user's home must not be written to. The root itself may be
// reached through links.
func (d *Dir) confine(full string) error {
	if !d.opts.Confined || d.isInside(full) {
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
	root, err := realFolder(cmp.Or(d.opts.Within, d.root))
	if err != nil {
		return writeFault(d.root, err)
	}
	if folder != root && !strings.HasPrefix(folder, root+string(filepath.Separator)) {
		return fault.New(fault.Refused, codeLinkOutside, full, target)
	}
	return nil
}

// isInside reports whether no part of a path below the root is a symbolic link:
// then it does not matter where the root is.
func (d *Dir) isInside(full string) bool {
	rest, below := strings.CutPrefix(full, d.root+string(filepath.Separator))
	if !below {
		return false
	}
	for end := len(full) - len(rest); end <= len(full); end++ {
		if end < len(full) && full[end] != filepath.Separator {
			continue
		}
		info, err := os.Lstat(full[:end])
		if err != nil {
			return errors.Is(err, fs.ErrNotExist)
		}
		if info.Mode()&fs.ModeSymlink != 0 {
			return false
		}
	}
	return true
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
