// Demo plays what the binaries are for, with them and nothing else: a session of
// a coding agent goes by, something is learned from it, and the next session
// starts knowing it; two published plugins compose a View, and Node composes the
// same; a plugin is defined, run, broken and rolled back. It works in throw-away
// folders and removes them.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// samples is a recorded session in the shapes of Claude Code, invented in its
// content.
const samples = "internal/harness/testdata/hook-samples/claude-code"

// recordedDir is where the recorded session worked.
const recordedDir = "/home/dev/acme-orders"

func main() {
	binary := flag.String("selfip", "bin/selfip", "the `binary` to show")
	mnemon := flag.String("mnemon", "bin/dsh-mnemon", "the other `binary` to show")
	cordis := flag.String("cordis", "bin/cordis", "the third `binary` to show")
	keep := flag.Bool("keep", false, "keep the folders and say where they are")
	flag.Parse()
	if err := run(*binary, *mnemon, *cordis, *keep); err != nil {
		fmt.Fprintln(os.Stderr, "demo:", err)
		os.Exit(1)
	}
}

// demo is one play.
type demo struct {
	binary     string
	mnemon     string
	cordis     string
	home       string
	workspace  string
	transcript string
	extra      []string // of the environment
	say        phrases
}

func run(binary, mnemon, cordis string, keep bool) error {
	for _, path := range []*string{&binary, &mnemon, &cordis} {
		whole, err := filepath.Abs(*path)
		if err != nil {
			return err
		}
		*path = whole
	}
	root, err := os.MkdirTemp("", "selfip-demo-")
	if err != nil {
		return err
	}
	if keep {
		fmt.Println(root)
	} else {
		defer os.RemoveAll(root)
	}
	d := &demo{
		binary: binary, mnemon: mnemon, cordis: cordis, home: filepath.Join(root, "home"), workspace: filepath.Join(root, "acme-orders"),
		say: phrasesFor(os.Getenv("LC_ALL") + os.Getenv("LANG")),
	}
	for _, dir := range []string{d.home, d.workspace} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	for _, act := range []func() error{d.install, d.session, d.work, d.next, d.origins, d.sleep, d.secrets, d.view, d.clock} {
		if err := act(); err != nil {
			return err
		}
	}
	return nil
}

// heading begins a part, in bold on a terminal.
func (d *demo) heading(s string) {
	bold, plain := "", ""
	if out, err := os.Stdout.Stat(); err == nil && out.Mode()&os.ModeCharDevice != 0 && os.Getenv("NO_COLOR") == "" {
		bold, plain = "\033[1m", "\033[0m"
	}
	fmt.Printf("\n%s== %s%s\n", bold, s, plain)
}

// selfip runs the binary in the workspace and returns what it printed.
func (d *demo) selfip(input string, args ...string) (string, error) {
	return d.run(d.binary, input, args...)
}

// run runs a program in the workspace and returns what it printed.
func (d *demo) run(program, input string, args ...string) (string, error) {
	cmd := d.command(program, input, args...)
	var problems strings.Builder
	cmd.Stderr = &problems
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w: %s", filepath.Base(program), strings.Join(args, " "), err, problems.String())
	}
	return string(out), nil
}

// command is a program in the workspace, with a home of its own.
func (d *demo) command(program, input string, args ...string) *exec.Cmd {
	cmd := exec.Command(program, args...)
	cmd.Dir = d.workspace
	cmd.Env = []string{"HOME=" + d.home, "PATH=" + os.Getenv("PATH"), "LANG=" + os.Getenv("LANG"), "LC_ALL=" + os.Getenv("LC_ALL"), "TZ=UTC"}
	cmd.Env = append(cmd.Env, d.extra...)
	cmd.Stdin = strings.NewReader(input)
	return cmd
}

func (d *demo) show(args ...string) error {
	fmt.Println("$ selfip " + strings.Join(args, " "))
	out, err := d.selfip("", args...)
	fmt.Print(out)
	return err
}

func (d *demo) install() error {
	d.heading(d.say.install)
	return d.show("install", "claude-code")
}

// session plays the recorded session through the real hook command, event by
// event, as Claude Code would.
func (d *demo) session() error {
	d.heading(d.say.session)
	if err := d.layTranscript(); err != nil {
		return err
	}
	for _, event := range []string{
		"SessionStart.startup", "UserPromptSubmit.first", "PostToolUseFailure", "UserPromptSubmit", "UserPromptSubmit.secret",
		"PostToolUse", "Stop", "SessionEnd",
	} {
		payload, err := d.payload(event)
		if err != nil {
			return err
		}
		name, _, _ := strings.Cut(event, ".")
		reply, err := d.selfip(payload, "hook", "claude-code", name)
		if err != nil {
			return err
		}
		fmt.Printf("%-20s %s\n", name, oneLine(said(payload), 100))
		if !strings.HasPrefix(reply, "{") || strings.Count(reply, "\n") != 1 {
			return fmt.Errorf("%s: the reply is not one line of JSON: %q", event, reply)
		}
	}
	return nil
}

// payload returns the recorded payload of an event, moved into our folders.
func (d *demo) payload(event string) (string, error) {
	name := event
	if event == "UserPromptSubmit.first" {
		name = "UserPromptSubmit"
	}
	data, err := os.ReadFile(filepath.Join(samples, name+".json"))
	if err != nil {
		return "", err
	}
	var p map[string]any
	if err := json.Unmarshal(data, &p); err != nil {
		return "", err
	}
	p["cwd"], p["transcript_path"] = d.workspace, d.transcript
	if event == "UserPromptSubmit.first" {
		p["prompt"] = "订单导出接口返回 500,帮我修一下。文档在 https://docs.acme.example/orders/export?v=2"
	}
	out, err := json.Marshal(p)
	return string(out) + "\n", err
}

