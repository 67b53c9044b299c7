package wire_test

import (
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/dshkit/dshkit/internal/cordis/wire"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// collected waits for what the garbage collector has to find.
func collected(t interface{ Fatalf(string, ...any) }, what string, ok func() bool) {
	for end := time.Now().Add(30 * time.Second); !ok(); runtime.Gosched() {
		if time.Now().After(end) {
			t.Fatalf("not collected: %s", what)
		}
		runtime.GC()
	}
}

// lender gives what it lends an own Lease each.
type lender struct {
	peer  *wire.Peer
	alive [64]atomic.Int32
}

func (l *lender) fresh(id uint64) wire.Func {
	l.alive[id].Add(1)
	count := &l.alive[id]
	lease := wire.NewLease(func() { count.Add(-1) })
	return wire.Func{Handle: wire.Handle{Home: "a", ID: id}, Lease: lease}
}

// leases are two Peers; the second takes what is invoked with, keeps it by number
// and gives it back.
func leases(t *testing.T) (*lender, *wire.Peer, map[uint64]wire.Func) {
	a, b := wire.Pair()
	kept := map[uint64]wire.Func{}
	lender := &lender{peer: wire.NewPeer(a, func(*wire.Request) {})}
	q := wire.NewPeer(b, func(r *wire.Request) {
		var body wire.Invoke
		if r.Decode(&body) != nil {
			return
		}
		f, _ := body.Args.([]any)[0].(wire.Func)
		switch body.Method {
		case "keep":
			kept[f.ID] = f
		case "drop":
			delete(kept, f.ID)
		}
		r.Reply(wire.Value{Value: body.Args}, nil)
	})
	t.Cleanup(func() { _, _ = lender.peer.Close(), q.Close() })
	return lender, q, kept
}

// What is used is kept, and nothing else is: whatever is lent, kept, let go, sent
// again and collected in between.
func TestLeases(t *testing.T) {
	lender, taker, kept := leases(t)
	rapid.Check(t, func(t *rapid.T) {
		held := map[uint64]bool{}
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			id := rapid.Uint64Range(1, 5).Draw(t, "id")
			method := rapid.SampledFrom([]string{"keep", "drop", "look", "collect"}).Draw(t, "method")
			if method == "collect" {
				runtime.GC()
				continue
			}
			var back wire.Value
			args := []any{lender.fresh(id), jsonvalue.Of("again", lender.fresh(id))}
			if err := lender.peer.Call(t.Context(), 1, wire.VerbInvoke, wire.Invoke{Method: method, Args: args}, &back); err != nil {
				t.Fatal(err)
			}
			if method != "look" {
				held[id] = method == "keep"
			}
			for id, yes := range held {
				if yes && lender.alive[id].Load() == 0 {
					t.Fatalf("%d is held and was let go", id)
				}
			}
		}
		wanted := 0
		for _, yes := range held {
			if yes {
				wanted++
			}
		}
		collected(t, "loans", func() bool { return lender.peer.Lent() == wanted && taker.Lent() == 0 })
		for id := range held {
			var back wire.Value
			args := []any{wire.Func{Handle: wire.Handle{Home: "a", ID: id}}}
			if err := lender.peer.Call(t.Context(), 1, wire.VerbInvoke, wire.Invoke{Method: "drop", Args: args}, &back); err != nil {
				t.Fatal(err)
			}
		}
		collected(t, "all", func() bool { return lender.peer.Lent() == 0 })
		for id := range lender.alive {
			collected(t, "a lease", func() bool { return lender.alive[id].Load() == 0 })
		}
	})
	if len(kept) != 0 {
		t.Errorf("%v are kept", kept)
	}
}

// Answers that nobody waits for, and what a Peer has when it ends, is let go.
func TestLeasesOfWhatIsLost(t *testing.T) {
	lender, _, _ := leases(t)
	for range 100 {
		pending, err := lender.peer.Begin(t.Context(), 1, wire.VerbInvoke, wire.Invoke{Method: "look", Args: []any{lender.fresh(1)}})
		if err != nil {
			t.Fatal(err)
		}
		pending.Cancel()
	}
	collected(t, "cancelled calls", func() bool { return lender.peer.Lent() == 0 && lender.alive[1].Load() == 0 })
	var v wire.Value
	if err := lender.peer.Call(t.Context(), 1, wire.VerbInvoke, wire.Invoke{Method: "keep", Args: []any{lender.fresh(2)}}, &v); err != nil {
		t.Fatal(err)
	}
	_ = lender.peer.Close()
	collected(t, "a closed Peer", func() bool { return lender.alive[2].Load() == 0 })
}
