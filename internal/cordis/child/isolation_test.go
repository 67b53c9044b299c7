package child_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/dshkit/dshkit/internal/cordis/child"
	"github.com/dshkit/dshkit/internal/cordis/half"
	"github.com/dshkit/dshkit/internal/cordis/wire"
)

// bomb is a program that would end the process that runs it, or never end.
type bomb struct {
	name, code string
	trusted    string // why one process cannot hold it; "": it can
}

// bombs are those of the field cases 86, 87, 88 and 90, and more like them.
var bombs = []bomb{
	{name: "endless loop", code: `for (;;);`},
	{name: "loop that catches", code: `for (;;) { try { for (;;); } finally { continue } }`},
	{name: "endless microtasks", code: `const g = () => Promise.resolve().then(g); g()`},
	{name: "loop in a microtask", code: `Promise.resolve().then(() => { for (;;); })`},
	{name: "typed array of 8 GiB", code: `new Uint8Array(2 ** 33)`},
	{name: "buffer of 8 GiB", code: `new ArrayBuffer(8 * 1024 ** 3)`},
	{name: "long text", code: `"x".repeat(2 ** 32)`},
	{name: "long padding", code: `"ab".padEnd(2 ** 30, "cd")`},
	{name: "doubling text", code: `let s = "x"; for (;;) s += s`},
	{name: "brackets in JSON", code: `JSON.parse("[".repeat(1e6))`},
	{name: "parentheses in code", code: `eval("(".repeat(2e5) + ")".repeat(2e5))`},
	{name: "fill of a long array", code: `new Array(2 ** 32 - 2).fill(0)`},
	{name: "join of a long array", code: `new Array(4294967295).join("ab")`},
	{name: "sort of a long array", code: `const a = []; a.length = 4294967295; a.sort()`},
	{name: "large power", code: `2n ** (2n ** 33n)`, trusted: "the engine's operators on BigInt are not guarded, and take memory that is not there"},
	{name: "large shift", code: `1n << (2n ** 40n)`, trusted: "as above"},
	{name: "growing array", code: `const a = []; for (;;) a.push(new Array(1e5).fill(0))`},
	{name: "growing map", code: `const m = new Map(); for (let i = 0; ; i++) m.set(i, { i })`},
	{name: "recursion", code: `const f = () => f(); f()`},
	{name: "recursion through map", code: `const f = () => [1].map(f); f()`},
	{name: "recursion through toString", code: `const o = { toString() { return "" + this } }; "" + o`},
	{name: "recursion through a Proxy", code: `const p = new Proxy({}, { get: (t, k, r) => r[k] }); p.a`},
	{name: "recursion through a getter", code: `const o = { get x() { return this.x } }; o.x`},
	{name: "deep text of an array", code: `let x = []; for (let i = 0; i < 3e6; i++) x = [x]; String(x)`},
	{name: "look-ahead without end", code: `for (;;) /^(?=(a+)+$)/.test("a".repeat(40) + "!")`},
}

// place is where plugin code may stand. play starts a half and lets that code run;
// the error is what it came to, unless the half reports it or ends.
type place struct {
	name string
	code func(bomb string) string
	play func(ctx context.Context, w *world, h half.Half) error
}

var places = []place{
	{name: "evaluation", code: func(b string) string { return b + "\nreturn { apply() {} }" }},
	{
		name: "apply", code: func(b string) string { return "return { apply() {" + b + "\n} }" },
		play: func(ctx context.Context, _ *world, h half.Half) error { return h.Load(ctx) },
	},
	{
		name: "handler", code: applying(`harness.handle("go", () => {%s` + "\nreturn null })"),
		play: func(ctx context.Context, _ *world, h half.Half) error {
			_, err := h.Invoke(ctx, "go", nil)
			return err
		},
	},
	{
		name: "tool", code: applying(`harness.registerTool(ctx, harness.defineTool({
			name: "go", description: "goes", parameters: {},
			output: { schema: { type: "string" }, render: () => [] },
			execute() {%s` + "\n return '' } }))"),
		play: func(ctx context.Context, w *world, h half.Half) error {
			_, err := h.Execute(ctx, w.id(w.tools, "go"), object())
			return err
		},
	},
	{name: "timer", code: applying(`ctx.timeout(() => {%s` + "\n}, 1)"), play: nothing},
	{
		name: "listener", code: applying(`ctx.on("go", () => {%s` + "\n})"),
		play: func(ctx context.Context, w *world, h half.Half) error {
			_, err := h.Fire(ctx, w.id(w.events, "go"), nil, nil)
			return err
		},
	},
	{
		name: "disposer", code: applying(`ctx.effect(() => () => {%s` + "\n})"),
		play: func(ctx context.Context, _ *world, h half.Half) error {
			rest, err := h.BeginUnload(ctx)
			if err != nil {
				return err
			}
			return rest(ctx)
		},
	},
}

