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

// runProgram runs a program to its end and returns what it wrote.
func runProgram(ctx context.Context, env *cli.Env, program string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Env = env.Environ()
	cmd.WaitDelay = time.Second
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &bounded{&out, maxStore}, &bounded{&errs, 1 << 10}
	err := cmd.Run()
	switch {
	case ctx.Err() != nil:
		return nil, fault.New(fault.Timeout, "program-timeout", filepath.Base(program), int(storeTimeout.Seconds()))
	case err != nil:
		return nil, fault.New(fault.Failed, "program-failed", filepath.Base(program), firstLine(errs.String())).Because(err)
	case out.Len() >= maxStore:
		return nil, fault.New(fault.Usage, "store-too-long", filepath.Base(program), maxStore>>20)
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
