package child_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/cordis/child"
	"github.com/dshkit/dshkit/internal/cordis/half"
)

// caseFile reads a program of a field case, from here or from package jsrun.
func caseFile(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "cases", name))
	if err != nil {
		text, err = os.ReadFile(filepath.Join("..", "..", "..", "pkg", "jsrun", "testdata", "cases", name))
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// harmless are programs of the cases 87 and 90 that the engine does in a moment.
var harmless = []string{
	"87-recursion-kills-the-process/in/6.js",
	"90-regular-expression-without-end/in/1.js", "90-regular-expression-without-end/in/4.js",
}

// refused are those whose match is given up, if the limit of the half is not
// passed first.
var refused = []string{"90-regular-expression-without-end/in/2.js", "90-regular-expression-without-end/in/3.js"}

// TestHostileCases plays the cases 86, 87, 88 and 90: each program fails within
// its limits and another half goes on.
func TestHostileCases(t *testing.T) {
	if testing.Short() {
		t.Skip("TestIsolation has the like")
	}
	modes(t, func(t *testing.T, start func(child.Settings) closing) {
		needsMemoryLimit(t)
		starter := start(child.Settings{
			Busy: 400 * time.Millisecond, Memory: 128 << 20,
			Limits: half.Limits{Start: 3 * time.Second},
		})
		defer starter.Close()
		calm := start(child.Settings{})
		defer calm.Close()
		witness := running(t, calm, "witness", `harness.handle("sum", (n) => n + 1); return { apply() {} }`)
		for name, n := range map[string]int{
			"86-string-that-eats-all-memory": 9, "87-recursion-kills-the-process": 10,
			"88-endless-microtasks": 6, "90-regular-expression-without-end": 4,
		} {
			for i := range n {
				path := fmt.Sprintf("%s/in/%d.js", name, i+1)
				t.Run(path, func(t *testing.T) {
					err := playHostile(patient(t), starter, caseFile(t, path))
					t.Log(err)
					if slices.Contains(harmless, path) != (err == nil) && !slices.Contains(refused, path) {
						t.Errorf("came to %v", err)
					}
					if got, err := witness.Invoke(patient(t), "sum", 41.0); err != nil || got != 42.0 {
						t.Errorf("another half says %v, %v", got, err)
					}
				})
			}
		}
	})
}

// playHostile runs all that a program may have hidden its harm in.
func playHostile(ctx context.Context, starter half.Starter, code string) error {
	w := newWorld()
	h, err := starter.Start(ctx, source("hostile", code), w)
	if err != nil {
		return err
	}
	defer h.Close()
	if err := h.Load(ctx); err != nil {
		return err
	}
	for _, name := range h.Handlers() {
		if _, err := h.Invoke(ctx, name, nil); err != nil {
			return err
		}
	}
	rest, err := h.BeginUnload(ctx)
	if err == nil {
		err = rest(ctx)
	}
	if err == nil && strings.Contains(code, "Promise.resolve()") { // it spins when it has answered
		err = failure(ctx, w, h)
	}
	if err != nil {
		return err
	}
	for _, f := range w.reported() {
		return fmt.Errorf("%s: %s", f.Kind, f.Message)
	}
	return h.Err()
}

// TestEscape is case 91: nothing outside the symbols of the sandbox is reached, and
// two plugins share nothing.
func TestEscape(t *testing.T) {
	modes(t, func(t *testing.T, start func(child.Settings) closing) {
		starter := start(child.Settings{})
		defer starter.Close()
		var got []any
		for i := range 6 {
			path := fmt.Sprintf("91-escape-through-constructors/in/%d.js", i+1)
			h := running(t, starter, fmt.Sprintf("escape-%d", i+1), caseFile(t, path))
			v, err := h.Invoke(patient(t), "report", nil)
			if err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			got = append(got, v)
		}
		globals := got[5].(string)
		for _, name := range []string{"process", "module", "Buffer", "Deno", "Go", "os", "window", "structuredClone", "queueMicrotask", "URL", "crypto"} {
			if slices.Contains(strings.Fields(globals), name) {
				t.Errorf("there is a global %s", name)
			}
		}
		if diff := cmp.Diff([]any{"nothing", "nothing", "nothing", "set", "nothing"}, got[:5]); diff != "" {
			t.Error(diff)
		}
	})
}

// TestTwoCallsAtOnce is case 96: a hundred callers of one half get answers that
// fit together.
func TestTwoCallsAtOnce(t *testing.T) {
	modes(t, func(t *testing.T, start func(child.Settings) closing) {
		starter := start(child.Settings{})
		defer starter.Close()
		for range 3 { // as it is updated
			h := running(t, starter, "bump", caseFile(t, "96-two-calls-at-once/in/host.js"))
			const callers = 100
			seen := make([]bool, callers+1)
			var mu sync.Mutex
			var all sync.WaitGroup
			for range callers {
				all.Go(func() {
					v, err := h.Invoke(patient(t), "bump", nil)
					n, _ := v.(float64)
					mu.Lock()
					defer mu.Unlock()
					if err != nil || n < 1 || n > callers || seen[int(n)] {
						t.Errorf("bump: %v, %v", v, err)
						return
					}
					seen[int(n)] = true
				})
				all.Go(func() {
					v, err := h.Invoke(patient(t), "slow", nil)
					if pair, ok := v.([]any); err != nil || !ok || len(pair) != 2 || pair[0].(float64) > pair[1].(float64) {
						t.Errorf("slow: %v, %v", v, err)
					}
				})
			}
			all.Wait()
			_ = h.Close()
		}
	})
}

// TestLateRegistration is case 97: what is registered after the end is refused.
func TestLateRegistration(t *testing.T) {
	modes(t, func(t *testing.T, start func(child.Settings) closing) {
		starter := start(child.Settings{})
		defer starter.Close()
		w := newWorld()
		h, err := starter.Start(patient(t), source("late", caseFile(t, "97-child-of-a-disposed-plugin/in/host.js")), w)
		if err == nil {
			err = h.Load(patient(t))
		}
		if err != nil {
			t.Fatal(err)
		}
		unload(t, h)
		lines := w.wrote(t, 4)
		if slices.Contains(lines[:3], "LATE OK") {
			t.Errorf("effects were registered: %q", lines)
		}
		if err := h.Load(patient(t)); err != nil {
			t.Errorf("the next load: %v", err)
		}
	})
}

// TestOneEffectIsNotThePlugin is case 100: undoing one effect and one handler, even
// twice, leaves the others.
func TestOneEffectIsNotThePlugin(t *testing.T) {
	modes(t, func(t *testing.T, start func(child.Settings) closing) {
		starter := start(child.Settings{})
		defer starter.Close()
		w := newWorld()
		h, err := starter.Start(patient(t), source("one", caseFile(t, "100-one-child-is-not-the-plugin/in/host.js")), w)
		if err == nil {
			err = h.Load(patient(t))
		}
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{"stay"}, h.Handlers()); diff != "" {
			t.Error(diff)
		}
		if got, err := h.Invoke(patient(t), "stay", nil); err != nil || got != 2.0 {
			t.Errorf("stay: %v, %v", got, err)
		}
		unload(t, h)
		if diff := cmp.Diff([]string{"undone"}, w.wrote(t, 1)); diff != "" {
			t.Error(diff)
		}
	})
}

func unload(t *testing.T, h half.Half) {
	t.Helper()
	rest, err := h.BeginUnload(patient(t))
	if err == nil {
		err = rest(patient(t))
	}
	if err != nil {
		t.Fatal(err)
	}
}
