package service

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/dshkit/dshkit/internal/cordis/grant"
	"github.com/dshkit/dshkit/internal/cordis/wire"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// Limits of programs.
const (
	defaultTimeout = 2 * time.Minute
	maxTimeout     = 30 * time.Minute
	defaultOutput  = 256 << 10
	maxOutput      = 4 << 20
	maxInput       = 4 << 20
	maxLine        = 128 << 10
	maxVariables   = 256
)

// shell runs lines of the shell, or single programs.
type shell struct {
	files   *files
	environ []string
	grants  func() grant.List
}

func newShell(settings Settings, f *files) *shell {
	s := &shell{files: f, grants: settings.granted}
	for _, v := range settings.Environ {
		if name, _, _ := strings.Cut(v, "="); name == "PATH" || name == "HOME" || name == "LANG" {
			s.environ = append(s.environ, v)
		}
	}
	return s
}

// spec is what shall run.
type spec struct {
	command, workdir, stdin string
	timeout                 time.Duration
	limit                   int64
	env, envNames           []string // NAME=value, and the names
	signal                  any
}

// spec reads a request, or what resolve made of one.
func (s *shell) spec(c *call) spec {
	v := c.object(c.arg(0), "spec")
	p := spec{
		command: c.path(member(v, "command"), "spec.command"),
		workdir: c.textOr(member(v, "workdir"), "spec.workdir", "."),
		stdin:   c.textOr(member(v, "stdin"), "spec.stdin", ""),
		timeout: defaultTimeout,
		limit:   defaultOutput,
		signal:  member(v, "signal"),
	}
	if ms := member(v, "timeoutMs"); ms != nil {
		p.timeout = time.Duration(c.whole(ms, "spec.timeoutMs", maxTimeout.Milliseconds())) * time.Millisecond
		if c.bad == nil && p.timeout == 0 {
			c.wrong("spec.timeoutMs", "more than 0")
		}
	}
	if n := member(v, "stdoutMaxBytes"); n != nil {
		p.limit = c.whole(n, "spec.stdoutMaxBytes", maxOutput)
	}
	p.variables(c, c.objectOr(member(v, "env"), "spec.env"))
	if len(p.command) > maxLine || len(p.stdin) > maxInput {
		c.wrong("spec.command and spec.stdin", "at most 128 KiB and 4 MiB")
	}
	return p
}

func (p *spec) variables(c *call, env any) {
	o, _ := env.(*jsonvalue.Object)
	if o == nil {
		return
	}
	if o.Len() > maxVariables {
		c.wrong("spec.env", "at most 256 variables")
	}
	for name, v := range o.All() {
		value := c.text(v, "spec.env."+name)
		if name == "" || strings.ContainsAny(name, "=\x00") || strings.ContainsRune(value, 0) {
			c.wrong("spec.env", "names and values that an environment can hold")
		}
		p.env = append(p.env, name+"="+value)
		p.envNames = append(p.envNames, name)
	}
}

// resolve fills in what a request leaves open.
func (s *shell) resolve(c *call) (any, error) {
	p := s.spec(c)
	if c.bad != nil {
		return nil, c.bad
	}
	o := jsonvalue.Of(
		"command", p.command,
		"workdir", filepath.Clean(s.files.absolute(p.workdir, s.files.root)),
		"timeoutMs", float64(p.timeout.Milliseconds()),
		"stdoutMaxBytes", float64(p.limit),
	)
	request := c.arg(0)
	for _, name := range []string{"stdin", "env", "signal"} {
		if v := member(request, name); v != nil {
			o.Set(name, v)
		}
	}
	return o, nil
}

// prepare is the program of a spec, if it is granted.
func (s *shell) prepare(c *call, p spec) (*program, error) {
	argv, err := s.argv(c, p)
	if err != nil {
		return nil, err
	}
	dir, err := s.dir(c, p)
	if err != nil {
		return nil, err
	}
	return &program{argv: argv, dir: dir, env: s.environment(p), stdin: p.stdin, limit: p.limit, timeout: p.timeout}, nil
}

