//go:build !unix

package service

import (
	"os"
	"os/exec"
)

func shellLine(line string) []string { return []string{"cmd.exe", "/d", "/s", "/c", line} }

func setGroup(*exec.Cmd) {}

func killGroup(*exec.Cmd) {}

func signalOf(*os.ProcessState) string { return "" }

func (s *shell) lookUp(name string) (string, error) {
	path, err := exec.LookPath(name)
	if err != nil {
		return "", problem("ENOENT", "no such program: "+name)
	}
	return path, nil
}
