package half_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/cordis/half"
	"github.com/dshkit/dshkit/internal/cordis/wire"
)

type serving = map[string]func(*calling, any) (any, error)

func echo(_ *calling, args any) (any, error) { return args, nil }

// TestCallWithinItsOwnChain: a half that waits for another lets in what that one
// asks on its behalf, however often they call each other.
func TestCallWithinItsOwnChain(t *testing.T) {
	hub, circle := newHub(), half.NewCircle()
	bounce := func(other string) func(*calling, any) (any, error) {
		return func(c *calling, args any) (any, error) {
			n := args.([]any)[0].(float64)
			if n == 0 {
				return "end", nil
			}
			return c.call(other, "bounce", n-1)
		}
	}
	a, boxA := newBox(t, half.Settings{Circle: circle}, "a", hub, serving{"bounce": bounce("b")})
	b, _ := newBox(t, half.Settings{Circle: circle}, "b", hub, serving{"bounce": bounce("a")})
	hub.add("a", a)
	hub.add("b", b)
	if got, err := a.Invoke(t.Context(), "bounce", []any{20.0}); err != nil || got != "end" {
		t.Errorf("20 calls: %v, %v", got, err)
	}
	_, err := a.Invoke(t.Context(), "bounce", []any{100.0})
	if err == nil || !strings.Contains(err.Error(), half.ErrDepth.Error()) {
		t.Errorf("100 calls within each other: %v", err)
	}
	done := make(chan error, 1)
	go func() { // a chain that the half itself began comes back to it too
		chain := boxA.begun.Add(2)
		boxA.enter(chain)
		defer boxA.leave()
		_, err := (&calling{boxA, context.Background(), chain}).call("b", "bounce", 5.0)
		done <- err
	}()
	if err := within(t, "a chain of the half's own", done); err != nil {
		t.Error(err)
	}
}

// TestDeadlock: of two halves whose timers call each other at the same time, the
// later one is refused and the other goes on.
func TestDeadlock(t *testing.T) {
	hub, circle := newHub(), half.NewCircle()
	inC, goOn := make(chan struct{}), make(chan struct{})
	a, boxA := newBox(t, half.Settings{Circle: circle}, "a", hub, serving{"f": echo})
	// The way from a to c leads through b, which waits until c has called a.
	b, _ := newBox(t, half.Settings{Circle: circle}, "b", hub, serving{"f": func(c *calling, _ any) (any, error) {
		close(inC)
		<-goOn
		return c.call("c", "f")
	}})
	cc, boxC := newBox(t, half.Settings{Circle: circle}, "c", hub, serving{"f": echo})
	for run, h := range map[string]half.Half{"a": a, "b": b, "c": cc} {
		hub.add(run, h)
	}
	first, second := make(chan error, 1), make(chan error, 1)
	go func() { first <- boxA.start("b", "f") }()
	<-inC
	go func() { second <- boxC.start("a", "f") }() // waits for a, which waits for b
	for !circle.Waits(cc, a) {
		time.Sleep(time.Millisecond)
	}
	close(goOn)
	err := within(t, "the call of a", first)
	var fault *wire.Fault
	if !errors.As(err, &fault) || fault.Code != wire.CodeDeadlock {
		t.Errorf("the call that closed the ring: %v, want a deadlock", err)
	}
	if err := within(t, "the call of c", second); err != nil {
		t.Errorf("the other call: %v", err)
	}
}

// TestLimits: each kind of call ends within its limit, says in what, and the half
// goes on.
// CR-W3, CR-W4
func TestLimits(t *testing.T) {
	short := 50 * time.Millisecond
	settings := half.Settings{Limits: half.Limits{Invoke: short, Call: short, Fire: short}}
	never := make(chan struct{})
	defer close(never)
	hang := func(*calling, any) (any, error) { <-never; return nil, nil }
	h, _ := newBox(t, settings, "slow", newHub(), serving{"hang": hang, "fire": hang})
	for phase, call := range map[string]func() error{
		`handler "hang"`:  func() error { _, err := h.Invoke(t.Context(), "hang", nil); return err },
		`function "hang"`: func() error { _, err := h.Call(t.Context(), wire.Func{Name: "hang"}, nil); return err },
		`listener of ""`:  func() error { _, err := h.Fire(t.Context(), 1, nil, nil); return err },
	} {
		var limit *half.LimitError
		err := call()
		if !errors.As(err, &limit) {
			t.Errorf("%s: %v, want a LimitError", phase, err)
			continue
		}
		if diff := cmp.Diff(half.LimitError{Limit: "time", Phase: phase, Bound: "50ms"}, *limit); diff != "" {
			t.Error(diff)
		}
		if h.Err() != nil {
			t.Errorf("%s: the half has ended: %v", phase, h.Err())
		}
	}
}

