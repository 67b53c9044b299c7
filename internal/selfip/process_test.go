package selfip_test

import (
	"fmt"
	"os"
	"os/exec"
	"testing"
)

// Tests of what a killed process leaves behind. The test binary runs itself with
// the name of a role in its environment.
const roleKey = "SELFIP_TEST_ROLE"

// roles are what a child process can do; args are what the role needs.
var roles = map[string]func(args []string) error{
	"learn": learnRole,
}

func TestMain(m *testing.M) {
	if role := os.Getenv(roleKey); role != "" {
		if err := roles[role](os.Args[1:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// play is a child in a role, not yet started.
func play(role string, args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), roleKey+"="+role)
	cmd.Stderr = os.Stderr
	return cmd
}
