package filestore

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
	"time"
)

const (
	openRead = os.O_RDONLY
	noFollow = 0

	// closeToRename says that an open file cannot be renamed.
	closeToRename = true
)

// System errors that have no portable name.
const (
	errWriteProtect     = syscall.Errno(19)
	errSharingViolation = syscall.Errno(32)
	errHandleDiskFull   = syscall.Errno(39)
	errDiskFull         = syscall.Errno(112)
)

// identity returns what tells one state of a file from another.
func identity(info fs.FileInfo) Info {
	return Info{Size: info.Size(), ModTime: info.ModTime().UnixNano()}
}

func keepOwner(*os.File, fs.FileInfo) {}

func inheritOwner(string) {}

// isLocked reports whether the file is marked read-only. The mark means nothing
// on a folder.
func isLocked(info fs.FileInfo) bool { return !info.IsDir() && info.Mode().Perm()&0o222 == 0 }

// syncFolder does nothing: the system gives no handle for it.
func syncFolder(string) error { return nil }

// rename replaces to. A reader that has the old file open is in the way for as
// long as it reads, so it is tried again for a short while.
func rename(from, to string) error {
	err := os.Rename(from, to)
	for range 20 {
		if !errors.Is(err, errSharingViolation) && !errors.Is(err, syscall.ERROR_ACCESS_DENIED) {
			return err
		}
		time.Sleep(5 * time.Millisecond)
		err = os.Rename(from, to)
	}
	return err
}

func isNoSpace(err error) bool {
	return errors.Is(err, errDiskFull) || errors.Is(err, errHandleDiskFull)
}

func isReadOnly(err error) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, errWriteProtect)
}
