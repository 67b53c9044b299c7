package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// harnessCase is how one harness is installed, set up and run.
type harnessCase struct {
	name    string // the word that selfip knows it by
	npm     string // its package
	version string
	program string            // in the package
	node    int               // the least major version of Node that it needs, 0: any
	pins    map[string]string // overrides of what it depends on
	peers   []string          // installed beside it

	// setup lays the settings that a person would have, in w.home.
	setup func(w *world) error

	// installed does what a person has to do after `selfip install`; may be nil.
	installed func(w *world) error

	// args runs one prompt headless, and ends.
	args func(w *world, prompt string) []string

	// play stands for everything from install to uninstall, for a program that is
	// no harness; may be nil.
	play func(ctx context.Context, w *world, r *result) error

	// env is what the harness needs beside HOME and PATH.
	env func(w *world) []string
}

// world is the place where one harness works.
type world struct {
	root, home, workspace string
	binary                string // selfip
	program               string // of the harness
	path                  string // PATH
	model                 *standIn
	log                   strings.Builder // what the harness and selfip printed
}

// The texts that have to arrive. They hold nothing that JSON would write
// otherwise, so that they can be looked for in a request as it is.
const (
	knownFact    = "the build host is called alpha-e2e"
	statedRule   = "always run the e2e check before every commit"
	firstPrompt  = "From now on " + statedRule + ". Please run the check in this folder."
	secondPrompt = "What do you know about this project?"
	handOffWords = "Please run the check in this folder"
)

// checkScript is what the agent runs: the first way fails. It takes a moment, as a
// check does: the shell of Qwen Code loses what a quicker command prints.
const checkScript = `#!/bin/sh
if [ "$1" = "--migrate" ]; then
  echo "ok: 12 checks passed"
  sleep 1
  exit 0
fi
echo "error: column total does not exist in table orders" >&2
sleep 1
exit 3
`

// runCase plays one case from install to uninstall.
func runCase(ctx context.Context, opts options, c harnessCase) (r result) {
	r = result{name: c.name, version: c.version}
	begin := time.Now()
	defer func() { r.took = time.Since(begin) }()
	store := cache{dir: opts.cache}
	if err := store.ready(c); err != nil {
		r.missing = err.Error()
		return r
	}
	w, err := newWorld(ctx, opts, store, c)
	if err != nil {
		r.fail("set up", err)
		return r
	}
	defer w.close(opts.keep, &r)
	if c.play != nil {
		r.fail("play", c.play(ctx, w, &r))
		return r
	}
	for _, act := range []struct {
		name string
		do   func(context.Context, *world, harnessCase, *result) error
	}{
		{"install", install},
		{"first session", firstSession},
		{"queue run", learn},
		{"second session", secondSession},
		{"uninstall", uninstall},
	} {
		if err := act.do(ctx, w, c, &r); err != nil {
			r.fail(act.name, err)
			if act.name == "install" {
				break
			}
		}
	}
	return r
}

func newWorld(ctx context.Context, opts options, store cache, c harnessCase) (*world, error) {
	root, err := os.MkdirTemp("", "e2e-")
	if err != nil {
		return nil, err
	}
	w := &world{
		root: root, home: filepath.Join(root, "home"), workspace: filepath.Join(root, "acme"),
		binary: opts.binary, program: store.bin(c.npm, c.version, c.program), path: os.Getenv("PATH"),
	}
	if c.node > nodeMajor(ctx) {
		w.path = filepath.Dir(store.bin(nodePackage, nodeVersion, "node")) + string(os.PathListSeparator) + w.path
	}
	for file, content := range map[string]string{
		filepath.Join(w.workspace, "check.sh"): checkScript, filepath.Join(w.workspace, "README.md"): "# acme\n",
		filepath.Join(w.home, ".gitconfig"): "[user]\n\tname = e2e\n\temail = e2e@acme.example\n",
	} {
		if err := w.lay(file, content); err != nil {
			return nil, err
		}
	}
	_, _ = w.run(ctx, nil, "git", "init", "-q") // some harnesses look for the project
	if w.model, err = startStandIn(); err != nil {
		return nil, err
	}
	return w, c.setup(w)
}

