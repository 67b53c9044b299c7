package selfipcmd_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/cli/selfipcmd"
	"github.com/dshkit/dshkit/internal/testkit"
)

// box is a small machine of its own: a home, a workspace, an environment and a
// clock. Its commands are the real tree, run in this process or as the real
// binary.
type box struct {
	t     testing.TB
	root  string // holds everything of the box
	home  string
	ws    string // the current directory of its commands
	vars  map[string]string
	clock time.Time
	ids   atomic.Int64

	terminal bool   // the outputs are one
	caller   string // identity of the harness
	running  bool   // harnesses live on
	panics   bool   // the harness's identity cannot even be asked for
}

// result is what came of one command.
type result struct {
	code     int
	out, err string
}

func newBox(t testing.TB) *box {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	b := &box{
		t: t, root: root, home: filepath.Join(root, "home"), ws: filepath.Join(root, "ws"), clock: testkit.Clock, caller: "7@7",
	}
	b.vars = map[string]string{
		"HOME": b.home, "PATH": os.Getenv("PATH"), "LANG": "C.UTF-8", "TZ": "UTC", "SELFIP_BACKGROUND": "false",
	}
	for _, dir := range []string{b.home, filepath.Join(b.ws, "self-improvement")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

// caseBox is a box whose workspace holds what a case lays into it.
func caseBox(t testing.TB, name string) *box {
	t.Helper()
	b := newBox(t)
	if err := os.CopyFS(b.ws, os.DirFS(caseDir(name, "in"))); err != nil {
		t.Fatal(err)
	}
	return b
}

func caseDir(name string, more ...string) string {
	return filepath.Join(append([]string{"testdata", "cases", name}, more...)...)
}

func caseFile(t testing.TB, name string, more ...string) string {
	t.Helper()
	data, err := os.ReadFile(caseDir(name, more...))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// caseLines returns the lines of a file of a case, without their ends.
func caseLines(t testing.TB, name, file string) []string {
	t.Helper()
	return strings.Split(strings.TrimSuffix(caseFile(t, name, file), "\n"), "\n")
}

// caseRows returns the rows of a table of a case, without remarks.
func caseRows(t testing.TB, name, file string) [][]string {
	t.Helper()
	var rows [][]string
	for _, line := range caseLines(t, name, file) {
		if !strings.HasPrefix(line, "#") {
			rows = append(rows, strings.Split(line, "\t"))
		}
	}
	return rows
}

// env is the Env of a command in this process. It has no program to start
// workers from.
func (b *box) env(stdin string, args []string, out, errOut *bytes.Buffer) *cli.Env {
	return &cli.Env{
		Args: args, In: strings.NewReader(stdin), Out: out, Err: errOut,
		Getenv:     func(name string) string { return b.vars[name] },
		Environ:    b.environ,
		Getwd:      func() (string, error) { return b.ws, nil },
		Home:       func() string { return b.vars["HOME"] },
		Executable: func() (string, error) { return "", errors.New("no program in a test") },
		IsTerminal: func(stream any) bool { return b.terminal && (stream == out || stream == errOut) },
		Caller:     b.identity,
		Alive:      func(string) bool { return b.running },
		Now:        func() time.Time { return b.clock },
		NewID:      func(prefix string) string { return fmt.Sprintf("%s%06d", prefix, b.ids.Add(1)) },
	}
}

// identity is that of a harness which is gone when the next one starts, unless
// the box says otherwise.
func (b *box) identity() string {
	if b.panics {
		panic("on purpose")
	}
	return b.caller
}

func (b *box) environ() []string {
	var list []string
	for name, value := range b.vars {
		list = append(list, name+"="+value)
	}
	slices.Sort(list)
	return list
}

// feed runs a command in this process with the given standard input.
func (b *box) feed(stdin string, args ...string) result {
	b.t.Helper()
	var out, errOut bytes.Buffer
	code := cli.Run(b.env(stdin, args, &out, &errOut), selfipcmd.New)
	return result{code, out.String(), errOut.String()}
}

func (b *box) run(args ...string) result { b.t.Helper(); return b.feed("", args...) }

// ok is run for a command that has to succeed. It returns what was printed.
func (b *box) ok(args ...string) string {
	b.t.Helper()
	r := b.run(args...)
	if r.code != 0 {
		b.t.Fatalf("selfip %q: exit %d, want 0; stderr:\n%s", args, r.code, r.err)
	}
	return r.out
}

// json is ok for a command that answers in JSON.
func (b *box) json(v any, args ...string) {
	b.t.Helper()
	out := b.ok(append([]string{"--json"}, args...)...)
	oneDocument(b.t, out, v)
}

// oneDocument demands that s is one JSON document and one line end, and reads it
// into v.
func oneDocument(t testing.TB, s string, v any) {
	t.Helper()
	if strings.Count(s, "\n") != 1 || !strings.HasSuffix(s, "\n") || strings.Contains(s, "\x1b") {
		t.Fatalf("output is %q, want one line without colours", s)
	}
	if err := json.Unmarshal([]byte(s), v); err != nil {
		t.Fatalf("output %q is no JSON: %v", s, err)
	}
}

// refused demands a clean error: the exit code, one line, and nothing that was
// written to the workspace.
func (b *box) refused(code int, args ...string) result {
	b.t.Helper()
	before := b.tree(b.ws)
	r := b.run(args...)
	cleanError(b.t, r, code, args)
	b.same(before, b.tree(b.ws), fmt.Sprintf("selfip %q", args))
	return r
}

func cleanError(t testing.TB, r result, code int, args []string) {
	t.Helper()
	if r.code != code {
		t.Errorf("selfip %q: exit %d, want %d; stderr:\n%s", args, r.code, code, r.err)
	}
	if strings.Count(r.err, "\n") != 1 || strings.Contains(r.err, "goroutine") {
		t.Errorf("selfip %q: stderr %q, want one line", args, r.err)
	}
}

// tree returns every file below dir with its contents, but for what may come
// and go: locks, caches, heartbeats.
func (b *box) tree(dir string) map[string]string {
	b.t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, _ := filepath.Rel(dir, path)
		if comesAndGoes(rel) {
			return nil
		}
		data, err := os.ReadFile(path)
		if d.Type()&fs.ModeSymlink != 0 {
			target, _ := os.Readlink(path)
			data, err = []byte("-> "+target), nil
		}
		files[rel] = string(data)
		return err
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return files
}

// same demands that nothing changed between two trees.
func (b *box) same(before, after map[string]string, what string) {
	b.t.Helper()
	for name, data := range after {
		if old, ok := before[name]; !ok || old != data {
			b.t.Errorf("%s changed %s: was %q, is %q", what, name, old, data)
		}
	}
	for name := range before {
		if _, ok := after[name]; !ok {
			b.t.Errorf("%s removed %s", what, name)
		}
	}
}

// unreadable demands that none of the words can be read anywhere below the given
// folders, derived files and names of files too.
func (b *box) unreadable(words []string, dirs ...string) {
	b.t.Helper()
	for _, dir := range dirs {
		if _, err := os.Stat(dir); err != nil {
			continue // nothing can be read there
		}
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return err
			}
			data, err := os.ReadFile(path)
			for _, word := range words {
				if bytes.Contains(data, []byte(word)) || strings.Contains(strings.TrimPrefix(path, dir), word) {
					b.t.Errorf("%s holds %q", path, word)
				}
			}
			return err
		})
		if err != nil {
			b.t.Fatal(err)
		}
	}
}

