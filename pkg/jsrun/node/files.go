package node

import (
	"errors"
	"io"
	"io/fs"
	"time"
)

// Files are the files that a host grants. Names are absolute; each method does
// what the system call of its name does, and none may lead out of what is
// granted. Errors are SystemErrors, or those of io/fs.
type Files interface {
	Open(name string, flag OpenFlag, mode uint32) (File, error)
	Stat(name string) (Info, error)
	Lstat(name string) (Info, error)
	ReadDir(name string) ([]Entry, error)
	Mkdir(name string, mode uint32) error
	Unlink(name string) error
	Rmdir(name string) error
	Rename(from, to string) error
	Link(from, to string) error
	Symlink(target, name string) error
	Readlink(name string) (string, error)
	Realpath(name string) (string, error)
	Chmod(name string, mode uint32) error
	Chtimes(name string, access, modify time.Time) error
	Access(name string, mode uint32) error // of R 4, W 2, X 1
}

// File is an open file.
type File interface {
	io.ReadWriteCloser
	io.ReaderAt
	io.WriterAt
	Stat() (Info, error)
	Sync() error
	Truncate(size int64) error
	Chmod(mode uint32) error
	Chtimes(access, modify time.Time) error
}

// OpenFlag says how a file is opened.
type OpenFlag uint

// The flags of Open.
const (
	Read OpenFlag = 1 << iota
	Write
	Append
	Create
	Exclusive
	Truncate
	Synced
	NoFollow
	Directory
)

// Info is what stat tells of a file. Mode is that of Unix with the type's bits,
// on every system.
type Info struct {
	Dev, Ino, Nlink, Rdev         uint64
	Mode, UID, GID                uint32
	Size, Blksize, Blocks         int64
	Access, Modify, Change, Birth time.Time
}

// The types of files among the bits of a mode.
const (
	ModeType    = 0o170000
	ModeSocket  = 0o140000
	ModeLink    = 0o120000
	ModeRegular = 0o100000
	ModeBlock   = 0o060000
	ModeDir     = 0o040000
	ModeChar    = 0o020000
	ModeFIFO    = 0o010000
)

// Entry is one name of a folder and its type's bits of the mode.
type Entry struct {
	Name string
	Type uint32
}

// SystemError is an error of the operating system under the name that C gives
// it (ENOENT). Note says more to whoever reads the message.
type SystemError struct {
	Code string
	Note string
	Err  error
}

func (e *SystemError) Error() string {
	text := e.Code + ": " + sentenceOf(e.Code)
	if e.Note != "" {
		text += ": " + e.Note
	}
	return text
}

// Unwrap gives the error of the Go call.
func (e *SystemError) Unwrap() error { return e.Err }

// Denied is the error for what a host does not grant.
func Denied(note string) error {
	return &SystemError{Code: "EACCES", Note: note, Err: fs.ErrPermission}
}

// system finds the system's error in one of Go.
func system(err error) *SystemError {
	var known *SystemError
	switch {
	case errors.As(err, &known):
		return known
	case errors.Is(err, fs.ErrNotExist):
		return &SystemError{Code: "ENOENT", Err: err}
	case errors.Is(err, fs.ErrExist):
		return &SystemError{Code: "EEXIST", Err: err}
	case errors.Is(err, fs.ErrPermission):
		return &SystemError{Code: "EACCES", Err: err}
	case errors.Is(err, fs.ErrClosed):
		return &SystemError{Code: "EBADF", Err: err}
	}
	return &SystemError{Code: "EIO", Note: err.Error(), Err: err}
}

// sysCode is a code, its number on Linux and what libuv says of it.
type sysCode struct {
	code     string
	number   int
	sentence string
}

var sysCodes = [...]sysCode{
	{"EPERM", 1, "operation not permitted"},
	{"ENOENT", 2, "no such file or directory"},
	{"ESRCH", 3, "no such process"},
	{"EINTR", 4, "interrupted system call"},
	{"EIO", 5, "i/o error"},
	{"ENXIO", 6, "no such device or address"},
	{"E2BIG", 7, "argument list too long"},
	{"EBADF", 9, "bad file descriptor"},
	{"EAGAIN", 11, "resource temporarily unavailable"},
	{"ENOMEM", 12, "not enough memory"},
	{"EACCES", 13, "permission denied"},
	{"EFAULT", 14, "bad address in system call argument"},
	{"EBUSY", 16, "resource busy or locked"},
	{"EEXIST", 17, "file already exists"},
	{"EXDEV", 18, "cross-device link not permitted"},
	{"ENODEV", 19, "no such device"},
	{"ENOTDIR", 20, "not a directory"},
	{"EISDIR", 21, "illegal operation on a directory"},
	{"EINVAL", 22, "invalid argument"},
	{"ENFILE", 23, "file table overflow"},
	{"EMFILE", 24, "too many open files"},
	{"ETXTBSY", 26, "text file is busy"},
	{"EFBIG", 27, "file too large"},
	{"ENOSPC", 28, "no space left on device"},
	{"ESPIPE", 29, "invalid seek"},
	{"EROFS", 30, "read-only file system"},
	{"EMLINK", 31, "too many links"},
	{"EPIPE", 32, "broken pipe"},
	{"ENAMETOOLONG", 36, "name too long"},
	{"ENOSYS", 38, "function not implemented"},
	{"ENOTEMPTY", 39, "directory not empty"},
	{"ELOOP", 40, "too many symbolic links encountered"},
	{"ENOTSUP", 95, "operation not supported on socket"},
	{"EADDRINUSE", 98, "address already in use"},
	{"ECONNREFUSED", 111, "connection refused"},
	{"ECONNRESET", 104, "connection reset by peer"},
	{"ETIMEDOUT", 110, "connection timed out"},
}

func lookCode(code string) sysCode {
	for _, c := range sysCodes {
		if c.code == code {
			return c
		}
	}
	return sysCode{code, 0, "unknown error"}
}

func sentenceOf(code string) string { return lookCode(code).sentence }