// lay writes a file and the folders above it.
func (w *world) lay(file, content string) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, []byte(content), 0o600)
}

func (w *world) close(keep bool, r *result) {
	w.model.stop()
	_ = os.WriteFile(filepath.Join(w.root, "log.txt"), []byte(w.log.String()), 0o600)
	if keep {
		r.note("kept in %s", w.root)
		return
	}
	_ = os.RemoveAll(w.root)
}

// run runs a program in the workspace and returns what it printed to standard
// output. Whatever it started that still holds its output is given up with it.
func (w *world) run(ctx context.Context, env []string, name string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, sessionTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = w.workspace
	cmd.Env = append([]string{
		"HOME=" + w.home, "PATH=" + w.path, "LANG=C.UTF-8", "TERM=dumb", "USER=e2e", "SHELL=/bin/sh", "CI=1",
		"TMPDIR=" + w.root, "NO_COLOR=1",
	}, env...)
	ownGroup(cmd)
	cmd.WaitDelay = 3 * time.Second
	var out, problems bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &problems
	err := cmd.Run()
	fmt.Fprintf(&w.log, "\n$ %s %s\n%s%s\n", filepath.Base(name), strings.Join(args, " "), out.String(), problems.String())
	switch {
	case ctx.Err() != nil:
		return out.String(), fmt.Errorf("%s did not end in %v", filepath.Base(name), sessionTime)
	case err != nil && !errors.Is(err, exec.ErrWaitDelay):
		return out.String(), fmt.Errorf("%s: %w: %s", filepath.Base(name), err, lastLines(problems.String()+out.String(), 6))
	}
	return out.String(), nil
}

func lastLines(s string, n int) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], " / ")
}

// selfip runs our binary in the workspace.
func (w *world) selfip(ctx context.Context, args ...string) (string, error) {
	return w.run(ctx, []string{"SELFIP_BACKGROUND=false"}, w.binary, args...)
}

// install wires selfip in and remembers the settings as they were.
func install(ctx context.Context, w *world, c harnessCase, r *result) error {
	if _, err := w.selfip(ctx, "remember", "fact: "+knownFact); err != nil {
		return err
	}
	r.before = snapshot(w.home)
	out, err := w.selfip(ctx, "install", c.name, "--json")
	if err != nil {
		return err
	}
	var report struct {
		Files []struct{ File string } `json:"files"`
	}
	if err := json.Unmarshal([]byte(out), &report); err != nil {
		return err
	}
	for _, f := range report.Files {
		data, err := os.ReadFile(f.File)
		if err != nil {
			return err
		}
		r.written = append(r.written, writtenFile{f.File, data})
	}
	if c.installed != nil {
		return c.installed(w)
	}
	return nil
}

// session runs one prompt and returns what reached the model.
func (w *world) session(ctx context.Context, c harnessCase, working bool, prompt string) ([]modelRequest, error) {
	w.model.work(working)
	w.model.taken()
	args := c.args(w, prompt)
	_, err := w.run(ctx, append([]string{"SELFIP_BACKGROUND=false"}, c.env(w)...), args[0], args[1:]...)
	return w.model.taken(), err
}

func firstSession(ctx context.Context, w *world, c harnessCase, r *result) error {
	requests, err := w.session(ctx, c, true, firstPrompt)
	r.check("what was known reaches the model", w.arrived(requests, "[selfip]", knownFact))
	r.check("the commands were run", w.arrived(requests, "column total does not exist", "12 checks passed"))
	return err
}

