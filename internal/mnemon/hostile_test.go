package mnemon_test

import (
	"context"
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/dshkit/dshkit/internal/mnemon"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
	"github.com/dshkit/dshkit/pkg/jsrun"
)

// hostage is a workspace with two Sources that are well, a Strategy, and a third
// Source that does what a test says.
type hostage struct {
	*mnemon.Workspace
	t *testing.T
}

func newHostage(t *testing.T, config ...any) hostage {
	t.Helper()
	h := emptyHostage(t)
	h.add("a", "source", "text", "I am a.")
	h.add("bad", "source", append([]any{"text", "I am bad."}, config...)...)
	h.add("b", "source", "text", "I am b.")
	h.add("s", "strategy")
	return h
}

// emptyHostage is a workspace without plugins; their files are there.
func emptyHostage(t *testing.T) hostage {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	archive, err := txtar.ParseFile("script/testdata/plugins/hostile.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range archive.Files {
		write(t, filepath.Join(root, "plugins", f.Name), string(f.Data))
	}
	n := 0
	w := mnemon.Open(mnemon.Options{
		Root: root, Current: root, Home: filepath.Join(root, "home"), State: filepath.Join(root, "state"), Cache: filepath.Join(cacheDir, "js"),
		Getenv: func(string) string { return "secret" }, Now: time.Now, NewID: func(prefix string) string { n++; return prefix + string(rune('0'+n)) },
		Random: func() float64 { return 0.5 }, RandomBytes: func(b []byte) { _, _ = rand.Read(b) },
		Limits: jsrun.Limits{Busy: 2 * time.Second, Heap: 64 << 20},
	})
	h := hostage{w, t}
	h.patience("60000") // a busy machine is slow, and not what is tried
	return h
}

// patience sets how long Core waits for a Source, in milliseconds.
func (h hostage) patience(ms string) {
	h.t.Helper()
	write(h.t, filepath.Join(h.Root, ".mnemon", "settings.json"), `{"sourceTimeoutMs":`+ms+`}`)
}

var cacheDir string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "mnemon")
	if err != nil {
		panic(err)
	}
	cacheDir = dir
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func (h hostage) add(id, module string, config ...any) {
	h.t.Helper()
	o := mnemon.AddOptions{Spec: "./plugins/" + module + ".mjs", ID: id, Config: jsonvalue.Of(config...)}
	if _, err := h.AddPlugin(h.t.Context(), o); err != nil {
		h.t.Fatal(err)
	}
}

// kindOf is the class of an error for a caller.
func kindOf(err error) fault.Kind {
	var f *fault.Error
	if errors.As(err, &f) {
		return f.Kind
	}
	return ""
}

// begin begins a turn within a bounded time and says what the View shows of the
// Sources.
func (h hostage) begin() (mnemon.Begun, string, error) {
	h.t.Helper()
	began := time.Now()
	turn, err := h.Begin(h.t.Context(), mnemon.BeginOptions{})
	if d := time.Since(began); d > 30*time.Second {
		h.t.Errorf("beginning took %v", d)
	}
	if err != nil {
		return turn, "", err
	}
	var shown []string
	for _, f := range turn.View.Projection() {
		text, _ := f.Text("text")
		shown = append(shown, text)
	}
	for _, d := range turn.View.Diagnostics() {
		code, _ := d.Text("code")
		shown = append(shown, code)
	}
	for _, w := range turn.Warnings {
		shown = append(shown, w.Code)
	}
	return turn, strings.Join(shown, " "), nil
}

