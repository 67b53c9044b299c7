//go:build unix

package filestore

import (
	"io"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// A rawFile is a regular file by its descriptor. An os.File would first ask the
// system's poller about it, in five calls, and be told that it never waits.
type rawFile int

// openFile opens a regular file for reading. It does not wait for a writer when
// the name is that of a pipe.
func openFile(path string) (File, Info, error) {
	fd, err := retried(func() (int, error) {
		return unix.Open(path, unix.O_RDONLY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	})
	if err != nil {
		return nil, Info{}, readFault(path, &fs.PathError{Op: "open", Path: path, Err: err})
	}
	var st unix.Stat_t
	err = unix.Fstat(fd, &st)
	if err == nil && st.Mode&unix.S_IFMT == unix.S_IFREG {
		return rawFile(fd), identityOf(&st), nil
	}
	_ = unix.Close(fd)
	if err != nil {
		return nil, Info{}, readFault(path, &fs.PathError{Op: "stat", Path: path, Err: err})
	}
	mode := fs.ModeIrregular
	if st.Mode&unix.S_IFMT == unix.S_IFDIR {
		mode = fs.ModeDir
	}
	return nil, Info{}, typeFault(path, mode)
}

// ReadAt reads len(p) bytes at a place. The error of less is io.EOF, or that of
// the system.
func (f rawFile) ReadAt(p []byte, at int64) (n int, err error) {
	for n < len(p) {
		m, err := retried(func() (int, error) { return unix.Pread(int(f), p[n:], at+int64(n)) })
		if err != nil {
			return n, err
		}
		if m == 0 {
			return n, io.EOF
		}
		n += m
	}
	return n, nil
}

// Read reads on, as io.Reader says.
func (f rawFile) Read(p []byte) (int, error) {
	n, err := retried(func() (int, error) { return unix.Read(int(f), p) })
	switch {
	case err != nil:
		return 0, err
	case n == 0 && len(p) > 0:
		return 0, io.EOF
	}
	return n, nil
}

func (f rawFile) Close() error { return unix.Close(int(f)) }

// retried repeats a call that a signal has interrupted.
func retried(call func() (int, error)) (int, error) {
	for {
		n, err := call()
		if err != unix.EINTR {
			return n, err
		}
	}
}

// openPlain is os.OpenFile for a file that never waits.
func openPlain(path string, flag int, perm fs.FileMode) (*os.File, error) {
	fd, err := retried(func() (int, error) {
		return unix.Open(path, flag|unix.O_CLOEXEC, uint32(perm.Perm()))
	})
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	return os.NewFile(uintptr(fd), path), nil
}

// statFile returns the identity of the regular file at path, symbolic links
// followed.
func statFile(path string) (Info, error) {
	var st unix.Stat_t
	_, err := retried(func() (int, error) { return 0, unix.Stat(path, &st) })
	switch {
	case err != nil:
		return Info{}, readFault(path, &fs.PathError{Op: "stat", Path: path, Err: err})
	case st.Mode&unix.S_IFMT == unix.S_IFREG:
		return identityOf(&st), nil
	case st.Mode&unix.S_IFMT == unix.S_IFDIR:
		return Info{}, typeFault(path, fs.ModeDir)
	}
	return Info{}, typeFault(path, fs.ModeIrregular)
}

// identity returns what tells one state of a file from another.
func identity(info fs.FileInfo) Info {
	i := Info{Size: info.Size(), ModTime: info.ModTime().UnixNano()}
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		i.Inode = uint64(st.Ino)
	}
	return i
}

// identityOf is identity of what the system says.
func identityOf(st *unix.Stat_t) Info {
	return Info{Size: st.Size, ModTime: st.Mtim.Nano(), Inode: uint64(st.Ino)}
}
