package filestore

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/dshkit/dshkit/pkg/fault"
)

// AppendLog adds data to the end of the named file by one write, without taking
// the lock: for logs with one writer at a time, such as those of a session.
// Writes of several processes at once do not mix. As with Append, data is kept
// from being glued to a torn line. It is synced only with the option Durable. What
// is added while RemoveLog removes the file is added once more: it can be there
// twice, and is not lost.
func (d *Dir) AppendLog(name string, data []byte, opts ...WriteOption) error {
	path, err := d.locateFile(name)
	switch {
	case err != nil:
		return err
	case d.opts.ReadOnly:
		return fault.New(fault.Refused, codeReadOnly, path)
	case len(data) == 0:
		return nil
	case d.plan != nil:
		return (&Tx{dir: d}).planAppend(name, data)
	}
	for range appendTries {
		there, err := d.appendOnce(name, path, data, has(opts, Durable))
		if err != nil || there {
			return err
		}
	}
	return nil // somebody removes it as often as it is made: it is not wanted
}

// appendTries is how often something is added to a log that is removed meanwhile.
const appendTries = 20

// appendOnce adds data, and reports whether the file is still there afterwards.
func (d *Dir) appendOnce(name, path string, data []byte, durable bool) (there bool, err error) {
	a, err := d.openAppend(name, path)
	if err != nil {
		return false, err
	}
	defer a.file.Close()
	if data, err = a.behind(data); err != nil {
		return false, writeFault(path, err)
	}
	if _, err := a.file.Write(data); err != nil {
		return false, writeFault(path, err) // others may have added meanwhile: nothing is taken back
	}
	if durable {
		if err := a.sync(); err != nil {
			return false, writeFault(path, err)
		}
	}
	return a.isThere(), nil
}

// isThere reports whether the file is still the one of its name. When nobody can
// tell, it is.
func (a *appending) isThere() bool {
	own, err := a.file.Stat()
	if err != nil {
		return true
	}
	now, err := os.Stat(a.path)
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist)
	}
	return os.SameFile(own, now)
}

// An appending is a file that is open to be added to.
type appending struct {
	path string // symbolic links followed, when the file is new
	file *os.File
	size int64 // when it was opened
	made bool  // it did not exist before
}

// openAppend opens the file for adding to, and creates it and its folder if
// need be. Symbolic links are followed by the system.
func (d *Dir) openAppend(name, full string) (*appending, error) {
	a := &appending{path: full}
	if err := d.confine(full); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	f, err := openPlain(full, os.O_RDWR|os.O_APPEND, 0)
	if errors.Is(err, fs.ErrNotExist) {
		if err = d.makeFolder(path.Dir(name), true); err != nil {
			return nil, err
		}
		if a.path, _, err = resolve(full); err != nil {
			return nil, err
		}
		if err = checkFolder(a.path); err != nil {
			return nil, err
		}
		a.made = true
		if f, err = openPlain(full, os.O_RDWR|os.O_APPEND|os.O_CREATE, d.fileMode(name)); err == nil {
			inheritOwner(a.path)
		}
	}
	if err != nil {
		return nil, writeFault(full, err)
	}
	info, err := f.Stat()
	switch {
	case err != nil:
		err = writeFault(full, err)
	case !info.Mode().IsRegular():
		err = typeFault(full, info.Mode())
	case isLocked(info):
		err = fault.New(fault.Refused, codeReadOnly, full)
	default:
		a.file, a.size = f, info.Size()
		return a, nil
	}
	_ = f.Close()
	return nil, err
}

// behind returns data as it is to be added, by one call to the system.
func (a *appending) behind(data []byte) ([]byte, error) {
	var last [1]byte
	tail := last[:0]
	if a.size > 0 {
		if _, err := a.file.ReadAt(last[:], a.size-1); err != nil {
			return nil, err
		}
		tail = last[:]
	}
	if gap := gapAfter(tail, data); gap != nil {
		data = append(gap, data...)
	}
	return data, nil
}

// sync makes the file, and its name when it is new, durable.
func (a *appending) sync() error {
	if err := a.file.Sync(); err != nil {
		return err
	}
	if a.made {
		return syncFolder(folderOf(a.path))
	}
	return nil
}

// undo takes back n bytes that were added. Whoever holds the lock is the only
// one who adds; a program that does not take it keeps what it has added.
func (a *appending) undo(n int) error {
	if n == 0 && !a.made {
		return nil
	}
	info, err := a.file.Stat()
	if err != nil {
		return err
	}
	if info.Size() != a.size+int64(n) {
		return errors.New("the file has grown meanwhile")
	}
	if a.made && a.size == 0 {
		return os.Remove(a.path)
	}
	return a.file.Truncate(a.size)
}

// gapAfter returns the line feed that keeps data from being glued to a last
// line that was torn, or nil when old ends with a line or data begins a new one.
func gapAfter(old, data []byte) []byte {
	if len(old) == 0 || old[len(old)-1] == '\n' || len(data) == 0 || data[0] == '\n' {
		return nil
	}
	return []byte{'\n'}
}

// makeFolder creates a folder below the root, and the root, if need be.
func (d *Dir) makeFolder(name string, sync bool) error {
	full := d.Path(name)
	err := os.Mkdir(full, d.folderMode(name))
	if errors.Is(err, fs.ErrNotExist) {
		if name == "." {
			err = os.MkdirAll(filepath.Dir(full), 0o755)
		} else {
			err = d.makeFolder(path.Dir(name), sync)
		}
		if err == nil {
			err = os.Mkdir(full, d.folderMode(name))
		}
	}
	switch {
	case errors.Is(err, fs.ErrExist):
		return nil // if it is no folder, the next step says so
	case err != nil:
		return writeFault(full, err)
	}
	inheritOwner(full)
	if sync {
		if err := syncFolder(filepath.Dir(full)); err != nil {
			return writeFault(full, err)
		}
	}
	return nil
}