// path returns the path of a file of the workspace's library.
func (b *box) path(name string) string { return filepath.Join(b.ws, "self-improvement", name) }

// file returns the contents of a file of the library, "" when there is none.
func (b *box) file(name string) string {
	b.t.Helper()
	data, err := os.ReadFile(b.path(name))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		b.t.Fatal(err)
	}
	return string(data)
}

// lay writes a file, with its folders.
func lay(t testing.TB, path, content string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// entries returns the texts of the live entries, in the order of the files.
func (b *box) entries() []string {
	b.t.Helper()
	var listed selfipcmd.MemoryJSON
	b.json(&listed, "memory")
	texts := []string{}
	for _, l := range listed.Libraries {
		for _, e := range l.Entries {
			texts = append(texts, e.Text)
		}
	}
	return texts
}

// found returns the texts that a search finds.
func (b *box) found(query string) []string {
	b.t.Helper()
	var hits selfipcmd.SearchJSON
	b.json(&hits, "search", query)
	texts := []string{}
	for _, h := range hits.Hits {
		texts = append(texts, h.Text)
	}
	return texts
}

// status returns the status of the workspace's library.
func (b *box) status() (all selfipcmd.StatusJSON, store selfipcmd.StoreJSON) {
	b.t.Helper()
	b.json(&all, "status")
	if len(all.Stores) == 1 {
		store = all.Stores[0]
	}
	return all, store
}

// hook runs a hook in this process and returns the context it gives the agent.
// The reply has to be one JSON document on one line.
func (b *box) hook(harness string, payload map[string]any) string {
	b.t.Helper()
	data, err := json.Marshal(payload)
	if err != nil {
		b.t.Fatal(err)
	}
	r := b.feed(string(data), "hook", harness)
	if r.code != 0 {
		b.t.Fatalf("hook %s: exit %d, want 0; stderr:\n%s", harness, r.code, r.err)
	}
	if r.out == "" {
		b.t.Fatalf("hook %s: no reply; stderr:\n%s", harness, r.err)
	}
	return contextOf(b.t, r.out)
}

// contextOf returns what a reply puts before an agent.
func contextOf(t testing.TB, reply string) string {
	t.Helper()
	var doc struct {
		Output struct {
			Context string `json:"additionalContext"`
		} `json:"hookSpecificOutput"`
	}
	oneDocument(t, reply, &doc)
	return doc.Output.Context
}

// event is a payload of Claude Code.
func (b *box) event(session, name string, more ...any) map[string]any {
	payload := map[string]any{
		"session_id": session, "cwd": b.ws, "hook_event_name": name,
		"transcript_path": filepath.Join(b.home, ".claude", "projects", "p", session+".jsonl"),
	}
	for i := 0; i+1 < len(more); i += 2 {
		payload[more[i].(string)] = more[i+1]
	}
	return payload
}

// binary builds the real program once for all tests and returns its path.
func binary(t testing.TB) string {
	t.Helper()
	path, err := build()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// built is the folder of the real program, "" before a test asked for it.
var built string

// sweeping runs the tests and removes what they have built.
type sweeping struct{ *testing.M }

func (s sweeping) Run() int {
	defer func() {
		if built != "" {
			_ = os.RemoveAll(built)
		}
	}()
	return s.M.Run()
}

var build = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "selfip-cases-")
	if err != nil {
		return "", err
	}
	built = dir
	path := filepath.Join(dir, "selfip")
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", path, "github.com/dshkit/dshkit/cmd/selfip")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return path, nil
})

