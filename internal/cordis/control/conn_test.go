package control_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/cordis/control"
	"github.com/dshkit/dshkit/pkg/fault"
)

func TestCallsAnswerInTheirOwnTime(t *testing.T) {
	d := openDesk(t, t.TempDir())
	c := d.dial(t, control.Client, control.Handlers{})
	ctx, cancel := context.WithCancel(t.Context())
	waited := make(chan error, 1)
	go func() { waited <- c.Call(ctx, "wait", nil, nil) }()
	var echoed map[string]any
	if err := c.Call(t.Context(), "echo", map[string]any{"a": "<é\u2028>"}, &echoed); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]any{"a": "<é\u2028>"}, echoed); diff != "" {
		t.Error(diff)
	}
	cancel()
	if err := soon(t, waited); err == nil {
		t.Error("a call that was given up has an answer")
	}
	soon(t, d.given) // the other side heard of it
}

// A fault comes back as it was: code, kind, what it names, and its cause.
func TestFaultsCross(t *testing.T) {
	d := openDesk(t, t.TempDir())
	c := d.dial(t, control.Client, control.Handlers{})
	err := c.Call(t.Context(), "fail", nil, nil)
	want := fault.New(fault.Conflict, "stale-run", "run-1", 7, 1.5, true).Because(fault.New(fault.Plugin, "deep", "x"))
	if diff := cmp.Diff(error(want), err); diff != "" {
		t.Error(diff)
	}
	wantCode(t, c.Call(t.Context(), "panic", nil, nil), "panic")
	wantCode(t, c.Call(t.Context(), "nonsense", nil, nil), "unknown-method")
	if err := c.Call(t.Context(), "echo", nil, nil); err != nil {
		t.Errorf("after all that: %v", err)
	}
}

func TestTheHostAsksBack(t *testing.T) {
	d := openDesk(t, t.TempDir())
	c := d.dial(t, control.Bridge, control.Handlers{Request: func(method string) (control.Handler, error) {
		return func(_ context.Context, params json.RawMessage) (any, error) { return []any{method, params}, nil }, nil
	}})
	var got any
	if err := c.Call(t.Context(), "ask", "x", &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]any{"back", "x"}, got); diff != "" {
		t.Error(diff)
	}
}

