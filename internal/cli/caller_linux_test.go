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
	number, rest, _ := strings.Cut(id, "@")
	started, space, _ := strings.Cut(rest, "@")
	if me := env.Self(); me == id || !strings.HasSuffix(me, "@"+space) || !env.Alive(me) {
		t.Errorf("this process is %q, alive %v", me, env.Alive(me))
	}
	if !env.Alive("1@1@another") {
		t.Error("a process of another container counts as gone")
	}
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