// command is the real binary in the box, not started yet.
func (b *box) command(args ...string) *exec.Cmd {
	b.t.Helper()
	cmd := exec.Command(binary(b.t), args...)
	cmd.Dir, cmd.Env = b.ws, b.environ()
	return cmd
}

// exec runs the real binary in the box.
func (b *box) exec(stdin string, args ...string) result {
	b.t.Helper()
	cmd := b.command(args...)
	cmd.Stdin = strings.NewReader(stdin)
	return finish(b.t, cmd)
}

// finish runs a command to its end.
func finish(t testing.TB, cmd *exec.Cmd) result {
	t.Helper()
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errOut
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatalf("%q: %v", cmd.Args, err)
	}
	return result{cmd.ProcessState.ExitCode(), out.String(), errOut.String()}
}

// await polls until done reports true. What it waits for is another process.
func await(t testing.TB, limit time.Duration, what string, done func() bool) {
	t.Helper()
	ticks := time.NewTicker(2 * time.Millisecond)
	defer ticks.Stop()
	for deadline := time.Now().Add(limit); !done(); <-ticks.C {
		if time.Now().After(deadline) {
			t.Fatalf("%s did not come about within %v", what, limit)
		}
	}
}

// jsonLine is v as a payload.
func jsonLine(t testing.TB, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// comesAndGoes reports whether a file is a lock, a cache or a heartbeat.
func comesAndGoes(name string) bool {
	for _, part := range []string{"lock", "cache", "heartbeat"} {
		if strings.Contains("/"+filepath.ToSlash(name), "/run/"+part) {
			return true
		}
	}
	return false
}
