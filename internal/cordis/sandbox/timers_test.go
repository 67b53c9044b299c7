package sandbox_test

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/cordis/sandbox"
	"github.com/dshkit/dshkit/internal/cordis/wire"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// stopwatch is time in the hands of a test.
type stopwatch struct {
	mu      sync.Mutex
	now     time.Duration
	serial  int
	waiting []*alarm
}

type alarm struct {
	due    time.Duration
	serial int
	f      func()
}

func (c *stopwatch) AfterFunc(d time.Duration, f func()) (stop func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.serial++
	a := &alarm{c.now + d, c.serial, f}
	c.waiting = append(c.waiting, a)
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.waiting = slices.DeleteFunc(c.waiting, func(other *alarm) bool { return other == a })
	}
}

// Now begins at the epoch.
func (c *stopwatch) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return time.Unix(0, 0).Add(c.now)
}

// advance lets time pass, one alarm after the other. settle waits until what
// each began has come to rest.
func (c *stopwatch) advance(d time.Duration, settle func()) {
	c.mu.Lock()
	end := c.now + d
	c.mu.Unlock()
	for {
		c.mu.Lock()
		next := c.next(end)
		if next == nil {
			c.now = end
			c.mu.Unlock()
			return
		}
		c.now = next.due
		c.mu.Unlock()
		next.f()
		settle()
	}
}

func (c *stopwatch) next(end time.Duration) *alarm {
	slices.SortFunc(c.waiting, func(a, b *alarm) int {
		if a.due != b.due {
			return int(a.due - b.due)
		}
		return a.serial - b.serial
	})
	if len(c.waiting) == 0 || c.waiting[0].due > end {
		return nil
	}
	first := c.waiting[0]
	c.waiting = c.waiting[1:]
	return first
}

// timed is a world whose time is the test's.
func timed(t *testing.T, limits ...sandbox.Limits) (*world, func(ms int)) {
	c := &stopwatch{}
	config := sandbox.Config{Clock: c}
	if len(limits) > 0 {
		config.Limits = limits[0]
	}
	w := newWorld(t, config)
	settle := func() {
		for range 3 { // each question stands behind what was due
			if _, err := w.invoke("nothing", nil); fault(err) == "" {
				t.Fatal(err)
			}
		}
	}
	return w, func(ms int) {
		settle()
		c.advance(time.Duration(ms)*time.Millisecond, settle)
	}
}

// sample 05
func TestTimers(t *testing.T) {
	w, advance := timed(t)
	w.run(sample(t, "05-timers", "host.js"))
	advance(60)
	got, err := w.invoke("report", nil)
	want := jsonvalue.Of("marks", []any{"debounced 3", "deprecated alias", "one-shot", "promise delay", "strict a", "throttled a", "tick"}, "beats", "several")
	if err != nil || !jsonvalue.Equal(want, got) {
		t.Errorf("%s, %v", jsonvalue.Format(got), err)
	}
	if got, err := w.invoke("via-service", nil); err != nil || got != "function" {
		t.Errorf("%v, %v", got, err)
	}
	advance(10)
	w.expect(golden(t, "05-timers", 0))
	w.mustUnload()
	w.expect(golden(t, "05-timers", 1))
	if len(w.reports) > 0 {
		t.Errorf("%+v", w.reports)
	}
	if _, err := w.invoke("via-service", nil); err == nil || gist(err.Error()) == "" { // CR-W16
		t.Errorf("a timer of a plugin that is parked: %v", err)
	}
}

