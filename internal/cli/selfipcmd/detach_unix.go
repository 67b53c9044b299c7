//go:build unix

package selfipcmd

import (
	"os/exec"
	"syscall"
)

// detach puts a process into a session of its own, with no standard streams.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
