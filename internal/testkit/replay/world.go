package replay

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"github.com/dshkit/dshkit/internal/cordis/control"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// Options say what samples are played against.
type Options struct {
	Binary  string // cordis
	Trusted bool   // halves run in the process of the host
	Node    string // "" when there is none: samples with a page cannot be played
	Pages   string // testdata/reference/page.mjs
	Path    string // where programs are found
}

// world is one host and all that acts on it.
type world struct {
	opts   Options
	root   string // the workspace, and beside it the user's folder
	serve  *exec.Cmd
	output bytes.Buffer
	ended  chan error

	client  *control.Conn // a model, a shell
	harness *harness      // a bridge
	raw     *control.Conn // a page that does by hand what a step says
	node    *pages        // real pages

	mu     sync.Mutex
	events []any
	seen   uint64 // the last event
	logged uint64 // the last line of the host
}

const patience = 30 * time.Second // for what takes milliseconds on a machine that is not busy

// open starts a host in a workspace of its own.
func open(ctx context.Context, o Options, config *jsonvalue.Object) (w *world, err error) {
	root, err := os.MkdirTemp("", "cordis-")
	if err != nil {
		return nil, err
	}
	w = &world{opts: o, root: root, ended: make(chan error, 1)}
	defer func() {
		if err != nil {
			err = errors.Join(err, w.close())
		}
	}()
	if err := w.start(config); err != nil {
		return w, err
	}
	if w.client, err = w.dial(ctx, control.Client, control.Handlers{Notify: w.heard}); err != nil {
		return w, err
	}
	w.harness, err = openHarness(ctx, w)
	return w, err
}

func (w *world) start(config *jsonvalue.Object) error {
	for _, dir := range []string{w.workspace(), w.home()} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			return err
		}
	}
	args := []string{"serve", "-C", w.workspace()}
	if w.opts.Trusted {
		args = append(args, "--trusted")
	}
	if ms, ok := config.Number("vmTimeoutMs"); ok {
		args = append(args, "--eval-timeout", strconv.Itoa(int(ms))+"ms")
	}
	w.serve = exec.Command(w.opts.Binary, args...)
	w.serve.Dir = w.workspace()
	w.serve.Env = []string{"PATH=" + w.opts.Path, "HOME=" + w.home(), "LANG=C.UTF-8"}
	w.serve.Stdout, w.serve.Stderr = &w.output, &w.output
	if err := w.serve.Start(); err != nil {
		return err
	}
	go func() { w.ended <- w.serve.Wait() }()
	return nil
}

func (w *world) workspace() string { return filepath.Join(w.root, "workspace") }
func (w *world) home() string      { return filepath.Join(w.root, "home") }

// dial connects with the host as soon as it answers.
func (w *world) dial(ctx context.Context, role control.Role, h control.Handlers) (*control.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		conn, _, err := control.At(w.workspace()).Dial(ctx, control.Hello{Role: role, Name: "replay"}, h)
		if err == nil || !control.NoHost(err) {
			return conn, err
		}
		select {
		case ended := <-w.ended:
			w.ended <- ended
			return nil, fmt.Errorf("cordis serve has ended: %v: %s", ended, w.output.String())
		case <-ctx.Done():
			return nil, err
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// heard takes the events of the host.
func (w *world) heard(method string, params json.RawMessage) {
	if method != "event" {
		return
	}
	var e control.EventParams
	if json.Unmarshal(params, &e) != nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.seen = max(w.seen, e.Seq)
	if e.Name != ourEvent {
		w.events = append(w.events, []any{e.Name, e.Payload.V})
	}
}

// ourEvent is one that the reference has not got: it is told besides (CR-W7).
const ourEvent = "cordis/dynamic-status"

// drainEvents are the events since the last time.
func (w *world) drainEvents(ctx context.Context) ([]any, error) {
	if err := w.pullEvents(ctx); err != nil {
		return nil, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	events := w.events
	w.events = nil
	return append([]any{}, events...), nil
}

// pullEvents has the host tell those that came since it was last asked.
func (w *world) pullEvents(ctx context.Context) error {
	w.mu.Lock()
	since := w.seen
	w.mu.Unlock()
	var r control.EventsResult
	if err := w.client.Call(ctx, "events", control.EventsParams{Since: since}, &r); err != nil {
		return err
	}
	for { // they were sent before the answer, and are heard beside it
		w.mu.Lock()
		heard := w.seen >= r.Last
		w.mu.Unlock()
		if heard || ctx.Err() != nil {
			return ctx.Err()
		}
		time.Sleep(time.Millisecond)
	}
}

// await waits until the host has told an event since the events were drained.
func (w *world) await(name string) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for {
		if err := w.pullEvents(ctx); err != nil {
			return fmt.Errorf("waiting for %s: %w", name, err)
		}
		w.mu.Lock()
		last := ""
		if n := len(w.events); n > 0 {
			pair, _ := jsonvalue.Array(w.events[n-1])
			last, _ = jsonvalue.Text(pair[0])
		}
		w.mu.Unlock()
		if last == name {
			return nil
		}
		time.Sleep(time.Millisecond) // between two questions
	}
}

// ask calls a method of the host as a client.
func (w *world) ask(ctx context.Context, method string, params any) (any, error) {
	return call(ctx, w.client, method, params)
}

// verb calls a verb as a page that does nothing by itself.
func (w *world) verb(ctx context.Context, method string, params any) (any, error) {
	if w.raw == nil {
		conn, err := w.dial(ctx, control.Page, control.Handlers{})
		if err != nil {
			return nil, err
		}
		w.raw = conn
	}
	return call(ctx, w.raw, method, params)
}

func call(ctx context.Context, conn *control.Conn, method string, params any) (any, error) {
	var v control.Value
	err := conn.Call(ctx, method, params, &v)
	return v.V, err
}

// page is where real pages live; they are started with the first one.
func (w *world) page() (*pages, error) {
	if w.node != nil {
		return w.node, nil
	}
	node, err := openPages(w.opts)
	w.node = node
	return node, err
}

// settle waits until the pages have done what they were told.
func (w *world) settle(ctx context.Context) error {
	if w.node == nil {
		return nil
	}
	_, err := w.node.do(ctx, "settle")
	return err
}

// close ends all, the host last. What it left of itself is an error.
func (w *world) close() error {
	if w.node != nil {
		w.node.close()
	}
	for _, conn := range []*control.Conn{w.raw, w.harnessConn(), w.client} {
		if conn != nil {
			_ = conn.Close()
		}
	}
	err := w.stop()
	return errors.Join(err, os.RemoveAll(w.root))
}

func (w *world) harnessConn() *control.Conn {
	if w.harness == nil {
		return nil
	}
	return w.harness.conn
}

// stop asks the host to end, and makes it if it does not.
func (w *world) stop() error {
	if w.serve == nil || w.serve.Process == nil {
		return nil
	}
	_ = w.serve.Process.Signal(os.Interrupt)
	select {
	case <-w.ended:
		return nil
	case <-time.After(patience):
		_ = w.serve.Process.Kill()
		<-w.ended
		return fmt.Errorf("cordis serve did not end within %s: %s", patience, w.output.String())
	}
}
