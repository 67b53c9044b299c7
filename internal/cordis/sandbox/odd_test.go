package sandbox_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/cordis/sandbox"
	"github.com/dshkit/dshkit/internal/cordis/wire"
)

// sample 30: CR-N3, CR-W26
func TestShapes(t *testing.T) {
	for code, want := range map[string]wire.Started{
		sample(t, "30-odd-declarations", "required.host.js"):             {Inject: []string{"required", "optional"}},
		sample(t, "30-odd-declarations", "anonymous.host.js"):            {Name: "<anonymous>", Function: true},
		sample(t, "30-odd-declarations", "nameless.host.js"):             {},
		sample(t, "30-odd-declarations", "lamp.host.js"):                 {Name: "lamp"},
		`return { inject: null, apply() {} }`:                            {},
		`return { inject: ['a', 'b', 'a'], apply() {} }`:                 {Inject: []string{"a", "b"}},
		`return { inject: { b: {}, a: 1 }, apply() {} }`:                 {Inject: []string{"b", "a"}},
		`return Object.create({ inject: ['a'], name: 'x', apply() {} })`: {},
	} {
		w := newWorld(t, sandbox.Config{})
		started, err := w.start(code)
		if diff := cmp.Diff(want, started); err != nil || diff != "" {
			t.Errorf("%s: %v %s", code, err, diff)
		}
		if lines := w.logs(); (len(lines) > 0) != strings.Contains(code, "required") {
			t.Errorf("%s: %q", code, lines)
		}
	}
	for _, code := range []string{sample(t, "30-odd-declarations", "host.js"), `return { inject: [5], apply() {} }`, `return { inject: () => {}, apply() {} }`} {
		w := newWorld(t, sandbox.Config{})
		if _, err := w.start(code); err == nil || gist(err.Error()) != "inject.not-array-or-object" {
			t.Errorf("%s: %v", code, err)
		}
	}
}

func TestConfig(t *testing.T) {
	w := newWorld(t, sandbox.Config{})
	w.run(sample(t, "30-odd-declarations", "config.host.js"))
	w.expect([]string{"config { filled: true, got: true }"})
	w = newWorld(t, sandbox.Config{})
	if _, err := w.start(`return { Config: { '~standard': { validate: async () => ({ issues: [{ message: 'no' }] }) } }, apply() {} }`); err != nil {
		t.Fatal(err)
	}
	if err := w.load(); err == nil || !strings.Contains(err.Error(), "did not accept") {
		t.Errorf("load: %v", err)
	}
}

func TestReturnedContext(t *testing.T) {
	w := newWorld(t, sandbox.Config{})
	if _, err := w.start(sample(t, "30-odd-declarations", "returns-ctx.host.js")); err != nil {
		t.Fatal(err)
	}
	if err := w.load(); err == nil || gist(err.Error()) != "guard.withheld(then)" {
		t.Errorf("load: %v", err)
	}
}

// await looks for ctx.then, which is withheld; the half goes on.
func TestAwaitedContext(t *testing.T) {
	w := newWorld(t, sandbox.Config{})
	w.run(`return ctx => {
		harness.handle('first', async () => { await ctx })
		harness.handle('then', async () => { await 1; await ctx })
		harness.handle('whole', () => Promise.resolve(ctx))
		harness.handle('read', () => ctx.constructor)
	}`)
	for method, want := range map[string]string{"first": "then", "then": "then", "whole": "then", "read": "constructor"} {
		if _, err := w.invoke(method, nil); err == nil || gist(err.Error()) != "guard.withheld("+want+")" {
			t.Errorf("%s: %v", method, err)
		}
	}
}

// sample 30, 04: conflicts name the owner, and what worked is undone.
func TestTakenServices(t *testing.T) {
	for file, owner := range map[string][2]string{
		"nameless.host.js": {"claimed", "<anonymous>"}, "host-name.host.js": {"tools", "ToolRuntime"},
	} {
		w := newWorld(t, sandbox.Config{})
		w.owners[owner[0]] = owner[1]
		if _, err := w.start(sample(t, "30-odd-declarations", file)); err != nil {
			t.Fatal(err)
		}
		want := "service.duplicate(" + owner[0] + " at " + owner[1] + ")"
		if err := w.load(); err == nil || gist(err.Error()) != want {
			t.Errorf("%s: %v", file, err)
		}
		if len(w.provided) > 0 {
			t.Errorf("%s left %+v", file, w.provided)
		}
	}
}

