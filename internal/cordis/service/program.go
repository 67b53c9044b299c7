package service

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os/exec"
	"sync"
	"time"

	"github.com/dshkit/dshkit/internal/cordis/wire"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// program is one that runs, or ran. When it ends, in whatever way, all of its
// group is killed.
type program struct {
	argv, env  []string
	dir, stdin string
	limit      int64
	timeout    time.Duration // 0: none
	tail       *tail         // takes the output in place of stdout and stderr

	stdout, stderr output
	cmd            *exec.Cmd
	cancel         context.CancelCauseFunc
	done           chan struct{} // closed when it has ended; what follows is final then
	ended          error         // why it was killed
}

// start starts it, in a slot that it has until its end. It is killed when ctx
// ends.
func (p *program) start(ctx context.Context, running *slots) error {
	if err := running.take(maxRunning); err != nil {
		return err
	}
	stop := running.give
	if p.timeout > 0 {
		timed, cancel := context.WithTimeoutCause(ctx, p.timeout, errTimeout)
		ctx, stop = timed, func() {
			cancel()
			running.give()
		}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	p.cancel, p.done = cancel, make(chan struct{})
	p.cmd = exec.CommandContext(ctx, p.argv[0], p.argv[1:]...)
	p.cmd.Dir, p.cmd.Env = p.dir, p.env
	p.cmd.Stdin = bytes.NewReader([]byte(p.stdin))
	p.stdout.limit, p.stderr.limit = p.limit, p.limit
	p.cmd.Stdout, p.cmd.Stderr = &p.stdout, &p.stderr
	if p.tail != nil {
		p.cmd.Stdout, p.cmd.Stderr = p.tail, p.tail
	}
	// Somebody who left the group may hold the pipes open; nobody waits for it.
	p.cmd.WaitDelay = 500 * time.Millisecond
	setGroup(p.cmd)
	if err := p.cmd.Start(); err != nil {
		cancel(nil)
		stop()
		return startError(p.argv[0], err)
	}
	go p.wait(ctx, stop)
	return nil
}

func startError(name string, err error) error {
	var wrapped *exec.Error
	if errors.As(err, &wrapped) {
		err = wrapped.Err
	}
	if errors.Is(err, exec.ErrNotFound) {
		return problem("ENOENT", "no such program: "+name)
	}
	return about(name, err)
}

// wait waits for its end. How it ended is in its state.
func (p *program) wait(ctx context.Context, stop func()) {
	_ = p.cmd.Wait()
	killGroup(p.cmd)
	p.ended = context.Cause(ctx)
	p.cancel(nil)
	stop()
	close(p.done)
}

func (p *program) stop(why error) { p.cancel(why) }

func (p *program) exitCode() any {
	if code := p.cmd.ProcessState.ExitCode(); code >= 0 {
		return float64(code)
	}
	return nil
}

func (p *program) signal() any {
	if name := signalOf(p.cmd.ProcessState); name != "" {
		return name
	}
	return nil
}

// over says whether it has ended.
func (p *program) over() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

// status is running, completed or killed.
func (p *program) status() string {
	switch {
	case !p.over():
		return "running"
	case p.ended != nil:
		return "killed"
	}
	return "completed"
}

func (p *program) result() any {
	return jsonvalue.Of("status", p.status(), "exitCode", p.exitCode(), "signal", p.signal())
}

// object is the running program as plugin code holds it.
func (p *program) object(c *call) (any, error) {
	end := func() {
		p.stop(errReleased)
		<-p.done
	}
	b := builder{c: c, end: end}
	b.getter("status", func(*call) (any, error) { return p.status(), nil })
	b.getter("exitCode", func(*call) (any, error) { return p.whenOver(p.exitCode) })
	b.getter("signal", func(*call) (any, error) { return p.whenOver(p.signal) })
	b.promise("done", p.done, p.result)
	b.method("readOutput", func(*call) (any, error) { return p.tail.read(), nil })
	b.method("kill", func(*call) (any, error) {
		p.stop(errKilled)
		return wire.Undefined{}, nil
	})
	if b.err != nil {
		end()
		return nil, b.err
	}
	c.held.finished(c.services, p, b.ids)
	return b.object, nil
}

var errKilled = errors.New("killed")

func (p *program) whenOver(value func() any) (any, error) {
	if !p.over() {
		return nil, nil
	}
	return value(), nil
}

// builder makes an object whose members are handles of the caller.
type builder struct {
	c      *call
	end    func() // of the first handle
	object wire.Object
	ids    []uint64
	err    error
}

func (b *builder) function(name string, run handler) *wire.Func {
	if b.err != nil {
		return nil
	}
	f, err := b.c.function(name, false, run, b.end)
	b.end, b.err = nil, err
	b.ids = append(b.ids, f.ID)
	return &f
}

func (b *builder) getter(name string, run handler) {
	if f := b.function(name, run); f != nil {
		b.object.Members = append(b.object.Members, wire.Member{Name: name, Getter: f})
	}
}

func (b *builder) method(name string, run handler) {
	if f := b.function(name, run); f != nil {
		b.object.Members = append(b.object.Members, wire.Member{Name: name, Value: *f})
	}
}

func (b *builder) promise(name string, done <-chan struct{}, value func() any) {
	if b.err != nil {
		return
	}
	p, err := b.c.promise(done, value)
	b.err = err
	b.ids = append(b.ids, p.ID)
	b.object.Members = append(b.object.Members, wire.Member{Name: name, Value: p})
}

// output keeps the beginning of what a program writes; the rest is read and
// dropped, so that the program goes on.
type output struct {
	mu        sync.Mutex
	limit     int64
	data      []byte
	truncated bool
}

var _ io.Writer = (*output)(nil)

// Write takes a piece.
func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	room := int(o.limit) - len(o.data)
	if room < len(b) {
		o.truncated = true
		o.data = append(o.data, b[:max(room, 0)]...)
		return len(b), nil
	}
	o.data = append(o.data, b...)
	return len(b), nil
}

func (o *output) show() *jsonvalue.Object {
	o.mu.Lock()
	defer o.mu.Unlock()
	data := o.data
	if o.truncated {
		data = data[:whole(data)]
	}
	return jsonvalue.Of("text", decode(data), "truncated", o.truncated)
}

// tail keeps the end of what a program writes that has not been read yet.
type tail struct {
	mu    sync.Mutex
	limit int
	data  []byte
	lossy bool
}

// Write takes a piece.
func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.data = append(t.data, b...)
	if over := len(t.data) - t.limit; over > 0 {
		t.data = append([]byte(nil), t.data[over:]...)
		t.lossy = true
	}
	return len(b), nil
}

// read takes what came since the last time.
func (t *tail) read() *jsonvalue.Object {
	t.mu.Lock()
	defer t.mu.Unlock()
	cut := whole(t.data)
	delta, lossy := decode(t.data[:cut]), t.lossy
	t.data, t.lossy = append([]byte(nil), t.data[cut:]...), false
	return jsonvalue.Of("delta", delta, "lossy", lossy)
}
