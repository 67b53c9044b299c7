package cli

import (
	"os"
	"strconv"
	"strings"
)

// maxShells bounds how many shells are looked through for the caller.
const maxShells = 4

// shells are programs that only stand between a harness and its hook.
var shells = []string{"sh", "bash", "dash", "zsh", "fish", "ash", "ksh", "env", "timeout", "nice", "setsid", "sudo"}

// caller identifies the process that called us, shells between us left out: its
// number and the time it started, so that a stranger who got the same number
// later is not taken for it. It is "" where that cannot be told.
func caller() string {
	pid := os.Getppid()
	for range maxShells {
		p, ok := processOf(pid)
		if !ok {
			return ""
		}
		if !isShell(p.name) {
			return strconv.Itoa(pid) + "@" + p.started
		}
		pid = p.parent
	}
	return ""
}

func isShell(name string) bool {
	for _, s := range shells {
		if name == s {
			return true
		}
	}
	return false
}

// alive reports whether the process that caller identified still runs.
func alive(id string) bool {
	number, started, _ := strings.Cut(id, "@")
	pid, err := strconv.Atoi(number)
	if err != nil {
		return false
	}
	p, ok := processOf(pid)
	return ok && p.started == started
}

// process is what the system tells of a process.
type process struct {
	name    string
	parent  int
	started string // in the units of the system
}
