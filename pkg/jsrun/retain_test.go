package jsrun_test

import (
	"runtime"
	"testing"
	"time"

	"github.com/dshkit/dshkit/pkg/jsrun"
)

// TestLimitLetsGo: a run that has passed its limit of memory is held by nothing of
// ours, a timer least of all.
func TestLimitLetsGo(t *testing.T) {
	before := heapHeld()
	t.Run("runs", func(t *testing.T) { // what the test itself holds ends with it
		run := start(t, `const held = []; function grow() { for (;;) held.push(new Array(1e5).fill(0)) }`, jsrun.Config{
			Limits: jsrun.Limits{Heap: 64 << 20, Busy: time.Minute},
		})
		if _, err := run.Call(t.Context(), "grow"); err == nil {
			t.Fatal("no limit")
		}
	})
	deadline := time.Now().Add(10 * time.Second)
	for heapHeld() > before+64<<20 {
		if time.Now().After(deadline) {
			t.Fatalf("%d MiB are held, %d before", heapHeld()>>20, before>>20)
		}
		runtime.Gosched()
	}
}

// heapHeld is how many bytes of the heap are held.
func heapHeld() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
