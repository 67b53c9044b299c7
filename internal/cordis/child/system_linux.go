package child

import (
	"math"
	"syscall"

	"golang.org/x/sys/unix"
)

// withParent ends the process with this one.
func withParent(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGKILL }

// boundMemory bounds what the process may map for data: the heap of Go lies there.
func boundMemory(n uint64) error { return setLimit(unix.RLIMIT_DATA, n) }

// noNewPrivileges holds for every thread, so that it holds for any program that
// could be started.
func noNewPrivileges() {
	_, _, errno := syscall.AllThreadsSyscall(unix.SYS_PRCTL, unix.PR_SET_NO_NEW_PRIVS, 1, 0)
	if errno != 0 { // a build with C libraries cannot reach all threads
		_ = unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
	}
}

func closeRange() bool {
	return unix.CloseRange(3, math.MaxUint32, unix.CLOSE_RANGE_CLOEXEC) == nil
}
