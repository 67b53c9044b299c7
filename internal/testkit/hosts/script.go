//go:build unix

package hosts

import (
	"errors"
	"os/exec"
	"strconv"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// Words are words of test scripts about hosts and exit codes.
var Words = map[string]func(ts *testscript.TestScript, neg bool, args []string){
	"exits":  exits,
	"signal": signal,
	"gone":   gone,
}

// gone waits until a process has ended: "gone $PID".
func gone(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: gone PID")
	}
	pid, err := strconv.Atoi(args[0])
	ts.Check(err)
	ts.Check(leave(pid))
}

// exits runs a program and wants an exit code: "exits 9 cordis inventory".
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM [ARGS...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exited *exec.ExitError
		if !errors.As(err, &exited) {
			ts.Fatalf("%v", err)
		}
		got = exited.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit %d, want %d; it said:\n%s%s", got, want, ts.ReadFile("stdout"), ts.ReadFile("stderr"))
	}
}

// signals by their names.
var signals = map[string]syscall.Signal{"KILL": syscall.SIGKILL, "STOP": syscall.SIGSTOP, "CONT": syscall.SIGCONT, "TERM": syscall.SIGTERM}

// signal sends a signal to the host of the folder that the script is in, or of
// the process of a number: "signal KILL", "signal CONT $PID".
func signal(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 || len(args) > 2 || signals[args[0]] == 0 {
		ts.Fatalf("usage: signal KILL|STOP|CONT|TERM [PID]")
	}
	pid, err := 0, error(nil)
	if len(args) == 2 {
		pid, err = strconv.Atoi(args[1])
	} else {
		pid, err = PID(ts.MkAbs("."))
	}
	ts.Check(err)
	ts.Check(syscall.Kill(pid, signals[args[0]]))
	for signals[args[0]] == syscall.SIGKILL && alive(pid) {
		time.Sleep(time.Millisecond)
	}
}
