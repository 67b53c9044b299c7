//go:build unix

package model_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/model"
	"github.com/dshkit/dshkit/pkg/fault"
)

// command is a model that is a shell script.
func command(t *testing.T, script string, timeout time.Duration) (m *model.Model, dir string) {
	t.Helper()
	dir = t.TempDir()
	path := filepath.Join(dir, "model.sh")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script), 0o755); err != nil {
		t.Fatal(err)
	}
	m, err := model.New(model.Settings{Provider: model.Command, Command: []string{path, "one arg", "$HOME; *"}, Timeout: timeout}, (&bench{}).world())
	if err != nil {
		t.Fatal(err)
	}
	return m, dir
}

func TestCommandAnswers(t *testing.T) {
	for _, row := range []struct {
		id, script string
		want       model.Reply
	}{
		{"plain text", "cat >/dev/null; echo '" + good + "'", model.Reply{Text: good}},
		{"what it was asked", "cat", model.Reply{Text: "only sections\n\nevidence"}},
		{"arguments as they are", `cat >/dev/null; printf '%s|' "$@"`, model.Reply{Text: "one arg|$HOME; *|"}},
		{"the guard, and no mark of an agent", `cat >/dev/null; echo "guard=$SELFIP_HOOK_ACTIVE agent=$CLAUDECODE kept=$KEPT"`, model.Reply{Text: "guard=1 agent= kept=yes"}},
		{"an empty folder", `cat >/dev/null; ls -A | wc -l | tr -d ' '`, model.Reply{Text: "0"}},
		{"case63 a", `cat >/dev/null; echo '{"text":"","finish":"length","usage":{"input":900,"output":1500}}'`, model.Reply{Cut: true, Input: 900, Output: 1500}},
		{"case63 c", `cat >/dev/null; echo '{"text":"","finish":"stop","usage":{"input":900,"output":2}}'`, model.Reply{Input: 900, Output: 2}},
		{"an agent's document", `cat >/dev/null; echo '{"type":"result","is_error":false,"result":"## FACTS","usage":{"input_tokens":3,"cache_read_input_tokens":10,"output_tokens":4}}'`, model.Reply{Text: "## FACTS", Input: 13, Output: 4}},
		{"a document that is the answer", `cat >/dev/null; echo '{"text":"no finish"}'`, model.Reply{Text: `{"text":"no finish"}`}},
		{"thoughts", "cat >/dev/null; printf '<think>\\nhm\\n</think>\\n## FACTS'", model.Reply{Text: "## FACTS"}},
		{"it does not read", "echo '" + good + "'", model.Reply{Text: good}},
		{"a child keeps the pipe", "cat >/dev/null; sleep 60 & echo '" + good + "'", model.Reply{Text: good}},
	} {
		t.Run(row.id, func(t *testing.T) {
			m, _ := command(t, row.script, 0)
			got, err := m.Call(t.Context(), asked)
			row.want.Provider, row.want.Model = "command", "model.sh"
			if diff := cmp.Diff(row.want, got); err != nil || diff != "" {
				t.Errorf("%s: %v, reply (-want +got):\n%s", row.id, err, diff)
			}
		})
	}
}