func applying(body string) func(string) string {
	return func(b string) string {
		return `return { inject: ["timer"], apply(ctx) { ` + fmt.Sprintf(body, b) + "\n} }"
	}
}

func nothing(context.Context, *world, half.Half) error { return nil }

// TestIsolation: whatever plugin code does, wherever it stands, ends as a failure
// that somebody is told of, within bounds; other halves go on, and this process
// does not grow.
// CR-W4, CR-W17
func TestIsolation(t *testing.T) {
	modes(t, func(t *testing.T, start func(child.Settings) closing) {
		needsMemoryLimit(t)
		starter := start(child.Settings{Busy: 400 * time.Millisecond, Memory: 128 << 20})
		defer starter.Close()
		calm := start(child.Settings{})
		defer calm.Close()
		_, trusted := starter.(*child.InProcess)
		witness := running(t, calm, "witness", `harness.handle("sum", (n) => n + 1); return { apply() {} }`)
		before := heap()
		t.Run("bombs", func(t *testing.T) {
			for _, p := range places {
				for i, b := range bombs {
					if testing.Short() && (trusted || i%12 != 0) {
						continue
					}
					t.Run(p.name+"/"+b.name, func(t *testing.T) {
						if !trusted { // there the watch over the heap would blame one for the other
							t.Parallel()
						} else if b.trusted != "" {
							t.Skip(b.trusted)
						}
						explode(t, starter, p, b)
						if got, err := witness.Invoke(patient(t), "sum", 41.0); err != nil || got != 42.0 {
							t.Errorf("another half says %v, %v", got, err)
						}
					})
				}
			}
		})
		_ = starter.Close() // what ended within a native call lets go when that returns
		wait(t, "this process is as small as before", func() bool { return heap() <= before+32<<20 })
	})
}

// explode starts a half with the bomb and waits for the failure.
func explode(t *testing.T, starter half.Starter, p place, b bomb) {
	t.Helper()
	ctx, w := patient(t), newWorld()
	h, err := starter.Start(ctx, source("bomb", p.code(b.code)), w)
	if err == nil {
		defer h.Close()
		if p.name != "evaluation" && p.name != "apply" {
			err = h.Load(ctx)
		}
		if err != nil {
			t.Fatalf("load: %v", err)
		}
		if p.play != nil {
			err = p.play(ctx, w, h)
		}
	}
	if err == nil {
		err = failure(ctx, w, h)
	}
	t.Log(err)
	checkFailure(t, err)
}

// failure waits until a half that has answered tells of a failure or ends.
func failure(ctx context.Context, w *world, h half.Half) error {
	select {
	case <-w.heard:
		f := w.reported()[0]
		return &wire.Thrown{Name: string(f.Kind), Message: f.Message}
	case <-h.Done():
		return h.Err()
	case <-ctx.Done():
		return ctx.Err()
	}
}

// checkFailure holds that a failure says what happened: an error of the script, or
// which limit was passed where.
func checkFailure(t *testing.T, err error) {
	t.Helper()
	if thrown, ok := errors.AsType[*wire.Thrown](err); ok {
		if thrown.Message == "" || thrown.Name == wire.LimitName {
			t.Errorf("an error of the script: %+v", thrown)
		}
		return
	}
	limit, ok := errors.AsType[*half.LimitError](err)
	if !ok || !errors.Is(err, half.ErrGone) {
		t.Fatalf("no failure of the plugin: %v", err)
	}
	if limit.Phase == "" || !strings.Contains("busy heap stack memory panic", limit.Limit) {
		t.Errorf("a limit that says too little: %+v", limit)
	}
}

func running(t testing.TB, starter half.Starter, id, code string) half.Half {
	t.Helper()
	h, err := starter.Start(patient(t), source(id, code), newWorld())
	if err != nil {
		t.Fatal(err)
	}
	if err := h.Load(patient(t)); err != nil {
		t.Fatal(err)
	}
	return h
}

func heap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// needsMemoryLimit skips what would take all memory there is.
func needsMemoryLimit(t *testing.T) {
	t.Helper()
	if raced {
		t.Skip("a process with the race detector cannot live within the memory of a half")
	}
}
