// Package machine is the machine as scripts may see it: files below granted
// folders, programs, the network. It implements the interfaces of package
// jsrun/node over the operating system.
//
// A granted folder is never left, neither by ".." nor by a link, and not by one
// that another process puts in the way meanwhile: what is touched in the end is
// opened below the folder's own handle. What a program does that a script starts
// is the program's own affair.
package machine

import (
	"errors"
	"io/fs"
	"strings"
	"syscall"

	"github.com/dshkit/dshkit/pkg/jsrun/node"
)

// errnos are the errors that scripts branch on, by their names in C.
var errnos = [...]struct {
	errno syscall.Errno
	code  string
}{
	{syscall.EPERM, "EPERM"},
	{syscall.ENOENT, "ENOENT"},
	{syscall.ESRCH, "ESRCH"},
	{syscall.EINTR, "EINTR"},
	{syscall.EIO, "EIO"},
	{syscall.ENXIO, "ENXIO"},
	{syscall.E2BIG, "E2BIG"},
	{syscall.EBADF, "EBADF"},
	{syscall.EAGAIN, "EAGAIN"},
	{syscall.ENOMEM, "ENOMEM"},
	{syscall.EACCES, "EACCES"},
	{syscall.EFAULT, "EFAULT"},
	{syscall.EBUSY, "EBUSY"},
	{syscall.EEXIST, "EEXIST"},
	{syscall.EXDEV, "EXDEV"},
	{syscall.ENODEV, "ENODEV"},
	{syscall.ENOTDIR, "ENOTDIR"},
	{syscall.EISDIR, "EISDIR"},
	{syscall.EINVAL, "EINVAL"},
	{syscall.ENFILE, "ENFILE"},
	{syscall.EMFILE, "EMFILE"},
	{syscall.EFBIG, "EFBIG"},
	{syscall.ENOSPC, "ENOSPC"},
	{syscall.ESPIPE, "ESPIPE"},
	{syscall.EROFS, "EROFS"},
	{syscall.EMLINK, "EMLINK"},
	{syscall.EPIPE, "EPIPE"},
	{syscall.ENAMETOOLONG, "ENAMETOOLONG"},
	{syscall.ENOSYS, "ENOSYS"},
	{syscall.ENOTEMPTY, "ENOTEMPTY"},
	{syscall.ELOOP, "ELOOP"},
	{syscall.ENOTSUP, "ENOTSUP"},
	{syscall.ECONNREFUSED, "ECONNREFUSED"},
	{syscall.ECONNRESET, "ECONNRESET"},
	{syscall.ETIMEDOUT, "ETIMEDOUT"},
	{syscall.EHOSTUNREACH, "EHOSTUNREACH"},
	{syscall.ENETUNREACH, "ENETUNREACH"},
}

// systemError gives an error of the system its name.
func systemError(err error) error {
	if err == nil {
		return nil
	}
	var known *node.SystemError
	if errors.As(err, &known) {
		return err
	}
	var errno syscall.Errno
	if errors.As(err, &errno) {
		for _, e := range errnos {
			if e.errno == errno {
				return &node.SystemError{Code: e.code, Err: err}
			}
		}
	}
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrExist), errors.Is(err, fs.ErrPermission), errors.Is(err, fs.ErrClosed):
		return err // node has names for these
	case strings.Contains(err.Error(), "escapes from parent"):
		// Somebody put a link in the way while the name was looked up.
		return node.Denied("the path leads out of the granted folder")
	}
	return &node.SystemError{Code: "EIO", Note: err.Error(), Err: err}
}