func TestTimerVerbs(t *testing.T) {
	const head = `return { inject: ['timer'], apply(ctx) { const log = x => console.log(x); let now = 0; harness.handle('do', what => { `
	for name, c := range map[string]struct {
		body  string
		steps []any // texts are handed to the handler, numbers let time pass
		want  []string
	}{
		"T1": { // CR-T1
			`if (what === 'set') { ctx.timeout(() => log('once'), 100); ctx.timeout(() => log('never'), 100)(); ctx.timeout(200).then(() => log('slept')) }`,
			[]any{"set", 100, 100, 1000},
			[]string{"once", "slept"},
		},
		"T2": { // CR-T2
			`if (what === 'set') globalThis.stop = ctx.interval(() => log('tick'), 1000); else stop()`,
			[]any{"set", 2000, "stop", 5000},
			[]string{"tick", "tick"},
		},
		"T3 return": { // CR-T3
			`if (what === 'set') { globalThis.it = ctx.interval(10); (async () => { for await (const _ of it) log('tick'); log('end') })() } else it.return()`,
			[]any{"set", 20, "return", 50},
			[]string{"tick", "tick", "end"},
		},
		"T3 throw": {
			`if (what === 'set') { globalThis.it = ctx.interval(10); (async () => { try { for await (const _ of it) log('tick') } catch (e) { log(e) } })() } else it.throw('thrown')`,
			[]any{"set", 10, "throw", 50},
			[]string{"tick", "thrown"},
		},
		"T3 break": {
			`(async () => { for await (const _ of ctx.interval(10)) { log('tick'); break } log('out') })()`,
			[]any{"set", 50},
			[]string{"tick", "out"},
		},
		"T3 throw inside": {
			`(async () => { try { for await (const _ of ctx.interval(10)) throw 'inside' } catch (e) { log(e) } })()`,
			[]any{"set", 50},
			[]string{"inside"},
		},
		"T4": { // CR-T4
			`if (what === 'set') { let n = 0; globalThis.f = ctx.throttle(x => log(++n + x), 1000); f('a') } else f(what)`,
			[]any{"set", 600, "b", 600, "c", 2000},
			[]string{"1a", "2b", "3c"},
		},
		"T4 trailing": {
			`if (what === 'set') { globalThis.f = ctx.throttle(x => log(x), 1000); f('a') } else f(what)`,
			[]any{"set", 500, "b", 499, "c", 1},
			[]string{"a", "c"},
		},
		"T5": { // CR-T5
			`if (what === 'set') { globalThis.f = ctx.throttle(x => log(x), 1000); f.dispose() } else f(what)`,
			[]any{"set", "a", 600, "b", 2000},
			[]string{"a"},
		},
		"T6": { // CR-T6
			`if (what === 'set') { globalThis.f = ctx.debounce(x => log(x), 1000); const g = ctx.debounce(() => log('never'), 10); g(); g.dispose(); g() } else f(what)`,
			[]any{"set", "a", 400, "b", 400, "c", 999, 1},
			[]string{"c"},
		},
		"error": { // CR-W17
			`ctx.timeout(() => { throw new Error('in a timer') }, 1)`, []any{"set", 10}, nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			w, advance := timed(t)
			w.run(head + c.body + `; return null }) } }`)
			for _, step := range c.steps {
				if ms, ok := step.(int); ok {
					advance(ms)
					continue
				}
				if _, err := w.invoke("do", step); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(c.want, w.logs(), cmp.Transformer("none", func(l []string) []string { return append([]string{}, l...) })); diff != "" {
				t.Error(diff)
			}
			if name == "error" && (len(w.reports) != 1 || w.reports[0].Kind != "timer" || w.reports[0].Message != "in a timer") {
				t.Errorf("%+v", w.reports)
			}
		})
	}
}

// CR-T1, CR-T3
func TestUnloadEndsTimers(t *testing.T) {
	w, advance := timed(t)
	w.run(`return { inject: ['timer'], apply(ctx) {
		ctx.interval(() => console.log('never'), 10)
		ctx.timeout(5).then(() => console.log('slept'))
		ctx.timeout(500).catch(e => console.log(e.message))
		const it = ctx.interval(500)
		it.next().catch(e => { console.log(e.message); it.next().catch(e => console.log('again: ' + e.message)) })
	} }`)
	advance(5)
	w.mustUnload()
	advance(1000)
	w.expect([]string{"slept", "timer.disposed", "timer.disposed", "again: timer.disposed"})
}

