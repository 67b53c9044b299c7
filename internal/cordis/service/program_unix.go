//go:build unix

package service

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

func shellLine(line string) []string { return []string{"/bin/sh", "-c", line} }

// setGroup makes a group of its own, so that all of it can be ended.
func setGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

// killGroup ends who is left of the group when its leader is gone.
func killGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }

func signalOf(state *os.ProcessState) string {
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return unix.SignalName(status.Signal())
	}
	return ""
}

// lookUp finds a program: by its path from the workspace, or on our PATH, whose
// folders that are not absolute do not count.
func (s *shell) lookUp(name string) (string, error) {
	if strings.Contains(name, "/") {
		return s.files.absolute(name, s.files.root), nil
	}
	for _, v := range s.environ {
		path, ok := strings.CutPrefix(v, "PATH=")
		if !ok {
			continue
		}
		for _, dir := range filepath.SplitList(path) {
			full := filepath.Join(dir, name)
			if info, err := os.Stat(full); filepath.IsAbs(full) && err == nil && !info.IsDir() && info.Mode().Perm()&0o111 != 0 {
				return full, nil
			}
		}
	}
	return "", problem("ENOENT", "no such program: "+name)
}
