package wire_test

import (
	"context"
	"errors"
	"io"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/dshkit/dshkit/internal/cordis/wire"
)

// dam is a Link that takes nothing until it is opened.
type dam struct {
	wire.Link
	open chan struct{}
	done chan struct{}
	end  func()
}

func newDam(link wire.Link) *dam {
	d := &dam{Link: link, open: make(chan struct{}), done: make(chan struct{})}
	d.end = sync.OnceFunc(func() { close(d.done) })
	return d
}

func (d *dam) Write(f wire.Frame) error {
	select {
	case <-d.open:
		return d.Link.Write(f)
	case <-d.done:
		return io.ErrClosedPipe
	}
}

func (d *dam) Close() error {
	d.end()
	return d.Link.Close()
}

// Who sends more than the other side takes has to wait; replies never do.
func TestBackpressure(t *testing.T) {
	near, far := wire.Pair()
	d := newDam(near)
	p := wire.NewPeer(d, func(r *wire.Request) { r.Reply(wire.Value{Value: "late"}, nil) })
	got := make(chan int, 1000)
	q := wire.NewPeer(far, func(r *wire.Request) {
		var line wire.Log
		_ = r.Decode(&line)
		got <- len(line.Text)
	})
	defer p.Close()
	defer q.Close()
	text := string(make([]byte, 8<<20))
	sent := 0
	for ; sent < 10; sent++ {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		err := p.Tell(ctx, wire.VerbLog, wire.Log{Text: text})
		cancel()
		if err != nil {
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Fatal(err)
			}
			break
		}
	}
	if sent < 3 || sent > 6 {
		t.Errorf("%d frames of 8 MiB were taken in", sent)
	}
	reply := make(chan error, 1)
	go func() { reply <- q.Call(t.Context(), 1, wire.VerbLoad, wire.Empty{}, &wire.Value{}) }()
	close(d.open)
	if err := <-reply; err != nil {
		t.Error(err)
	}
	for range sent {
		<-got
	}
	if err := p.Flush(t.Context()); err != nil {
		t.Error(err)
	}
}

// Calls that nobody answers are bounded: the next ones are refused.
func TestPendingCallsAreBound(t *testing.T) {
	a, b := wire.Pair()
	p := wire.NewPeer(a, func(*wire.Request) {})
	q := wire.NewPeer(b, func(*wire.Request) {})
	defer p.Close()
	defer q.Close()
	for range 4096 {
		if _, err := q.Begin(t.Context(), 1, wire.VerbLoad, wire.Empty{}); err != nil {
			t.Fatal(err)
		}
	}
	err := q.Call(t.Context(), 1, wire.VerbLoad, wire.Empty{}, &wire.Empty{})
	if f, ok := errors.AsType[*wire.Fault](err); !ok || f.Code != wire.CodeBusy {
		t.Errorf("one call more gave %v", err)
	}
}

// A call that is cancelled counts no longer, whether it is answered or not.
func TestCancelledCallsDoNotCount(t *testing.T) {
	a, b := wire.Pair()
	p := wire.NewPeer(a, func(r *wire.Request) {
		if r.Verb == wire.VerbInvoke {
			r.Reply(wire.Value{Value: "answered"}, nil)
		}
	})
	q := wire.NewPeer(b, func(*wire.Request) {})
	defer p.Close()
	defer q.Close()
	for range 5000 {
		pending, err := q.Begin(t.Context(), 1, wire.VerbLoad, wire.Empty{})
		if err != nil {
			t.Fatal(err)
		}
		pending.Cancel()
	}
	var v wire.Value
	if err := q.Call(t.Context(), 1, wire.VerbInvoke, wire.Invoke{}, &v); err != nil || v.Value != "answered" {
		t.Errorf("%v, %v", v.Value, err)
	}
}

// What is told and asked arrives in its order.
func TestOrder(t *testing.T) {
	a, b := wire.Pair()
	var got []uint64
	p := wire.NewPeer(a, func(r *wire.Request) {
		var id wire.ID
		_ = r.Decode(&id)
		got = append(got, id.ID)
		r.Reply(wire.Empty{}, nil)
	})
	q := wire.NewPeer(b, func(*wire.Request) {})
	defer p.Close()
	defer q.Close()
	for i := range uint64(100) {
		if i%2 == 0 {
			_ = q.Tell(t.Context(), wire.VerbOff, wire.ID{ID: i})
			continue
		}
		_, _ = q.Begin(t.Context(), 1, wire.VerbOff, wire.ID{ID: i})
	}
	if err := q.Call(t.Context(), 1, wire.VerbOff, wire.ID{ID: 100}, &wire.Empty{}); err != nil {
		t.Fatal(err)
	}
	for i, id := range got {
		if id != uint64(i) {
			t.Fatalf("%v", got)
		}
	}
}

func TestPeersLeaveNothing(t *testing.T) {
	before := runtime.NumGoroutine()
	for range 20 {
		a, b := wire.Pair()
		p, q := wire.NewPeer(a, func(*wire.Request) {}), wire.NewPeer(b, func(*wire.Request) {})
		go func() { _ = q.Call(context.Background(), 1, wire.VerbLoad, wire.Empty{}, &wire.Empty{}) }()
		_ = p.Close()
		<-q.Done()
		_ = q.Close()
		if !errors.Is(q.Err(), wire.ErrClosed) {
			t.Error(q.Err())
		}
	}
	end := time.Now().Add(20 * time.Second)
	for runtime.NumGoroutine() > before {
		if time.Now().After(end) {
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
		}
		runtime.Gosched()
	}
}
