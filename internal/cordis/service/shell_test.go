//go:build unix

package service_test

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/cordis/wire"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

func TestShellResolve(t *testing.T) {
	w := newWorld(t)
	got := w.call("shell.resolve", obj("command", "ls"))
	want := `{"command":"ls","workdir":` + jsonvalue.Quote(w.root) + `,"timeoutMs":120000,"stdoutMaxBytes":262144}`
	if diff := cmp.Diff(want, jsonvalue.Format(got)); diff != "" {
		t.Error(diff)
	}
	got = w.call("bash.resolve", obj("command", "ls", "workdir", "a/..//b", "timeoutMs", 5.0, "stdoutMaxBytes", 1e12, "stdin", "x", "env", obj("A", "b"), "signal", signal(3)))
	if diff := cmp.Diff(filepath.Join(w.root, "b"), get(t, got, "workdir")); diff != "" || get(t, got, "stdoutMaxBytes") != float64(4<<20) || get(t, got, "signal") != signal(3) {
		t.Error(diff, got)
	}
	again := w.call("shell.resolve", got)
	if diff := cmp.Diff(jsonvalue.Format(got.(*jsonvalue.Object).Without("signal")), jsonvalue.Format(again.(*jsonvalue.Object).Without("signal"))); diff != "" {
		t.Errorf("resolved twice: %s", diff)
	}
	for _, bad := range []any{
		nil, "ls", obj(), obj("command", ""), obj("command", "a\x00"), obj("command", "a", "timeoutMs", 0.0), obj("command", "a", "timeoutMs", "1"), obj("command", "a", "stdin", 1.0),
		obj("command", "a", "env", obj("A", 1.0)), obj("command", "a", "env", obj("A=B", "x")), obj("command", "a", "env", obj("A", "x\x00")), obj("command", strings.Repeat("a", 1<<20)),
	} {
		_, err := w.try("shell.resolve", bad)
		refused(t, err, "ERR_INVALID_ARG")
	}
}

func TestShellRun(t *testing.T) {
	w := newWorld(t, "shell *")
	w.write("sub/x", "")
	got := w.call("shell.run", obj("command", "pwd; cat; echo oops >&2; exit 3", "workdir", "sub", "stdin", "typed\n"))
	want := `{"exitCode":3,"signal":null,"timedOut":false,"aborted":false,"timeoutMs":120000,"stdout":{"text":` + jsonvalue.Quote(w.root+"/sub\ntyped\n") + `,"truncated":false},"stderr":{"text":"oops\n","truncated":false}}`
	if diff := cmp.Diff(want, jsonvalue.Format(got)); diff != "" {
		t.Error(diff)
	}
	if got := w.call("shell.run", obj("command", "kill -TERM $$")); get(t, got, "signal") != "SIGTERM" || get(t, got, "exitCode") != nil {
		t.Error(jsonvalue.Format(got))
	}
	_, err := w.try("shell.run", obj("command", "ls", "workdir", "none"))
	refused(t, err, "ENOENT")
	_, err = w.try("shell.run", obj("command", "ls", "workdir", "sub/x"))
	refused(t, err, "ENOTDIR")
	_, err = w.try("shell.run", obj("command", "ls", "workdir", "/"))
	refused(t, err, "not-granted")
}

// Programs get nothing of the host's environment but PATH, HOME and LANG.
func TestShellEnvironment(t *testing.T) {
	w := newWorld(t, "shell *")
	t.Setenv("LEAK", "x")
	got := get(t, w.call("shell.run", obj("command", "env", "env", obj("LANG", "de", "EXTRA", "1"))), "stdout", "text").(string)
	var names []string
	for line := range strings.Lines(got) {
		name, _, _ := strings.Cut(line, "=")
		if name != "PWD" && name != "SHLVL" && name != "_" && name != "OLDPWD" { // a shell sets these itself
			names = append(names, strings.TrimSpace(line))
		}
	}
	if diff := cmp.Diff([]string{"PATH=" + os.Getenv("PATH"), "HOME=/nowhere", "LANG=de", "EXTRA=1"}, names, sorted); diff != "" {
		t.Error(diff)
	}
}

var sorted = cmp.Transformer("sorted", func(list []string) map[string]bool {
	set := map[string]bool{}
	for _, s := range list {
		set[s] = true
	}
	return set
})

