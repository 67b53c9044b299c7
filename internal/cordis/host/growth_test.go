package host_test

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/dshkit/dshkit/internal/cordis/host"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// TestManySessions: messages that nobody reads are kept for so many Sessions; those
// of the oldest go.
// CR-W25
func TestManySessions(t *testing.T) {
	b := newBench(t, map[string]*script{"code": {}})
	const sessions = 600
	code := "code"
	for n := range sessions {
		s := b.host.Session(host.SessionID(fmt.Sprintf("S-%d", n)))
		d, err := s.Define(b.ctx, host.DefineOptions{Prefix: "dyn", Name: "name", Purpose: "do a thing", Host: &code})
		if err != nil {
			t.Fatal(err)
		}
		if a, err := b.host.PanelRun(b.ctx, host.RunOptions{Plugin: d.PluginID, Package: d.PackageID, Mode: "run"}); err != nil || !a.OK {
			t.Fatalf("%+v, %v", a, err)
		}
		b.host.PanelRemove(b.ctx, d.PluginID)
	}
	kept := func(n int) bool {
		list, err := b.host.Session(host.SessionID(fmt.Sprintf("S-%d", n))).Feedback(b.ctx, host.FeedbackOptions{Keep: true})
		if err != nil {
			t.Fatal(err)
		}
		return len(list) > 0
	}
	if kept(0) || !kept(sessions-512) || !kept(sessions-1) {
		t.Errorf("the first: %t, the oldest that has room: %t, the last: %t", kept(0), kept(sessions-512), kept(sessions-1))
	}
}

// neighbour is a plugin that calls the next one of a ring.
const neighbour = `const me = 'member%d', next = 'member%d'
let ctx
const ask = (depth) => depth > 0 ? [me, ...ctx.get(next).ask(depth - 1)] : [me]
harness.handle('ask', ({ depth }) => ask(depth))
return { apply(c) { ctx = c; c.provide(me, { ask }) } }`

// ring runs plugins that use each other's services, and removes them.
func (b *bench) ring(members int) {
	all := make([]host.Defined, members)
	for n := range all {
		all[n], _ = b.up(fmt.Sprintf(neighbour, n, (n+1)%members))
	}
	for _, d := range all {
		if got := b.host.Invoke(b.ctx, d.PluginID, "", "ask", jsonvalue.Of("depth", 3.0)); !got.OK {
			b.Fatalf("ask: %+v", got)
		}
	}
	for _, d := range all {
		b.host.PanelRemove(b.ctx, d.PluginID)
	}
}

// TestRingIsForgotten: halves in one process that hold functions of each other do
// not keep each other when they are gone.
func TestRingIsForgotten(t *testing.T) {
	const members, rounds, room = 12, 3, 4 << 20 // a half takes some 450 KiB
	b := newReal(t)
	base := heap()
	for range rounds {
		b.ring(members)
	}
	b.wait("the memory of halves that are gone", func() bool { return heap() < base+room })
}

// heap is how many bytes are in use.
func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
