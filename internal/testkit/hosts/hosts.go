//go:build unix

// Package hosts is what tests do to host processes: it finds those below a
// folder, ends them surely, stops and kills them, and tells which processes they
// have left.
package hosts

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/dshkit/dshkit/internal/cordis/control"
)

// patience is how long a host may take for what it is asked, on a slow machine.
const patience = 60 * time.Second

// look is the time between two looks at a process.
const look = 5 * time.Millisecond

// PID is the process of the host of a workspace, as it says itself.
func PID(workspace string) (int, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	conn, hello, err := control.At(workspace).Dial(ctx, control.Hello{Role: control.Client, Name: "test"}, control.Handlers{})
	if err != nil {
		return 0, err
	}
	return hello.PID, conn.Close()
}

// End ends the hosts of all workspaces below a folder, and returns when they are
// gone. What hangs is killed.
func End(root string) error {
	var failed error
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil { // it went away meanwhile, or nobody may look
			return nil
		}
		if d.Name() == control.SocketName {
			failed = errors.Join(failed, end(filepath.Dir(filepath.Dir(path))))
		}
		return nil
	})
	return errors.Join(err, failed)
}

func end(workspace string) error {
	card, known := control.At(workspace).Card()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	conn, hello, err := control.At(workspace).Dial(ctx, control.Hello{Role: control.Client, Name: "test"}, control.Handlers{})
	if control.Absent(err) {
		return nil
	}
	if err == nil {
		defer conn.Close()
		_ = conn.Call(ctx, "stopHost", nil, nil) // its end is the answer
		select {
		case <-conn.Done():
			return leave(hello.PID)
		case <-ctx.Done():
		}
	}
	if known && serves(card.PID, workspace) {
		_ = syscall.Kill(card.PID, syscall.SIGKILL)
	}
	return errors.New("the host of " + workspace + " had to be killed")
}

// leave waits until a process that ends is gone.
func leave(pid int) error {
	for range int(patience / look) {
		if !alive(pid) {
			return nil
		}
		time.Sleep(look)
	}
	return errors.New("a host that was asked to end is still there")
}

// serves reports whether a process is in a workspace, so that it is no stranger
// that has the number of one that is gone.
func serves(pid int, workspace string) bool {
	dir, err := os.Readlink(filepath.Join("/proc", strconv.Itoa(pid), "cwd"))
	return err == nil && dir == workspace
}

// Children are the processes that a process has started and that are there.
func Children(pid int) (list []int) {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range stats {
		id, state, parent := stat(path)
		if parent == pid && state != "Z" {
			list = append(list, id)
		}
	}
	return list
}

// stat reads what the system tells of a process.
func stat(path string) (pid int, state string, parent int) {
	data, err := os.ReadFile(path)
	if err != nil {
		return 0, "", -1
	}
	pid, _ = strconv.Atoi(filepath.Base(filepath.Dir(path)))
	text := string(data)
	field := strings.Fields(text[strings.LastIndexByte(text, ')')+1:])
	if len(field) < 2 {
		return pid, "", -1
	}
	parent, _ = strconv.Atoi(field[1])
	return pid, field[0], parent
}

// Gone waits until none of the processes is there.
func Gone(t testing.TB, pids ...int) {
	t.Helper()
	for _, pid := range pids {
		if leave(pid) != nil {
			t.Fatalf("the process %d is still there", pid)
		}
	}
}

// alive says whether anything of a process is left but its exit code. The threads
// of one that was killed end one by one, and its sockets are open until the last.
func alive(pid int) bool {
	dir := filepath.Join("/proc", strconv.Itoa(pid))
	_, state, _ := stat(filepath.Join(dir, "stat"))
	if state != "Z" {
		return state != ""
	}
	threads, _ := os.ReadDir(filepath.Join(dir, "task"))
	return len(threads) > 1
}
