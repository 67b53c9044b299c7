package control

import (
	"net"

	"golang.org/x/sys/unix"
)

// peer returns the user at the other end of a connection.
func peer(raw *net.UnixConn) (uid int, known bool) {
	conn, err := raw.SyscallConn()
	if err != nil {
		return 0, false
	}
	var cred *unix.Ucred
	if err := conn.Control(func(fd uintptr) {
		cred, err = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED)
	}); err != nil || cred == nil {
		return 0, false
	}
	return int(cred.Uid), true
}