// CR-W16: the handler of a plugin that is parked says so.
func TestHandlerOfParkedPlugin(t *testing.T) {
	w := newWorld(t, sandbox.Config{})
	light := w.function("light", func(context.Context, []any) (any, error) { return "lit", nil })
	w.services["lamp"] = wire.Object{Members: []wire.Member{{Name: "light", Value: light}}}
	w.run(sample(t, "30-odd-declarations", "parked-handler.host.js"))
	if got, err := w.invoke("shine", nil); err != nil || got != "lit" {
		t.Errorf("%v, %v", got, err)
	}
	w.mustUnload()
	w.mu.Lock()
	w.away = map[string]bool{"lamp": true}
	w.mu.Unlock()
	_, err := w.invoke("shine", nil)
	thrown, ok := errors.AsType[*wire.Thrown](err)
	if !ok || !strings.HasPrefix(thrown.Message, `the handler of "shine" failed while the plugin is parked`) || thrown.Stack == "" {
		t.Errorf("%+v", err)
	}
}

// sample 30: CR-W17
func TestTimerThatThrows(t *testing.T) {
	w := newWorld(t, sandbox.Config{})
	w.run(sample(t, "30-odd-declarations", "timer-throws.host.js"))
	w.until("a report", func() bool { return len(w.reports) == 1 })
	if r := w.reports[0]; r.Kind != "timer" || r.Message != "timer callback failed" || r.Stack == "" {
		t.Errorf("%+v", r)
	}
}

// CR-W17
func TestRejectionThatNobodyCaught(t *testing.T) {
	w := newWorld(t, sandbox.Config{})
	w.run(`return () => { Promise.reject(new Error('uncaught')); Promise.reject(1).catch(() => {}) }`)
	w.until("a report", func() bool { return len(w.reports) == 1 })
	if r := w.reports[0]; r.Kind != "promise" || r.Message != "uncaught" {
		t.Errorf("%+v", r)
	}
}

// CR-S4
func TestTrapsInTheBody(t *testing.T) {
	for code, want := range map[string]string{
		`require('fs')`: "trap.host(require)->services", `setTimeout(() => {}, 1)`: "trap.host(setTimeout)->timer", `fetch('x')`: "trap.host(fetch)->web",
		`await import('fs')`: "trap.host(require)->services",
	} {
		w := newWorld(t, sandbox.Config{})
		_, err := w.start(code)
		if err == nil || gist(err.Error()) != want {
			t.Errorf("%s: %v", code, err)
		}
		if strings.Contains(want, "services") && !strings.Contains(err.Error(), "['shell'] for commands (bash is the same service)") { // CR-W22
			t.Errorf("%s: %v", code, err)
		}
	}
}

// 6.3: what is not plain ECMAScript is not there. CR-S3
func TestNothingElseIsThere(t *testing.T) {
	w := newWorld(t, sandbox.Config{})
	w.run(`const names = ['process', 'Buffer', 'module', 'exports', 'global', 'window', 'document', 'clearImmediate', 'queueMicrotask', 'structuredClone', 'URL', 'URLSearchParams',
			'AbortController', 'AbortSignal', 'Event', 'EventTarget', 'performance', 'crypto', 'ctx', 'DOMException', 'CustomEvent', 'GoError', 'navigator', 'self', '__filename']
		console.log(names.filter(name => eval('typeof ' + name) !== 'undefined').join() || 'nothing')
		console.log(Object.keys(globalThis).join() || 'nothing')
		return () => {}`)
	w.expect([]string{"nothing", "nothing"})
}

// CR-S6
func TestCodecs(t *testing.T) {
	w := newWorld(t, sandbox.Config{})
	w.run(`console.log(atob('not base64 at all!').length, atob(btoa('\ud800')), btoa(''), atob('aGk'), atob('_-8='))
		console.log([...new TextEncoder().encode('\ud800é')].join(), new TextDecoder().decode(new Uint8Array([0xef, 0xbb, 0xbf, 0x41])))
		const d = new TextDecoder(); console.log(d.decode(new Uint8Array([0xc3]), { stream: true }) + d.decode(new Uint8Array([0xa9]), { stream: true }) + d.decode())
		try { new TextDecoder('utf-8', { fatal: true }).decode(new Uint8Array([255])) } catch (e) { console.log(e.name) }
		try { new TextDecoder('koi8-r') } catch (e) { console.log(e.name) }
		console.log(new TextDecoder('latin1').decode(new Uint8Array([0xe9, 0x80])), new TextDecoder('UTF-16').decode(new Uint8Array([0x41, 0, 0, 0xd8])), new TextDecoder('ascii').encoding)
		console.log(new TextEncoder().encodeInto('aé', new Uint8Array(2)))
		return () => {}`)
	w.expect([]string{"8 \uFFFD  hi \uFFFD\uFFFD", "239,191,189,195,169 A", "é", "TypeError", "RangeError", "é€ A\uFFFD windows-1252", "{ read: 1, written: 1 }"})
}

