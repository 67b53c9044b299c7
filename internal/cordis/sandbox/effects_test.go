package sandbox_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/cordis/sandbox"
)

// plugin is a plugin with a handler do, whose body is given, and what else a
// test wants of apply.
func doing(apply, do string) string {
	return `const log = (...x) => console.log(...x)
return { inject: ['timer'], apply(ctx) { ` + apply + `
harness.handle('do', async what => { ` + do + `; return null }) } }`
}

func (w *world) do(what any) {
	w.t.Helper()
	if _, err := w.invoke("do", what); err != nil {
		w.t.Fatalf("do %v: %v", what, err)
	}
}

func TestEffects(t *testing.T) {
	for name, c := range map[string]struct {
		apply, do string
		steps     []any // texts are handed to the handler, numbers let time pass, nil unloads
		want      []string
	}{
		"K2": { // CR-K2
			`try { ctx.effect(function* () { yield () => log('undone'); throw new Error('no') }) } catch (e) { log(e.message) }`, ``,
			[]any{nil},
			[]string{"undone", "no"},
		},
		"K3": { // CR-K3
			`try { ctx.effect(function* () { yield async () => { await ctx.timeout(10); log('undone') }; throw new Error('no') }) } catch (e) { log(e.message) }`, ``,
			[]any{20, nil},
			[]string{"no", "undone"},
		},
		"K4": { // CR-K4
			`const off = ctx.effect(() => () => log('out')); log(off(), off())`, ``,
			[]any{nil},
			[]string{"out", "undefined undefined"},
		},
		"K5": { // CR-K5
			`ctx.effect(() => () => { try { ctx.effect(() => {}) } catch (e) { log(e.code) } })`, ``,
			[]any{nil},
			[]string{"INACTIVE_EFFECT"},
		},
		"K6": { // CR-K6
			`ctx.effect(() => () => log('one'))`, `ctx.effect(() => () => log('two'))`,
			[]any{"x", nil},
			[]string{"two", "one"},
		},
		"K17": { // CR-K17
			`ctx.effect(function* () { yield () => log(1); yield ctx.effect(function* () { yield () => log(2) }); yield () => log(3) })`, ``,
			[]any{nil},
			[]string{"3", "2", "1"},
		},
		"K18": { // CR-K18
			`const off = ctx.effect(async () => { await ctx.timeout(10); log(1); return () => log(2) }); off()`, ``,
			[]any{10},
			[]string{"1", "2"},
		},
		"K19 early": { // CR-K19
			`globalThis.off = ctx.effect(async function* () { log(1); yield () => log(2); await ctx.timeout(100); log(3); yield () => log(4); log(5); yield () => log(6) })`, `off()`,
			[]any{50, "x", 100},
			[]string{"1", "3", "4", "2"},
		},
		"K19 whole": {
			`globalThis.off = ctx.effect(async function* () { log(1); yield () => log(2); await ctx.timeout(100); log(3); yield () => log(4); log(5); yield () => log(6) })`, `off()`,
			[]any{200, "x"},
			[]string{"1", "3", "5", "6", "4", "2"},
		},
		"K20, in any order": { // CR-K20
			`globalThis.e = ctx.effect(async function* () { yield () => log('undone'); throw new Error('no') })`, `try { await e } catch (x) { log(x.message) }`,
			[]any{"x", nil},
			[]string{"no", "undone"},
		},
		"awaited": {
			``, `const off = await ctx.effect(async () => () => log('out')); log(typeof off, typeof off.then); off()`,
			[]any{"x", nil},
			[]string{"function undefined", "out"},
		},
		"24#1": { // CR-N1
			`globalThis.off = ctx.effect(function* () { yield () => log('first'); yield () => { throw new Error('second') }; yield () => log('third') })`, `try { off() } catch (e) { log(e.message) } log(off())`,
			[]any{"x", nil},
			[]string{"third", "first", "second", "undefined"},
		},
		"24#2": { // CR-N2
			`globalThis.off = ctx.effect(() => async () => { await ctx.timeout(5); log('out') })`, `const first = off(); log(typeof first.then, typeof off()); first.then(() => log('undone'))`,
			[]any{"x", 10, nil},
			[]string{"function undefined", "out", "undone"},
		},
		"24#9": { // CR-N9: a start does not wait for an asynchronous effect; a stop does
			`ctx.effect(async () => { await null; log('set up'); return async () => { log('begins'); await null; log('ends') } }); log('loaded')`, ``,
			[]any{1, nil, "x"},
			[]string{"loaded", "set up", "begins", "ends"},
		},
		"values, in any order": { // 8.4
			`for (const v of [5, {}, 'x', [() => log('of a list')], new Set(), Promise.resolve(() => log('of a promise'))]) { try { ctx.effect(() => v); log('taken') } catch (e) { log(e.name) } }`, ``,
			[]any{1, nil},
			[]string{"TypeError", "TypeError", "TypeError", "of a list", "of a promise", "taken", "taken", "taken"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			w, advance := timed(t)
			w.run(doing(c.apply, c.do))
			for _, step := range c.steps {
				switch step := step.(type) {
				case int:
					advance(step)
				case nil:
					w.mustUnload()
				default:
					w.do(step)
				}
			}
			// What is undone later is undone by the tree, which has its own time.
			w.until("all lines", func() bool { return len(w.lines) >= len(c.want) })
			got := w.logs()
			if strings.HasSuffix(name, "in any order") {
				slices.Sort(got)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// CR-N9, CR-K20
func TestAsyncSetupThatFailsIsTold(t *testing.T) {
	w := newWorld(t, sandbox.Config{})
	w.run(`return ctx => { ctx.effect(async () => { await null; throw new Error('setup') }) }`)
	w.until("a report", func() bool { return len(w.reports) == 1 })
	if r := w.reports[0]; r.Kind != "effect" || r.Message != "setup" {
		t.Errorf("%+v", r)
	}
}

// A plugin is evaluated once and loaded again after each unload.
func TestLoadAgain(t *testing.T) {
	w := newWorld(t, sandbox.Config{})
	w.run(`let n = 0; console.log('evaluated'); let old
		return { apply(ctx) { console.log('load', ++n); ctx.provide('s', n); ctx.effect(() => () => console.log('unload', n))
			if (old) try { old.on('x', () => {}) } catch (e) { console.log(e.code) }
			old = ctx } }`)
	w.mustUnload()
	if err := w.load(); err != nil {
		t.Fatal(err)
	}
	w.expect([]string{"evaluated", "load 1", "unload 1", "load 2", "INACTIVE_EFFECT"})
	if len(w.provided) != 1 {
		t.Errorf("%+v", w.provided)
	}
	if err := w.load(); err == nil {
		t.Error("loaded twice")
	}
}

// 24#8: effects that stand behind a service are undone before it goes.
func TestOrderOfUndoing(t *testing.T) {
	w := newWorld(t, sandbox.Config{})
	w.run(`return ctx => { ctx.on('x', () => {}); ctx.provide('s', 1); ctx.on('y', () => {}) }`)
	w.mu.Lock()
	w.verbs = nil
	w.mu.Unlock()
	w.mustUnload()
	w.mu.Lock()
	defer w.mu.Unlock()
	slices.Sort(w.verbs) // they are begun in order and go on at once
	if diff := cmp.Diff([]string{"off", "off", "withdraw"}, texts(w.verbs)); diff != "" {
		t.Error(diff)
	}
}

func texts[T ~string](list []T) (out []string) {
	for _, v := range list {
		out = append(out, string(v))
	}
	return out
}

// CR-K21, CR-N7
func TestListeners(t *testing.T) {
	w := newWorld(t, sandbox.Config{})
	w.run(doing(`ctx.once('x', () => log('once')); const off = ctx.on('x', () => log('always'), { prepend: true }); globalThis.off = off`, `off()`))
	heard := w.heard("x")
	for range 2 {
		if err := w.emit("x"); err != nil {
			t.Fatal(err)
		}
	}
	w.expect([]string{"always", "always"})
	w.do("x")
	if got := w.heard("x"); len(got) > 0 {
		t.Errorf("left: %+v", got)
	}
	// A dispatch that had begun still reaches what was removed, and once is once.
	for _, o := range slices.Concat(heard, heard) {
		if err := w.fire(o.ID); err != nil {
			t.Fatal(err)
		}
	}
	w.expect([]string{"always", "once", "always"})
}

func TestAsyncWaterfall(t *testing.T) {
	w := newWorld(t, sandbox.Config{})
	w.run(`return ctx => { ctx.on('x', async (v, next) => { await null; return v + next() }) }`)
	if got, err := w.waterfall("x", 40.0, 2.0); err != nil || got != 42.0 {
		t.Errorf("%v, %v", got, err)
	}
}