// TestTimersAreBounded: whoever has too many timers is told which limit it is and
// what helps; one that has ended counts no more.
// CR-W25
func TestTimersAreBounded(t *testing.T) {
	const verbs = `{ timeout: () => ctx.timeout(() => {}, 100), interval: () => ctx.interval(() => {}, 1e6),
		'promised timeout': () => ctx.timeout(100), ticks: () => ctx.interval(1e6),
		throttle: () => ctx.throttle(() => {}, 1e6), debounce: () => ctx.debounce(() => {}, 1e6), service: () => ctx.get('timer').timeout(() => {}, 100) }`
	w, advance := timed(t, sandbox.Limits{Timers: 7})
	w.run(`return { inject: ['timer'], apply(ctx) { const verbs = ` + verbs + `, keep = {}
		harness.handle('do', what => {
			if (verbs[what]) { keep[what] = verbs[what](); if (keep[what].catch) keep[what].catch(() => {}); return null }
			keep.interval(); keep.throttle.dispose(); keep.debounce.dispose(); keep.ticks.return(); return null }) } }`)
	make := func() (refused int) {
		for _, verb := range []string{"timeout", "promised timeout", "service", "interval", "ticks", "throttle", "debounce"} {
			if _, err := w.invoke("do", verb); err != nil {
				refused++
				if thrown, ok := errors.AsType[*wire.Thrown](err); !ok || thrown.Name != "RangeError" || !strings.Contains(err.Error(), "7 timers") || !strings.Contains(err.Error(), "disposers") {
					t.Errorf("%s: %v", verb, err)
				}
			}
		}
		return refused
	}
	if n := make(); n != 0 {
		t.Errorf("%d of the first seven are refused", n)
	}
	if n := make(); n != 7 {
		t.Errorf("%d of seven more are refused", n)
	}
	advance(100)
	w.do("dispose")
	if n := make(); n != 0 {
		t.Errorf("%d are refused when those of before have ended", n)
	}
	w.mustUnload()
	if err := w.load(); err != nil {
		t.Fatal(err)
	}
	if n := make(); n != 0 {
		t.Errorf("%d are refused after an unload", n)
	}
}

// sample 06
func TestTimerUndeclared(t *testing.T) {
	for file, want := range map[string]string{"host.js": "guard.undeclared(timer)", "global.host.js": "trap.host(setInterval)->timer"} {
		w := newWorld(t, sandbox.Config{})
		if _, err := w.start(sample(t, "06-timer-undeclared", file)); err != nil {
			t.Fatal(err)
		}
		if err := w.load(); err == nil || gist(err.Error()) != want {
			t.Errorf("%s: %v", file, err)
		}
	}
	w := newWorld(t, sandbox.Config{})
	w.run(sample(t, "06-timer-undeclared", "late.host.js"))
	if got, err := w.invoke("caught", nil); err != nil || got != "caught" {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := w.invoke("try", nil); err == nil || gist(err.Error()) != "guard.undeclared(timer)" {
		t.Errorf("try: %v", err)
	}
	if len(w.reports) != 2 || w.reports[0].Guard != "undeclared" {
		t.Errorf("%+v", w.reports)
	}
}

// real time: CR-S5
func TestRealTimer(t *testing.T) {
	w := newWorld(t, sandbox.Config{})
	w.run(`return { inject: ['timer'], apply(ctx) { ctx.setTimeout(() => console.log('second'), 10); ctx.setTimeout(() => console.log('first'), 5) } }`)
	w.untilLine("second")
	w.expect([]string{"first", "second"})
}

// sample 16: a handler that waits when the plugin stops is told so, and nobody
// else is.
func TestHandlerInFlightAtUnload(t *testing.T) {
	w, _ := timed(t)
	w.run(sample(t, "16-effects-order", "host.js"))
	pending, err := w.peer.Begin(w.ctx, w.chain(), wire.VerbInvoke, wire.Invoke{Method: "after"})
	if err != nil {
		t.Fatal(err)
	}
	w.mustUnload()
	err = pending.Read(<-pending.Reply, &wire.Value{})
	if thrown, ok := errors.AsType[*wire.Thrown](err); !ok || gist(thrown.Message) != "timer.disposed" || thrown.Stack == "" {
		t.Errorf("%+v", err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.reports) != 1 || w.reports[0].Kind != "disposer" {
		t.Errorf("%+v", w.reports)
	}
}
