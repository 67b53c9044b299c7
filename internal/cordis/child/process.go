package child

import (
	"context"
	"errors"
	"os/exec"
	"sync"
	"time"

	"github.com/dshkit/dshkit/internal/cordis/wire"
)

const (
	// opening is how long a process may take to say that it is ready.
	opening = 20 * time.Second
	// leaving is how long one may take to end by itself when its link has ended.
	leaving = 2 * time.Second
	// answering is how long a spare one may take to show that it lives.
	answering = 2 * time.Second
)

// process is a child process.
type process struct {
	cmd    *exec.Cmd
	link   wire.Link
	stderr *head
	memory uint64
	say    func(text string)
	wait   func() error // reaps it, once
	reaped func()       // is called then
}

// start runs the binary. It gets no environment; its link is what it has as
// standard input and output.
func start(path string, settings Settings) (*process, error) {
	cmd := exec.Command(path)
	cmd.Args = append([]string{"cordis"}, Args()...)
	cmd.Env = []string{}
	cmd.Dir = emptyPlace()
	apart(cmd)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	c := &process{cmd: cmd, stderr: &head{}, memory: settings.Memory, say: settings.Stderr}
	cmd.Stderr = c.stderr
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	c.wait = sync.OnceValue(func() error {
		defer c.reaped()
		return cmd.Wait()
	})
	c.link = wire.NewLink(out, in, func() error { return errors.Join(in.Close(), out.Close()) })
	return c, nil
}

// greet tells the process its limits and waits until it is ready.
func (c *process) greet(ctx context.Context, l limits) error {
	body, err := wire.Marshal(l)
	if err != nil {
		return err
	}
	return c.ask(ctx, opening, wire.Frame{Kind: wire.KindCall, ID: 1, Verb: verbLimits, Body: body})
}

// answers says whether a spare process lives.
func (c *process) answers(ctx context.Context) error {
	return c.ask(ctx, answering, wire.Frame{Kind: wire.KindCall, ID: 1, Verb: wire.VerbPing})
}

// ask sends a frame and waits for one, while nobody else uses the link.
func (c *process) ask(ctx context.Context, limit time.Duration, f wire.Frame) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	stop := context.AfterFunc(ctx, func() { _ = c.link.Close() })
	err := c.link.Write(f)
	if err == nil {
		_, err = c.link.Read()
	}
	if !stop() {
		return context.Cause(ctx)
	}
	return err
}

// kill ends it, whatever it does.
func (c *process) kill() { _ = c.cmd.Process.Kill() }

// discard ends it and waits for that.
func (c *process) discard() {
	c.kill()
	_ = c.link.Close()
	_ = c.wait()
}

// fate waits until the process, whose link has ended, has ended too, and says why.
func (c *process) fate() error {
	impatient := time.AfterFunc(leaving, c.kill)
	defer impatient.Stop()
	err := c.wait()
	text := c.stderr.String()
	if err != nil && text != "" {
		c.say(text)
	}
	return verdict(c.cmd.ProcessState, text, c.memory)
}
