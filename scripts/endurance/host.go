package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"github.com/dshkit/dshkit/internal/cordis/control"
)

// host is the process that is looked at, and our connection with it.
type host struct {
	options
	dir   string
	place control.Place
	cmd   *exec.Cmd
	said  bytes.Buffer
	conn  *control.Conn
}

// startHost starts a host in a folder and connects with it.
func startHost(o options, dir string) (*host, error) {
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil, err
	}
	h := &host{options: o, dir: real, place: control.At(real)}
	args := []string{"-C", real, "serve"}
	if o.trusted {
		args = append(args, "--trusted")
	}
	h.cmd = exec.Command(o.binary, args...)
	h.cmd.Env = append(os.Environ(), "HOME="+real, "XDG_STATE_HOME="+filepath.Join(real, "state"))
	h.cmd.Stdout, h.cmd.Stderr = &h.said, &h.said
	if err := h.cmd.Start(); err != nil {
		return nil, err
	}
	if h.conn, err = h.dialSoon(); err != nil {
		_ = h.cmd.Process.Kill()
		_ = h.cmd.Wait()
		return nil, fmt.Errorf("%w: %s", err, h.said.Bytes())
	}
	return h, nil
}

// dialSoon connects with a host that is starting.
func (h *host) dialSoon() (c *control.Conn, err error) {
	err = soon(30*time.Second, func() error {
		c, err = h.dial(control.Client, control.Handlers{})
		return err
	})
	return c, err
}

func (h *host) dial(role control.Role, handlers control.Handlers) (*control.Conn, error) {
	c, _, err := h.place.Dial(context.Background(), control.Hello{Role: role, Name: "endurance"}, handlers)
	return c, err
}

// soon tries until it works, or the time is up; then the last error counts.
func soon(limit time.Duration, try func() error) error {
	for end := time.Now().Add(limit); ; time.Sleep(20 * time.Millisecond) {
		err := try()
		if err == nil || time.Now().After(end) {
			return err
		}
	}
}

// callTime bounds every call: nothing may hang.
const callTime = 2 * time.Minute

// call asks the host.
func (h *host) call(c *control.Conn, method string, params any, result any) error {
	ctx, cancel := context.WithTimeout(context.Background(), callTime)
	defer cancel()
	if err := c.Call(ctx, method, params, result); err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	return nil
}

// object are the params of a method.
type object map[string]any

// end has the host stop, and looks for what it left behind.
func (h *host) end() error {
	pids := h.processes()
	_ = h.conn.Close()
	err := h.cmd.Process.Signal(syscall.SIGTERM)
	late := time.AfterFunc(time.Minute, func() { _ = h.cmd.Process.Signal(syscall.SIGABRT) })
	defer late.Stop()
	if waited := h.cmd.Wait(); waited != nil {
		err = errors.Join(err, fmt.Errorf("the host ended: %w: %s", waited, tail(h.said.Bytes())))
	}
	err = errors.Join(err, left(pids))
	if _, gone := os.Lstat(h.place.Path(control.SocketName)); gone == nil {
		err = errors.Join(err, errors.New("the socket is left"))
	}
	return err
}

// tail is the end of what was said.
func tail(b []byte) []byte { return b[max(0, len(b)-4000):] }

// killHost kills a host whose plugins run: they end with it, and the next host
// starts at once.
func killHost(o options, dir string) error {
	h, err := startHost(o, dir)
	if err != nil {
		return err
	}
	c := &crowd{host: h}
	c.plugins = min(c.plugins, 20)
	if err := c.gather(); err != nil {
		return errors.Join(err, h.end())
	}
	pids := h.processes()
	_ = h.cmd.Process.Kill()
	_ = h.cmd.Wait()
	begin := time.Now()
	if h, err = startHost(o, dir); err != nil {
		return fmt.Errorf("after the one before was killed: %w", err)
	}
	fmt.Fprintf(o.out, "a host was killed, the next answers after %s\n", time.Since(begin).Round(time.Millisecond))
	err = soon(20*time.Second, func() error { return left(pids) })
	return errors.Join(err, h.end())
}

// left tells of processes that still run.
func left(pids []int) (err error) {
	for _, pid := range pids {
		if state, there := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)); there == nil && !bytes.Contains(state, []byte(") Z ")) {
			err = errors.Join(err, fmt.Errorf("process %d of a plugin is left", pid))
		}
	}
	return err
}
