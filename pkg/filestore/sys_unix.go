//go:build unix

package filestore

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

const (
	// noFollow keeps the lock file from being whatever a link points to.
	noFollow = syscall.O_NOFOLLOW

	// closeToRename says that an open file cannot be renamed.
	closeToRename = false
)

// keepOwner gives f the owner that old has. It is for root, who would otherwise
// take a user's file away by rewriting it; others may not and need not.
func keepOwner(f *os.File, old fs.FileInfo) {
	st, ok := old.Sys().(*syscall.Stat_t)
	if ok && (int(st.Uid) != os.Geteuid() || int(st.Gid) != os.Getegid()) {
		_ = f.Chown(int(st.Uid), int(st.Gid))
	}
}

// inheritOwner gives what root has just made to the owner of the folder it is in.
// Otherwise one call by root, as in a container over a user's folder, would shut
// the user out of the own store.
func inheritOwner(path string) {
	if os.Geteuid() != 0 {
		return
	}
	info, err := os.Stat(folderOf(path))
	if err != nil {
		return
	}
	if st, ok := info.Sys().(*syscall.Stat_t); ok && st.Uid != 0 {
		_ = os.Lchown(path, int(st.Uid), int(st.Gid))
	}
}

// isLocked reports whether the mode bits let nobody write. They bind root as
// well: who took them away meant it.
func isLocked(info fs.FileInfo) bool { return info.Mode().Perm()&0o222 == 0 }

// syncFolder makes the names in a folder durable. File systems that cannot do
// that have nothing to be made durable.
func syncFolder(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	err = f.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) || errors.Is(err, syscall.EBADF) {
		return nil
	}
	return err
}

func rename(from, to string) error { return os.Rename(from, to) }

func isNoSpace(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EFBIG)
}

func isReadOnly(err error) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)
}
