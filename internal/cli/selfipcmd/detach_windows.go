package selfipcmd

import (
	"os/exec"
	"syscall"
)

// detachedProcess gives a process no console (CreateProcess, process creation
// flags).
const detachedProcess = 0x00000008

// detach puts a process into a group of its own, with no console.
func detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: detachedProcess | syscall.CREATE_NEW_PROCESS_GROUP}
}
