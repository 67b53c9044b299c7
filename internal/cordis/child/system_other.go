//go:build !linux && !darwin

package child

import (
	"os"
	"os/exec"
)

// Here the process ends with its link, and only the watch over the heap and the
// clock bound it. Handles are not inherited unless asked for.

func emptyPlace() string { return os.TempDir() }

func apart(*exec.Cmd) {}

func linkEnds() (in, out *os.File) { return os.Stdin, os.Stdout }

func bounded() {}

func boundMemory(uint64) error { return nil }

func closeOnExec() {}

func signalOf(*os.ProcessState) string { return "" }
