package sandbox_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/cordis/sandbox"
	"github.com/dshkit/dshkit/internal/cordis/wire"
)

// sample 04: values that are no objects pass through as they are.
func TestPrimitiveServices(t *testing.T) {
	w := newWorld(t, sandbox.Config{})
	w.services["answer"], w.services["nil"], w.services["blank"] = 42.0, nil, wire.Undefined{}
	w.run(sample(t, "04-provide-consume", "primitive-reader.host.js"))
	w.expect([]string{"read 42 42 null null undefined"})
	w = newWorld(t, sandbox.Config{})
	w.run(sample(t, "04-provide-consume", "primitive.host.js"))
	got := map[string]any{}
	for _, p := range w.provided {
		got[p.Name] = p.Value
	}
	if diff := cmp.Diff(map[string]any{"answer": 42.0, "nil": nil, "blank": wire.Undefined{}}, got); diff != "" {
		t.Error(diff)
	}
}

// sample 04: a service that is withdrawn by hand is gone at once.
func TestWithdrawByHand(t *testing.T) {
	w := newWorld(t, sandbox.Config{})
	w.run(doing(`const off = ctx.provide('s', 1); globalThis.off = off`, `if (what === 'off') { const p = off(); log(typeof p.then, ctx.get('s')); await p; log('withdrawn') } log(ctx.get('s'))`))
	w.services["s"] = 1.0
	w.do("look")
	w.do("off")
	w.expect([]string{"1", "function undefined", "withdrawn", "1"})
	if len(w.provided) > 0 {
		t.Errorf("%+v", w.provided)
	}
}

// A service is one object as long as it is the same service.
func TestServiceIsOneObject(t *testing.T) {
	w := newWorld(t, sandbox.Config{})
	w.services["s"] = wire.Object{Members: []wire.Member{{Name: "x", Value: 1.0}}}
	w.run(`let seen; return { inject: ['s'], apply(ctx) { seen = ctx.s; console.log(ctx.s === ctx.s, ctx.get('s') === ctx.s); harness.handle('same', () => ctx.s === seen) } }`)
	w.expect([]string{"true true"})
	w.mu.Lock()
	w.services["s"] = wire.Object{Members: []wire.Member{{Name: "x", Value: 2.0}}}
	w.mu.Unlock()
	if got, err := w.invoke("same", nil); err != nil || got != false {
		t.Errorf("%v, %v", got, err)
	}
}

// A declared service is undefined while its provider is away.
func TestServiceThatIsAway(t *testing.T) {
	w := newWorld(t, sandbox.Config{})
	w.services["s"] = wire.Object{Members: []wire.Member{{Name: "x", Value: 1.0}}}
	w.run(`return { inject: ['s'], apply(ctx) { harness.handle('x', () => ctx.s === undefined ? 'away' : ctx.s.x) } }`)
	for _, want := range []any{1.0, "away"} {
		if got, err := w.invoke("x", nil); err != nil || got != want {
			t.Errorf("%v, %v", got, err)
		}
		w.mu.Lock()
		w.away["s"] = true
		w.mu.Unlock()
	}
}

// The ctx of an earlier load registers nothing any more.
func TestOldContext(t *testing.T) {
	w := newWorld(t, sandbox.Config{})
	w.run(toolHead + `let old; harness.handle('again', () => {
		for (const f of [() => harness.registerTool(old, tool({})), () => old.tools.register(tool({})), () => old.provide('s', 1), () => old.effect(() => {}), () => old.timeout(1)])
			try { f(); console.log('taken') } catch (e) { console.log(e.code) }
		return null })
		return { inject: ['timer'], apply(ctx) { old ??= ctx } }`)
	w.mustUnload()
	if err := w.load(); err != nil {
		t.Fatal(err)
	}
	if _, err := w.invoke("again", nil); err != nil {
		t.Fatal(err)
	}
	w.expect([]string{"INACTIVE_EFFECT", "INACTIVE_EFFECT", "INACTIVE_EFFECT", "INACTIVE_EFFECT", "INACTIVE_EFFECT"})
}
