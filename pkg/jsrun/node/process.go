package node

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"sync"
	"time"

	"github.com/dop251/goja"

	"github.com/dshkit/dshkit/pkg/jsrun"
)

const noProcesses = "the host starts no programs for this script; it does so by Host.Processes"

var processGroup = map[string]function{
	"allowed": func(in *instance, _ []jsrun.Value) (jsrun.Value, error) {
		return in.value(in.host.Processes != nil), nil
	},
	"spawn":     spawn,
	"spawnSync": spawnSync,
}

// command reads (name, args, {dir, env, streams, argv0, group, shell}) as a
// script's own text prepared it.
func (in *instance) command(args []jsrun.Value) (Command, error) {
	options := arg(args, 2)
	member := func(key string) jsrun.Value {
		v, err := in.vm.Get(options, key)
		if err != nil {
			return goja.Undefined()
		}
		return v
	}
	c := Command{Name: text(args, 0), Args: in.list(arg(args, 1)), Group: member("group").ToBoolean(), Shell: member("shell").ToBoolean()}
	if v := member("dir"); !missing(v) {
		c.Dir = in.absolute(v.String())
	} else if in.host.Cwd != nil {
		c.Dir = in.host.Cwd()
	}
	if v := member("argv0"); !missing(v) {
		c.Argv0 = v.String()
	}
	if v := member("env"); !missing(v) {
		c.Env = in.list(v)
	}
	streams := in.list(member("streams"))
	if len(streams) != 3 {
		return c, errors.New("three streams are wanted")
	}
	for i, s := range streams {
		c.Streams[i] = Stream(s)
	}
	return c, nil
}

// list reads an array of strings.
func (in *instance) list(v jsrun.Value) []string {
	object, ok := v.(*jsrun.Object)
	if !ok {
		return nil
	}
	n := object.Get("length")
	if n == nil {
		return nil
	}
	out := make([]string, n.ToInteger())
	for i := range out {
		out[i] = object.Get(strconv.Itoa(i)).String()
	}
	return out
}

// spawn starts a program and tells emit what comes of it. It returns a handle,
// or the code of the error.
func spawn(in *instance, args []jsrun.Value) (jsrun.Value, error) {
	if in.host.Processes == nil {
		return nil, errors.New(noProcesses)
	}
	c, err := in.command(args)
	if err != nil {
		return nil, err
	}
	child, end := context.WithCancel(in.lifetime())
	process, err := in.host.Processes.Start(child, c)
	if err != nil {
		end()
		return in.refusal(err), nil
	}
	emit := arg(args, 3)
	var reading sync.WaitGroup
	for i, r := range []io.Reader{process.Stdout(), process.Stderr()} {
		if r == nil {
			continue
		}
		name := [...]string{"stdout", "stderr"}[i]
		reading.Add(1)
		in.work(func(_ ctx, tell func(func() error)) {
			defer reading.Done()
			in.pump(r, name, emit, tell)
		})
	}
	in.work(func(_ ctx, tell func(func() error)) {
		exit := process.Wait()
		tell(func() error {
			code, signal := jsrun.Value(goja.Null()), jsrun.Value(goja.Null())
			if exit.Signal != "" {
				signal = in.value(exit.Signal)
			} else {
				code = in.value(exit.Code)
			}
			return in.call(emit, in.value("exit"), code, signal)
		})
		reading.Wait()
		end()
	})
	return in.child(process)
}

// pump brings what a program writes to the script; the next part is read when
// the script has had the one before.
func (in *instance) pump(r io.Reader, name string, emit jsrun.Value, tell func(func() error)) {
	b := make([]byte, 64<<10)
	for {
		n, err := r.Read(b)
		if n > 0 {
			part := bytes.Clone(b[:n])
			tell(func() error {
				v, err := in.bytes(part)
				if err != nil {
					return err
				}
				return in.call(emit, in.value(name), v)
			})
		}
		if err != nil {
			tell(func() error { return in.call(emit, in.value(name), goja.Null()) })
			return
		}
	}
}

func (in *instance) refusal(err error) jsrun.Value {
	s := system(err)
	object := in.vm.New()
	_ = object.Set("code", s.Code)
	_ = object.Set("errno", -lookCode(s.Code).number)
	_ = object.Set("note", s.Note)
	return object
}

