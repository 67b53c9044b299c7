package control

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"syscall"

	"github.com/dshkit/dshkit/pkg/fault"
)

// checkPeer refuses a connection with a process of another user, on top of what
// the modes of the folder and the socket say. Root may do what it likes anyhow.
func checkPeer(raw net.Conn) error {
	u, ok := raw.(*net.UnixConn)
	if !ok {
		return nil
	}
	if uid, known := peer(u); known && uid != os.Getuid() && uid != 0 {
		return fault.New(fault.Refused, codeStranger, uid)
	}
	return nil
}

// isAbsent reports whether an error says that nobody listens.
func isAbsent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, syscall.ENOTDIR)
}

// isTemporary reports whether accepting can go on after an error.
func isTemporary(err error) bool {
	return errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) || errors.Is(err, syscall.ECONNABORTED) || errors.Is(err, syscall.ENOMEM)
}
