//go:build unix

package cordis

import (
	"os/exec"
	"syscall"
)

// detach has a process go on when its terminal closes.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
