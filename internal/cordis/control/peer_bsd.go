//go:build darwin || freebsd

package control

import (
	"net"

	"golang.org/x/sys/unix"
)

// localPeerCred is the level of LOCAL_PEERCRED.
const localPeerCred = 0

// peer returns the user at the other end of a connection.
func peer(raw *net.UnixConn) (uid int, known bool) {
	conn, err := raw.SyscallConn()
	if err != nil {
		return 0, false
	}
	var cred *unix.Xucred
	if err := conn.Control(func(fd uintptr) {
		cred, err = unix.GetsockoptXucred(int(fd), localPeerCred, unix.LOCAL_PEERCRED)
	}); err != nil || cred == nil {
		return 0, false
	}
	return int(cred.Uid), true
}
