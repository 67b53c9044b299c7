package child

import (
	"math"
	"os"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// withParent ends the process with this one.
func withParent(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGKILL }

// boundMemory bounds what the process may map for data beyond what it has: the
// heap of Go lies there. What it has is hardly touched and is none of the
// plugin's; where threads come from a C library, each has a stack of 8 MiB.
func boundMemory(n uint64) error { return setLimit(unix.RLIMIT_DATA, dataMapped()+n) }

// dataMapped is how many bytes of data are mapped, as proc_pid_statm(5) tells it;
// 0 where that is not to be seen.
func dataMapped() uint64 {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(text))
	if len(fields) < 6 {
		return 0
	}
	pages, _ := strconv.ParseUint(fields[5], 10, 64)
	return pages * uint64(os.Getpagesize())
}

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
