package filestore

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
	"time"
)

const (
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

// openFile opens a regular file for reading.
func openFile(path string) (File, Info, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, Info{}, readFault(path, err)
	}
	info, err := f.Stat()
	if err == nil && info.Mode().IsRegular() {
		return f, identity(info), nil
	}
	_ = f.Close()
	if err != nil {
		return nil, Info{}, readFault(path, err)
	}
	return nil, Info{}, typeFault(path, info.Mode())
}

// statFile returns the identity of the regular file at path, symbolic links
// followed.
func statFile(path string) (Info, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return Info{}, readFault(path, err)
	case !info.Mode().IsRegular():
		return Info{}, typeFault(path, info.Mode())
	}
	return identity(info), nil
}

// identity returns what tells one state of a file from another.
func identity(info fs.FileInfo) Info {
	return Info{Size: info.Size(), ModTime: info.ModTime().UnixNano()}
}

func openPlain(path string, flag int, perm fs.FileMode) (*os.File, error) {
	return os.OpenFile(path, flag, perm)
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
