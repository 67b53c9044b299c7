package machine

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/dshkit/dshkit/pkg/jsrun/node"
)

// Grant is a folder that scripts may use, with all below it, or a file.
type Grant struct {
	Path     string // absolute; it may be made later
	ReadOnly bool
}

// Files are the files below granted folders.
type Files struct{ grants []grant }

var _ node.Files = (*Files)(nil)

// NewFiles grants the folders. Above them a script may ask what a name is and
// may make the folders that lead there, so that the usual ways to make a
// granted folder work; it cannot list or read there.
func NewFiles(grants ...Grant) *Files {
	f := &Files{}
	for _, g := range grants {
		literal := filepath.Clean(g.Path)
		f.grants = append(f.grants, grant{literal, real(literal), g.ReadOnly})
	}
	return f
}

// Open opens a file.
func (f *Files) Open(name string, flag node.OpenFlag, mode uint32) (node.File, error) {
	writes := flag&(node.Write|node.Append|node.Create|node.Truncate) != 0
	s, err := f.find(name, want{follow: flag&(node.Exclusive|node.NoFollow) == 0, write: writes})
	if err != nil {
		return nil, err
	}
	if s.info != nil && s.info.Mode()&fs.ModeNamedPipe != 0 {
		return nil, &node.SystemError{Code: "ENXIO", Note: "a named pipe would stop the script until somebody else opens it"}
	}
	root, err := s.open()
	if err != nil {
		return nil, err
	}
	defer root.Close()
	file, err := root.OpenFile(s.rel, systemFlags(flag), fs.FileMode(mode&0o777))
	if err != nil {
		return nil, systemError(err)
	}
	return openFile{file}, nil
}

func systemFlags(flag node.OpenFlag) int {
	n := os.O_RDONLY
	switch {
	case flag&node.Read != 0 && flag&node.Write != 0:
		n = os.O_RDWR
	case flag&node.Write != 0:
		n = os.O_WRONLY
	}
	for _, bit := range []struct {
		flag node.OpenFlag
		n    int
	}{{node.Append, os.O_APPEND}, {node.Create, os.O_CREATE}, {node.Exclusive, os.O_EXCL}, {node.Truncate, os.O_TRUNC}, {node.Synced, os.O_SYNC}, {node.Directory, openDirectory}, {node.NoFollow, openNoFollow}} {
		if flag&bit.flag != 0 {
			n |= bit.n
		}
	}
	return n
}

// Stat tells what a name leads to, Lstat what it is itself.
func (f *Files) Stat(name string) (node.Info, error) { return f.stat(name, true) }

// Lstat tells what a name is, a link being a link.
func (f *Files) Lstat(name string) (node.Info, error) { return f.stat(name, false) }

func (f *Files) stat(name string, follow bool) (node.Info, error) {
	s, err := f.find(name, want{follow: follow, above: true})
	if err != nil {
		return node.Info{}, err
	}
	if s.above {
		info, err := os.Lstat(s.path)
		return infoOf(info), systemError(err)
	}
	var info fs.FileInfo
	err = s.in(func(root *os.Root) (err error) {
		info, err = root.Lstat(s.rel)
		return err
	})
	if err != nil {
		return node.Info{}, err
	}
	return infoOf(info), nil
}

// ReadDir lists a folder.
func (f *Files) ReadDir(name string) ([]node.Entry, error) {
	s, err := f.find(name, want{follow: true})
	if err != nil {
		return nil, err
	}
	var entries []fs.DirEntry
	err = s.in(func(root *os.Root) error {
		dir, err := root.Open(s.rel)
		if err != nil {
			return err
		}
		defer dir.Close()
		entries, err = dir.ReadDir(-1)
		return err
	})
	if err != nil {
		return nil, err
	}
	return sorted(entries), nil
}

// Mkdir makes one folder: a granted one, one below it or one on the way to it.
func (f *Files) Mkdir(name string, mode uint32) error {
	s, err := f.find(name, want{write: true, above: true})
	if err != nil {
		return err
	}
	perm := fs.FileMode(mode & 0o777)
	if s.above {
		return systemError(os.Mkdir(s.path, perm))
	}
	return s.in(func(root *os.Root) error { return root.Mkdir(s.rel, perm) })
}

// Unlink removes a file or a link.
func (f *Files) Unlink(name string) error { return f.remove(name, false) }

// Rmdir removes an empty folder.
func (f *Files) Rmdir(name string) error { return f.remove(name, true) }

func (f *Files) remove(name string, folder bool) error {
	s, err := f.find(name, want{write: true})
	if err != nil {
		return err
	}
	if err := s.stays(); err != nil {
		return err
	}
	return s.in(func(root *os.Root) error {
		info, err := root.Lstat(s.rel)
		switch {
		case err != nil:
			return err
		case info.IsDir() && !folder:
			return &node.SystemError{Code: "EPERM"}
		case !info.IsDir() && folder:
			return &node.SystemError{Code: "ENOTDIR"}
		}
		return root.Remove(s.rel)
	})
}

