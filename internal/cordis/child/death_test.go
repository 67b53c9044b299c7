//go:build linux

package child_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/dshkit/dshkit/internal/cordis/child"
	"github.com/dshkit/dshkit/internal/cordis/half"
)

// TestKilledByHand: what happened to the process is told, and the next one starts.
func TestKilledByHand(t *testing.T) {
	starter := child.NewProcesses(binary(t), false, with(child.Settings{}))
	defer starter.Close()
	h := running(t, starter, "victim", spinning)
	called := make(chan error, 1)
	go func() { _, err := h.Invoke(patient(t), "loop", nil); called <- err }()
	harm(t, starter.PIDs()[0], syscall.SIGKILL)
	for _, err := range []error{<-called, ended(t, h)} {
		if !errors.Is(err, half.ErrGone) || !strings.Contains(err.Error(), "SIGKILL") {
			t.Errorf("got %v", err)
		}
	}
	again := running(t, starter, "victim", spinning)
	if got, err := again.Invoke(patient(t), "echo", "x"); err != nil || got != "x" {
		t.Errorf("the next one: %v, %v", got, err)
	}
}

// TestLittleMemory: what the process takes itself, the stacks of its threads
// included, is none of the plugin's memory.
func TestLittleMemory(t *testing.T) {
	needsMemoryLimit(t)
	starter := child.NewProcesses(binary(t), false, with(child.Settings{Memory: 48 << 20}))
	defer starter.Close()
	h := running(t, starter, "small", `
		harness.handle("sum", (n) => new Array(n).fill(1).reduce((a, b) => a + b))
		harness.handle("keep", () => { const a = []; for (;;) a.push(new Array(1e5).fill(0)) })
		return { apply() {} }`)
	if got, err := h.Invoke(patient(t), "sum", 1e5); err != nil || got != 1e5 {
		t.Errorf("a plugin that needs little: %v, %v", got, err)
	}
	if _, err := h.Invoke(patient(t), "keep", nil); !errors.Is(err, half.ErrGone) {
		t.Errorf("one that needs much: %v", err)
	}
}

// TestStoppedByHand: a process that does nothing any more is ended, whether it is
// called or idle.
func TestStoppedByHand(t *testing.T) {
	for name, limits := range map[string]half.Limits{
		"called": {Invoke: 100 * time.Millisecond, Pulse: time.Hour, Grace: 300 * time.Millisecond},
		"idle":   {Pulse: 500 * time.Millisecond, Grace: 300 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			starter := child.NewProcesses(binary(t), false, with(child.Settings{Limits: limits}))
			defer starter.Close()
			h := running(t, starter, "victim", spinning)
			harm(t, starter.PIDs()[0], syscall.SIGSTOP)
			if name == "called" {
				if _, err := h.Invoke(patient(t), "echo", nil); !isLimit(err, "time") {
					t.Errorf("the call: %v", err)
				}
			}
			if err := ended(t, h); !isLimit(err, "frozen") {
				t.Errorf("the half: %v", err)
			}
			if n := starter.Running(); n != 0 {
				t.Errorf("%d processes are left", n)
			}
		})
	}
}

// TestSpare: one process is kept ready; one that is dead or stopped is replaced;
// none outlives the Starter.
func TestSpare(t *testing.T) {
	starter := child.NewProcesses(binary(t), true, with(child.Settings{}))
	for _, signal := range []syscall.Signal{0, syscall.SIGKILL, syscall.SIGSTOP} {
		starter.Settled()
		pids := starter.PIDs()
		harm(t, pids[len(pids)-1], signal)
		h := running(t, starter, "one", spinning)
		if got, err := h.Invoke(patient(t), "echo", "x"); err != nil || got != "x" {
			t.Errorf("after %v: %v, %v", signal, got, err)
		}
		_ = h.Close()
	}
	starter.Settled()
	if n := starter.Running(); n != 1 {
		t.Errorf("%d processes, want the spare one", n)
	}
	_ = starter.Close()
	if n := starter.Running(); n != 0 {
		t.Errorf("%d processes are left", n)
	}
	if _, err := starter.Start(patient(t), source("late", spinning), newWorld()); err == nil {
		t.Error("a closed Starter starts")
	}
}

// TestCancelledStart leaves nothing behind.
// CR-W1, CR-W2
func TestCancelledStart(t *testing.T) {
	modes(t, func(t *testing.T, start func(child.Settings) closing) {
		starter := start(child.Settings{})
		defer starter.Close()
		ctx, cancel := context.WithCancel(t.Context())
		w := newWorld()
		failed := make(chan error, 1)
		go func() {
			_, err := starter.Start(ctx, source("never", `console.log("begun"); await new Promise(() => {})`), w)
			failed <- err
		}()
		w.wrote(t, 1)
		cancel()
		if err := <-failed; !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
		if p, ok := starter.(*child.Processes); ok && p.Running() != 0 {
			t.Errorf("%d processes are left", p.Running())
		}
	})
}

// TestStartLimit: a body that never settles is given up.
// CR-W3
func TestStartLimit(t *testing.T) {
	modes(t, func(t *testing.T, start func(child.Settings) closing) {
		starter := start(child.Settings{Limits: half.Limits{Start: 500 * time.Millisecond}})
		defer starter.Close()
		_, err := starter.Start(patient(t), source("never", `await new Promise(() => {})`), newWorld())
		if !isLimit(err, "time") || !strings.Contains(err.Error(), "evaluation") {
			t.Errorf("got %v", err)
		}
	})
}

// TestEndsWithHost: when the host is killed, its children end, whatever they do.
func TestEndsWithHost(t *testing.T) {
	host := exec.Command(binary(t), "host-of-one")
	out, err := host.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := host.Start(); err != nil {
		t.Fatal(err)
	}
	text := make([]byte, 32)
	n, err := out.Read(text)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text[:n])))
	if err != nil {
		t.Fatal(err)
	}
	_ = host.Process.Kill()
	_ = host.Wait()
	wait(t, "the child ends", func() bool { return gone(pid) })
}

// TestEndsWithLink: without the help of the system too.
func TestEndsWithLink(t *testing.T) {
	if err := child.LoseLink(t.Context(), binary(t), `for (;;);`, time.Hour); err != nil {
		t.Error(err)
	}
}

// gone says whether a process has ended; one that nobody waits for counts.
func gone(pid int) bool {
	s := state(pid)
	return s == "" || strings.Contains(s, "Z (zombie)")
}

// state is what the system says of a process; "" when there is none.
func state(pid int) string {
	status, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
	return string(status)
}

// harm sends a signal and waits until it has had its effect.
func harm(t *testing.T, pid int, signal syscall.Signal) {
	t.Helper()
	if err := syscall.Kill(pid, signal); err != nil {
		t.Fatal(err)
	}
	if signal != 0 {
		wait(t, "the signal", func() bool { return gone(pid) || strings.Contains(state(pid), "T (stopped)") })
	}
}

// ended waits for the end of a half.
func ended(t *testing.T, h half.Half) error {
	t.Helper()
	select {
	case <-h.Done():
		return h.Err()
	case <-time.After(time.Minute):
		t.Fatal("the half does not end")
		return nil
	}
}

func isLimit(err error, name string) bool {
	limit, ok := errors.AsType[*half.LimitError](err)
	return ok && limit.Limit == name
}
