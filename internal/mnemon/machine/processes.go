package machine

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/dshkit/dshkit/pkg/jsrun/node"
)

// Processes start programs of this machine.
type Processes struct {
	Environ func() []string            // of a program whose script gives none; nil: empty
	Allow   func(c node.Command) error // nil: all; it is asked for lines of the shell too
	Shell   bool                       // lines for the shell may be run
	Inherit [3]*os.File                // what "inherit" leads to; nil: nothing
}

var _ node.Processes = (*Processes)(nil)

// Start starts a program. When ctx ends, it is killed, and so are the programs
// that it has started, where it was started as a group.
func (p *Processes) Start(ctx context.Context, c node.Command) (node.Process, error) {
	if c.Shell && !p.Shell {
		return nil, node.Denied("the host runs no lines of the shell for this script")
	}
	if p.Allow != nil {
		if err := p.Allow(c); err != nil {
			return nil, node.Denied(err.Error())
		}
	}
	cmd, err := p.command(ctx, c)
	if err != nil {
		return nil, err
	}
	child := &process{cmd: cmd}
	if err := child.connect(c.Streams, p.Inherit); err != nil {
		child.closeAll()
		return nil, systemError(err)
	}
	err = cmd.Start()
	child.closeTheirs()
	if err != nil {
		child.closeAll()
		return nil, startError(err)
	}
	// Somebody else may hold the other ends; nobody waits for them for ever.
	context.AfterFunc(ctx, child.closeOurs)
	return child, nil
}

func startError(err error) error {
	if errors.Is(err, exec.ErrNotFound) {
		return &node.SystemError{Code: "ENOENT", Err: err}
	}
	return systemError(err)
}

func (p *Processes) command(ctx context.Context, c node.Command) (*exec.Cmd, error) {
	env := c.Env
	if env == nil && p.Environ != nil {
		env = p.Environ()
	}
	if env == nil {
		env = []string{}
	}
	name, args := c.Name, c.Args
	if c.Shell {
		name, args = shell(c.Name)
	}
	path, err := lookUp(name, c.Dir, env)
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(c.Dir); c.Dir != "" && (err != nil || !info.IsDir()) {
		return nil, &node.SystemError{Code: "ENOENT", Err: err}
	}
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Args[0] = name
	if c.Argv0 != "" {
		cmd.Args[0] = c.Argv0
	}
	cmd.Dir, cmd.Env = c.Dir, env
	setGroup(cmd, c.Group)
	return cmd, nil
}

// lookUp finds a program on the path that the program itself will have.
func lookUp(name, dir string, env []string) (string, error) {
	if strings.ContainsFunc(name, func(r rune) bool { return r < 128 && os.IsPathSeparator(uint8(r)) }) {
		if !filepath.IsAbs(name) && dir != "" {
			name = filepath.Join(dir, name)
		}
		return name, executable(name)
	}
	if name == "" {
		return "", &node.SystemError{Code: "ENOENT"}
	}
	denied := false
	for _, folder := range filepath.SplitList(variable(env, "PATH")) {
		path := filepath.Join(folder, name)
		for _, ending := range endings(env) {
			err := executable(path + ending)
			if err == nil && filepath.IsAbs(path) {
				return path + ending, nil
			}
			denied = denied || errors.Is(err, fs.ErrPermission)
		}
	}
	if denied {
		return "", &node.SystemError{Code: "EACCES"}
	}
	return "", &node.SystemError{Code: "ENOENT"}
}

func executable(path string) error {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return systemError(err)
	case info.IsDir(), !mayRun(info):
		return &node.SystemError{Code: "EACCES", Err: fs.ErrPermission}
	}
	return nil
}

func variable(env []string, name string) string {
	value := ""
	for _, e := range env {
		if key, v, ok := strings.Cut(e, "="); ok && sameVariable(key, name) {
			value = v
		}
	}
	return value
}

// process is a program that runs.
type process struct {
	cmd    *exec.Cmd
	ours   [3]*os.File // our ends of its pipes
	theirs []*os.File
}

func (p *process) connect(streams [3]node.Stream, inherit [3]*os.File) error {
	for i, s := range streams {
		switch s {
		case node.Pipe:
			r, w, err := os.Pipe()
			if err != nil {
				return err
			}
			if i == 0 {
				p.ours[i], p.theirs = w, append(p.theirs, r)
				p.cmd.Stdin = r
				continue
			}
			p.ours[i], p.theirs = r, append(p.theirs, w)
			p.attach(i, w)
		case node.Inherit:
			if inherit[i] == nil {
				continue
			}
			if i == 0 {
				p.cmd.Stdin = inherit[i]
				continue
			}
			p.attach(i, inherit[i])
		}
	}
	return nil
}

func (p *process) attach(i int, w *os.File) {
	if i == 1 {
		p.cmd.Stdout = w
		return
	}
	p.cmd.Stderr = w
}

func (p *process) closeTheirs() {
	for _, f := range p.theirs {
		_ = f.Close() // the program has its own
	}
	p.theirs = nil
}

func (p *process) closeOurs() {
	for _, f := range p.ours {
		if f != nil {
			_ = f.Close() // nobody is left who would read or write
		}
	}
}

func (p *process) closeAll() {
	p.closeTheirs()
	p.closeOurs()
}

// PID is its number.
func (p *process) PID() int { return p.cmd.Process.Pid }

// Stdin is its input, nil unless a pipe.
func (p *process) Stdin() io.WriteCloser {
	if p.ours[0] == nil {
		return nil
	}
	return p.ours[0]
}

// Stdout is its output, nil unless a pipe.
func (p *process) Stdout() io.Reader { return p.reader(1) }

// Stderr is its other output, nil unless a pipe.
func (p *process) Stderr() io.Reader { return p.reader(2) }

func (p *process) reader(i int) io.Reader {
	if p.ours[i] == nil {
		return nil
	}
	return p.ours[i]
}

// Wait returns when it has ended.
func (p *process) Wait() node.Exit {
	_ = p.cmd.Wait() // how it ended is in its state
	state := p.cmd.ProcessState
	if state == nil {
		return node.Exit{Code: -1}
	}
	return node.Exit{Code: state.ExitCode(), Signal: signalOf(state)}
}