// A grant of one program starts it without a shell, and nothing else.
func TestShellProgram(t *testing.T) {
	w := newWorld(t, "shell echo")
	if got := get(t, w.call("bash.run", obj("command", `echo 'a; b'`)), "stdout", "text"); got != "a; b\n" {
		t.Errorf("%q", got)
	}
	for command, advice := range map[string]string{
		"echo a; ls": "'*'", "echo $(ls)": "'*'", "echo a > b": "'*'", "echo\nls": "'*'", "A=b echo": "'*'", "ls": "ls", "/bin/echo a": "/bin/echo", "'echo it' x": "'echo it'",
	} {
		_, err := w.try("shell.run", obj("command", command))
		if thrown := refused(t, err, "not-granted"); !strings.Contains(thrown.Message, "`cordis grant allow shell "+advice+"`") {
			t.Errorf("%q: %s", command, thrown.Message)
		}
	}
	for _, name := range []string{"LD_PRELOAD", "PATH", "GIT_SSH_COMMAND"} {
		_, err := w.try("shell.run", obj("command", "echo a", "env", obj(name, "x")))
		refused(t, err, "not-granted")
	}
	w.call("shell.run", obj("command", "echo a", "env", obj("LC_ALL", "C", "NO_COLOR", "1")))
	w.allow("shell no-such-program")
	for _, verb := range []string{"shell.run", "shell.start"} {
		_, err := w.try(verb, obj("command", "no-such-program"))
		refused(t, err, "ENOENT")
	}
}

func TestShellOutputIsBounded(t *testing.T) {
	w := newWorld(t, "shell *")
	got := w.call("shell.run", obj("command", "head -c 10000000 /dev/zero | tr '\\0' x; head -c 100000 /dev/zero >&2; echo end", "stdoutMaxBytes", 1000.0))
	for _, name := range []string{"stdout", "stderr"} {
		if text := get(t, got, name, "text").(string); len(text) != 1000 || get(t, got, name, "truncated") != true {
			t.Errorf("%s: %d bytes", name, len(text))
		}
	}
	if get(t, got, "exitCode") != 0.0 {
		t.Error("the program did not come to its end")
	}
	got = w.call("shell.run", obj("command", "printf €€", "stdoutMaxBytes", 5.0))
	if text := get(t, got, "stdout", "text"); text != "€" {
		t.Errorf("cut to %q", text)
	}
}

// children is a line whose program starts others and tells their numbers.
const children = "sleep 1000 & echo $!; (sleep 1000 & echo $!; wait) & wait"

// alive says whether a process runs; a zombie that nobody has buried does not.
func alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return !os.IsNotExist(err) || !exists("/proc/self")
	}
	_, rest, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(rest, "Z") && !strings.HasPrefix(rest, "X")
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func dead(t *testing.T, text string) {
	t.Helper()
	fields := strings.Fields(text)
	if len(fields) < 2 {
		t.Fatalf("%q names too few processes", text)
	}
	for _, field := range fields {
		pid, err := strconv.Atoi(field)
		if err != nil {
			t.Fatal(err)
		}
		until(t, "process "+field+" ends", func() bool { return !alive(pid) })
	}
}

func TestShellTimeout(t *testing.T) {
	w := newWorld(t, "shell *")
	got := w.call("shell.run", obj("command", children, "timeoutMs", 1500.0))
	if get(t, got, "timedOut") != true || get(t, got, "aborted") != false || get(t, got, "signal") != "SIGKILL" || get(t, got, "timeoutMs") != 1500.0 {
		t.Error(jsonvalue.Format(got))
	}
	dead(t, get(t, got, "stdout", "text").(string))
}

// What a program leaves running is killed at its end.
func TestShellLeavesNothing(t *testing.T) {
	w := newWorld(t, "shell *")
	got := w.call("shell.run", obj("command", "sleep 1000 >/dev/null 2>&1 & echo $!; sleep 1000 & echo $!"))
	if get(t, got, "exitCode") != 0.0 {
		t.Error(jsonvalue.Format(got))
	}
	dead(t, get(t, got, "stdout", "text").(string))
}

func TestShellAbort(t *testing.T) {
	w := newWorld(t, "shell *")
	var s signals
	w.caller.Watch = s.watch
	done := make(chan any)
	go func() {
		v, err := w.try("shell.run", obj("command", children+" # "+w.root, "signal", signal(7)))
		if err != nil {
			v = err
		}
		done <- v
	}()
	until(t, "the call watches the signal", func() bool { return s.count(7) > 0 })
	s.abort(7)
	switch v := (<-done).(type) {
	case error:
		refused(t, v, "ABORT_ERR") // before it began
	default:
		if get(t, v, "aborted") != true || get(t, v, "timedOut") != false {
			t.Error(jsonvalue.Format(v))
		}
	}
}