// layTranscript puts the recorded log of the session where Claude Code keeps it.
func (d *demo) layTranscript() error {
	data, err := os.ReadFile(filepath.Join(samples, "transcript.jsonl"))
	if err != nil {
		return err
	}
	dir := filepath.Join(d.home, ".claude", "projects", "acme-orders")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	d.transcript = filepath.Join(dir, "355b1bbf-c967-45cd-ae8f-4a2708fda310.jsonl")
	moved := strings.ReplaceAll(string(data), recordedDir, d.workspace)
	return os.WriteFile(d.transcript, []byte(moved), 0o600)
}

// said is what a payload is about, for the eye.
func said(payload string) string {
	var p struct {
		Prompt, Error, Source, Reason string
		ToolInput                     struct{ Command string } `json:"tool_input"`
		Reply                         string                   `json:"last_assistant_message"`
	}
	_ = json.Unmarshal([]byte(payload), &p) // it was marshalled above
	for _, s := range []string{p.Prompt, p.ToolInput.Command, p.Error, p.Reply, p.Source, p.Reason} {
		if s != "" {
			return hideSecrets(s)
		}
	}
	return ""
}

// hideSecrets keeps the made-up secrets of the recording off the screen.
func hideSecrets(s string) string {
	for _, secret := range secrets {
		s = strings.ReplaceAll(s, secret, "•••")
	}
	return s
}

func oneLine(s string, n int) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > n {
		return string(r[:n]) + "…"
	}
	return s
}

// work waits for the worker that the end of the session has started.
func (d *demo) work() error {
	d.heading(d.say.work)
	deadline := time.Now().Add(30 * time.Second)
	for {
		out, err := d.selfip("", "queue", "list", "--json")
		if err != nil {
			return err
		}
		var q struct{ Rows []any }
		if err := json.Unmarshal([]byte(out), &q); err != nil {
			return err
		}
		if len(q.Rows) == 0 {
			break
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("the worker has not emptied the queue: %s", out)
		}
		time.Sleep(20 * time.Millisecond)
	}
	return d.show("memory")
}

// next starts a second session and shows what it is given to read.
func (d *demo) next() error {
	d.heading(d.say.next)
	payload, err := d.payload("SessionStart.startup")
	if err != nil {
		return err
	}
	payload = strings.ReplaceAll(payload, "355b1bbf-c967-45cd-ae8f-4a2708fda310", "9b2f6a10-5c1e-4c6e-9d0a-1f2e3d4c5b6a")
	reply, err := d.selfip(payload, "hook", "claude-code", "SessionStart")
	if err != nil {
		return err
	}
	var r struct {
		Output struct {
			Context string `json:"additionalContext"`
		} `json:"hookSpecificOutput"`
	}
	if err := json.Unmarshal([]byte(reply), &r); err != nil {
		return err
	}
	if r.Output.Context == "" {
		return fmt.Errorf("the second session was given nothing: %s", reply)
	}
	fmt.Println(r.Output.Context)
	return nil
}

// origins says which line came from where.
func (d *demo) origins() error {
	d.heading(d.say.origins)
	out, err := d.selfip("", "memory", "--json")
	if err != nil {
		return err
	}
	var m struct {
		Libraries []struct {
			Entries []struct{ ID string }
		}
	}
	if err := json.Unmarshal([]byte(out), &m); err != nil {
		return err
	}
	for _, l := range m.Libraries {
		for _, e := range l.Entries {
			why, err := d.selfip("", "why", e.ID)
			if err != nil {
				return err
			}
			fmt.Println(why)
		}
	}
	return nil
}

// secrets are the made-up credentials of the recording.
var secrets = []string{"ghp_FAKEfakeFAKEfakeFAKE0000", "sk-fake0123456789abcdef0123", "Fake#Passw0rd!!"}

// secrets shows that the credentials which the session held are nowhere.
func (d *demo) secrets() error {
	d.heading(d.say.secrets)
	var look search
	for _, root := range []string{d.workspace, filepath.Join(d.home, ".config"), filepath.Join(d.home, ".local"), filepath.Join(d.home, ".cache")} {
		if _, err := os.Stat(root); err != nil {
			continue // a folder that is not there holds nothing
		}
		if err := filepath.WalkDir(root, look.file); err != nil {
			return err
		}
	}
	for _, line := range look.redacted {
		fmt.Println("  " + line)
	}
	fmt.Printf(d.say.found+"\n", look.found, look.files)
	if look.found > 0 || len(look.redacted) == 0 {
		return fmt.Errorf("secrets stored: %d, lines with a mark in the place of one: %d", look.found, len(look.redacted))
	}
	return nil
}

// search looks for secrets in files, and for the marks in their place.
type search struct {
	files, found int
	redacted     []string // lines, each once
}

// redactionMark is how every mark in the place of a secret begins.
const redactionMark = "<已脱敏"

func (s *search) file(path string, e os.DirEntry, err error) error {
	if err != nil || e.IsDir() {
		return err
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	s.files++
	for _, secret := range secrets {
		if strings.Contains(string(data), secret) {
			s.found++
			fmt.Println(path)
		}
	}
	for line := range strings.Lines(string(data)) {
		line = oneLine(line, 160)
		if strings.Contains(line, redactionMark) && !strings.HasPrefix(line, "{") && !slices.Contains(s.redacted, line) {
			s.redacted = append(s.redacted, line)
		}
	}
	return nil
}