// TestCallerGivesUp: who waits no longer gets the cause, and a late answer harms
// nobody.
func TestCallerGivesUp(t *testing.T) {
	answer := make(chan struct{})
	h, _ := newBox(t, half.Settings{}, "late", newHub(), serving{
		"late": func(*calling, any) (any, error) { <-answer; return "late", nil },
		"next": echo,
	})
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	done := make(chan error, 1)
	go func() { _, err := h.Invoke(ctx, "late", nil); done <- err }()
	cancel(cause)
	if err := within(t, "the call", done); !errors.Is(err, cause) {
		t.Errorf("got %v, want %v", err, cause)
	}
	close(answer)
	if got, err := h.Invoke(t.Context(), "next", "x"); err != nil || got != "x" {
		t.Errorf("the next call: %v, %v", got, err)
	}
}

// TestGone: all who wait hear why the half is no more, Done closes, and so do all
// calls that come later.
func TestGone(t *testing.T) {
	killed := errors.New("its process was ended by SIGKILL")
	for name, test := range map[string]struct {
		end  func(h half.Half, b *box)
		want func(err error) bool
	}{
		"closed": {func(h half.Half, _ *box) { _ = h.Close() }, func(err error) bool { return strings.Contains(err.Error(), "closed") }},
		"died":   {func(_ half.Half, b *box) { _ = b.peer.Close() }, func(err error) bool { return errors.Is(err, killed) }},
		"limit":  {func(_ half.Half, b *box) { sayLimit(b) }, func(err error) bool { return limitOf(err) == "heap" }},
		"malform": {func(_ half.Half, b *box) {
			_ = b.peer.Tell(context.Background(), "limit", wire.Name{Name: "?"})
			_ = b.peer.Flush(context.Background())
			_ = b.peer.Close()
		}, func(err error) bool { return errors.Is(err, killed) }},
	} {
		t.Run(name, func(t *testing.T) {
			never, inside := make(chan struct{}), make(chan struct{})
			defer close(never)
			settings := half.Settings{Fate: func() error { return killed }}
			h, b := newBox(t, settings, "gone", newHub(), serving{"hang": func(*calling, any) (any, error) {
				close(inside)
				<-never
				return nil, nil
			}})
			done := make(chan error, 1)
			go func() { _, err := h.Invoke(context.Background(), "hang", nil); done <- err }()
			<-inside
			test.end(h, b)
			err := within(t, "the call", done)
			<-h.Done()
			_, later := h.Invoke(context.Background(), "hang", nil)
			for _, err := range []error{err, h.Err(), later} {
				if !errors.Is(err, half.ErrGone) || !test.want(err) {
					t.Errorf("got %v", err)
				}
			}
		})
	}
}

func sayLimit(b *box) {
	_ = b.peer.Tell(context.Background(), wire.VerbLimit, wire.Limit{Limit: "heap", Phase: "a timer", Bound: "1 MiB"})
	_ = b.peer.Flush(context.Background())
	_ = b.peer.Close()
}

func limitOf(err error) string {
	if limit, ok := errors.AsType[*half.LimitError](err); ok {
		return limit.Limit
	}
	return ""
}

// TestFrozen: a half that does not answer a ping is ended, also when nobody calls.
func TestFrozen(t *testing.T) {
	killed := make(chan struct{})
	settings := half.Settings{
		Limits: half.Limits{Pulse: 20 * time.Millisecond, Grace: 200 * time.Millisecond},
		Kill: func() {
			select {
			case <-killed:
			default:
				close(killed)
			}
		},
	}
	h, b := newBox(t, settings, "frozen", newHub(), nil)
	b.mute.Store(true)
	select {
	case <-h.Done():
	case <-time.After(soon):
		t.Fatal("nobody notices")
	}
	<-killed
	if limitOf(h.Err()) != "frozen" {
		t.Errorf("got %v", h.Err())
	}
}

