package script_test

import (
	"context"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/dshkit/dshkit/pkg/compose"
	"github.com/dshkit/dshkit/pkg/jsrun"
)

// TestNothingRunsOn holds that a realm leaves no goroutine behind when it is
// closed after its plugins: whether they served, hung or failed.
func TestNothingRunsOn(t *testing.T) {
	before := ours()
	t.Run("use", func(t *testing.T) {
		b := newBench(t, unpack(t, "trio"), compose.Settings{}, jsrun.Limits{Busy: 400 * time.Millisecond})
		good, bad := b.realm(), b.realm()
		b.mount(good, "good", "./source.mjs", text("x"))
		b.mount(good, "s", "./strategy.mjs", nil)
		b.view()
		if _, err := b.tryMount(good, entry("fails", "./source.mjs")); err == nil {
			t.Error("a plugin without its configuration was mounted")
		}
		b.mount(bad, "bad", "./source.mjs", hanging)
		b.view()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, _ = good.Mount(ctx, b.root, entry("late", "./source.mjs")) // mounted or not
	})
	t.Run("leave", func(t *testing.T) {
		r, err := newLoader(t, jsrun.Limits{}).Open(t.Context(), unpack(t, "trio"))
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		if _, err := r.Call(t.Context(), "./leave.mjs", "default"); err != nil {
			t.Fatal(told(err))
		}
	})
	deadline := time.Now().Add(10 * time.Second)
	for ours() > before {
		if time.Now().After(deadline) {
			t.Fatalf("%d goroutines of ours, %d before:\n%s", ours(), before, stacks())
		}
		runtime.Gosched()
	}
}

// ours counts the goroutines that run code of this module, the caller's apart.
func ours() int { return strings.Count(stacks(), "created by github.com/dshkit/dshkit/") }

func stacks() string {
	buf := make([]byte, 1<<20)
	return string(buf[:runtime.Stack(buf, true)])
}