func TestCommandFails(t *testing.T) {
	for _, row := range []struct {
		id, script, code, says string
		kind                   fault.Kind
		unsent                 bool
		pause                  time.Duration
	}{
		{"case68", `cat >/dev/null; echo "429 Too Many Requests, retry-after: 120" >&2; exit 29`, "model-busy", "Too Many Requests", fault.Busy, true, 2 * time.Minute},
		{"a limit without a time", `echo "Claude usage limit reached"; exit 1`, "model-busy", "usage limit", fault.Busy, true, 0},
		{"it says why", `echo "not signed in, hunter2" >&2; exit 3`, "model-exit", "not signed in, <redacted>", fault.Failed, false, 0},
		{"it says why at the end", `cat >&2; yes 'rate limit was the matter' | head -n 2000 >&2; echo "disk full" >&2; exit 1`, "model-busy", "", fault.Busy, true, 0},
		{"it repeats what it was asked", `echo "the matter was a rate limit" >&2; yes evidence | head -n 2000 >&2; echo "no network" >&2; exit 1`, "model-exit", "no network", fault.Failed, false, 0},
		{"nothing", `exit 0`, "model-empty", "", fault.Failed, false, 0},
		{"an error in a document", `echo '{"result":"signed out","is_error":true}'`, "model-trouble", "signed out", fault.Failed, false, 0},
		{"aborted", `echo '{"text":"## FACTS - x","finish":"refusal"}'`, "model-aborted", "refusal", fault.Failed, false, 0},
		{"killed", `kill -9 $$`, "model-exit", "", fault.Failed, false, 0},
		{"without end", `yes`, "model-too-long", "", fault.Failed, false, 0},
	} {
		t.Run(row.id, func(t *testing.T) {
			m, _ := command(t, row.script, 0)
			r, err := m.Call(t.Context(), asked)
			if fault.CodeOf(err) != row.code || fault.KindOf(err) != row.kind || r.Unsent != row.unsent {
				t.Fatalf("%s: %v, unsent %v; want %s, %s, %v", row.id, err, r.Unsent, row.code, row.kind, row.unsent)
			}
			if s := err.Error(); !strings.Contains(s, row.says) || strings.Contains(s, "hunter2") || len(s) > 400 {
				t.Errorf("%s: %q, want %q in it", row.id, s, row.says)
			}
			var p *model.Pause
			if row.kind == fault.Busy && (!errors.As(err, &p) || p.For != row.pause) {
				t.Errorf("%s: %#v, want a pause of %v", row.id, err, row.pause)
			}
		})
	}
}

// TestCommandIsEnded: when its time is over a command goes with all its children,
// and its folder with it.
func TestCommandIsEnded(t *testing.T) {
	const script = `echo "$$ $PWD" > "$(dirname "$0")/who"; sleep 300 & echo $! > "$(dirname "$0")/child"; wait`
	ended := func(t *testing.T, dir string) {
		t.Helper()
		for _, name := range []string{"who", "child"} {
			data, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			pid, _ := strconv.Atoi(strings.Fields(string(data))[0])
			for deadline := time.Now().Add(5 * time.Second); syscall.Kill(pid, 0) == nil && !isZombie(pid); {
				if time.Now().After(deadline) {
					t.Fatalf("%s %d still runs", name, pid)
				}
			}
		}
		who, _ := os.ReadFile(filepath.Join(dir, "who"))
		if _, err := os.Stat(strings.Fields(string(who))[1]); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("its folder is still there: %v", err)
		}
	}
	t.Run("case08", func(t *testing.T) {
		m, dir := command(t, script, 300*time.Millisecond)
		if _, err := m.Call(t.Context(), asked); fault.CodeOf(err) != "model-slow" {
			t.Fatalf("case08: %v, want model-slow", err)
		}
		ended(t, dir)
	})
	t.Run("CO12", func(t *testing.T) {
		m, dir := command(t, script, 0)
		ctx, cancel := context.WithCancelCause(t.Context())
		why := errors.New("enough")
		go func() {
			for {
				if data, _ := os.ReadFile(filepath.Join(dir, "child")); len(data) > 0 {
					cancel(why)
					return
				}
			}
		}()
		if _, err := m.Call(ctx, asked); !errors.Is(err, why) {
			t.Fatalf("CO12: %v, want the cause", err)
		}
		ended(t, dir)
	})
}

// isZombie reports whether a process has ended and nobody has asked how.
func isZombie(pid int) bool {
	data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err == nil && strings.Contains(string(data), ") Z ")
}

func TestCommandIsFound(t *testing.T) {
	for name, code := range map[string]string{
		"sh": "", "/bin/sh": "", "no-such-program-here": "model-no-command", "/no/such/program": "model-no-command", "./model.sh": "model-command-path", "/tmp": "model-no-command",
	} {
		m, err := model.New(model.Settings{Provider: model.Command, Command: []string{name}}, (&bench{}).world())
		if err != nil {
			t.Fatal(err)
		}
		if got := fault.CodeOf(m.Ready()); got != code {
			t.Errorf("%s: %q, want %q", name, got, code)
		}
		if code == "" {
			continue
		}
		if r, err := m.Call(t.Context(), asked); fault.KindOf(err) != fault.Refused || !r.Unsent {
			t.Errorf("%s: %v, unsent %v", name, err, r.Unsent)
		}
	}
}