// TestHostileTurn: what one plugin does in the processes of a turn. The first is
// what the turn shows, or why there is none.
func TestHostileTurn(t *testing.T) {
	const well = "I am a. I am b."
	before := ours()
	for i, c := range []struct {
		where, act string
		shown      string     // of the View
		refused    fault.Kind // of the turn
		word       string     // that the refusal has
	}{
		{"facts", "loop", well + " source-facts-failed", "", ""},
		{"facts", "never", well + " source-facts-timeout", "", ""},
		{"facts", "nothing", "", fault.Refused, "facts for source:bad must be an object"},
		{"project", "loop", well + " source-project-failed", "", ""},
		{"project", "array", well + " source-project-failed", "", ""},
		{"project", "typedAtOnce", well + " source-project-failed", "", ""},
		{"create", "throws", "", fault.Plugin, "source:bad"},
		{"create", "loop", "", fault.Plugin, "bad"},
		{"apply", "loop", well + " plugin-start-warning", "", ""},
		{"apply", "throws", well + " plugin-start-warning", "", ""},
		{"apply", "exit", well + " plugin-start-warning", "", ""},
		{"apply", "never", "I am a. I am bad. I am b. plugin-start-warning", "", ""},
		{"apply", "uncaught", "I am a. I am bad. I am b. plugin-unhandled", "", ""},
		{"apply", "trick4", "I am a. I am bad. I am b.", "", ""},
		{"effect", "loop", "I am a. I am bad. I am b.", "", ""},
		{"effect", "never", "I am a. I am bad. I am b.", "", ""},
		{"dispose", "loop", "I am a. I am bad. I am b.", "", ""},
		{"dispose", "never", "I am a. I am bad. I am b.", "", ""},
	} {
		if testing.Short() && i%6 != 0 {
			continue // one in six
		}
		t.Run(c.where+" "+c.act, func(t *testing.T) {
			h := newHostage(t, "where", c.where, "act", c.act)
			if c.act == "never" {
				h.patience("3000")
			}
			_, shown, err := h.begin()
			if kindOf(err) != c.refused || shown != c.shown {
				t.Errorf("%q, %v; want %q, kind %q", shown, err, c.shown, c.refused)
			}
			if err != nil && !strings.Contains(err.Error()+all(err), c.word) {
				t.Errorf("%v does not say %q", all(err), c.word)
			}
			if _, err := h.SwitchPlugin(t.Context(), "bad", false); err != nil {
				t.Fatal(err)
			}
			if _, shown, err := h.begin(); shown != well {
				t.Errorf("without it: %q, %v", shown, err)
			}
		})
	}
	noneLeft(t, before)
}

// all is an error with what caused it.
func all(err error) string {
	if err == nil {
		return ""
	}
	text := err.Error()
	switch e := err.(type) {
	case interface{ Unwrap() error }:
		text += "; " + all(e.Unwrap())
	case interface{ Unwrap() []error }:
		for _, each := range e.Unwrap() {
			text += "; " + all(each)
		}
	}
	return text
}

// TestHostileOperation: reads and writes that do not come to an end, in processes
// of their own, leave the turn open for the others.
func TestHostileOperation(t *testing.T) {
	before := ours()
	for i, c := range []struct {
		where, act string
		kind       fault.Kind
	}{
		{"query", "loop", fault.Plugin},
		{"query", "throws", fault.Plugin},
		{"query", "throwsUnprintable", fault.Plugin},
		{"query", "never", fault.Timeout},
		{"query", "nothing", fault.Refused},
		{"query", "array", fault.Plugin},
		{"mutate", "loop", fault.Plugin},
		{"mutate", "never", fault.Timeout},
		{"mutate", "rejects", fault.Plugin},
	} {
		if testing.Short() && i%6 != 0 {
			continue // one in six
		}
		t.Run(c.where+" "+c.act, func(t *testing.T) {
			h := newHostage(t, "where", c.where, "act", c.act)
			turn, _, err := h.begin()
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
			defer cancel()
			began := time.Now()
			if c.where == "query" {
				_, err = turn.Route(ctx, "source:bad/read", jsonvalue.Of("q", 1.0))
			} else {
				_, err = turn.Action(ctx, "source:bad/write", jsonvalue.Of(), true)
			}
			if d := time.Since(began); kindOf(err) != c.kind || d > 30*time.Second {
				t.Errorf("after %v: %v, kind %q, want %q", d, all(err), kindOf(err), c.kind)
			}
			evidence, err := turn.Route(t.Context(), "source:b/read", jsonvalue.Of("q", 1.0))
			if err != nil || !strings.Contains(jsonvalue.Format(evidence), "I am b.") {
				t.Errorf("then b: %s, %v", jsonvalue.Format(evidence), err)
			}
		})
	}
	noneLeft(t, before)
}

// ours counts the goroutines that code of this module began.
func ours() int { return strings.Count(stacks(), "created by github.com/dshkit/dshkit/") }

func stacks() string {
	buf := make([]byte, 1<<20)
	return string(buf[:runtime.Stack(buf, true)])
}

func noneLeft(t *testing.T, before int) {
	t.Helper()
	deadline := time.Now().Add(20 * time.Second)
	for ours() > before {
		if time.Now().After(deadline) {
			t.Fatalf("%d goroutines of ours, %d before:\n%s", ours(), before, stacks())
		}
		runtime.Gosched()
	}
}
