//go:build linux

package cordiscmd_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/dshkit/dshkit/internal/testkit/hosts"
)

// ground is a workspace whose host is ended with the test.
type ground struct {
	t    *testing.T
	ws   string
	home string
}

func newGround(t *testing.T) ground {
	t.Helper()
	g := ground{t, filepath.Join(t.TempDir(), "ws"), t.TempDir()}
	if err := os.MkdirAll(g.ws, 0o777); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := hosts.End(g.ws); err != nil {
			t.Error(err)
		}
	})
	return g
}

func (g ground) command(args ...string) *exec.Cmd {
	cmd := exec.Command("cordis", args...)
	cmd.Dir = g.ws
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + g.home, "LANG=C.UTF-8", "TZ=UTC", "TESTKIT_STATE=" + g.home}
	return cmd
}

// run runs a command that succeeds, and returns its output.
func (g ground) run(args ...string) string {
	g.t.Helper()
	var out, errs bytes.Buffer
	cmd := g.command(args...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		g.t.Fatalf("cordis %s: %v\n%s%s", strings.Join(args, " "), err, &out, &errs)
	}
	return out.String()
}

func (g ground) define() {
	g.t.Helper()
	if err := os.WriteFile(filepath.Join(g.ws, "p.js"), []byte("harness.handle('now', (x) => x)\nreturn { apply() {} }\n"), 0o600); err != nil {
		g.t.Fatal(err)
	}
	g.run("define", "--new", "clock", "--name", "Clock", "--purpose", "P", "--host-file", "p.js")
	g.run("run", "clock-1", "pkg-1")
}

// Many starts at once are one host, and all say its process (case 10).
func TestManyStartsAreOneHost(t *testing.T) {
	g := newGround(t)
	const many = 6
	pids := make([]int, many)
	var all sync.WaitGroup
	for i := range many {
		all.Go(func() {
			out, err := g.command("host", "start", "--json").Output()
			var doc struct{ PID int }
			if err != nil || json.Unmarshal(out, &doc) != nil {
				t.Errorf("start %d: %v %s", i, err, out)
			}
			pids[i] = doc.PID
		})
	}
	all.Wait()
	for _, pid := range pids {
		if pid != pids[0] || pid == 0 {
			t.Fatalf("the starts say %v", pids)
		}
	}
}

// A host that is killed leaves no process behind, and the next one starts.
func TestKilledHost(t *testing.T) {
	g := newGround(t)
	for range 3 {
		g.run("host", "start")
		g.define()
		pid, err := hosts.PID(g.ws)
		if err != nil {
			t.Fatal(err)
		}
		children := hosts.Children(pid)
		if len(children) == 0 {
			t.Fatal("no half has a process of its own")
		}
		host, _ := os.FindProcess(pid)
		if err := host.Kill(); err != nil {
			t.Fatal(err)
		}
		hosts.Gone(t, append(children, pid)...)
	}
	g.run("host", "start")
}

// A signal that asks for it undoes all halves and leaves no child.
func TestTerminatedHost(t *testing.T) {
	g := newGround(t)
	g.run("host", "start")
	g.define()
	pid, err := hosts.PID(g.ws)
	if err != nil {
		t.Fatal(err)
	}
	children := hosts.Children(pid)
	host, _ := os.FindProcess(pid)
	if err := host.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	hosts.Gone(t, append(children, pid)...)
	for _, name := range []string{"host.sock", "host.json"} {
		if _, err := os.Lstat(filepath.Join(g.ws, ".cordis", name)); err == nil {
			t.Errorf("%s is left", name)
		}
	}
}

// A host whose folder is taken away ends.
func TestHostWithoutItsFolder(t *testing.T) {
	g := newGround(t)
	g.run("host", "start")
	pid, err := hosts.PID(g.ws)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(g.ws, ".cordis")); err != nil {
		t.Fatal(err)
	}
	hosts.Gone(t, pid)
}

// Clients that are killed in the middle of a call cost the host nothing.
func TestKilledClients(t *testing.T) {
	g := newGround(t)
	g.run("host", "start")
	g.define()
	for i := range 20 {
		cmd := g.command("events", "--follow")
		if i%2 == 0 {
			cmd = g.command("feedback", "--wait", "1m")
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.AfterFunc(time.Duration(i)*5*time.Millisecond, func() { _ = cmd.Process.Kill() })
		_ = cmd.Wait() // killed
	}
	if out := g.run("invoke", "clock-1", "now", "7"); out != "7\n" {
		t.Errorf("it answers %q", out)
	}
}