// arrived tells what no request holds, nil when one holds it all.
func (w *world) arrived(requests []modelRequest, wanted ...string) error {
	var asked []modelRequest
	for _, r := range requests {
		if r.Body != "" {
			asked = append(asked, r)
		}
	}
	missing := fmt.Errorf("no request to the model (%d in all)", len(requests))
	for _, r := range asked {
		i := slices.IndexFunc(wanted, func(s string) bool { return !strings.Contains(r.Body, s) })
		if i < 0 {
			return nil
		}
		missing = fmt.Errorf("none of %d requests holds %q", len(asked), wanted[i])
	}
	for i, r := range asked {
		fmt.Fprintf(&w.log, "\nrequest %d %s\n%s\n", i, r.Path, r.Body)
	}
	return missing
}

// learn has the queue run, as cron would.
func learn(ctx context.Context, w *world, _ harnessCase, r *result) error {
	if _, err := w.selfip(ctx, "queue", "run"); err != nil {
		return err
	}
	out, err := w.selfip(ctx, "memory")
	if err == nil && !strings.Contains(out, statedRule) {
		err = fmt.Errorf("the memory does not hold %q: %s", statedRule, lastLines(out, 4))
	}
	r.check("the first session was learned from", err)
	return nil
}

func secondSession(ctx context.Context, w *world, c harnessCase, r *result) error {
	requests, err := w.session(ctx, c, false, secondPrompt)
	r.check("the block reaches the model of the second session", w.arrived(requests, "[selfip]", secondPrompt))
	r.check("it holds what the first session taught", w.arrived(requests, statedRule, secondPrompt))
	r.check("it holds the hand-off", w.arrived(requests, handOffWords, secondPrompt))
	return err
}

// uninstall takes selfip out: the settings are as they were, byte for byte, but
// for what the harness itself changed in them, which then holds nothing of ours.
func uninstall(ctx context.Context, w *world, c harnessCase, r *result) error {
	touched := map[string]bool{}
	for _, f := range r.written {
		now, _ := os.ReadFile(f.file)
		touched[f.file] = !bytes.Equal(now, f.data)
	}
	if _, err := w.selfip(ctx, "uninstall", c.name); err != nil {
		return err
	}
	for _, f := range r.written {
		now, err := os.ReadFile(f.file)
		before, was := r.before[f.file]
		switch {
		case touched[f.file]:
			r.note("%s was changed by the harness meanwhile", filepath.Base(f.file))
			if bytes.Contains(now, []byte("selfip")) {
				err = errors.New("ours is still in " + f.file)
			}
			r.check("uninstall leaves nothing of ours", ignoreMissing(err))
		case !was && errors.Is(err, fs.ErrNotExist), was && string(now) == before:
			r.check("uninstall restores "+filepath.Base(f.file), nil)
		default:
			r.check("uninstall restores "+filepath.Base(f.file), fmt.Errorf("%d bytes before, %d after (%v)", len(before), len(now), err))
		}
	}
	r.check("nothing else of ours is left", leftBehind(w.home, r.before))
	return nil
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// snapshot reads the small files below a folder.
func snapshot(root string) map[string]string {
	files := map[string]string{}
	_ = filepath.WalkDir(root, func(path string, e os.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return nil // a file that goes meanwhile is none
		}
		if info, err := e.Info(); err == nil && info.Size() < 1<<20 {
			data, _ := os.ReadFile(path)
			files[path] = string(data)
		}
		return nil
	})
	return files
}

// leftBehind looks for files of ours in the home: backups are kept on purpose.
func leftBehind(home string, before map[string]string) error {
	var left []string
	_ = filepath.WalkDir(home, func(path string, e os.DirEntry, err error) error {
		base := filepath.Base(path)
		if _, was := before[path]; err == nil && !was && strings.Contains(base, "selfip") && !strings.Contains(base, ".selfip-backup-") {
			left = append(left, path)
		}
		return nil
	})
	if len(left) > 0 {
		return fmt.Errorf("left: %s", strings.Join(left, ", "))
	}
	return nil
}
