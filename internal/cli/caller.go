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
// number, the time it started, so that a stranger who got the same number later
// is not taken for it, and the namespace of the number. It is "" where that
// cannot be told.
func caller() string {
	pid := os.Getppid()
	for range maxShells {
		p, ok := processOf(pid)
		if !ok {
			return ""
		}
		if !isShell(p.name) {
			return p.identity(pid)
		}
		pid = p.parent
	}
	return ""
}

// self identifies this process.
func self() string {
	p, ok := processOf(os.Getpid())
	if !ok {
		return ""
	}
	return p.identity(os.Getpid())
}

// identity is PID@START@NAMESPACE.
func (p process) identity(pid int) string {
	return strconv.Itoa(pid) + "@" + p.started + "@" + namespace()
}

func isShell(name string) bool {
	for _, s := range shells {
		if name == s {
			return true
		}
	}
	return false
}

// alive reports whether the process of an identity still runs. Of one in another
// container nothing can be seen: it may.
func alive(id string) bool {
	number, rest, _ := strings.Cut(id, "@")
	started, space, _ := strings.Cut(rest, "@")
	pid, err := strconv.Atoi(number)
	switch {
	case err != nil:
		return false
	case space != "" && space != namespace():
		return true
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
