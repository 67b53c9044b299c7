package model

import (
	"os/exec"
	"strconv"
)

// ownGroup has a command killed with its children when its time is over.
func ownGroup(cmd *exec.Cmd) {
	cmd.Cancel = func() error {
		tree := exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(cmd.Process.Pid))
		if tree.Run() == nil {
			return nil
		}
		return cmd.Process.Kill()
	}
}

// endGroup does nothing: the children of a process that has ended cannot be told
// from others.
func endGroup(*exec.Cmd) {}
