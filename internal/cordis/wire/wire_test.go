package wire_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/cordis/wire"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

func crossed(t *testing.T, body, into any) error {
	t.Helper()
	text, err := wire.Marshal(body)
	if err != nil {
		return err
	}
	again, err := wire.Marshal(body)
	if err != nil || !bytes.Equal(text, again) {
		t.Errorf("two forms of one body: %x, %x (%v)", text, again, err)
	}
	return wire.Unmarshal(text, into)
}

func TestValuesCross(t *testing.T) {
	method := wire.Func{Handle: wire.Handle{Home: "r1", ID: 7}, Name: "f", Async: true, Effect: true}
	bare := jsonvalue.Of("a", 1.0)
	bare.SetBare()
	for name, v := range map[string]any{
		"null": nil, "true": true, "integer": -12.0, "fraction": 1.5, "large": 1e300, "whole but large": float64(1 << 60),
		"text": "héllo", "lone surrogate": "\xed\xa0\x80", "empty": "",
		"array":        []any{1.0, []any{}, jsonvalue.Hole{}},
		"record":       jsonvalue.Of("b", 1.0, "__proto__", "x", "a", jsonvalue.Of()),
		"bare":         bare,
		"undefined":    []any{wire.Undefined{}},
		"bytes":        wire.Bytes{0, 255},
		"no bytes":     wire.Bytes{},
		"context":      wire.Context{},
		"func":         method,
		"promise":      wire.Promise{Handle: method.Handle},
		"iterator":     wire.Iterator{Next: method, Return: method},
		"signal":       wire.Signal{Handle: method.Handle, Aborted: true},
		"thrown":       &wire.Thrown{Name: "TypeError", Message: "m", Stack: "s", Code: "c", Plain: true},
		"looks a leaf": jsonvalue.Of("Home", "host", "ID", 1.0),
		"object": wire.Object{Call: &method, Members: []wire.Member{
			{Name: "x", Value: 1.0}, {Name: "g", Getter: &method}, {Name: "o", Value: wire.Object{}},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			var got wire.Value
			if err := crossed(t, wire.Value{Value: v}, &got); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(v, got.Value, cmp.Comparer(same)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// same compares objects with the order of their members.
func same(a, b *jsonvalue.Object) bool {
	return jsonvalue.Format(a) == jsonvalue.Format(b) && a.Bare() == b.Bare()
}

func TestBodiesCross(t *testing.T) {
	want := wire.Register{ID: 300, Tool: wire.ToolDefinition{Name: "n", Parameters: "p", Output: nil, Timeout: 5e9}}
	var got wire.Register
	if err := crossed(t, want, &got); err != nil || !cmp.Equal(want, got) {
		t.Errorf("%+v, %v", got, err)
	}
	calls := wire.CallFunc{Func: wire.Func{Name: "f"}, Args: []any{wire.Undefined{}, 1.0}}
	var called wire.CallFunc
	if err := crossed(t, calls, &called); err != nil || !cmp.Equal(calls, called) {
		t.Errorf("%+v, %v", called, err)
	}
}

func TestWhatDoesNotCross(t *testing.T) {
	loop := make([]any, 1)
	loop[0] = loop
	for name, v := range map[string]any{
		"foreign": jsonvalue.Foreign{Kind: jsonvalue.Symbol}, "int": 1, "cycle": loop,
	} {
		if _, err := wire.Marshal(wire.Value{Value: v}); err == nil {
			t.Errorf("%s crosses", name)
		}
	}
	_, err := wire.Marshal(wire.Value{Value: string(make([]byte, wire.MaxFrame+1))})
	if !errors.Is(err, wire.ErrTooLarge) {
		t.Errorf("a text that is too long: %v", err)
	}
}

func FuzzUnmarshal(f *testing.F) {
	seed, _ := wire.Marshal(wire.Value{Value: jsonvalue.Of("a", []any{1.0, wire.Undefined{}, wire.Func{Name: "x"}})})
	f.Add(seed)
	f.Fuzz(func(t *testing.T, text []byte) {
		var first, second wire.Value
		if wire.Unmarshal(text, &first) != nil {
			return
		}
		written, err := wire.Marshal(first)
		if err != nil {
			t.Fatal(err)
		}
		if err := wire.Unmarshal(written, &second); err != nil {
			t.Fatal(err)
		}
		again, err := wire.Marshal(second)
		if err != nil || !bytes.Equal(written, again) {
			t.Fatalf("%x, %x, %v", written, again, err)
		}
	})
}

func FuzzFrames(f *testing.F) {
	var buffer bytes.Buffer
	link := wire.NewLink(&buffer, &buffer, func() error { return nil })
	if err := link.Write(wire.Frame{Kind: wire.KindCall, ID: 1, Chain: 3, Verb: "load"}); err != nil {
		f.Fatal(err)
	}
	f.Add(buffer.Bytes())
	f.Fuzz(func(t *testing.T, text []byte) {
		link := wire.NewLink(bytes.NewReader(text), io.Discard, func() error { return nil })
		for {
			if _, err := link.Read(); err != nil {
				return
			}
		}
	})
}

// links are both kinds of Link, each with its other end.
func links(t *testing.T) map[string][2]wire.Link {
	t.Helper()
	a, b := wire.Pair()
	left, right := net.Pipe()
	return map[string][2]wire.Link{
		"memory": {a, b},
		"stream": {wire.NewLink(left, left, left.Close), wire.NewLink(right, right, right.Close)},
	}
}

func TestPeers(t *testing.T) {
	for name, ends := range links(t) {
		t.Run(name, func(t *testing.T) {
			told := make(chan string, 1)
			server := wire.NewPeer(ends[1], func(r *wire.Request) { go answer(r, told) })
			client := wire.NewPeer(ends[0], func(*wire.Request) {})
			defer server.Close()
			defer client.Close()
			ctx := t.Context()

			var got wire.Value
			if err := client.Call(ctx, 5, wire.VerbInvoke, wire.Invoke{Method: "echo", Args: "x"}, &got); err != nil || got.Value != "x" {
				t.Errorf("echo gave %v, %v", got, err)
			}
			err := client.Call(ctx, 5, wire.VerbInvoke, wire.Invoke{Method: "throw"}, &got)
			if thrown := new(wire.Thrown); !errors.As(err, &thrown) || thrown.Name != "RangeError" {
				t.Errorf("throw gave %v", err)
			}
			err = client.Call(ctx, 5, wire.VerbInvoke, wire.Invoke{Method: "large"}, &got)
			if f := new(wire.Fault); !errors.As(err, &f) || f.Code != wire.CodeTooLarge {
				t.Errorf("a large answer gave %v", err)
			}
			if err := client.Tell(ctx, wire.VerbLog, wire.Log{Text: "hello"}); err != nil || <-told != "hello" {
				t.Errorf("tell: %v", err)
			}

			waiting, cancel := context.WithCancel(ctx)
			go func() { <-told; cancel() }()
			err = client.Call(waiting, 5, wire.VerbInvoke, wire.Invoke{Method: "wait"}, &got)
			if !errors.Is(err, context.Canceled) || <-told != "cancelled" {
				t.Errorf("a call that is cancelled gave %v", err)
			}

			_ = server.Close()
			<-client.Done()
			if err := client.Call(ctx, 5, wire.VerbInvoke, wire.Invoke{}, &got); !errors.Is(err, wire.ErrClosed) {
				t.Errorf("a call after the end gave %v", err)
			}
		})
	}
}

func answer(r *wire.Request, told chan<- string) {
	if r.Verb == wire.VerbLog {
		var line wire.Log
		_ = r.Decode(&line)
		told <- line.Text
		return
	}
	var asked wire.Invoke
	if err := r.Decode(&asked); err != nil {
		r.Reply(nil, err)
		return
	}
	switch asked.Method {
	case "echo":
		r.Reply(wire.Value{Value: asked.Args}, nil)
	case "throw":
		r.Reply(nil, &wire.Thrown{Name: "RangeError", Message: "boom"})
	case "large":
		r.Reply(wire.Value{Value: string(make([]byte, wire.MaxFrame))}, nil)
	case "wait":
		told <- "waits"
		<-r.Context().Done()
		told <- "cancelled"
	}
}
