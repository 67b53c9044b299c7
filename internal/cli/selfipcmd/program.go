package selfipcmd

import (
	"bytes"
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/pkg/fault"
)

// programCall is one call of another program.
type programCall struct {
	program string // its path
	args    []string
	within  time.Duration // at most
	output  int           // most bytes of it that are kept
}

// run runs the program to its end and returns what it wrote. The error is a fault
// of kind Timeout, or Failed with the first line of what the program complained
// of; when ctx has ended it is the cause of that.
func (c programCall) run(ctx context.Context, env *cli.Env) ([]byte, error) {
	within, cancel := context.WithTimeout(ctx, c.within)
	defer cancel()
	cmd := exec.CommandContext(within, c.program, c.args...)
	cmd.Env, cmd.WaitDelay = env.Environ(), time.Second
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &bounded{&out, c.output}, &bounded{&errs, 1 << 10}
	err := cmd.Run()
	name := filepath.Base(c.program)
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case within.Err() != nil:
		return nil, fault.New(fault.Timeout, "program-timeout", name, int(c.within.Seconds()))
	case err != nil:
		return nil, fault.New(fault.Failed, "program-failed", name, firstLine(errs.String())).Because(err)
	}
	return out.Bytes(), nil
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}

// bounded keeps the first bytes that are written and drops the rest.
type bounded struct {
	to   *bytes.Buffer
	most int
}

func (b *bounded) Write(p []byte) (int, error) {
	if room := b.most - b.to.Len(); room > 0 {
		b.to.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}

// lookPath finds a program on the path of our environment.
func lookPath(env *cli.Env, name string) (string, error) {
	for _, dir := range filepath.SplitList(env.Getenv("PATH")) {
		if !filepath.IsAbs(dir) {
			continue // never from the folder that we happen to be in
		}
		if program, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
			return program, nil
		}
	}
	return "", exec.ErrNotFound
}
