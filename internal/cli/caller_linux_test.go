package cli_test

import (
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/dshkit/dshkit/internal/cli"
)

func TestCallerIsAliveUntilItEnds(t *testing.T) {
	env := cli.System()
	id := env.Caller()
	if !strings.Contains(id, "@") || !env.Alive(id) {
		t.Fatalf("caller of the test %q, alive %v", id, env.Alive(id))
	}
	number, started, _ := strings.Cut(id, "@")
	if env.Alive(number + "@1" + started) {
		t.Errorf("a process of another start time counts as %s", id)
	}
	child := exec.Command("sleep", "60")
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	pid := strconv.Itoa(child.Process.Pid)
	if env.Alive(pid + "@0") {
		t.Errorf("child %s counts as one that started at boot", pid)
	}
	_ = child.Process.Kill()
	_ = child.Wait()
	for _, gone := range []string{pid + "@" + started, "", "x@1", "-1@1"} {
		if env.Alive(gone) {
			t.Errorf("%q counts as alive", gone)
		}
	}
}
