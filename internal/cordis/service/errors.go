package service

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"syscall"

	"github.com/dshkit/dshkit/internal/cordis/grant"
	"github.com/dshkit/dshkit/internal/cordis/wire"
	"github.com/dshkit/dshkit/pkg/fault"
)

// What plugin code sees of our errors. The codes are stable; those of files are
// the names that Node has for them.
var (
	errNoFunction = &wire.Thrown{Name: "Error", Code: "gone", Message: "there is no such function: what it belonged to is gone"}
	errReleased   = &wire.Thrown{Name: "Error", Code: "gone", Message: "the plugin has been stopped"}
	errTooMany    = &wire.Thrown{Name: "RangeError", Code: "limit", Message: "the plugin holds or does too much at once: streams, programs, requests, registrations"}
	errAborted    = &wire.Thrown{Name: "AbortError", Code: "ABORT_ERR", Message: "the operation was aborted"}
	errTimeout    = &wire.Thrown{Name: "TimeoutError", Code: "ETIMEDOUT", Message: "the operation took too long"}
)

func argumentError(problem string) error {
	return &wire.Thrown{Name: "TypeError", Code: "ERR_INVALID_ARG", Message: problem}
}

// failure is an error for plugin code that keeps why it was made.
type failure struct {
	*wire.Thrown
	err error
}

func (f *failure) Unwrap() []error { return []error{f.Thrown, f.err} }

// thrown is an error as plugin code sees it: with the method, without Go's words.
func thrown(title string, err error) error {
	t := describe(err)
	if title != "" && !strings.HasPrefix(t.Message, title) && t.Name != "AbortError" {
		t.Message = title + ": " + t.Message
	}
	return &failure{&t, err}
}

func describe(err error) wire.Thrown {
	var t *wire.Thrown
	if errors.As(err, &t) {
		return *t
	}
	var denied *grant.Denied
	if errors.As(err, &denied) {
		return wire.Thrown{Name: "GrantError", Code: "not-granted", Message: denied.Error()}
	}
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return *errTimeout
	case errors.Is(err, context.Canceled):
		return *errAborted
	}
	if code, text := system(err); code != "" {
		return wire.Thrown{Name: "Error", Code: code, Message: code + ": " + text}
	}
	if f := fault.CodeOf(err); f != "" {
		return wire.Thrown{Name: "Error", Code: f, Message: err.Error()}
	}
	return wire.Thrown{Name: "Error", Message: err.Error()}
}

// system names an error of the system as Node does.
func system(err error) (code, text string) {
	var errno syscall.Errno
	if errors.As(err, &errno) {
		if code, ok := errnos()[errno]; ok {
			return code, pathed(errno.Error(), err)
		}
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "ENOENT", pathed("no such file or directory", err)
	case errors.Is(err, fs.ErrExist):
		return "EEXIST", pathed("file exists", err)
	case errors.Is(err, fs.ErrPermission):
		return "EACCES", pathed("permission denied", err)
	case strings.Contains(err.Error(), "escapes from parent"):
		return "EACCES", "the path leads out of the granted folder"
	}
	return "", ""
}

// pathed adds the name that it is about.
func pathed(text string, err error) string {
	var named *named
	if errors.As(err, &named) {
		return text + ": " + named.name
	}
	return text
}

// named is an error about a file, by the name that users know it by.
type named struct {
	name string
	err  error
}

func (n *named) Error() string { return n.name + ": " + n.err.Error() }
func (n *named) Unwrap() error { return n.err }

func about(name string, err error) error {
	if err == nil {
		return nil
	}
	return &named{name, err}
}

func errnos() map[syscall.Errno]string {
	return map[syscall.Errno]string{
		syscall.EPERM: "EPERM", syscall.ENOENT: "ENOENT", syscall.EIO: "EIO", syscall.ENXIO: "ENXIO",
		syscall.E2BIG: "E2BIG", syscall.EAGAIN: "EAGAIN", syscall.ENOMEM: "ENOMEM", syscall.EACCES: "EACCES",
		syscall.EBUSY: "EBUSY", syscall.EEXIST: "EEXIST", syscall.EXDEV: "EXDEV", syscall.ENOTDIR: "ENOTDIR",
		syscall.EISDIR: "EISDIR", syscall.EINVAL: "EINVAL", syscall.ENFILE: "ENFILE", syscall.EMFILE: "EMFILE",
		syscall.EFBIG: "EFBIG", syscall.ENOSPC: "ENOSPC", syscall.EROFS: "EROFS", syscall.EPIPE: "EPIPE",
		syscall.ENAMETOOLONG: "ENAMETOOLONG", syscall.ENOTEMPTY: "ENOTEMPTY", syscall.ELOOP: "ELOOP",
		syscall.ECONNREFUSED: "ECONNREFUSED", syscall.ECONNRESET: "ECONNRESET", syscall.ETIMEDOUT: "ETIMEDOUT",
		syscall.EHOSTUNREACH: "EHOSTUNREACH", syscall.ENETUNREACH: "ENETUNREACH",
	}
}

// problem is an error of the house's own words with a code of the system's.
func problem(code, text string) error {
	return &wire.Thrown{Name: "Error", Code: code, Message: code + ": " + text}
}