// Events come in their order. Who does not read them is cut off, hears why, and
// the host never waits.
func TestSlowReader(t *testing.T) {
	d := openDesk(t, t.TempDir())
	quick := make(chan string, 100)
	c := d.dial(t, control.Client, control.Handlers{Notify: func(_ string, params json.RawMessage) { quick <- string(params) }})
	for i := range 100 {
		if err := d.conn().Notify("event", i); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 100 {
		if got := soon(t, quick); got != fmt.Sprint(i) {
			t.Fatalf("event %s, want %d", got, i)
		}
	}
	if err := c.Call(t.Context(), "echo", nil, nil); err != nil {
		t.Fatal(err)
	}

	slow := d.raw(t)
	if _, err := slow.Write([]byte(hello)); err != nil {
		t.Fatal(err)
	}
	buf := make([]byte, 4096)
	if _, err := slow.Read(buf); err != nil { // the answer of hello
		t.Fatal(err)
	}
	told := d.conn()
	text := strings.Repeat("x", 1000)
	var err error
	for start := time.Now(); err == nil && time.Since(start) < 30*time.Second; {
		err = told.Notify("event", text)
	}
	wantCode(t, err, "slow-reader")
	if rest := all(t, slow); !strings.Contains(rest, `"method":"bye"`) || !strings.Contains(rest, "slow-reader") {
		t.Errorf("the last it hears is %q", rest[max(0, len(rest)-300):])
	}
	soon(t, told.Done())
	if err := c.Call(t.Context(), "echo", nil, nil); err != nil {
		t.Errorf("the other client: %v", err)
	}
}

func TestVersionsThatDiffer(t *testing.T) {
	d := openDesk(t, t.TempDir())
	c := d.raw(t)
	fmt.Fprintln(c, `{"jsonrpc":"2.0","id":"a","method":"hello","params":{"protocol":99,"role":"client"}}`)
	got := all(t, c)
	want := `{"jsonrpc":"2.0","id":"a","error":{"code":-32000,"message":"protocol-mismatch 1 99","data":{"code":"protocol-mismatch","kind":"conflict","args":[1,99]}}}` + "\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestWhatIsNoHelloEndsTheConnection(t *testing.T) {
	d := openDesk(t, t.TempDir())
	for send, want := range map[string]string{
		"GET / HTTP/1.1\r\n": "bad-message",
		`{"jsonrpc":"2.0","id":1,"method":"inventory"}` + "\n":                                                  "hello-first",
		`{"jsonrpc":"2.0","id":1,"method":"hello","params":7}` + "\n":                                           "bad-params",
		`{"jsonrpc":"2.0","id":1,"method":"hello","params":{"protocol":1,"role":"king"}}` + "\n":                "bad-role",
		`{"jsonrpc":"2.0","method":"hello","params":{"protocol":1,"role":"client"}}` + "\n":                     "hello-first",
		strings.Repeat("[", 100_000) + "\n":                                                                     "bad-message",
		"\x00\xff\n":                                                                                            "bad-message",
		`{"jsonrpc":"2.0","id":{},"method":"hello"}` + "\n":                                                     "bad-message",
		`{"jsonrpc":"2.0","id":1,"method":"hello"}{"jsonrpc":"2.0","id":1,"method":"hello","params":{}}` + "\n": "bad-message",
	} {
		c := d.raw(t)
		go c.Write([]byte(send)) //nolint — the host may end it before all is written
		if got := all(t, c); !strings.Contains(got, want) {
			t.Errorf("%.40q is answered %q, want %s", send, got, want)
		}
	}
}

// After hello a line that is no message is answered, and the next one counts; too
// many are the end.
func TestGarbage(t *testing.T) {
	d := openDesk(t, t.TempDir())
	c := d.raw(t)
	fmt.Fprint(c, hello, "nonsense\n\n[]\n{\"jsonrpc\":\"2.0\"}\n", `{"jsonrpc":"2.0","id":2,"method":"echo","params":[1]}`+"\n")
	got := until(t, c, `{"jsonrpc":"2.0","id":2,"result":[1]}`, 1)
	if n := strings.Count(got, `"code":"bad-message"`); n != 3 {
		t.Errorf("%d lines were refused, want 3", n)
	}
	fmt.Fprint(c, strings.Repeat("x\n", 50))
	if got := all(t, c); strings.Count(got, `"code":"bad-message"`) != 14+1 || !strings.Contains(got, `"method":"bye"`) {
		t.Errorf("it answered %q", got)
	}
}

// A line of 100 MB is refused without being kept, and the connection goes on.
func TestLineWithoutMeasure(t *testing.T) {
	d := openDesk(t, t.TempDir())
	c := d.raw(t)
	go func() {
		fmt.Fprint(c, hello)
		piece := []byte(strings.Repeat("x", 1<<20))
		for range 100 {
			if _, err := c.Write(piece); err != nil {
				return
			}
		}
		fmt.Fprint(c, "\n"+`{"jsonrpc":"2.0","id":2,"method":"role"}`+"\n")
	}()
	got := until(t, c, `"id":2`, 1)
	if !strings.Contains(got, "message-too-long") || !strings.Contains(got, `"result":"client"`) {
		t.Errorf("it answered %q", got)
	}
}

// Half a line is no request, whatever it says.
func TestHalfALine(t *testing.T) {
	d := openDesk(t, t.TempDir())
	c := d.raw(t)
	fmt.Fprint(c, hello, `{"jsonrpc":"2.0","id":2,"method":"role"}`)
	_ = c.(*net.UnixConn).CloseWrite()
	if got := all(t, c); strings.Contains(got, `"id":2`) {
		t.Errorf("it answered %q", got)
	}
}

func TestAThousandConnections(t *testing.T) {
	d := openDesk(t, t.TempDir())
	const many = 1000
	refused := 0
	for range many {
		c := d.raw(t)
		fmt.Fprint(c, hello)
		buf := make([]byte, 4096)
		_ = c.SetReadDeadline(time.Now().Add(30 * time.Second))
		n, err := c.Read(buf)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(buf[:n]), "too-many-clients") {
			refused++
		}
	}
	if refused == 0 || refused == many {
		t.Errorf("%d of %d were refused", refused, many)
	}
	_, _, err := d.place.Dial(t.Context(), control.Hello{Role: control.Client}, control.Handlers{})
	wantCode(t, err, "too-many-clients")
}

func TestTooManyRequests(t *testing.T) {
	d := openDesk(t, t.TempDir())
	c := d.raw(t)
	fmt.Fprint(c, hello)
	for i := range 300 {
		fmt.Fprintf(c, `{"jsonrpc":"2.0","id":%d,"method":"wait"}`+"\n", i+2)
	}
	until(t, c, `"code":"too-many-requests"`, 300-256)
	_ = c.Close()
	for range 256 {
		soon(t, d.given) // who goes away gives up what it has asked
	}
}
