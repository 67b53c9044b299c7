package filestore

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"github.com/dshkit/dshkit/pkg/fault"
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
	full, err := d.locateNote(name)
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

// Touch makes the instant at the modification time of the named file, an empty
// one that it creates if need be: a sign of life at the price of a question. Like
// WriteDerived it takes no lock, and in a store that cannot be written nothing
// happens.
func (d *Dir) Touch(name string, at time.Time) error {
	full, err := d.locateNote(name)
	if err != nil || d.opts.ReadOnly || d.plan != nil {
		return err
	}
	err = os.Chtimes(full, at, at)
	if errors.Is(err, fs.ErrNotExist) {
		if err = d.fill(name, full, nil); err == nil {
			err = os.Chtimes(full, at, at)
		}
	}
	return writeFault(full, err)
}

// Overwrite puts data into the named file in place, and creates the file if need
// be. It is for notes that can be lost: it costs a twentieth of what a
// replacement costs, but whoever reads at the same time, or after a kill in the
// middle of it, can find a mixture of old and new, and has to check. It takes no
// lock; in a store that cannot be written nothing happens.
func (d *Dir) Overwrite(name string, data []byte) error {
	full, err := d.locateNote(name)
	if err != nil || d.opts.ReadOnly || d.plan != nil {
		return err
	}
	return writeFault(full, d.fill(name, full, data))
}

// Alone calls f unless another process is in the same call of the named lock file
// of its own, and reports whether it did: for work that one is enough for. It
// has nothing to do with the lock of the folder.
func (d *Dir) Alone(name string, f func()) (did bool) {
	full, err := d.locateFile(name)
	if err != nil || d.opts.ReadOnly || d.plan != nil || d.makePlace(name) != nil {
		return false
	}
	lock := flock.New(full, flock.SetFlag(os.O_CREATE|os.O_RDWR|noFollow), flock.SetPermissions(0o600))
	if ok, err := lock.TryLock(); err != nil || !ok {
		return false
	}
	defer lock.Close()
	f()
	return true
}

// Amend calls f with the named derived file, open for reading and for writing in
// place. It takes no lock: f runs for the holder of the lock, who alone may do
// this, and readers have to check what they read. It fails when there is no such
// file, or in a store that is not written.
func (d *Dir) Amend(name string, f func(*os.File) error) error {
	full, err := d.locateNote(name)
	switch {
	case err != nil:
		return err
	case d.opts.ReadOnly || d.plan != nil:
		return fault.New(fault.Refused, codeReadOnly, full)
	}
	file, err := openPlain(full, os.O_RDWR|noFollow, 0)
	if err != nil {
		return writeFault(full, err)
	}
	defer file.Close()
	if err := checkNote(file, full); err != nil {
		return err
	}
	return f(file)
}

// locateNote returns the path of a file that is to be written without the lock.
func (d *Dir) locateNote(name string) (string, error) {
	full, err := d.locateFile(name)
	if err != nil {
		return full, err
	}
	if err := d.confine(full); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return full, err
	}
	return full, nil
}

// checkNote refuses to write to what is no file of ours.
func checkNote(f *os.File, full string) error {
	info, err := f.Stat()
	switch {
	case err != nil:
		return writeFault(full, err)
	case !info.Mode().IsRegular():
		return typeFault(full, info.Mode())
	case isLocked(info):
		return fault.New(fault.Refused, codeReadOnly, full)
	}
	return nil
}

// fill makes data the content of a file that only we write to.
func (d *Dir) fill(name, full string, data []byte) error {
	f, err := openPlain(full, os.O_WRONLY|noFollow, 0)
	if errors.Is(err, fs.ErrNotExist) {
		if err = d.makePlace(name); err != nil {
			return err
		}
		f, err = openPlain(full, os.O_WRONLY|os.O_CREATE|noFollow, 0o600)
	}
	if err != nil {
		return err
	}
	defer f.Close()
	if err := checkNote(f, full); err != nil {
		return err
	}
	if _, err := f.WriteAt(data, 0); err != nil {
		return err
	}
	return f.Truncate(int64(len(data)))
}

// makePlace makes the folder of a derived file, in a store that is there and can
// be written.
func (d *Dir) makePlace(name string) error {
	info, err := os.Stat(d.root)
	switch {
	case err != nil:
		return writeFault(d.root, err)
	case isLocked(info):
		return fault.New(fault.Refused, codeReadOnly, d.root)
	}
	return d.makeFolder(path.Dir(name), false)
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
	f, err := openPlain(temp, os.O_WRONLY|noFollow, 0)
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
