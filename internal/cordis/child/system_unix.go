//go:build linux || darwin

package child

import (
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// emptyPlace is where a child process works: nowhere of interest.
func emptyPlace() string { return "/" }

// apart makes the process a group of its own, which a terminal's interrupt does
// not reach.
func apart(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	withParent(cmd.SysProcAttr)
}

// linkEnds are the two ends of the link, read and written without holding a
// thread.
func linkEnds() (in, out *os.File) {
	for _, fd := range []int{0, 1} {
		_ = syscall.SetNonblock(fd, true)
	}
	return os.NewFile(0, "link"), os.NewFile(1, "link")
}

// bounded gives up what the process does not need: core files, files at all, new
// privileges.
func bounded() {
	for resource, n := range map[int]uint64{unix.RLIMIT_CORE: 0, unix.RLIMIT_FSIZE: 0, unix.RLIMIT_NOFILE: 16} {
		setLimit(resource, n)
	}
	noNewPrivileges()
}

// setLimit sets both limits, and never raises one.
func setLimit(resource int, n uint64) error {
	var now unix.Rlimit
	if err := unix.Getrlimit(resource, &now); err != nil {
		return err
	}
	n = min(n, uint64(now.Max))
	return unix.Setrlimit(resource, &unix.Rlimit{Cur: n, Max: n})
}

// closeOnExec keeps from child processes whatever this one was started with:
// what Go itself opens is kept from them anyway.
func closeOnExec() {
	if closeRange() {
		return
	}
	for fd := 3; fd < 1024; fd++ {
		unix.CloseOnExec(fd)
	}
}

func signalOf(state *os.ProcessState) string {
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return unix.SignalName(status.Signal())
	}
	return ""
}