// child is the handle of a program.
func (in *instance) child(p Process) (jsrun.Value, error) {
	object := in.vm.New()
	err := errors.Join(
		object.Set("pid", p.PID()),
		object.Set("kill", in.function("kill", func(in *instance, args []jsrun.Value) (jsrun.Value, error) {
			return in.value(codeOf(p.Signal(text(args, 0)))), nil
		})),
		object.Set("end", in.function("end", func(in *instance, _ []jsrun.Value) (jsrun.Value, error) {
			if w := p.Stdin(); w != nil {
				return nil, ignoreClosed(w.Close())
			}
			return nil, nil
		})),
		// The script's own text writes one part at a time, in order.
		object.Set("write", in.function("write", func(in *instance, args []jsrun.Value) (jsrun.Value, error) {
			part := bytes.Clone(raw(args, 0))
			in.settle(arg(args, 1), func(ctx) (answer, error) {
				if w := p.Stdin(); w != nil {
					if _, err := w.Write(part); err != nil {
						return nil, &failure{err: &SystemError{Code: "EPIPE", Err: err}, syscall: "write", pathless: true}
					}
				}
				return nothing, nil
			})
			return nil, nil
		})),
	)
	return object, err
}

func ignoreClosed(err error) error {
	if codeOf(err) == "EBADF" {
		return nil
	}
	return err
}

// patience bounds a program that a script waits for without a timeout of its own.
const patience = 25 * time.Second

// spawnSync runs a program to its end. Its fifth argument is what the program
// reads, then follow the timeout in ms, the most it may write and the signal
// that ends it.
func spawnSync(in *instance, args []jsrun.Value) (jsrun.Value, error) {
	if in.host.Processes == nil {
		return nil, errors.New(noProcesses)
	}
	c, err := in.command(args)
	if err != nil {
		return nil, err
	}
	timeout := time.Duration(number(args, 5)) * time.Millisecond
	if timeout <= 0 {
		timeout = patience
	}
	most := in.host.MaxOutput
	if most <= 0 {
		most = defaultMaxOutput
	}
	if n := arg(args, 6); !missing(n) {
		most = n.ToInteger()
	}
	child, end := context.WithCancel(in.lifetime())
	defer end()
	process, err := in.host.Processes.Start(child, c)
	if err != nil {
		return in.refusal(err), nil
	}
	s := &waited{process: process, most: most, signal: text(args, 7)}
	s.begin(raw(args, 4))
	s.wait(timeout, in.vm.Rest(timeout), end)
	return s.result(in)
}

// waited is a program that a script waits for.
type waited struct {
	process Process
	most    int64
	signal  string

	mu       sync.Mutex
	outputs  [2]bytes.Buffer
	code     string // why it was ended
	exit     Exit
	done     chan struct{}
	overflow chan struct{}
	once     sync.Once
}

func (s *waited) begin(input []byte) {
	s.done, s.overflow = make(chan struct{}), make(chan struct{})
	input = bytes.Clone(input)
	var all sync.WaitGroup
	if w := s.process.Stdin(); w != nil {
		all.Go(func() {
			_, _ = w.Write(input) // a program need not read what it is given
			_ = w.Close()
		})
	}
	for i, r := range []io.Reader{s.process.Stdout(), s.process.Stderr()} {
		if r != nil {
			all.Go(func() { s.collect(i, r) })
		}
	}
	all.Go(func() { s.exit = s.process.Wait() })
	go func() {
		all.Wait()
		close(s.done)
	}()
}

func (s *waited) collect(i int, r io.Reader) {
	b := make([]byte, 64<<10)
	for {
		n, err := r.Read(b)
		s.mu.Lock()
		room := s.most - int64(s.outputs[i].Len())
		s.outputs[i].Write(b[:min(int64(n), max(room, 0))])
		s.mu.Unlock()
		if int64(n) > room {
			s.once.Do(func() { close(s.overflow) })
		}
		if err != nil {
			return
		}
	}
}

func (s *waited) wait(timeout time.Duration, stop <-chan struct{}, end context.CancelFunc) {
	timer := time.NewTimer(timeout)
	defer timer.Stop()
	select {
	case <-s.done:
		return
	case <-timer.C:
		s.code = "ETIMEDOUT"
	case <-s.overflow:
		s.code = "ENOBUFS"
	case <-stop:
		s.code = "EINTR"
	}
	_ = s.process.Signal(s.signal)
	timer.Reset(2 * time.Second)
	select {
	case <-s.done:
	case <-timer.C:
		end()
		<-s.done
	case <-stop:
		end()
		<-s.done
	}
}

func (s *waited) result(in *instance) (jsrun.Value, error) {
	object := in.vm.New()
	stdout, err := in.bytes(s.outputs[0].Bytes())
	if err != nil {
		return nil, err
	}
	stderr, err := in.bytes(s.outputs[1].Bytes())
	if err != nil {
		return nil, err
	}
	status, signal := jsrun.Value(goja.Null()), jsrun.Value(goja.Null())
	if s.exit.Signal != "" {
		signal = in.value(s.exit.Signal)
	} else {
		status = in.value(s.exit.Code)
	}
	for key, v := range map[string]any{"pid": s.process.PID(), "stdout": stdout, "stderr": stderr, "status": status, "signal": signal, "code": s.code, "errno": -lookCode(s.code).number} {
		if err := object.Set(key, v); err != nil {
			return nil, fmt.Errorf("%s: %w", key, err)
		}
	}
	return object, nil
}
