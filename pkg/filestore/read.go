package filestore

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/dshkit/dshkit/pkg/fault"
)

// Info is the identity of one state of a file, by which a derived file knows
// what it was derived from. Infos are compared with ==.
type Info struct {
	Size    int64  // bytes
	ModTime int64  // nanoseconds since 1970
	Inode   uint64 // 0 where the system has none
}

// Read returns the contents of the named file, never nil without an error. The
// error of a missing file matches fs.ErrNotExist; a file that exists and cannot
// be read, or is larger than Options.MaxBytes, is another fault.
func (d *Dir) Read(name string) ([]byte, error) {
	data, _, err := d.ReadInfo(name)
	return data, err
}

// ReadInfo is Read that also returns the identity of the state that was read.
func (d *Dir) ReadInfo(name string) ([]byte, Info, error) {
	path, err := d.locate(name)
	if err != nil {
		return nil, Info{}, err
	}
	if data, planned, err := d.plan.read(name, path); planned {
		return data, Info{Size: int64(len(data))}, err
	}
	return readFile(path, d.opts.MaxBytes)
}

// ReadFile reads a file that is in none of our folders, of at most limit bytes.
// Errors are those of Dir.Read.
func ReadFile(path string, limit int64) ([]byte, error) {
	data, _, err := readFile(path, limit)
	return data, err
}

func readFile(path string, limit int64) ([]byte, Info, error) {
	f, info, err := openFile(path)
	if err != nil {
		return nil, Info{}, err
	}
	defer f.Close()
	if info.Size > limit {
		return nil, Info{}, fault.New(fault.Refused, codeTooLarge, path, info.Size, limit)
	}
	data := make([]byte, info.Size)
	n, err := f.ReadAt(data, 0)
	if err != nil && err != io.EOF {
		return nil, Info{}, readFault(path, err)
	}
	return data[:n], info, nil
}

// A File is a file that is open for reading. Only one goroutine may close it,
// and none may read meanwhile.
type File interface {
	io.Reader
	io.ReaderAt
	io.Closer
}

// OpenFile opens the named file for reading, for those who need a part of it or
// cannot hold all of it. The caller closes it. Errors are those of Read. The
// changes of a dry run do not show in it.
func (d *Dir) OpenFile(name string) (File, Info, error) {
	path, err := d.locate(name)
	if err != nil {
		return nil, Info{}, err
	}
	return openFile(path)
}

// Stat returns the identity of the named file as it is now. To learn which
// state was read, use ReadInfo. The error of a missing file matches
// fs.ErrNotExist.
func (d *Dir) Stat(name string) (Info, error) {
	path, err := d.locate(name)
	if err != nil {
		return Info{}, err
	}
	if data, planned, err := d.plan.read(name, path); planned {
		return Info{Size: int64(len(data))}, err
	}
	return statFile(path)
}

// List returns the names in a folder, sorted; the name of a folder ends in a
// slash. Temporary files and the lock file are left out. The folder "." is the
// root. A missing folder has no names.
func (d *Dir) List(folder string) ([]string, error) {
	path, err := d.locate(folder)
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, readFault(path, err)
	}
	prefix := ""
	if folder != "." {
		prefix = folder + "/"
	}
	names := make([]string, 0, len(entries))
	for _, e := range entries {
		name := e.Name()
		switch {
		case isTemp(name) || isDerivedTemp(name) || prefix+name == d.opts.LockName:
			continue
		case e.IsDir():
			name += "/"
		}
		names = append(names, name)
	}
	return d.plan.list(prefix, names), nil
}

// isDerivedTemp reports whether base is the name of a temporary file of
// WriteDerived.
func isDerivedTemp(base string) bool {
	return strings.HasPrefix(base, ".") && strings.HasSuffix(base, derivedSuffix)
}
