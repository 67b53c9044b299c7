package child_test

import (
	"context"
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/dshkit/dshkit/internal/cordis/child"
	"github.com/dshkit/dshkit/internal/cordis/half"
	"github.com/dshkit/dshkit/internal/cordis/wire"
)

// pair are two halves with one World, that passes calls on by the run.
func pair(t *testing.T, starter half.Starter, first, second string) (w *world, a, b half.Half) {
	t.Helper()
	w = newWorld()
	halves := map[wire.Home]half.Half{}
	w.call = func(ctx context.Context, f wire.Func, args []any) (any, error) {
		if h := halves[f.Home]; h != nil {
			return h.Call(ctx, f, args)
		}
		return nil, fmt.Errorf("nobody has %q", f.Name)
	}
	w.await = func(ctx context.Context, p wire.Promise) (any, error) { return halves[p.Home].Await(ctx, p) }
	for id, code := range map[string]string{"first": first, "second": second} {
		h, err := starter.Start(lasting(t), source(id, code), w)
		if err != nil {
			t.Fatal(err)
		}
		halves[wire.Home("run-"+id)] = h
	}
	for _, id := range []string{"first", "second"} {
		if err := halves[wire.Home("run-"+id)].Load(lasting(t)); err != nil {
			t.Fatal(err)
		}
	}
	return w, halves["run-first"], halves["run-second"]
}

// lasting is patient of a test that does much.
func lasting(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 8*time.Minute)
	t.Cleanup(cancel)
	return ctx
}

const lends = `
	return ctx => { let kept
		ctx.provide("lender", {
			each: f => f(1),
			make: n => ({ plus: x => x + n, get n() { return n } }),
			keep: f => { kept = f },
			kept: x => kept(x),
			heard: signal => new Promise(done => signal.addEventListener("abort", () => done("aborted"))),
			aborted: signal => { const f = () => {}; signal.addEventListener("abort", f); signal.removeEventListener("abort", f); return signal.aborted },
		}) }`

const borrows = `
	let s
	harness.handle("callbacks", n => { let sum = 0; for (let i = 0; i < n; i++) sum += s.each(x => x + i % 2); return sum })
	harness.handle("results", n => { let sum = 0; for (let i = 0; i < n; i++) sum += s.make(i % 2).plus(1); return sum })
	harness.handle("signals", n => { let sum = 0; for (let i = 0; i < n; i++) {
		if (!s.aborted({ aborted: false, addEventListener() {}, removeEventListener() {} })) sum++ } return sum })
	const two = s => [s.make(1), s.make(2)]
	let mine
	harness.handle("hold", () => { mine = two(s); s.keep(x => x * 10); return null })
	harness.handle("used", () => [mine[0].plus(1), mine[1].plus(1), mine[1].n, s.kept(7)])
	let end
	harness.handle("listen", () => { const listeners = []
		const signal = { aborted: false, addEventListener(_, f) { listeners.push(f) }, removeEventListener() {} }
		end = () => { signal.aborted = true; for (const f of listeners) f() }
		s.heard(signal).then(console.log); return null })
	harness.handle("abort", () => { end(); return null })
	return { inject: ["lender"], apply(ctx) { s = ctx.lender } }`

// Functions that one half lends another are given back when nobody has them any
// more, and not before.
func TestLentFunctions(t *testing.T) {
	if testing.Short() {
		t.Skip("many thousand calls")
	}
	modes(t, func(t *testing.T, start func(child.Settings) closing) {
		starter := start(child.Settings{Busy: time.Minute, Limits: half.Limits{Call: time.Minute, Invoke: 8 * time.Minute}})
		defer starter.Close()
		w, _, b := pair(t, starter, lends, borrows)
		for _, step := range []string{"hold", "listen"} {
			if _, err := b.Invoke(lasting(t), step, nil); err != nil {
				t.Fatal(step, err)
			}
		}
		calls, each := 17_000, 1000 // more than a half may lend at a time, in stretches
		if raced {                  // the order of things is what counts there
			calls = 2000
		}
		for _, c := range []struct {
			method string
			sum    float64
		}{{"callbacks", 1.5}, {"results", 1.5}, {"signals", 1}} {
			for done := 0; done < calls; done += each {
				got, err := b.Invoke(lasting(t), c.method, float64(each))
				if err != nil || got != c.sum*float64(each) {
					t.Fatalf("%s, after %d: %v, %v", c.method, done, got, err)
				}
			}
		}
		runtime.GC()
		got, err := b.Invoke(lasting(t), "used", nil)
		if fmt.Sprint(got) != "[2 3 2 70]" || err != nil {
			t.Errorf("what is used was let go: %v, %v", got, err)
		}
		if _, err := b.Invoke(lasting(t), "abort", nil); err != nil {
			t.Fatal(err)
		}
		if lines := w.wrote(t, 1); lines[0] != "aborted" {
			t.Errorf("%q", lines)
		}
	})
}
