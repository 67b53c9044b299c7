//go:build unix

package machine

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/dshkit/dshkit/pkg/jsrun/node"
)

func shell(line string) (name string, args []string) { return "/bin/sh", []string{"-c", line} }

func mayRun(info fs.FileInfo) bool { return info.Mode().Perm()&0o111 != 0 }

func sameVariable(a, b string) bool { return a == b }

func endings([]string) []string { return []string{""} }

// setGroup makes a group of its own, so that all of it can be ended.
func setGroup(cmd *exec.Cmd, group bool) {
	if !group {
		return
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

func signalOf(state *os.ProcessState) string {
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return unix.SignalName(status.Signal())
	}
	return ""
}

// Signal sends a signal by its name; "0" only asks whether it runs.
func (p *process) Signal(name string) error {
	signal := unix.SignalNum(name)
	if signal == 0 && name != "0" {
		return &node.SystemError{Code: "EINVAL"}
	}
	err := p.cmd.Process.Signal(signal)
	if errors.Is(err, os.ErrProcessDone) {
		return &node.SystemError{Code: "ESRCH", Err: err}
	}
	return systemError(err)
}