// Rename moves within one granted folder; between two it is EXDEV.
func (f *Files) Rename(from, to string) error {
	return f.pair(from, to, func(root *os.Root, a, b string) error {
		err := root.Rename(a, b)
		if errors.Is(err, fs.ErrExist) { // os says so of every folder in the way
			if info, statErr := root.Lstat(a); statErr == nil && !info.IsDir() {
				return &node.SystemError{Code: "EISDIR", Err: err}
			}
		}
		return err
	})
}

// Link gives a file another name, within one granted folder.
func (f *Files) Link(from, to string) error {
	return f.pair(from, to, func(root *os.Root, a, b string) error { return root.Link(a, b) })
}

func (f *Files) pair(from, to string, do func(root *os.Root, a, b string) error) error {
	a, err := f.find(from, want{write: true})
	if err != nil {
		return err
	}
	b, err := f.find(to, want{write: true})
	if err != nil {
		return err
	}
	if err := errors.Join(a.stays(), b.replaced()); err != nil {
		return err
	}
	if a.dir != b.dir {
		return &node.SystemError{Code: "EXDEV", Note: "the two are in different granted folders"}
	}
	return a.in(func(root *os.Root) error { return do(root, a.rel, b.rel) })
}

// Symlink makes a link, only to what is granted itself.
func (f *Files) Symlink(target, name string) error {
	s, err := f.find(name, want{write: true})
	if err != nil {
		return err
	}
	leads := target
	if !filepath.IsAbs(target) {
		leads = filepath.Dir(s.path) + string(filepath.Separator) + target
	}
	if _, err := f.find(leads, want{follow: true, dangling: true}); err != nil {
		return err
	}
	return s.in(func(root *os.Root) error { return root.Symlink(target, s.rel) })
}

// Readlink tells where a link leads.
func (f *Files) Readlink(name string) (target string, err error) {
	s, err := f.find(name, want{})
	if err != nil {
		return "", err
	}
	err = s.in(func(root *os.Root) error {
		target, err = root.Readlink(s.rel)
		return err
	})
	return target, err
}

// Realpath gives the name without links.
func (f *Files) Realpath(name string) (string, error) {
	s, err := f.find(name, want{follow: true, above: true})
	if err != nil {
		return "", err
	}
	if s.above {
		path, err := filepath.EvalSymlinks(s.path)
		return path, systemError(err)
	}
	return s.path, s.in(func(root *os.Root) error {
		_, err := root.Lstat(s.rel)
		return err
	})
}

// Chmod sets the permissions.
func (f *Files) Chmod(name string, mode uint32) error {
	return f.change(name, func(root *os.Root, rel string) error { return root.Chmod(rel, fs.FileMode(mode&0o777)) })
}

// Chtimes sets the times.
func (f *Files) Chtimes(name string, access, modify time.Time) error {
	return f.change(name, func(root *os.Root, rel string) error { return root.Chtimes(rel, access, modify) })
}

func (f *Files) change(name string, do func(root *os.Root, rel string) error) error {
	s, err := f.find(name, want{follow: true, write: true})
	if err != nil {
		return err
	}
	return s.in(func(root *os.Root) error { return do(root, s.rel) })
}

// Access asks whether a file may be read, written, executed.
func (f *Files) Access(name string, mode uint32) error {
	s, err := f.find(name, want{follow: true, write: mode&2 != 0, above: mode&6 == 0})
	if err != nil {
		return err
	}
	if s.above {
		_, err := os.Stat(s.path)
		return systemError(err)
	}
	return s.in(func(root *os.Root) error { return access(root, s.rel, mode) })
}

// openFile is an open file as scripts have it.
type openFile struct{ *os.File }

// Read reads on.
func (f openFile) Read(b []byte) (int, error) {
	n, err := f.File.Read(b)
	return n, ended(err)
}

// ReadAt reads from a place.
func (f openFile) ReadAt(b []byte, at int64) (int, error) {
	n, err := f.File.ReadAt(b, at)
	return n, ended(err)
}

// Write writes on.
func (f openFile) Write(b []byte) (int, error) {
	n, err := f.File.Write(b)
	return n, systemError(err)
}

// WriteAt writes at a place; a file that is open for appending takes it at its
// end, as the system does.
func (f openFile) WriteAt(b []byte, at int64) (int, error) {
	n, err := f.File.WriteAt(b, at)
	if err != nil && appendOnly(err) {
		n, err = f.File.Write(b)
	}
	return n, systemError(err)
}

// Stat tells what the file is.
func (f openFile) Stat() (node.Info, error) {
	info, err := f.File.Stat()
	if err != nil {
		return node.Info{}, systemError(err)
	}
	return infoOf(info), nil
}

// Sync brings it to the disk.
func (f openFile) Sync() error { return systemError(f.File.Sync()) }

// Truncate cuts it or makes it longer.
func (f openFile) Truncate(size int64) error { return systemError(f.File.Truncate(size)) }

// Chmod sets its permissions.
func (f openFile) Chmod(mode uint32) error {
	return systemError(f.File.Chmod(fs.FileMode(mode & 0o777)))
}

// Chtimes sets its times.
func (f openFile) Chtimes(access, modify time.Time) error {
	return systemError(futimes(f.File, access, modify))
}

// Close closes it.
func (f openFile) Close() error { return systemError(f.File.Close()) }
