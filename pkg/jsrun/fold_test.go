package jsrun_test

import (
	"testing"
	"time"

	"github.com/dshkit/dshkit/pkg/jsrun"
)

// TestCompileComputesNothing: what only has to be checked is not computed, so
// that a program which takes all memory can be refused, or kept, by a process
// that never runs it.
func TestCompileComputesNothing(t *testing.T) {
	for _, src := range []string{
		`const a = 2n ** (2n ** 33n)`,
		`const a = 1n << (2n ** 40n)`,
		`const f = () => { if (0) return [0xFFn ** 0xFFFFFFFFFFn] }`,
		"const a = `${3n ** 3n ** 33n}`",
	} {
		done := make(chan error, 1)
		go func() {
			_, err := jsrun.Compile("large.js", src)
			done <- err
		}()
		select {
		case err := <-done:
			if err != nil {
				t.Errorf("%s: %v", src, err)
			}
		case <-time.After(20 * time.Second):
			t.Fatalf("%s: the compiler computes it", src)
		}
	}
}

func TestLargeIntegersKeepTheirMeaning(t *testing.T) {
	run := start(t, `function large() { const two = 2n; return String([2n ** 3n ** 2n, 1n << 10n, two ** 5n, 2 ** 3, 1 << 4]) }`, jsrun.Config{})
	if got, want := call(t, run, "large"), "512,1024,32,8,16"; got != want {
		t.Errorf("large() = %v, want %s", got, want)
	}
}
