package jsrun_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
	"github.com/dshkit/dshkit/pkg/jsrun"
)

// TestLanguage evaluates expressions that must give true, or the text of the
// value that differs.
func TestLanguage(t *testing.T) {
	for name, src := range map[string]string{
		"symbols":             `typeof Symbol.asyncIterator === "symbol" && typeof Symbol.dispose === "symbol" && typeof Symbol.asyncDispose === "symbol"`,
		"groupBy":             `JSON.stringify(Object.groupBy([1, 2, 3], (x) => x % 2 ? "odd" : "even")) === '{"odd":[1,3],"even":[2]}' && Map.groupBy([1, 2, 3], (x) => x % 2).get(1).length === 2`,
		"withResolvers":       `(async () => { const {promise, resolve} = Promise.withResolvers(); resolve(3); return await promise === 3 })()`,
		"Promise.try":         `Promise.try(() => { throw 1 }).catch((e) => e === 1)`,
		"fromAsync":           `Array.fromAsync([1, Promise.resolve(2)], (x) => x * 2).then((a) => a.join() === "2,4")`,
		"fromAsync iterator":  `Array.fromAsync({[Symbol.asyncIterator]() { let i = 0; return {next: async () => ({done: i > 2, value: i++})} }}).then((a) => a.join() === "0,1,2")`,
		"well-formed":         `"a\ud800".toWellFormed() === "a\ufffd" && !"\udc00".isWellFormed() && "é😀".isWellFormed()`,
		"iterator helpers":    `[1, 2, 3, 4].values().filter((x) => x % 2).map((x) => x * 10).toArray().join() === "10,30" && [1, 2, 3].values().drop(1).take(1).toArray()[0] === 2 && [1,2].values().flatMap((x) => [x, x]).toArray().join() === "1,1,2,2" && [1,2,3].values().reduce((a, b) => a + b) === 6 && [1,2].values().some((x) => x > 1) && !([1,2].values().every((x) => x > 1)) && [1,2].values().find((x) => x > 1) === 2`,
		"iterator closes":     `(() => { let closed = 0; const it = {__proto__: Iterator.prototype, next: () => ({done: false, value: 1}), return() { closed++; return {} }}; it.take(2).toArray(); it.find((x) => x === 1); for (const x of it.map((x) => x)) break; return closed === 3 || closed })()`,
		"Iterator.from":       `Iterator.from({next() { return {done: true} }}).toArray().length === 0 && Iterator.from([1]) instanceof Iterator`,
		"captureStackTrace":   `(() => { const o = {}; Error.captureStackTrace(o); return typeof o.stack === "string" })()`,
		"WeakRef":             `(() => { const o = {}; return new WeakRef(o).deref() === o && new FinalizationRegistry(() => {}).unregister(o) === false })()`,
		"toLocaleString":      `(1234567.891).toLocaleString("en") === "1,234,567.891" && (5).toLocaleString() === "5" && (12345678901234567890n).toLocaleString() === "12,345,678,901,234,567,890" || (1234567.891).toLocaleString()`,
		"indentation":         `JSON.stringify({a: [], b: {}, c: [1, [], {d: 2}]}, null, 2) === '{\n  "a": [],\n  "b": {},\n  "c": [\n    1,\n    [],\n    {\n      "d": 2\n    }\n  ]\n}'`,
		"stringify":           `JSON.stringify({a: undefined, b() {}, c: [undefined, NaN, -0, 1e21, "\ud800\u2028"], d: new Date(0), e: Object("x"), f: Object(1), g: Object(true)}) === '{"c":[null,null,0,1e+21,"\\ud800\u2028"],"d":"1970-01-01T00:00:00.000Z","e":"x","f":1,"g":true}' || JSON.stringify({a: undefined, b() {}, c: [undefined, NaN, -0, 1e21, "\ud800"], d: new Date(0), e: Object("x"), f: Object(1), g: Object(true)})`,
		"stringify replacer":  `JSON.stringify({a: 1, b: {a: 2, c: 3}}, ["a", "b"]) === '{"a":1,"b":{"a":2}}' && JSON.stringify({a: 1, b: 2}, (k, v) => k === "a" ? undefined : v) === '{"b":2}' && JSON.stringify(undefined) === undefined && JSON.stringify("x", null, "--") === '"x"'`,
		"stringify cycle":     `(() => { const o = {}; o.o = o; try { JSON.stringify(o) } catch (e) { return e instanceof TypeError } })()`,
		"rawJSON":             `JSON.stringify({a: JSON.rawJSON("1.000")}) === '{"a":1.000}'`,
		"parse":               `JSON.parse('"\\ud83d"').charCodeAt(0) === 0xd83d && Object.is(JSON.parse("-0"), -0) && JSON.parse('{"__proto__": 1}').__proto__ === 1 && JSON.parse("[1,2]", (k, v) => k === "0" ? undefined : v).length === 2`,
		"parse error":         `(() => { try { JSON.parse("{") } catch (e) { return e instanceof SyntaxError } })()`,
		"clone":               `(() => { const o = {a: [1, , {b: new Date(5)}], m: new Map([[{}, new Set([1])]]), r: /x/gi, u: new Uint8Array([1, 2]), e: new RangeError("no"), n: null, big: 1n}; o.self = o; const c = structuredClone(o); return c !== o && c.self === c && c.a[2].b.getTime() === 5 && !(1 in c.a) && c.a.length === 3 && [...c.m.values()][0].has(1) && c.r.flags === "gi" && c.u[1] === 2 && c.u !== o.u && c.e instanceof RangeError && c.e.message === "no" && c.big === 1n })()`,
		"clone class":         `(() => { class A { x = 1 } const c = structuredClone(new A()); return c.x === 1 && Object.getPrototypeOf(c) === Object.prototype })()`,
		"clone refuses":       `[() => 1, Symbol("s"), new WeakMap(), Promise.resolve(), {f() {}}].every((v) => { try { structuredClone(v) } catch (e) { return e.name === "DataCloneError" && e.code === 25 && e instanceof DOMException } })`,
		"queueMicrotask":      `new Promise((ok) => { const log = []; setTimeout(() => ok(log.join() === "1,2" || log.join()), 1); queueMicrotask(() => log.push(2)); log.push(1) })`,
		"timers in order":     `new Promise((ok) => { const log = []; for (const ms of [3, 1, 2, 1]) setTimeout(() => log.push(ms), ms); setImmediate(() => log.push(0)); setTimeout(() => ok(log.join() === "0,1,1,2,3" || log.join()), 12) })`,
		"timers in the queue": `new Promise((ok) => { const log = []; setTimeout(() => { log.push(1); clearTimeout(b) }, 1); const b = setTimeout(() => log.push(2), 1); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20); setTimeout(() => ok(log.join() === "1" || log.join()), 5) })`,
		"timer arguments":     `new Promise((ok) => setTimeout((a, b) => ok(a + b === 3), 1, 1, 2))`,
		"interval":            `new Promise((ok) => { let n = 0; const i = setInterval(() => { if (++n === 3) { clearInterval(i); setTimeout(() => ok(n === 3), 5) } }, 1) })`,
		"clearTimeout":        `new Promise((ok) => { const t = setTimeout(() => ok("fired"), 1); clearTimeout(+t); setTimeout(() => ok(true), 5) })`,
		"refs":                `(() => { const t = setTimeout(() => {}, 1); const a = t.hasRef(); t.unref(); const b = t.hasRef(); clearTimeout(t); return a && !b })()`,
		"any":                 `(() => { const a = new AbortController(), b = new AbortController(); const s = AbortSignal.any([a.signal, b.signal]); let seen; s.addEventListener("abort", (e) => { seen = e.type }); b.abort("why"); return s.aborted && s.reason === "why" && seen === "abort" })()`,
		"timeout":             `new Promise((ok) => { const s = AbortSignal.timeout(1); s.onabort = () => ok(s.reason.name === "TimeoutError") })`,
		"throwIfAborted":      `(() => { try { AbortSignal.abort().throwIfAborted() } catch (e) { return e.name === "AbortError" && e.code === 20 && e instanceof Error } })()`,
		"EventTarget":         `(() => { const t = new EventTarget(), log = []; const f = () => log.push("f"); t.addEventListener("x", f); t.addEventListener("x", f); t.addEventListener("x", {handleEvent() { log.push("h") }}, {once: true}); t.dispatchEvent(new Event("x")); t.dispatchEvent(new Event("x")); const e = new Event("y", {cancelable: true}); t.addEventListener("y", (e) => e.preventDefault()); return log.join() === "f,h,f" && t.dispatchEvent(e) === false })()`,
		"Atomics":             `(() => { const a = new Int32Array(new SharedArrayBuffer(8)); Atomics.add(a, 0, 5); return Atomics.load(a, 0) === 5 && Atomics.wait(a, 0, 4) === "not-equal" && Atomics.wait(a, 0, 5, 2) === "timed-out" && new SharedArrayBuffer(8).byteLength === 8 })()`,
		"clock and chance":    `Date.now() === 0 && Math.random() === 0`,
		"RegExp":              `new RegExp("[\\p{L}\\p{N}_-]+", "gu").exec("é中9-_ x")[0] === "é中9-_" && /a/ instanceof RegExp && RegExp("a") instanceof RegExp && /a/.constructor === RegExp && RegExp.prototype.constructor === RegExp`,
		"RegExp members":      `(() => { const r = new RegExp("\\p{Lu}", "u"); return r.source === "\\p{Lu}" && String(r) === "/\\p{Lu}/u" && new RegExp(r).source === "\\p{Lu}" && new RegExp(r, "g").flags === "g" && RegExp(r) === r && RegExp.length === 2 && RegExp.name === "RegExp" })()`,
		"RegExp subclass":     `(() => { class R extends RegExp { test(s) { return super.test(s) } } const r = new R("\\P{L}", "u"); return r instanceof R && r.test("1") && !r.test("a") && RegExp[Symbol.species] === RegExp })()`,
		"RegExp state":        `(() => { const make = () => new RegExp("a", "g"); const a = make(), b = make(); a.test("aa"); return a.lastIndex === 1 && b.lastIndex === 0 && "a1b2".split(new RegExp("\\p{N}", "u")).join() === "a,b," && "x1".replace(new RegExp("\\p{N}", "u"), "#") === "x#" })()`,
		"RegExp refuses":      `["\\p{Nope}", "\\p{Script=Nope}", "\\pL", "[a-\\p{L}]", "[\\p{L}-z]", "\\p{L"].every((p) => { try { new RegExp(p, "u") } catch (e) { return e instanceof SyntaxError } })`,
		"RegExp scripts":      `new RegExp("^[\\p{Script=Han}\\p{Script=Hiragana}\\p{sc=Katakana}\\p{scx=Hang}]+$", "u").test("漢ひカ한") && new RegExp("^\\p{Emoji_Presentation}$", "u").test("😀") && new RegExp("^\\p{Extended_Pictographic}", "u").test("☎")`,
		"RegExp groups":       `["2024-07", "é 2024-07", "😀 2024-07"].every((s) => [/(?<y>\d{4})-(?<m>\d\d)/, /(?<y>\d{4})-(?<m>\d\d)/u, new RegExp("(?<y>\\d{4})-(?<m>\\d\\d)", "gu")].every((r) => r.exec(s).groups.m === "07" && s.replace(r, "$<m>/$<y>").endsWith("07/2024")))`,
		"RegExp sticky":       `["x 2024", "é 2024", "😀2024"].every((s) => s.replace(/\d/y, "Q") === s && !/\d/y.test(s) && s.search(/\d/y) === -1 && s.replace(new RegExp("\\d", "y"), "Q") === s) && "1é".replace(/\d/y, "Q") === "Qé" && new RegExp("\\d", "y").source === "\\d"`,
		"RegExp.escape":       `RegExp.escape("a.b") === "\\x61\\.b"`,
		"literal":             `/\p{L}+/u.exec("1é2")?.[0] === "é"`,
	} {
		t.Run(name, func(t *testing.T) {
			run := start(t, "function f() { return "+src+" }", jsrun.Config{})
			if got := call(t, run, "f"); got != true {
				t.Errorf("%s = %v", src, got)
			}
		})
	}
}

