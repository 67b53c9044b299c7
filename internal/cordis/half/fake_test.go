package half_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/dshkit/dshkit/internal/cordis/half"
	"github.com/dshkit/dshkit/internal/cordis/wire"
)

// box is a sandbox in Go: a loop that does one thing at a time, and that a
// synchronous call out of it blocks for all but its own chain.
type box struct {
	peer   *wire.Peer
	mute   atomic.Bool // it does not answer a ping
	begun  atomic.Uint64
	served map[string]func(c *calling, args any) (any, error)

	mu      sync.Mutex
	changed *sync.Cond
	chain   uint64 // whose loop it is; 0: nobody's
	depth   int
}

// calling is one call being served.
type calling struct {
	box   *box
	ctx   context.Context
	chain uint64
}

// newBox starts a half whose functions are those of served. They are called by
// Invoke, or as a service.
func newBox(t *testing.T, settings half.Settings, run string, world half.World, served map[string]func(*calling, any) (any, error)) (half.Half, *box) {
	t.Helper()
	ours, theirs := wire.Pair()
	b := &box{served: served}
	b.changed = sync.NewCond(&b.mu)
	ready := make(chan struct{})
	b.peer = wire.NewPeer(theirs, func(r *wire.Request) {
		<-ready
		b.take(r)
	})
	close(ready)
	t.Cleanup(func() { _ = b.peer.Close() })
	h, err := half.Attach(t.Context(), ours, settings, half.Source{PluginID: run, RunID: run}, world)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close() })
	return h, b
}

func (b *box) take(r *wire.Request) {
	switch r.Verb {
	case wire.VerbStart:
		r.Reply(wire.Started{Name: "box"}, nil)
	case wire.VerbPing:
		if !b.mute.Load() {
			r.Reply(wire.Empty{}, nil)
		}
	case wire.VerbInvoke:
		var body wire.Invoke
		_ = r.Decode(&body)
		go b.serve(r, body.Method, body.Args)
	case wire.VerbCall:
		var body wire.CallFunc
		_ = r.Decode(&body)
		go b.serve(r, body.Func.Name, body.Args)
	case wire.VerbFire:
		go b.serveFire(r)
	default:
		r.Reply(wire.Empty{}, nil)
	}
}

func (b *box) serveFire(r *wire.Request) {
	var body wire.Fire
	_ = r.Decode(&body)
	b.serve(r, "fire", body.Next)
}

// serve does one call on the loop.
func (b *box) serve(r *wire.Request, name string, args any) {
	f := b.served[name]
	if f == nil {
		r.Reply(nil, &wire.Fault{Code: wire.CodeNoMethod, Message: "no " + name})
		return
	}
	b.enter(r.Chain)
	v, err := f(&calling{b, r.Context(), r.Chain}, args)
	b.leave()
	r.Reply(wire.Value{Value: v}, err)
}

// enter waits for the loop; a chain that has it is let in.
func (b *box) enter(chain uint64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for b.depth > 0 && b.chain != chain {
		b.changed.Wait()
	}
	b.chain = chain
	b.depth++
}

func (b *box) leave() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.depth--
	b.changed.Broadcast()
}

// call calls another half's function and keeps the loop meanwhile.
func (c *calling) call(run, name string, args ...any) (any, error) {
	var v wire.Value
	f := wire.Func{Handle: wire.Handle{Home: wire.Home(run), ID: 1}, Name: name}
	err := c.box.peer.Call(c.ctx, c.chain, wire.VerbCall, wire.CallFunc{Func: f, Args: args}, &v)
	return v.Value, err
}

// start calls it by itself, as a timer would.
func (b *box) start(run, name string) error {
	chain := b.begun.Add(2)
	b.enter(chain)
	defer b.leave()
	_, err := (&calling{b, context.Background(), chain}).call(run, name)
	return err
}

// hub is a World that passes calls on to halves by their run.
type hub struct {
	half.World
	mu     sync.Mutex
	halves map[wire.Home]half.Half
	logs   []string
	fails  []half.Failure
	asked  func(ctx context.Context, name string)
}

func newHub() *hub { return &hub{halves: map[wire.Home]half.Half{}} }

func (u *hub) add(run string, h half.Half) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.halves[wire.Home(run)] = h
}

func (u *hub) Call(ctx context.Context, f wire.Func, args []any) (any, error) {
	u.mu.Lock()
	h := u.halves[f.Home]
	u.mu.Unlock()
	if h == nil {
		return nil, half.ErrNoMethod
	}
	return h.Call(ctx, f, args)
}

func (u *hub) Service(ctx context.Context, name string) (any, bool) {
	u.asked(ctx, name)
	return nil, false
}

func (u *hub) Log(_, text string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.logs = append(u.logs, text)
}

func (u *hub) Report(f half.Failure) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.fails = append(u.fails, f)
}

const soon = 30 * time.Second

// within fails when something hangs.
func within(t *testing.T, what string, c <-chan error) error {
	t.Helper()
	select {
	case err := <-c:
		return err
	case <-time.After(soon):
		t.Fatalf("%s hangs", what)
		return errors.New("hangs")
	}
}
