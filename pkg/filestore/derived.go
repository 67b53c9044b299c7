package filestore

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/gofrs/flock"
)

// derivedSuffix ends the name of the temporary file of WriteDerived.
const derivedSuffix = ".derived.tmp"

// WriteDerived replaces the named file, which can be made again from others: an
// index, a cache. It takes no lock of the folder and does not sync. Whoever
// reads sees the old file or the new one, but after a power failure perhaps
// neither: readers check what they read. When another process is writing the
// same file, or the store is read-only, nothing is written. The file is for the
// owner's eyes only. Failing does no harm; the error is for a log.
func (d *Dir) WriteDerived(name string, data []byte) error {
	full, err := d.locateFile(name)
	if err != nil || d.opts.ReadOnly || d.plan != nil {
		return err
	}
	dir, base := filepath.Split(full)
	temp := dir + "." + shorten(base) + derivedSuffix
	lock, err := d.lockTemp(temp, path.Dir(name))
	if lock == nil {
		return err
	}
	defer lock.Close()
	mine, err := fillTemp(lock, temp, data)
	if err == nil && mine {
		if closeToRename {
			_ = lock.Close()
		}
		err = rename(temp, full)
	}
	if err != nil && mine {
		_ = os.Remove(temp)
	}
	return writeFault(full, err)
}

// lockTemp creates and locks the temporary file. Each derived file has one name
// for it and the lock dies with its holder, so what a killed process leaves is
// what the next one uses: there is nothing to sweep. It returns nil when another
// process is at it.
func (d *Dir) lockTemp(temp, folder string) (*flock.Flock, error) {
	info, err := os.Stat(d.root)
	if err != nil || isLocked(info) {
		return nil, writeFault(d.root, err)
	}
	lock := flock.New(temp, flock.SetFlag(os.O_CREATE|os.O_RDWR|noFollow), flock.SetPermissions(0o600))
	ok, err := lock.TryLock()
	if errors.Is(err, fs.ErrNotExist) {
		if err = d.makeFolder(folder, false); err == nil {
			ok, err = lock.TryLock()
		}
	}
	if err != nil || !ok {
		return nil, writeFault(temp, err)
	}
	return lock, nil
}

// fillTemp writes data to the locked file at temp. If another process has renamed
// that one between the opening and the locking, what is locked is a file that
// readers have already, and it is left alone: mine is false.
func fillTemp(lock *flock.Flock, temp string, data []byte) (mine bool, err error) {
	f, err := os.OpenFile(temp, os.O_WRONLY|noFollow, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer f.Close()
	held, err := lock.Stat()
	if err != nil {
		return false, err
	}
	info, err := f.Stat()
	if err != nil || !os.SameFile(held, info) || !info.Mode().IsRegular() {
		return false, err
	}
	if err := f.Truncate(0); err != nil {
		return true, err
	}
	_, err = f.Write(data)
	return true, err
}