func TestClockAndChance(t *testing.T) {
	run := start(t, `function f() { return [Date.now(), new Date().toISOString(), Math.random()] }`, jsrun.Config{
		Now:    func() time.Time { return time.UnixMilli(1700000000123) },
		Random: func() float64 { return 0.5 },
	})
	got, _ := call(t, run, "f").([]any)
	if len(got) != 3 || got[0] != 1700000000123.0 || got[1] != "2023-11-14T22:13:20.123Z" || got[2] != 0.5 {
		t.Errorf("got %v", got)
	}
}

func TestUnhandled(t *testing.T) {
	var seen []string
	reported := make(chan struct{}, 10)
	run := start(t, `
		function rejects(text) { Promise.reject(new Error(text)) }
		function caught() { const p = Promise.reject(new Error("caught")); Promise.resolve().then(() => p.catch(() => {})) }
		function turn() { const p = Promise.reject(new Error("caught a turn later")); setImmediate(() => p.catch(() => {})) }
		function timer() { setTimeout(() => { throw new Error("timer") }, 1) }
		function noop() {}
	`, jsrun.Config{Unhandled: func(e *jsrun.Error) {
		seen = append(seen, e.Phase+": "+e.Message)
		reported <- struct{}{}
	}})
	for _, name := range []string{"caught", "turn", "noop", "noop"} {
		call(t, run, name)
	}
	ctx := jsrun.WithPhase(t.Context(), "apply")
	if _, err := run.Call(ctx, "rejects", "one"); err != nil {
		t.Fatal(err)
	}
	<-reported
	if _, err := run.Call(ctx, "timer"); err != nil {
		t.Fatal(err)
	}
	<-reported
	call(t, run, "noop")
	if got := strings.Join(seen, ", "); got != "apply: one, apply: timer" {
		t.Errorf("reported: %s", got)
	}
}