// argv is the shell with the line where any line is granted; else the one
// program that the line starts, without a shell.
func (s *shell) argv(c *call, p spec) ([]string, error) {
	grants := s.grants()
	if grants.Shell() {
		return shellLine(p.command), nil
	}
	words, ok := grant.Words(p.command)
	if !ok {
		return nil, s.denied(c, "run a line that needs a shell", grant.Any)
	}
	if !grants.Program(words[0]) {
		return nil, s.denied(c, "run "+words[0], words[0])
	}
	for _, name := range p.envNames {
		if !harmless(name) {
			return nil, s.denied(c, "set the variable "+name+" of "+words[0], grant.Any)
		}
	}
	path, err := s.lookUp(words[0])
	if err != nil {
		return nil, err
	}
	return append([]string{path}, words[1:]...), nil
}

func (s *shell) denied(c *call, want, target string) error {
	return &grant.Denied{PluginID: c.caller.PluginID, Want: want, Root: s.files.root, Grant: grant.Grant{Kind: grant.Shell, Target: target}}
}

// harmless are the variables that do not decide what a program runs.
func harmless(name string) bool {
	switch name {
	case "LANG", "LANGUAGE", "TZ", "TERM", "COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "CI":
		return true
	}
	return strings.HasPrefix(name, "LC_")
}

// dir is where a program runs: a folder of the workspace, or one that may be read.
func (s *shell) dir(c *call, p spec) (string, error) {
	dir, err := filepath.EvalSymlinks(s.files.absolute(p.workdir, s.files.root))
	if err != nil {
		return "", about(s.files.shown(p.workdir), err)
	}
	if !grant.Below(s.files.root, dir) || s.files.private(dir) {
		if err := s.files.allowed(c, dir, false); err != nil {
			return "", err
		}
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return "", problem("ENOTDIR", "not a directory: "+s.files.shown(dir))
	}
	return dir, nil
}

// environment is ours, less what the spec sets, and that.
func (s *shell) environment(p spec) []string {
	env := []string{}
	for _, v := range s.environ {
		name, _, _ := strings.Cut(v, "=")
		if !slices.Contains(p.envNames, name) {
			env = append(env, v)
		}
	}
	return append(env, p.env...)
}

// asked is the program that a call asks for, which has not been started.
func (s *shell) asked(c *call) (*program, spec, error) {
	p := s.spec(c)
	if c.bad != nil {
		return nil, p, c.bad
	}
	program, err := s.prepare(c, p)
	return program, p, err
}

// run runs a program to its end.
func (s *shell) run(c *call) (any, error) {
	program, p, err := s.asked(c)
	if err != nil {
		return nil, err
	}
	if err := program.start(c.ctx, &c.held.running); err != nil {
		return nil, err
	}
	<-program.done
	return jsonvalue.Of(
		"exitCode", program.exitCode(),
		"signal", program.signal(),
		"timedOut", program.ended == errTimeout,
		"aborted", program.ended != nil && program.ended != errTimeout,
		"timeoutMs", float64(p.timeout.Milliseconds()),
		"stdout", program.stdout.show(),
		"stderr", program.stderr.show(),
	), nil
}

// start starts a program that goes on when the call has ended.
func (s *shell) start(c *call) (any, error) {
	program, p, err := s.asked(c)
	if err != nil {
		return nil, err
	}
	if member(c.arg(0), "timeoutMs") == nil {
		program.timeout = 0
	}
	program.tail = &tail{limit: int(max(p.limit, 64<<10))}
	if err := program.start(c.held.ctx, &c.held.running); err != nil {
		return nil, err
	}
	if signal, ok := p.signal.(wire.Signal); ok {
		stop := c.watch(signal, func() { program.stop(errAborted) })
		context.AfterFunc(c.held.ctx, stop)
	}
	return program.object(c)
}
