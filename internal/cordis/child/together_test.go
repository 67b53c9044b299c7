package child_test

import (
	"context"
	"strings"
	"sync"
	"testing"

	"github.com/dshkit/dshkit/internal/cordis/child"
	"github.com/dshkit/dshkit/internal/cordis/half"
	"github.com/dshkit/dshkit/internal/cordis/wire"
)

// household is a host of several halves, which use each other's services.
type household struct {
	*world
	mu     sync.Mutex
	halves map[wire.Home]half.Half
}

func newHousehold() *household {
	h := &household{world: newWorld(), halves: map[wire.Home]half.Half{}}
	h.call = func(ctx context.Context, f wire.Func, args []any) (any, error) {
		return h.at(f.Home).Call(ctx, f, args)
	}
	h.await = func(ctx context.Context, p wire.Promise) (any, error) { return h.at(p.Home).Await(ctx, p) }
	return h
}

func (h *household) at(home wire.Home) half.Half {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.halves[home]
}

func (h *household) move(t *testing.T, starter half.Starter, id, code string) half.Half {
	t.Helper()
	in, err := starter.Start(patient(t), source(id, code), h)
	if err == nil {
		h.mu.Lock()
		h.halves[wire.Home("run-"+id)] = in
		h.mu.Unlock()
		err = in.Load(patient(t))
	}
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// TestHalvesTogether: a synchronous call between plugins gives its value, calls
// back into the caller included; promises, functions and errors cross too; a dead
// peer is an error.
func TestHalvesTogether(t *testing.T) {
	modes(t, func(t *testing.T, start func(child.Settings) closing) {
		starter := start(child.Settings{})
		defer starter.Close()
		house := newHousehold()
		provider := house.move(t, starter, "provider", `return { apply(ctx) { ctx.provide("sums", {
			add(a, b) { return a + b },
			map(list, f) { return list.map((x) => f(x)) },
			async later(x) { return x },
			fail() { throw new RangeError("too far") },
		}) } }`)
		user := house.move(t, starter, "user", `return { inject: ["sums"], apply(ctx) {
			const tell = (f) => { try { return f() } catch (e) { return e.name + ": " + e.message } }
			harness.handle("all", async () => [
				ctx.sums.add(1, 2),
				ctx.sums.map([1, 2, 3], (x) => ctx.sums.add(x, 10)).join(),
				await ctx.sums.later("late"),
				tell(() => ctx.sums.fail()),
			].join(" | "))
			harness.handle("add", () => tell(() => ctx.sums.add(1, 2)))
		} }`)
		got, err := user.Invoke(patient(t), "all", nil)
		if want := "3 | 11,12,13 | late | RangeError: too far"; err != nil || got != want {
			t.Errorf("got %v, %v, want %s", got, err, want)
		}
		_ = provider.Close()
		got, err = user.Invoke(patient(t), "add", nil)
		if text, _ := got.(string); err != nil || !strings.Contains(text, half.ErrGone.Error()) {
			t.Errorf("a dead peer: %v, %v", got, err)
		}
	})
}

// TestRealDeadlock: two plugins whose timers call each other at the same time both
// end, whichever was the later.
func TestRealDeadlock(t *testing.T) {
	modes(t, func(t *testing.T, start func(child.Settings) closing) {
		starter := start(child.Settings{})
		defer starter.Close()
		house := newHousehold()
		code := func(own, other string) string {
			return `return { inject: ["timer"], apply(ctx) {
				ctx.provide("` + own + `", { ping() { return "pong" } })
				harness.handle("go", () => new Promise((done) => ctx.timeout(() => {
					let said = []
					for (let i = 0; i < 200; i++) {
						try { said.push(ctx.get("` + other + `").ping()) } catch (e) { said.push(/deadlock/.test(e.message) ? "deadlock" : e.message) }
					}
					done(said.filter((x) => x !== "pong" && x !== "deadlock").join())
				}, 1)))
			} }`
		}
		a := house.move(t, starter, "a", code("a", "b"))
		b := house.move(t, starter, "b", code("b", "a"))
		var both sync.WaitGroup
		for _, h := range []half.Half{a, b} {
			both.Go(func() {
				if got, err := h.Invoke(patient(t), "go", nil); err != nil || got != "" {
					t.Errorf("%v, %v", got, err)
				}
			})
		}
		both.Wait()
	})
}