// The console shows values as Node does.
func TestConsole(t *testing.T) {
	for code, want := range map[string]string{
		`'a', 1, null, undefined, true, -0, 10n, Symbol('s')`: "a 1 null undefined true -0 10n Symbol(s)",
		`{ a: 'x', 'b-c': [1, 'it\'s'], [Symbol('k')]: 1 }`:   `{ a: 'x', 'b-c': [ 1, "it's" ], [Symbol(k)]: 1 }`,
		`[]`: "[]", `{}`: "{}", `[[[[1]]]]`: "[ [ [ [Array] ] ] ]", `{ a: { b: { c: { d: 1 } } } }`: "{ a: { b: { c: [Object] } } }",
		`new Map([['a', 1]]), new Set([1])`:                  "Map(1) { 'a' => 1 } Set(1) { 1 }",
		`new (class Point { x = 1 })(), () => 1, class A {}`: "Point { x: 1 } [Function (anonymous)] [class A]",
		`new Date(0), /x/g, Object.create(null)`:             "1970-01-01T00:00:00.000Z /x/g [Object: null prototype] {}",
		`'%s is %d and %j %%', 'x', 4.5, { a: 1 }, 'more'`:   `%s is %d and %j %% x 4.5 { a: 1 } more`,
		`{ get a() { return 1 } }`:                           "{ a: [Getter] }",
		`(() => { const o = {}; o.o = o; return o })()`:      "{ o: [Circular *1] }",
		`ctx`: "Context {}",
		`new Proxy({}, { ownKeys() { throw 1 } })`:          "[an object that cannot be shown]",
		`Array(101).fill(0).slice(0, 3), new Uint8Array(2)`: "[ 0, 0, 0 ] Uint8Array(2) [ 0, 0 ]",
		`{ long: 'x'.repeat(40), longer: 'y'.repeat(40) }`:  "{\n  long: '" + strings.Repeat("x", 40) + "',\n  longer: '" + strings.Repeat("y", 40) + "'\n}",
		``: "",
	} {
		w := newWorld(t, sandbox.Config{})
		w.run(`return ctx => { console.log(` + code + `) }`)
		if diff := cmp.Diff([]string{want}, w.logs()); diff != "" {
			t.Errorf("%s: %s", code, diff)
		}
	}
}

func TestErrorOnTheConsole(t *testing.T) {
	w := newWorld(t, sandbox.Config{})
	w.run("return () => {\n  console.error(new RangeError('far'))\n}")
	if diff := cmp.Diff([]string{"error: RangeError: far\n    at cordis-dyn-p-1.js:2:17"}, w.logs()); diff != "" {
		t.Error(diff)
	}
}

// 12, 19.4: what the engine does not have is translated.
func TestModernLanguage(t *testing.T) {
	for _, file := range []string{"modern.host.js", "async-generator.host.js", "empty.host.js"} {
		w := newWorld(t, sandbox.Config{})
		_, err := w.start(sample(t, "12-syntax-errors", file))
		if file == "empty.host.js" {
			if err == nil || gist(err.Error()) != "host.no-return" {
				t.Errorf("%s: %v", file, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", file, err)
		}
		if err := w.load(); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
}

// CR-W4: a body that never ends is bounded by its caller.
func TestStartThatNeverEnds(t *testing.T) {
	w := newWorld(t, sandbox.Config{})
	pending, err := w.peer.Begin(w.ctx, w.chain(), wire.VerbStart, wire.Start{RunID: "run-1", Code: `await new Promise(() => {})`, EvalTimeout: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.invoke("x", nil); fault(err) != wire.CodeNoMethod {
		t.Errorf("%v", err)
	}
	pending.Cancel()
}