// process is a program that was started.
type process struct {
	w *world
	o wire.Object
}

func (w *world) start(spec any) process {
	w.t.Helper()
	return process{w, w.call("shell.start", spec).(wire.Object)}
}

func (p process) get(name string) any {
	p.w.t.Helper()
	return p.w.callFunc(memberFunc(p.w.t, p.o, name))
}

func (p process) done() any {
	p.w.t.Helper()
	for _, m := range p.o.Members {
		if m.Name == "done" {
			ctx, cancel := context.WithTimeout(context.Background(), patience)
			defer cancel()
			v, err := p.w.services.Await(ctx, p.w.caller, m.Value.(wire.Promise))
			if err != nil {
				p.w.t.Fatal(err)
			}
			return v
		}
	}
	p.w.t.Fatal("no done")
	return nil
}

// reads waits until the program has said so many words.
func (p process) reads(words int) string {
	p.w.t.Helper()
	text := ""
	until(p.w.t, "the program says something", func() bool {
		text += get(p.w.t, p.get("readOutput"), "delta").(string)
		return len(strings.Fields(text)) >= words
	})
	return text
}

func TestShellStart(t *testing.T) {
	w := newWorld(t, "shell *")
	p := w.start(obj("command", "cat; echo err >&2; exit 4", "stdin", "in "))
	if diff := cmp.Diff(`{"status":"completed","exitCode":4,"signal":null}`, jsonvalue.Format(p.done())); diff != "" {
		t.Error(diff)
	}
	if got := [3]any{p.get("status"), p.get("exitCode"), p.get("signal")}; got != [3]any{"completed", 4.0, nil} {
		t.Error(got)
	}
	if got := jsonvalue.Format(p.get("readOutput")); got != `{"delta":"in err\n","lossy":false}` {
		t.Error(got)
	}
	if got := jsonvalue.Format(p.get("readOutput")); got != `{"delta":"","lossy":false}` {
		t.Error(got)
	}
	p.get("kill") // does nothing any more
	lossy := w.start(obj("command", "head -c 300000 /dev/zero | tr '\\0' x", "stdoutMaxBytes", 70000.0))
	lossy.done()
	if got := lossy.get("readOutput"); get(t, got, "lossy") != true || len(get(t, got, "delta").(string)) != 70000 {
		t.Error("the end of the output is not kept")
	}
}

func TestShellKill(t *testing.T) {
	w := newWorld(t, "shell *")
	p := w.start(obj("command", children))
	text := p.reads(2)
	if p.get("status") != "running" || p.get("exitCode") != nil {
		t.Error("it does not run")
	}
	p.get("kill")
	if diff := cmp.Diff(`{"status":"killed","exitCode":null,"signal":"SIGKILL"}`, jsonvalue.Format(p.done())); diff != "" {
		t.Error(diff)
	}
	dead(t, text)
}

// A stopped plugin leaves no program behind, nor does one whose signal is aborted.
func TestShellRelease(t *testing.T) {
	w := newWorld(t, "shell *")
	var s signals
	w.caller.Watch = s.watch
	aborted := w.start(obj("command", children, "signal", signal(1)))
	text := aborted.reads(2)
	s.abort(1)
	if get(t, aborted.done(), "status") != "killed" {
		t.Error("the abort did not kill it")
	}
	dead(t, text)
	p := w.start(obj("command", children))
	text = p.reads(2)
	kill := memberFunc(t, p.o, "kill")
	w.services.Release("run-1")
	dead(t, text)
	_, err := w.tryFunc(kill)
	refused(t, err, "gone")
	w.services.Release("run-1") // again does nothing
}

// The handles of programs that ended long ago go away; a plugin cannot run more
// than so many at once.
func TestShellLimits(t *testing.T) {
	w := newWorld(t, "shell *")
	first := w.start(obj("command", "true"))
	first.done()
	for range 70 {
		w.start(obj("command", "true")).done()
	}
	_, err := w.tryFunc(memberFunc(t, first.o, "kill"))
	refused(t, err, "gone")
	for range 32 {
		w.start(obj("command", "exec sleep 1000"))
	}
	for _, name := range []string{"shell.start", "shell.run"} {
		_, err = w.try(name, obj("command", "true"))
		refused(t, err, "limit")
	}
	w.services.Release("run-1")
	w.caller.RunID = "run-2"
	w.call("shell.run", obj("command", "true"))
}
