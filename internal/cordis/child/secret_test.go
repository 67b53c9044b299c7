//go:build linux

package child_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"github.com/dshkit/dshkit/internal/cordis/child"
)

// TestSecrets: a child process has nothing of the host's: no environment, no
// descriptor, no folder, no arguments that tell anything; and no way to more.
func TestSecrets(t *testing.T) {
	t.Setenv("DSHKIT_TEST_SECRET", "s3cr3t-value")
	leak := leakyDescriptor(t)
	starter := child.NewProcesses(binary(t), false, with(child.Settings{}))
	defer starter.Close()
	running(t, starter, "curious", `return { apply() {} }`)
	proc := fmt.Sprintf("/proc/%d/", starter.PIDs()[0])

	if got := read(t, proc+"environ"); got != "" {
		t.Errorf("environment: %q", got)
	}
	if got := read(t, proc+"cmdline"); got != "cordis\x00half\x00" {
		t.Errorf("arguments: %q", got)
	}
	if got, _ := os.Readlink(proc + "cwd"); got != "/" {
		t.Errorf("working directory: %q", got)
	}
	checkDescriptors(t, proc, leak)
	if !raced {
		checkLimits(t, proc)
	}
	if got := read(t, proc+"status"); !strings.Contains(got, "NoNewPrivs:\t1") {
		t.Errorf("it may gain privileges:\n%s", got)
	}
	tasks, _ := filepath.Glob(proc + "task/*/status")
	for _, task := range tasks {
		if !strings.Contains(read(t, task), "NoNewPrivs:\t1") && !cgo() {
			t.Errorf("%s may gain privileges", task)
		}
	}
}

// leakyDescriptor is one that a program which we start would inherit, as one of
// the host's own parent is.
func leakyDescriptor(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "leak")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	fd, err := unix.FcntlInt(f.Fd(), unix.F_DUPFD, 100)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = unix.Close(fd) })
	return path
}

// checkDescriptors allows the link, standard error and what the Go runtime opens
// for itself.
func checkDescriptors(t *testing.T, proc, leak string) {
	t.Helper()
	entries, err := os.ReadDir(proc + "fd")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		to, _ := os.Readlink(proc + "fd/" + e.Name())
		own := strings.HasPrefix(to, "pipe:") && slices.Contains([]string{"0", "1", "2"}, e.Name()) ||
			strings.HasPrefix(to, "anon_inode:[event") || strings.HasPrefix(to, "/sys/fs/cgroup/")
		if !own || to == leak {
			t.Errorf("descriptor %s is %s", e.Name(), to)
		}
	}
}

func checkLimits(t *testing.T, proc string) {
	t.Helper()
	got := map[string][]string{}
	for line := range strings.Lines(read(t, proc+"limits")) {
		if rest, ok := strings.CutPrefix(line, "Max data size"); ok {
			checkDataLimit(t, strings.Fields(rest)[:2])
		}
		for _, name := range []string{"Max core file size", "Max file size", "Max open files"} {
			if rest, ok := strings.CutPrefix(line, name); ok {
				got[name] = strings.Fields(rest)[:2]
			}
		}
	}
	want := map[string][]string{
		"Max core file size": {"0", "0"},
		"Max file size":      {"0", "0"},
		"Max open files":     {"16", "16"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// checkDataLimit holds the plugin's 256 MiB, and at most as much for the process.
func checkDataLimit(t *testing.T, softAndHard []string) {
	t.Helper()
	for _, text := range softAndHard {
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil || n < 256<<20 || n > 512<<20 {
			t.Errorf("limit of data %s, %v", text, err)
		}
	}
}

// TestNothingOfTheHostInErrors: what a plugin can read of errors, its own and the
// engine's, names no file of ours and nothing of the environment.
func TestNothingOfTheHostInErrors(t *testing.T) {
	t.Setenv("DSHKIT_TEST_SECRET", "s3cr3t-value")
	modes(t, func(t *testing.T, start func(child.Settings) closing) {
		starter := start(child.Settings{})
		defer starter.Close()
		h := running(t, starter, "curious", `
			const seen = []
			const look = (f) => { try { seen.push(String(f())) } catch (e) { seen.push(e.name, e.message, e.stack, String(e.fileName)) } }
			return { apply(ctx) {
				look(() => { throw new Error("own") })
				look(() => null.x)
				look(() => eval("("))
				look(() => new Function("return this")().process)
				look(() => require("fs"))
				look(() => fetch("x"))
				look(() => ctx.fs)
				look(() => ctx.root)
				look(() => harness.handle(1, 2))
				look(() => JSON.parse("{"))
				look(() => [].reduce((a) => a))
				look(() => Object.getOwnPropertyNames(globalThis).join())
				look(() => new Error().stack)
				harness.handle("seen", () => seen.join("\n"))
			} }`)
		got, err := h.Invoke(patient(t), "seen", nil)
		if err != nil {
			t.Fatal(err)
		}
		text := got.(string)
		home, _ := os.UserHomeDir()
		for _, secret := range []string{"s3cr3t", "DSHKIT", binary(t), filepath.Dir(binary(t)), ".go:", "goroutine", home + "/"} {
			if strings.Contains(text, secret) {
				t.Errorf("a plugin reads %q in:\n%s", secret, text)
			}
		}
	})
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// cgo says whether this build has C libraries, with which not all threads can be
// reached.
func cgo() bool {
	maps, _ := os.ReadFile("/proc/self/maps")
	return strings.Contains(string(maps), "libc.so")
}
