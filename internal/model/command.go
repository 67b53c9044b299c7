package model

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/dshkit/dshkit/pkg/fault"
)

// GuardVariable is set in every process that we start. It tells hooks of ours that
// they were called from one, so that an agent that answers for us is not learned
// from (spec/harness-hooks.md 1.7).
const GuardVariable = "SELFIP_HOOK_ACTIVE"

// Bounds of what a command writes, in bytes, and of how long its pipes may stay
// open after its end.
const (
	maxStdout = 4 << 20
	maxStderr = 16 << 10
	pipeWait  = time.Second
)

// run asks a command: the text on its standard input, the answer on its standard
// output. It runs in an empty folder, so that an agent finds there neither
// instructions nor hooks of a project.
func (m *Model) run(ctx context.Context, q Request) (Reply, error) {
	r := Reply{Model: m.commandName()}
	program, err := m.program()
	if err != nil {
		r.Unsent = true
		return r, err
	}
	dir, err := os.MkdirTemp("", "selfip-model-")
	if err != nil {
		r.Unsent = true
		return r, fault.New(fault.Failed, codeStart, r.Model).Because(err)
	}
	defer os.RemoveAll(dir)

	out, errOut := &sink{limit: maxStdout}, &sink{limit: maxStderr}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	out.over = cancel
	cmd := exec.CommandContext(ctx, program, m.set.Command[1:]...)
	cmd.Dir, cmd.Env = dir, m.commandEnv()
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(prompt(q)), out, errOut
	cmd.WaitDelay = pipeWait
	ownGroup(cmd)
	err = cmd.Run()
	endGroup(cmd)
	return m.ran(ctx, r, out, errOut, err, cmd.ProcessState)
}

// prompt is both texts as one, for there is one input.
func prompt(q Request) string {
	if q.System == "" {
		return q.User
	}
	return q.System + "\n\n" + q.User + "\n"
}

// ran sorts what a command came to.
func (m *Model) ran(ctx context.Context, r Reply, out, errOut *sink, err error, state *os.ProcessState) (Reply, error) {
	switch {
	case out.full:
		return r, fault.New(fault.Failed, codeTooLong, r.Model, maxStdout)
	case ctx.Err() != nil:
		return r, fault.New(fault.Timeout, codeSlow, r.Model, m.set.Timeout)
	case state == nil:
		r.Unsent = true
		return r, fault.New(fault.Failed, codeStart, r.Model).Because(err)
	case err != nil && !errors.Is(err, exec.ErrWaitDelay):
		return m.exited(r, out, errOut, state.ExitCode())
	}
	return m.heard(r, out.kept.Bytes())
}

// exited sorts the failure of a command by what it says: it has no other way to
// tell that its service wants no calls for now.
func (m *Model) exited(r Reply, out, errOut *sink, code int) (Reply, error) {
	said := lastWords(errOut.String())
	if said == "" {
		said = lastWords(out.String())
	}
	if isBusy(said) {
		r.Unsent = true
		return r, &Pause{For: waitIn(said), Err: fault.New(fault.Busy, codeBusy, r.Model, m.clean(said, ""))}
	}
	return r, fault.New(fault.Failed, codeExit, r.Model, code, m.clean(said, ""))
}

// lastWords is the end of what a command said, from the beginning of a line: there
// it says why it failed. Before that it may repeat what it was asked.
func lastWords(s string) string {
	s = strings.TrimSpace(s)
	if len(s) <= maxSaid {
		return s
	}
	s = s[len(s)-maxSaid:]
	if _, rest, ok := strings.Cut(s, "\n"); ok {
		return rest
	}
	return s
}

// isBusy reports whether a command says that it may not be called so often.
func isBusy(said string) bool {
	said = strings.ToLower(said)
	for _, sign := range []string{"too many requests", "rate limit", "rate_limit", "ratelimit", "usage limit", "overloaded"} {
		if strings.Contains(said, sign) {
			return true
		}
	}
	return false
}

// waitIn finds the seconds behind "retry after", 0 when there are none.
func waitIn(said string) time.Duration {
	said = strings.ToLower(strings.ReplaceAll(said, "-", " "))
	_, rest, ok := strings.Cut(said, "retry after")
	if !ok {
		return 0
	}
	rest = strings.TrimLeft(rest, ": ")
	end := strings.IndexFunc(rest, func(r rune) bool { return r < '0' || r > '9' })
	if end >= 0 {
		rest = rest[:end]
	}
	s, err := strconv.Atoi(rest)
	if err != nil || s > 1e6 {
		return 0
	}
	return time.Duration(s) * time.Second
}

