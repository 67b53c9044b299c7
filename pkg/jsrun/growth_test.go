package jsrun_test

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"testing"

	"github.com/dshkit/dshkit/pkg/jsrun"
)

const rejects = `function reject(n, each) {
	const all = Array.from({ length: n }, (_, i) => Promise.reject(i))
	all.forEach((p, i) => { if (i % each) p.catch(() => {}) })
}`

// Of many promises that are rejected at once those are told that nobody caught, in
// their order.
func TestManyRejections(t *testing.T) {
	var mu sync.Mutex
	var told []string
	run := startRejects(t, func(e *jsrun.Error) {
		mu.Lock()
		defer mu.Unlock()
		told = append(told, e.Message)
	})
	want := []string{}
	for i := 0; i < 1000; i += 10 {
		want = append(want, strconv.Itoa(i))
	}
	for range 2 {
		rejecting(t, run, 1000, 10)
	}
	rejecting(t, run, 0, 1) // what was begun before it is over then
	mu.Lock()
	defer mu.Unlock()
	if !slices.Equal(told, append(slices.Clone(want), want...)) {
		t.Errorf("%d were told: %q", len(told), told)
	}
}

// BenchmarkRejections: one that is caught costs the same among many.
func BenchmarkRejections(b *testing.B) {
	for _, n := range []int{1000, 10000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			run := startRejects(b, nil)
			for b.Loop() {
				rejecting(b, run, n, n)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/each")
		})
	}
}

func startRejects(t testing.TB, unhandled func(*jsrun.Error)) *jsrun.Run {
	t.Helper()
	prog, err := jsrun.Compile("rejects.js", rejects)
	if err != nil {
		t.Fatal(err)
	}
	run, err := prog.Start(context.Background(), jsrun.Config{Unhandled: unhandled})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = run.Close() })
	return run
}

func rejecting(t testing.TB, run *jsrun.Run, n, each int) {
	t.Helper()
	for range 2 { // reports stand behind the first
		if _, err := run.Call(context.Background(), "reject", float64(n), float64(each)); err != nil {
			t.Fatal(fmt.Errorf("reject %d: %w", n, err))
		}
		n = 0
	}
}
