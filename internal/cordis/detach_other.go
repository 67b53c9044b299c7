//go:build !unix

package cordis

import "os/exec"

// detach has nothing to do: a process does not end with its terminal here.
func detach(*exec.Cmd) {}
