//go:build unix

package machine

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/dshkit/dshkit/pkg/jsrun/node"
)

const (
	openDirectory = syscall.O_DIRECTORY
	openNoFollow  = syscall.O_NOFOLLOW
)

func infoOf(info fs.FileInfo) node.Info {
	if info == nil {
		return node.Info{}
	}
	out := node.Info{Mode: uint32(info.Mode().Perm()) | typeOf(info.Mode()), Size: info.Size(), Modify: info.ModTime()}
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		out.Mode = uint32(st.Mode)
		out.Dev, out.Ino, out.Nlink, out.Rdev = uint64(st.Dev), st.Ino, uint64(st.Nlink), uint64(st.Rdev)
		out.UID, out.GID = st.Uid, st.Gid
		out.Blksize, out.Blocks = int64(st.Blksize), st.Blocks
		out.Access, out.Change, out.Birth = times(st)
	}
	return out
}

func access(root *os.Root, rel string, mode uint32) error {
	dir, err := root.Open(filepath.Dir(rel))
	if err != nil {
		return err
	}
	defer dir.Close()
	return unix.Faccessat(int(dir.Fd()), filepath.Base(rel), mode&7, 0)
}

func futimes(f *os.File, access, modify time.Time) error {
	return unix.Futimes(int(f.Fd()), []unix.Timeval{unix.NsecToTimeval(access.UnixNano()), unix.NsecToTimeval(modify.UnixNano())})
}
