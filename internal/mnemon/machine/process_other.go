//go:build !unix

package machine

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"strings"

	"github.com/dshkit/dshkit/pkg/jsrun/node"
)

func shell(line string) (name string, args []string) {
	return "cmd.exe", []string{"/d", "/s", "/c", line}
}

func mayRun(fs.FileInfo) bool { return true }

func sameVariable(a, b string) bool { return strings.EqualFold(a, b) }

func endings(env []string) []string {
	list := strings.Split(variable(env, "PATHEXT"), ";")
	if list[0] == "" {
		list = []string{".com", ".exe", ".bat", ".cmd"}
	}
	return append([]string{""}, list...)
}

func setGroup(*exec.Cmd, bool) {}

func signalOf(*os.ProcessState) string { return "" }

// Signal ends the program, whatever the signal, as Node does here.
func (p *process) Signal(name string) error {
	if name == "0" {
		return nil
	}
	err := p.cmd.Process.Kill()
	if errors.Is(err, os.ErrProcessDone) {
		return &node.SystemError{Code: "ESRCH", Err: err}
	}
	return systemError(err)
}
