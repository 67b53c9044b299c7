package child_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/dshkit/dshkit/internal/cordis/child"
	"github.com/dshkit/dshkit/internal/cordis/half"
	"github.com/dshkit/dshkit/internal/cordis/wire"
)

// heavy is a plugin that has n of one thing, and says at its end how many of those
// that tell it were undone.
type heavy struct {
	name, one string
	n         int
	tells     bool
}

// heavies are as many as a plugin may have, and more than anybody needs.
var heavies = []heavy{
	{"timers", `ctx.timeout(() => {}, 1e6)`, 10_000, false},
	{"promised timers", `ctx.timeout(1e6).catch(() => undone++)`, 5000, false}, // they hear of it after the last disposer
	{"effects", `ctx.effect(() => () => { undone++ })`, 10_000, true},
	{"async effects", `ctx.effect(() => async () => { undone++; await null })`, 3000, true},
	{"chain of effects", `last = (inner => ctx.effect(function* () { yield () => { undone++ }; yield inner }))(last)`, 1000, true},
	{"listeners", `ctx.on("x", () => {})`, 4000, false},
	{"services", `ctx.provide("s" + i, i)`, 1000, false},
}

func (h heavy) code(n int) string {
	return fmt.Sprintf(`return { inject: ["timer"], apply(ctx) {
		let undone = 0, last = () => {}
		ctx.effect(() => () => console.log("undone: " + undone))
		for (let i = 0; i < %d; i++) %s
	} }`, n, h.one)
}

// turn loads and unloads a half.
func (h heavy) turn(t testing.TB, x half.Half) {
	t.Helper()
	ctx := lasting(t)
	if err := x.Load(ctx); err != nil {
		t.Fatal(err)
	}
	rest, err := x.BeginUnload(ctx)
	if err == nil {
		err = rest(ctx)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestHeavyPlugins: a plugin that has many timers, effects, listeners or services is
// stopped, with all undone.
func TestHeavyPlugins(t *testing.T) {
	modes(t, func(t *testing.T, start func(child.Settings) closing) {
		starter := start(child.Settings{Busy: time.Minute, Limits: half.Limits{Load: 2 * time.Minute, Unload: 2 * time.Minute}})
		defer starter.Close()
		for _, h := range heavies {
			t.Run(h.name, func(t *testing.T) {
				w, n, undone := newWorld(), h.n, 0
				if raced || testing.Short() {
					n /= 10
				}
				if h.tells {
					undone = n
				}
				x, err := starter.Start(lasting(t), source("heavy", h.code(n)), w)
				if err != nil {
					t.Fatal(err)
				}
				defer x.Close()
				h.turn(t, x)
				if lines := w.wrote(t, 1); lines[0] != fmt.Sprintf("undone: %d", undone) {
					t.Errorf("%q, want %d of %d", lines, undone, n)
				}
				if len(w.reported()) > 0 {
					t.Errorf("%+v", w.reported())
				}
			})
		}
	})
}

// TestTooManyTimers: a plugin that would have timers without end is told at the one
// that is too many, and lives.
// CR-W25
func TestTooManyTimers(t *testing.T) {
	if testing.Short() {
		t.Skip("many thousand timers")
	}
	modes(t, func(t *testing.T, start func(child.Settings) closing) {
		starter := start(child.Settings{Busy: time.Minute, Limits: half.Limits{Load: 2 * time.Minute, Unload: 2 * time.Minute}})
		defer starter.Close()
		x, err := starter.Start(lasting(t), source("heavy", heavy{one: `ctx.timeout(() => {}, 1e6)`}.code(100_000)), newWorld())
		if err != nil {
			t.Fatal(err)
		}
		defer x.Close()
		for range 2 { // the timers of the first load are gone
			err := x.Load(lasting(t))
			thrown, ok := errors.AsType[*wire.Thrown](err)
			if !ok || thrown.Name != "RangeError" || !strings.Contains(thrown.Message, "16384 timers") || !strings.Contains(thrown.Message, "disposers") {
				t.Fatal(err)
			}
		}
	})
}

// BenchmarkHeavy is a load and an unload of a plugin that has many of one thing.
// What one of them costs is to stay nearly the same, however many there are.
func BenchmarkHeavy(b *testing.B) {
	starter := child.NewInProcess(with(child.Settings{Busy: time.Minute}))
	defer starter.Close()
	for _, h := range heavies {
		for _, n := range []int{h.n / 10, h.n} {
			b.Run(fmt.Sprintf("%s/%d", h.name, n), func(b *testing.B) {
				x, err := starter.Start(lasting(b), source("heavy", h.code(n)), newWorld())
				if err != nil {
					b.Fatal(err)
				}
				defer x.Close()
				for b.Loop() {
					h.turn(b, x)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/each")
			})
		}
	}
}