// TestTold: what the sandbox tells arrives in order, before Done; a flood of lines
// is cut and says so.
// CR-W25
func TestTold(t *testing.T) {
	hub := newHub()
	h, b := newBox(t, half.Settings{}, "told", hub, nil)
	hub.mu.Lock() // the host is busy
	const lines = 5000
	for i := range lines {
		if err := b.peer.Tell(t.Context(), wire.VerbLog, wire.Log{Level: "info", Text: fmt.Sprint(i)}); err != nil {
			t.Fatal(err)
		}
	}
	_ = b.peer.Tell(t.Context(), wire.VerbReport, wire.Report{Kind: "timer", Message: "boom"})
	if err := b.peer.Call(t.Context(), 0, wire.VerbLive, wire.Empty{}, &wire.Empty{}); err == nil {
		t.Error("a body that is none was taken") // all before has been read
	}
	hub.mu.Unlock()
	_ = h.Close()
	want := []half.Failure{{Kind: half.FailureTimer, Message: "boom"}}
	if diff := cmp.Diff(want, hub.fails); diff != "" {
		t.Error(diff)
	}
	last := hub.logs[len(hub.logs)-1]
	if len(hub.logs) > 1002 || hub.logs[0] != "0" || !strings.HasSuffix(last, "lines were dropped: they came too fast") {
		t.Errorf("%d lines, %q to %q", len(hub.logs), hub.logs[0], last)
	}
}

// slowHub is a World that takes its time to hear.
type slowHub struct{ *hub }

func (u slowHub) Report(f half.Failure) {
	<-time.After(20 * time.Millisecond)
	u.hub.Report(f)
}

// TestToldBeforeTheReply: who has an answer finds told what the sandbox told before
// it, so that a model that reads its feedback after a call finds the steer of that
// call there.
func TestToldBeforeTheReply(t *testing.T) {
	hub := newHub()
	h, _ := newBox(t, half.Settings{}, "told", slowHub{hub}, map[string]func(*calling, any) (any, error){
		"refused": func(c *calling, _ any) (any, error) {
			_ = c.box.peer.Tell(c.ctx, wire.VerbReport, wire.Report{Kind: "guard", Guard: "undeclared", Message: "no"})
			return nil, &wire.Thrown{Name: "Error", Message: "no"}
		},
	})
	for n := range 20 {
		if _, err := h.Invoke(t.Context(), "refused", nil); err == nil {
			t.Fatal("the call has worked")
		}
		hub.mu.Lock()
		told := len(hub.fails)
		hub.mu.Unlock()
		if told != n+1 {
			t.Fatalf("after %d calls %d failures are told", n+1, told)
		}
	}
}

// TestAskingOnBehalf: what a half asks while it serves a call comes with that
// call's ctx, and what it begins by itself without.
func TestAskingOnBehalf(t *testing.T) {
	type key struct{}
	hub := newHub()
	seen := map[string]any{}
	hub.asked = func(ctx context.Context, name string) { seen[name] = ctx.Value(key{}) }
	ask := func(b *box, chain uint64, name string) error {
		return b.peer.Call(context.Background(), chain, wire.VerbService, wire.Name{Name: name}, &wire.Found{})
	}
	h, b := newBox(t, half.Settings{}, "asks", hub, serving{"ask": func(c *calling, _ any) (any, error) {
		return nil, ask(c.box, c.chain, "within")
	}})
	if _, err := h.Invoke(context.WithValue(t.Context(), key{}, "the caller's"), "ask", nil); err != nil {
		t.Fatal(err)
	}
	if err := ask(b, 2, "alone"); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]any{"within": "the caller's", "alone": nil}, seen); diff != "" {
		t.Error(diff)
	}
}

// TestSignal: the abort of a signal that one half handed to another, and to the
// host, reaches both.
func TestSignal(t *testing.T) {
	hub, circle := newHub(), half.NewCircle()
	_, from := newBox(t, half.Settings{Circle: circle}, "from", hub, nil)
	to, _ := newBox(t, half.Settings{Circle: circle}, "to", hub, serving{"take": echo})
	signal := wire.Signal{Handle: wire.Handle{Home: "from", ID: 7}}
	if _, err := to.Call(t.Context(), wire.Func{Name: "take"}, []any{signal}); err != nil {
		t.Fatal(err)
	}
	heard := make(chan error, 1)
	stop := circle.Watch(signal, func() { heard <- nil })
	defer stop()
	if err := from.peer.Tell(t.Context(), wire.VerbAbort, wire.Abort{Signal: signal.Handle, Reason: "enough"}); err != nil {
		t.Fatal(err)
	}
	_ = within(t, "the abort", heard)
}