func TestWithoutAndGlobals(t *testing.T) {
	run := start(t, `function f() { return [typeof setTimeout, typeof given] }`, jsrun.Config{
		Without: []string{"setTimeout"},
		Globals: []jsrun.Global{{Name: "given", Make: func(vm *jsrun.VM) (jsrun.Value, error) { return vm.FromJSON("x"), nil }}},
	})
	got, _ := call(t, run, "f").([]any)
	if len(got) != 2 || got[0] != "undefined" || got[1] != "string" {
		t.Errorf("got %v", got)
	}
	_ = run.Do(t.Context(), func(vm *jsrun.VM) error {
		if names := strings.Join(vm.Globals(), " "); !strings.Contains(names, " given ") || strings.Contains(names, "setTimeout") {
			t.Errorf("globals: %s", names)
		}
		return nil
	})
}

func TestClosed(t *testing.T) {
	run := start(t, `function f() {}`, jsrun.Config{})
	var order []int
	for i := range 3 {
		run.Defer(func() { order = append(order, i) })
	}
	for range 2 {
		if err := run.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if len(order) != 3 || order[0] != 2 || order[2] != 0 {
		t.Errorf("undone in the order %v", order)
	}
	if _, err := run.Call(t.Context(), "f"); !errors.Is(err, jsrun.ErrClosed) {
		t.Errorf("err = %v", err)
	}
	<-run.Done()
}

func BenchmarkStart(b *testing.B) {
	p, err := jsrun.Compile("x.js", "1")
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		run, err := p.Start(b.Context(), jsrun.Config{})
		if err != nil {
			b.Fatal(err)
		}
		_ = run.Close()
	}
}

var _ = jsonvalue.Of
