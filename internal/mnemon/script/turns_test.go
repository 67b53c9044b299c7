package script_test

import (
	"context"
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/dshkit/dshkit/internal/mnemon/script"
	"github.com/dshkit/dshkit/pkg/compose"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// TestThousandTurns holds that a process which composes turn after turn, and
// mounts plugins in realms that come and go, does not grow.
func TestThousandTurns(t *testing.T) {
	count := 1000
	if testing.Short() {
		count = 200
	}
	b := newBench(t, unpack(t, "trio"), compose.Settings{}, noLimits)
	shared := b.realm()
	b.mount(shared, "one", "./source.mjs", text("first"))
	b.mount(b.realm(), "two", "./source.mjs", text("second"))
	b.mount(b.realm(), "s", "./strategy.mjs", nil)
	turns := compose.NewTurns(b.core)
	defer turns.Close()
	const settled = 100 // by then everything is made that is made once
	for n := range settled {
		b.oneTurn(turns, shared, n)
	}
	heap, goroutines := held(), ours()
	for n := settled; n < count; n++ {
		b.oneTurn(turns, shared, n)
	}
	const bound = 256 << 10 // a runtime alone takes more
	for deadline := time.Now().Add(10 * time.Second); held() > heap+bound || ours() > goroutines; {
		if time.Now().After(deadline) {
			t.Fatalf("%d turns more: %d bytes in use, %d before; %d goroutines, %d before",
				count-settled, held(), heap, ours(), goroutines)
		}
	}
}

// oneTurn begins a turn, reads in it and ends it. Every tenth has a plugin of its
// own, in a realm of its own or in the shared one.
func (b *bench) oneTurn(turns *compose.Turns, shared *script.Realm, n int) {
	b.t.Helper()
	ctx := context.Background()
	if n%10 == 0 {
		r := shared
		if n%20 == 0 {
			var err error
			if r, err = b.loader.Open(ctx, b.dir); err != nil {
				b.t.Fatal(err)
			}
			defer r.Close()
		}
		guest := b.mount(r, "guest", "./source.mjs", text("third"))
		defer func() {
			if err := guest.Dispose(ctx); err != nil {
				b.t.Error(err)
			}
		}()
	}
	id := fmt.Sprint("turn-", n)
	if _, err := turns.Begin(ctx, id, jsonvalue.Of("storage", "custom", "workspaceId", id), "test"); err != nil {
		b.t.Fatal(err)
	}
	defer turns.End(id)
	if _, err := turns.Route(ctx, id, "source:one/read", jsonvalue.Of("n", float64(n)), false); err != nil {
		b.t.Fatal(err)
	}
}

// held is what is in use on the heap.
func held() int64 {
	for range 3 { // what a collection frees may hold more
		runtime.GC()
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
