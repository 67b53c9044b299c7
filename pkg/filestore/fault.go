package filestore

import (
	"errors"
	"io/fs"
	"syscall"

	"github.com/dshkit/dshkit/pkg/fault"
)

// Codes of the faults of this package. The comment behind each is its sentence.
const (
	codeMissing     = "file-missing"          // the file %q does not exist
	codeExists      = "file-exists"           // the file %q exists already
	codeChanged     = "file-changed"          // %q was changed by another program at the same moment
	codeNoSpace     = "disk-full"             // no space left to write %q
	codeReadOnly    = "store-read-only"       // the store is read-only: %q cannot be changed
	codeIsFolder    = "is-a-folder"           // %q is a folder; a file is expected there
	codeNotFolder   = "not-a-folder"          // on the way to %q there is a file where a folder is expected
	codeNotFile     = "not-a-file"            // %q is not a regular file
	codeLinkLoop    = "file-link-loop"        // the symbolic links at %q lead in a circle
	codeLinkDangles = "link-target-no-folder" // the link %q points to %q, in a folder that does not exist
	codeLinkOutside = "link-outside"          // %q is a link to %q, outside of the store; it is not followed
	codeTooLarge    = "file-too-large"        // the file %q has %d bytes; at most %d are read
	codeUnreadable  = "file-unreadable"       // the file %q cannot be read
	codeUnwritable  = "file-unwritable"       // the file %q cannot be written
	codeUnconfirmed = "write-unconfirmed"     // %q was changed, but the disk did not confirm it
	codeTorn        = "append-torn"           // %q ends in a part of a line that could not be taken back
	codeBusy        = "lock-busy"             // the lock %q is held by another process; gave up after %s
	codeCancelled   = "lock-cancelled"        // cancelled while waiting for the lock %q
	codeBadName     = "bad-file-name"         // %q does not name a file inside the store
	codeOver        = "transaction-over"      // the transaction was over when %q was asked for
)

// ErrBusy says that the lock was not free in time. The error that a call returns
// matches it by errors.Is and names the lock file and the time waited.
var ErrBusy error = fault.New(fault.Busy, codeBusy)

// readFault gives a failure to read path its class. A missing file matches
// fs.ErrNotExist, nothing else does.
func readFault(path string, err error) error {
	if f := shapeFault(path, err); f != nil {
		return f
	}
	return fault.New(fault.Failed, codeUnreadable, path).Because(err)
}

// writeFault gives a failure to write path its class. A fault keeps its own.
func writeFault(path string, err error) error {
	var known *fault.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &known):
		return err
	case isNoSpace(err):
		return fault.New(fault.Failed, codeNoSpace, path).Because(err)
	case isReadOnly(err):
		return fault.New(fault.Refused, codeReadOnly, path).Because(err)
	case errors.Is(err, fs.ErrExist):
		return fault.New(fault.Conflict, codeExists, path).Because(err)
	}
	if f := shapeFault(path, err); f != nil {
		return f
	}
	return fault.New(fault.Failed, codeUnwritable, path).Because(err)
}

// shapeFault names what is wrong with the way to path, nil for anything else.
func shapeFault(path string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fault.New(fault.NotFound, codeMissing, path).Because(err)
	case errors.Is(err, syscall.EISDIR):
		return fault.New(fault.Damaged, codeIsFolder, path).Because(err)
	case errors.Is(err, syscall.ENOTDIR):
		return fault.New(fault.Damaged, codeNotFolder, path).Because(err)
	case errors.Is(err, syscall.ELOOP):
		return fault.New(fault.Damaged, codeLinkLoop, path).Because(err)
	}
	return nil
}

// typeFault says that something that is no regular file stands at path.
func typeFault(path string, mode fs.FileMode) error {
	if mode.IsDir() {
		return fault.New(fault.Damaged, codeIsFolder, path)
	}
	return fault.New(fault.Damaged, codeNotFile, path)
}