// document is an answer with what else is known of it: our own form, with text and
// finish, or that of agents, with a result.
type document struct {
	Text   *string `json:"text"`
	Finish *string `json:"finish"`

	Result  *string `json:"result"`
	IsError bool    `json:"is_error"`
	Stop    string  `json:"stop_reason"`

	Usage *commandUsage `json:"usage"`
}

// commandUsage is usage whose fields may be named shorter.
type commandUsage struct {
	usage
	In  float64 `json:"input"`
	Out float64 `json:"output"`
}

// heard reads what a command wrote: a document of one of the known forms, else all
// of it is the answer.
func (m *Model) heard(r Reply, written []byte) (Reply, error) {
	written = bytes.TrimSpace(bytes.TrimPrefix(written, []byte("\ufeff")))
	var d document
	var g gathered
	switch {
	case len(written) == 0:
		return r, fault.New(fault.Failed, codeEmpty, r.Model)
	case written[0] != '{' || json.Unmarshal(written, &d) != nil:
	case d.Text != nil && d.Finish != nil:
		g.text.WriteString(*d.Text)
		g.finish = *d.Finish
	case d.Result != nil:
		g.text.WriteString(*d.Result)
		if g.finish = d.Stop; g.finish == "" {
			g.finish = "stop"
		}
	}
	if g.finish == "" && d.Finish == nil {
		r.Text = string(written)
		return r, nil
	}
	if d.Usage != nil {
		u := d.Usage.usage
		u.Input, u.Output = u.Input+d.Usage.In, u.Output+d.Usage.Out
		g.take(&u)
	}
	said := func(s string) string { return m.clean(s, "") }
	if d.IsError {
		r.Input, r.Output = g.input, g.output
		return r, fault.New(fault.Failed, codeTrouble, r.Model, said(g.text.String()))
	}
	got, t := g.reply(r.Model, said)
	got.Model = r.Model
	if t != nil {
		return got, t.err
	}
	return got, nil
}

// commandName names a command in errors and as an author: its program, without
// arguments, which may hold anything.
func (m *Model) commandName() string {
	name := filepath.Base(m.set.Command[0])
	return strings.TrimSuffix(strings.TrimSuffix(name, ".exe"), ".cmd")
}

// program finds the program of the command. A relative path is refused: nobody
// knows from where a worker would start.
func (m *Model) program() (string, error) {
	name := m.set.Command[0]
	if filepath.IsAbs(name) {
		if canRun(name) {
			return name, nil
		}
		return "", fault.New(fault.Refused, codeNoCommand, name)
	}
	if strings.ContainsRune(filepath.ToSlash(name), '/') {
		return "", fault.New(fault.Refused, codeCommandPath, name)
	}
	for _, dir := range filepath.SplitList(m.world.Getenv("PATH")) {
		for _, ending := range endings() {
			if path := filepath.Join(dir, name+ending); filepath.IsAbs(path) && canRun(path) {
				return path, nil
			}
		}
	}
	return "", fault.New(fault.Refused, codeNoCommand, name)
}

func endings() []string {
	if runtime.GOOS == "windows" {
		return []string{"", ".exe", ".cmd", ".bat"}
	}
	return []string{""}
}

func canRun(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && (info.Mode()&0o111 != 0 || runtime.GOOS == "windows")
}

// commandEnv is the environment of a command. The mark by which an agent knows its
// own children goes: ours is no child of it, and some refuse to start inside
// themselves.
func (m *Model) commandEnv() []string {
	var env []string
	for _, pair := range m.world.Environ() {
		switch name, _, _ := strings.Cut(pair, "="); name {
		case GuardVariable, "CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT":
		default:
			env = append(env, pair)
		}
	}
	return append(env, GuardVariable+"=1", "NO_COLOR=1")
}

// sink keeps what is written to it, up to a limit in bytes.
type sink struct {
	kept  bytes.Buffer // not embedded: its ReadFrom knows no limit
	limit int
	full  bool
	over  func() // called when there is more; nil: the end of it is kept
}

// Write never fails, so that whoever writes comes to its own end.
func (s *sink) Write(p []byte) (int, error) {
	n := len(p)
	if s.kept.Len()+n <= s.limit {
		return s.kept.Write(p)
	}
	if s.over != nil {
		s.full = true
		s.over()
		return n, nil
	}
	p = p[max(0, n-s.limit):]
	s.kept.Next(s.kept.Len() + len(p) - s.limit)
	s.kept.Write(p)
	return n, nil
}

func (s *sink) String() string { return s.kept.String() }
