package control_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/dshkit/dshkit/internal/cordis/control"
	"github.com/dshkit/dshkit/pkg/fault"
)

// desk is a host with a few methods for tests of the connection itself.
type desk struct {
	place  control.Place
	server *control.Server

	mu    sync.Mutex
	conns []*control.Conn
	given chan string // requests that were given up
	ended chan error
}

func openDesk(t *testing.T, workspace string) *desk {
	t.Helper()
	d := &desk{place: control.At(workspace), given: make(chan string, 512), ended: make(chan error, 1)}
	if err := d.place.Make(); err != nil {
		t.Fatal(err)
	}
	listener, err := d.place.Listen(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	d.server = control.NewServer(control.ServerConfig{
		Hello:  control.HelloResult{Protocol: control.Protocol, PID: 7, Version: "test", Workspace: workspace, Started: "then"},
		Attach: d.attach,
	})
	ctx, cancel := context.WithCancel(context.Background())
	go func() { d.ended <- d.server.Serve(ctx, listener) }()
	t.Cleanup(func() {
		cancel()
		if err := soon(t, d.ended); err != nil {
			t.Errorf("serve: %v", err)
		}
		d.place.Leave()
	})
	return d
}

func (d *desk) attach(c *control.Conn, hello control.HelloParams) (control.Handlers, func()) {
	d.mu.Lock()
	d.conns = append(d.conns, c)
	d.mu.Unlock()
	return control.Handlers{Request: func(method string) (control.Handler, error) {
		switch method {
		case "echo":
			return func(_ context.Context, params json.RawMessage) (any, error) { return params, nil }, nil
		case "role":
			return func(context.Context, json.RawMessage) (any, error) { return hello.Role, nil }, nil
		case "fail":
			return func(context.Context, json.RawMessage) (any, error) {
				return nil, fault.New(fault.Conflict, "stale-run", "run-1", 7, 1.5, true).Because(fault.New(fault.Plugin, "deep", "x"))
			}, nil
		case "panic":
			return func(context.Context, json.RawMessage) (any, error) { panic("boom") }, nil
		case "wait":
			return func(ctx context.Context, _ json.RawMessage) (any, error) {
				<-ctx.Done()
				d.given <- "wait"
				return nil, ctx.Err()
			}, nil
		case "ask":
			return func(ctx context.Context, params json.RawMessage) (result any, err error) {
				var raw json.RawMessage
				return &raw, c.Call(ctx, "back", params, &raw)
			}, nil
		}
		return nil, fault.New(fault.Usage, "unknown-method", method)
	}}, func() {}
}

// conn is the connection that was attached last.
func (d *desk) conn() *control.Conn {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.conns[len(d.conns)-1]
}

func (d *desk) dial(t *testing.T, role control.Role, handlers control.Handlers) *control.Conn {
	t.Helper()
	c, hello, err := d.place.Dial(t.Context(), control.Hello{Role: role, Name: "test"}, handlers)
	if err != nil {
		t.Fatal(err)
	}
	if hello.PID != 7 {
		t.Errorf("hello is %+v", hello)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// raw is a connection that says what it likes.
func (d *desk) raw(t *testing.T) net.Conn {
	t.Helper()
	c, err := net.Dial("unix", d.place.Path(control.SocketName))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

const hello = `{"jsonrpc":"2.0","id":1,"method":"hello","params":{"protocol":1,"role":"client"}}` + "\n"

// all reads a connection to its end.
func all(t *testing.T, c net.Conn) string {
	t.Helper()
	_ = c.SetReadDeadline(time.Now().Add(30 * time.Second))
	data, err := io.ReadAll(c)
	if err != nil && !strings.Contains(err.Error(), "reset") {
		t.Fatal(err)
	}
	return string(data)
}

// until reads a connection until a text has come a number of times.
func until(t *testing.T, c net.Conn, text string, times int) string {
	t.Helper()
	_ = c.SetReadDeadline(time.Now().Add(30 * time.Second))
	var got strings.Builder
	buf := make([]byte, 64<<10)
	for strings.Count(got.String(), text) < times {
		n, err := c.Read(buf)
		got.Write(buf[:n])
		if err != nil {
			t.Fatalf("%v after %q", err, got.String())
		}
	}
	return got.String()
}

// soon is a value that comes within a generous time.
func soon[T any](t *testing.T, from <-chan T) (v T) {
	t.Helper()
	select {
	case v = <-from:
	case <-time.After(30 * time.Second):
		t.Fatal("nothing came in 30 s")
	}
	return v
}

func wantCode(t *testing.T, err error, code string) {
	t.Helper()
	var known *fault.Error
	if !errors.As(err, &known) || known.Code != code {
		t.Fatalf("the error is %v, want the code %s", err, code)
	}
}
