package selfip_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/dshkit/dshkit/internal/selfip"
	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/internal/selfip/scope"
	"github.com/dshkit/dshkit/pkg/transcript"
)

// clock is the time at which the fixtures are told.
var clock = time.Date(2026, 9, 15, 12, 0, 0, 0, time.UTC)

// room is a workspace and a global folder on a disk of their own, with a clock
// that stands still until it is moved.
type room struct {
	t      testing.TB
	dir    string // workspace
	global string // folder above the global library
	now    time.Time
	ids    *atomic.Int64
	chars  int // of one partition file; 0: the default
}

func newRoom(t testing.TB) *room {
	return &room{t: t, dir: t.TempDir(), global: t.TempDir(), now: clock, ids: new(atomic.Int64)}
}

// beside is another workspace with the same global folder and clock.
func (r *room) beside() *room {
	other := *r
	other.dir = r.t.TempDir()
	return &other
}

// open is a process that starts in the workspace.
func (r *room) open(s scope.Scope) *selfip.Memory {
	chars := r.chars
	if chars == 0 {
		chars = 200000
	}
	return &selfip.Memory{
		Workspace: selfip.OpenLibrary(selfip.WorkspaceLabel, r.dir, 5*time.Second, false),
		Global:    selfip.OpenLibrary(selfip.GlobalLabel, r.global, 5*time.Second, false),
		ScopeName: s, Scope: s.Switches(),
		Settings: selfip.Settings{
			Language: "zh-CN", InjectChars: 3200, HookBytes: 9000, PromptChars: 800, SearchChars: 2000, FileChars: chars,
		},
		Now:   func() time.Time { return r.now },
		NewID: func(prefix string) string { return fmt.Sprintf("%s%06d", prefix, r.ids.Add(1)) },
	}
}

// own is a process in scope workspace.
func (r *room) own() *selfip.Memory { return r.open(scope.Workspace) }

// path of a file of the workspace library.
func (r *room) path(name string) string {
	return filepath.Join(r.dir, selfip.FolderName, filepath.FromSlash(name))
}

// globalPath of a file of the global library.
func (r *room) globalPath(name string) string {
	return filepath.Join(r.global, selfip.FolderName, filepath.FromSlash(name))
}

// read returns a file of the workspace library, "" when there is none.
func (r *room) read(name string) string { return readFile(r.t, r.path(name)) }

func (r *room) readGlobal(name string) string { return readFile(r.t, r.globalPath(name)) }

func readFile(t testing.TB, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return string(data)
}

func (r *room) write(name, content string) { writeFile(r.t, r.path(name), content) }

func (r *room) writeGlobal(name, content string) { writeFile(r.t, r.globalPath(name), content) }

func writeFile(t testing.TB, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
}

// list names the files of a folder of the workspace library.
func (r *room) list(folder string) []string {
	entries, err := os.ReadDir(r.path(folder))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		r.t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// tool stores a note as an agent's tool does, and fails the test if it cannot.
func (r *room) tool(m *selfip.Memory, n selfip.Note) selfip.Remembered {
	r.t.Helper()
	if n.Source == "" {
		n.Source = "agent"
	}
	got, err := m.Remember(r.t.Context(), n, selfip.Author{Origin: "tool"})
	if err != nil {
		r.t.Fatalf("remember %q: %v", n.Text, err)
	}
	return got
}

func fact(s string) selfip.Note     { return selfip.Note{Kind: entry.Fact, Text: s} }
func lesson(s string) selfip.Note   { return selfip.Note{Kind: entry.Lesson, Text: s} }
func method(s string) selfip.Note   { return selfip.Note{Kind: entry.Method, Text: s} }
func resource(s string) selfip.Note { return selfip.Note{Kind: entry.Resource, Text: s} }

// inject is the text that a session of m is given.
func inject(m *selfip.Memory) string { return m.Inject(selfip.InjectOptions{}).Text }

// hear tells of one record of a session.
func (r *room) hear(m *selfip.Memory, session string, records ...transcript.Record) {
	r.t.Helper()
	for _, rec := range records {
		if err := m.Hear(selfip.Heard{Harness: "claude-code", Session: session, Dir: r.dir, Record: rec}); err != nil {
			r.t.Fatal(err)
		}
		r.now = r.now.Add(time.Second)
	}
}

// end ends a session.
func (r *room) end(m *selfip.Memory, session string) {
	r.t.Helper()
	if _, err := m.Finish(r.t.Context(), selfip.Heard{Session: session}); err != nil {
		r.t.Fatal(err)
	}
}

// learn works on the queue.
func (r *room) learn(m *selfip.Memory) selfip.Ran {
	r.t.Helper()
	ran, err := m.RunQueue(r.t.Context(), nil)
	if err != nil {
		r.t.Fatal(err)
	}
	return ran
}

func said(s string) transcript.Record { return transcript.Record{Kind: transcript.Prompt, Text: s} }

func ran(id, command, output string) transcript.Record {
	return transcript.Record{Kind: transcript.Result, ID: id, Tool: "Bash", Input: command, Text: output}
}

func failed(id, command, output string) transcript.Record {
	r := ran(id, command, output)
	r.Failed = true
	return r
}

// mended is a session in which something goes wrong and is put right.
func mended() []transcript.Record {
	return []transcript.Record{
		said("请把测试跑通"),
		failed("1", "npm test", "Error: connect ECONNREFUSED 127.0.0.1:6379"),
		ran("2", "docker compose up -d redis", "started"),
		ran("3", "npm test", "10 passing"),
	}
}

// has holds that s contains every part.
func has(t testing.TB, what, s string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(s, p) {
			t.Errorf("%s: %q is not in:\n%s", what, p, s)
		}
	}
}

// hasNot holds that s contains no part.
func hasNot(t testing.TB, what, s string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if strings.Contains(s, p) {
			t.Errorf("%s: %q is in:\n%s", what, p, s)
		}
	}
}

// same holds that a value is the wanted one.
func same[T comparable](t testing.TB, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// lines are the lines of a text that contain a part.
func lines(s, part string) []string {
	return slices.DeleteFunc(strings.Split(s, "\n"), func(l string) bool { return !strings.Contains(l, part) })
}
