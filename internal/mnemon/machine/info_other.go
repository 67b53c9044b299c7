//go:build !unix

package machine

import (
	"io/fs"
	"os"
	"time"

	"github.com/dshkit/dshkit/pkg/jsrun/node"
)

const (
	openDirectory = 0
	openNoFollow  = 0
)

func infoOf(info fs.FileInfo) node.Info {
	if info == nil {
		return node.Info{}
	}
	t := info.ModTime()
	return node.Info{Mode: uint32(info.Mode().Perm()) | typeOf(info.Mode()), Nlink: 1, Size: info.Size(), Access: t, Modify: t, Change: t, Birth: t}
}

func access(root *os.Root, rel string, mode uint32) error {
	info, err := root.Stat(rel)
	if err == nil && mode&2 != 0 && info.Mode().Perm()&0o200 == 0 {
		return fs.ErrPermission
	}
	return err
}

func futimes(f *os.File, access, modify time.Time) error { return os.Chtimes(f.Name(), access, modify) }
