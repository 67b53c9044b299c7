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
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// provides is a half that provides the value of an expression, and the value as
// others get it.
func provides(t *testing.T, expression string) (*world, any) {
	t.Helper()
	w := newWorld(t, sandbox.Config{})
	w.run(`return ctx => { ctx.provide('s', ` + expression + `) }`)
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, p := range w.provided {
		return w, p.Value
	}
	t.Fatal("nothing was provided")
	return nil, nil
}

func TestDataCrosses(t *testing.T) {
	for expression, want := range map[string]any{
		`42`: 42.0, `null`: nil, `undefined`: wire.Undefined{}, `-0.5`: -0.5, `'\ud800'`: "\xed\xa0\x80", `true`: true,
		`[1, , [2]]`:                             []any{1.0, jsonvalue.Hole{}, []any{2.0}},
		`({ b: 1, a: { c: [] }, u: undefined })`: jsonvalue.Of("b", 1.0, "a", jsonvalue.Of("c", []any{}), "u", wire.Undefined{}),
		`new Uint8Array([1, 2])`:                 wire.Bytes{1, 2},
		`JSON.parse('{"__proto__": 1}')`:         jsonvalue.Of("__proto__", 1.0),
		`ctx`:                                    wire.Context{},
	} {
		_, got := provides(t, expression)
		same := cmp.Comparer(func(a, b *jsonvalue.Object) bool { return jsonvalue.Format(a) == jsonvalue.Format(b) })
		if diff := cmp.Diff(want, got, same); diff != "" {
			t.Errorf("%s: %s", expression, diff)
		}
	}
}

func TestWhatCannotCross(t *testing.T) {
	for expression, want := range map[string]string{
		`Symbol('x')`: "a symbol cannot cross", `1n`: "a bigint cannot cross", `(() => { const a = []; a[0] = a; return a })()`: "a cycle cannot cross",
	} {
		w := newWorld(t, sandbox.Config{})
		if _, err := w.start(`return ctx => { ctx.provide('s', ` + expression + `) }`); err != nil {
			t.Fatal(err)
		}
		err := w.load()
		if thrown, ok := errors.AsType[*wire.Thrown](err); !ok || thrown.Name != "TypeError" || !strings.Contains(err.Error(), want[2:]) {
			t.Errorf("%s: %v", expression, err)
		}
	}
}

// Methods keep their receiver, getters are read anew, and what leads back can be
// followed. CR-N12: a frozen service works.
func TestProvidedService(t *testing.T) {
	w, _ := provides(t, `Object.freeze(new (class Counter {
		#n = 0
		name = 'counter'
		self = this
		add(by = 1) { return this.#n += by }
		get count() { return this.#n }
		later(v) { return Promise.resolve(v) }
		async slow(v) { await null; if (v) throw new RangeError('no'); return this.#n }
		each(f) { return [1, 2].map(x => f(x)) }
		each2 = async f => [await f(1), await f(2)]
		fail() { throw Object.assign(new TypeError('failed'), { code: 'E_X' }) }
		plain() { throw 'text' }
		bytes() { return new Uint8Array([7]) }
	}))`)
	call := func(name string, args ...any) (any, error) { return w.callBack(w.member("s", name), args...) }
	for _, c := range []struct {
		name string
		args []any
		want any
	}{
		{"add", nil, 1.0},
		{"add", []any{4.0}, 5.0},
		{"count", nil, 5.0},
		{"later", []any{"x"}, "x"},
		{"slow", nil, 5.0},
		{"bytes", nil, wire.Bytes{7}},
		{"each", []any{w.double()}, []any{2.0, 4.0}},
		{"each2", []any{w.double()}, []any{2.0, 4.0}},
	} {
		if got, err := call(c.name, c.args...); err != nil || !cmp.Equal(got, c.want) {
			t.Errorf("%s gave %v, %v", c.name, got, err)
		}
	}
	self, err := call("self")
	if _, ok := self.(wire.Object); !ok || err != nil {
		t.Errorf("self is %v, %v", self, err)
	}
	for name, want := range map[string]wire.Thrown{
		"fail": {Name: "TypeError", Message: "failed", Code: "E_X"}, "plain": {Message: "text", Plain: true},
	} {
		_, err := call(name)
		got, ok := errors.AsType[*wire.Thrown](err)
		if !ok || got.Name != want.Name || got.Message != want.Message || got.Code != want.Code || got.Plain != want.Plain {
			t.Errorf("%s: %+v", name, err)
		}
	}
	if _, err := call("slow", true); err == nil || err.Error() != "no" {
		t.Errorf("slow: %v", err)
	}
	if !w.member("s", "slow").Async || w.member("s", "later").Async {
		t.Error("asynchronous functions are not marked")
	}
	if len(w.reports) > 0 {
		t.Errorf("%+v", w.reports)
	}
}

// double is a callback in Go.
func (w *world) double() wire.Func {
	return w.function("double", func(_ context.Context, args []any) (any, error) { return args[0].(float64) * 2, nil })
}

func TestProvidedFunctionAndIterator(t *testing.T) {
	w, value := provides(t, `Object.assign(x => x + 1, { version: 2 })`)
	o, ok := value.(wire.Object)
	if !ok || o.Call == nil || len(o.Members) != 1 || o.Members[0].Value != 2.0 {
		t.Fatalf("%+v", value)
	}
	if got, err := w.callBack(*o.Call, 1.0); err != nil || got != 2.0 {
		t.Errorf("%v, %v", got, err)
	}
	w, value = provides(t, `(async function* () { yield 1; yield 2 })()`)
	it := value.(wire.Iterator)
	for _, want := range []string{`{"value":1,"done":false}`, `{"value":2,"done":false}`} {
		got, err := w.callBack(it.Next)
		o, _ := jsonvalue.Map(got)
		v, _ := o.Get("value")
		d, _ := o.Get("done")
		if text := jsonvalue.Format(jsonvalue.Of("value", v, "done", d)); err != nil || text != want {
			t.Errorf("%s, %v", text, err)
		}
	}
	if got, err := w.callBack(it.Return, "end"); err != nil {
		t.Errorf("%v, %v", got, err)
	}
}

// consume runs the body of an async function with the service s of the host, and
// gives what it wrote.
func consume(t *testing.T, w *world, service any, body string) []string {
	t.Helper()
	w.services["s"] = service
	w.run(`return { inject: ['s'], async apply(ctx) { const s = ctx.s; ` + body + ` } }`)
	return w.logs()
}

func TestConsumedService(t *testing.T) {
	w := newWorld(t, sandbox.Config{})
	count := 0.0
	getter := w.function("get n", func(context.Context, []any) (any, error) { count++; return count, nil })
	fail := w.function("fail", func(context.Context, []any) (any, error) {
		return nil, &wire.Thrown{Name: "RangeError", Message: "far", Code: "E_FAR", Stack: "RangeError: far\n    at there"}
	})
	failLater := fail
	failLater.Async = true
	keys := w.function("keys", func(_ context.Context, args []any) (any, error) {
		o, ok := args[0].(wire.Object)
		if !ok {
			return nil, errors.New("no object")
		}
		v, err := w.callIn(w.chain(), o.Members[0].Value.(wire.Func))
		return []any{o.Members[0].Name, v}, err
	})
	keys.Async = true
	service := wire.Object{Members: []wire.Member{
		{Name: "plain", Value: jsonvalue.Of("deep", []any{1.0})},
		{Name: "n", Getter: &getter},
		{Name: "fail", Value: fail},
		{Name: "failLater", Value: failLater},
		{Name: "keys", Value: keys},
		{Name: "bytes", Value: wire.Bytes{1, 2}},
		{Name: "nested", Value: wire.Object{Members: []wire.Member{{Name: "double", Value: w.double()}}}},
		{Name: "none", Value: wire.Undefined{}},
	}}
	got := consume(t, w, service, `
		console.log(s.plain, s.n, s.n, s.nested.double(4), s.bytes, s.none, s.plain instanceof Object)
		try { s.fail() } catch (e) { console.log(e instanceof RangeError, e.message, e.code, e.stack) }
		try { await s.failLater() } catch (e) { console.log(e.name, e.code) }
		console.log(await s.keys({ f: () => 'called' }))
		try { s.nested.double(Symbol()) } catch (e) { console.log(e.message) }`)
	want := []string{
		"{ deep: [ 1 ] } 1 2 8 Uint8Array(2) [ 1, 2 ] undefined true",
		"true far E_FAR RangeError: far\n    at there",
		"RangeError E_FAR",
		"[ 'f', 'called' ]",
		"a symbol cannot cross to another plugin",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestConsumedIteratorAndSignals(t *testing.T) {
	w := newWorld(t, sandbox.Config{})
	n := 0.0
	next := w.function("next", func(context.Context, []any) (any, error) {
		n++
		return jsonvalue.Of("value", n, "done", n > 2), nil
	})
	end := w.function("return", func(context.Context, []any) (any, error) { return jsonvalue.Of("done", true), nil })
	var got wire.Signal
	take := w.function("take", func(_ context.Context, args []any) (any, error) { got = args[0].(wire.Signal); return nil, nil })
	signal := wire.Signal{Handle: wire.Handle{Home: wire.Host, ID: 77}}
	service := wire.Object{Members: []wire.Member{
		{Name: "it", Value: wire.Iterator{Next: next, Return: end}},
		{Name: "take", Value: take},
		{Name: "signal", Value: signal},
	}}
	lines := consume(t, w, service, `
		for await (const x of s.it) console.log(x)
		const signal = { aborted: false, addEventListener(type, f) { this.abort = () => { this.aborted = true; this.reason = new Error('enough'); f() } } }
		s.take(signal)
		harness.handle('abort', () => { signal.abort(); return null })
		console.log(s.signal.aborted)
		s.signal.addEventListener('abort', () => console.log('aborted', ctx.s.signal.aborted))`)
	if diff := cmp.Diff([]string{"1", "2", "false"}, lines); diff != "" {
		t.Error(diff)
	}
	if _, err := w.invoke("abort", nil); err != nil {
		t.Fatal(err)
	}
	w.until("the abort", func() bool { return len(w.aborts) == 1 })
	if want := (wire.Abort{Signal: got.Handle, Reason: "enough"}); w.aborts[0] != want {
		t.Errorf("%+v, want %+v", w.aborts[0], want)
	}
	if err := w.peer.Tell(w.ctx, wire.VerbAbort, wire.Abort{Signal: signal.Handle}); err != nil {
		t.Fatal(err)
	}
	w.untilLine("aborted true")
}

// 10.3: what a service does on behalf of a caller belongs to the calling Fiber.
func TestEffectOfService(t *testing.T) {
	w := newWorld(t, sandbox.Config{})
	undone := make(chan struct{}, 2)
	off := w.function("off", func(context.Context, []any) (any, error) { undone <- struct{}{}; return wire.Undefined{}, nil })
	section := w.function("section", func(context.Context, []any) (any, error) { return off, nil })
	section.Effect = true
	lines := consume(t, w, wire.Object{Members: []wire.Member{{Name: "section", Value: section}}}, `
		s.section({ name: 'a' }); const off = s.section({ name: 'b' }); console.log(typeof off, off())`)
	if diff := cmp.Diff([]string{"function undefined"}, lines); diff != "" {
		t.Error(diff)
	}
	<-undone
	w.mustUnload()
	<-undone
}

// CR-X5: what a service gives later can be awaited.
func TestPromiseOfHost(t *testing.T) {
	w := newWorld(t, sandbox.Config{})
	fetch := w.function("fetch", func(context.Context, []any) (any, error) {
		return wire.Promise{Handle: wire.Handle{Home: wire.Host, ID: 5}}, nil
	})
	w.awaits = map[uint64]any{5: "host-fetched"}
	lines := consume(t, w, wire.Object{Members: []wire.Member{{Name: "fetch", Value: fetch}}}, `const p = s.fetch(); console.log(p instanceof Promise, await p)`)
	if diff := cmp.Diff([]string{"true host-fetched"}, lines); diff != "" {
		t.Error(diff)
	}
}

func TestHandlesAreBound(t *testing.T) {
	w := newWorld(t, sandbox.Config{Limits: sandbox.Limits{Handles: 3}})
	var kept []any
	f := w.function("f", func(_ context.Context, args []any) (any, error) { kept = append(kept, args...); return nil, nil })
	lines := consume(t, w, wire.Object{Members: []wire.Member{{Name: "f", Value: f}}}, `
		const one = () => 1; for (let i = 0; i < 100; i++) s.f(one)
		let n = 1; try { for (;;) { s.f(() => n); n++ } } catch (e) { console.log(n, e.name) }`)
	if diff := cmp.Diff([]string{"3 RangeError"}, lines); diff != "" {
		t.Error(diff)
	}
	if len(kept) != 102 {
		t.Errorf("%d were kept", len(kept))
	}
}

func TestOwnThingsComeBack(t *testing.T) {
	w := newWorld(t, sandbox.Config{})
	echo := w.function("echo", func(_ context.Context, args []any) (any, error) { return args[0], nil })
	lines := consume(t, w, wire.Object{Members: []wire.Member{{Name: "echo", Value: echo}}}, `
		const f = () => 1; console.log(s.echo(f) === f); console.log(await s.echo(Promise.resolve('own')))
		const wide = 'x'.repeat(1000); console.log(s.echo(wide).length)`)
	if diff := cmp.Diff([]string{"true", "own", "1000"}, lines); diff != "" {
		t.Error(diff)
	}
}

func TestTooLargeToCross(t *testing.T) {
	w := newWorld(t, sandbox.Config{Limits: sandbox.Limits{Busy: 10 * time.Second}})
	echo := w.function("echo", func(_ context.Context, args []any) (any, error) { return args[0], nil })
	lines := consume(t, w, wire.Object{Members: []wire.Member{{Name: "echo", Value: echo}}}, `
		try { s.echo('x'.repeat(17 * 1024 * 1024)) } catch (e) { console.log(e.message) }`)
	if diff := cmp.Diff([]string{wire.ErrTooLarge.Error()}, lines); diff != "" {
		t.Error(diff)
	}
}

// Promises that nobody comes for do not use up what a half may lend.
func TestPromisesThatNobodyAwaits(t *testing.T) {
	w := newWorld(t, sandbox.Config{})
	w.run(`return ctx => { ctx.provide('s', { later: () => Promise.resolve(1) }) }`)
	later := w.member("s", "later")
	for range 5000 {
		if err := w.ask(wire.VerbCall, wire.CallFunc{Func: later}, &wire.Value{}); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := w.callBack(later); err != nil || got != 1.0 {
		t.Errorf("%v, %v", got, err)
	}
}

// What a service has from its class is no member of its own elsewhere either.
func TestInheritedMembers(t *testing.T) {
	_, value := provides(t, `new (class extends (class { below() { return 'below' } }) { own = 1; get two() { return 2 }; f() { return this.own } })()`)
	object, ok := value.(wire.Object)
	if !ok || len(object.Members) != 4 {
		t.Fatalf("%+v", value)
	}
	w := newWorld(t, sandbox.Config{})
	again := w.function("again", func(_ context.Context, args []any) (any, error) { return args[0], nil })
	for i, m := range object.Members {
		if m.Getter != nil {
			f := w.function("get", func(context.Context, []any) (any, error) { return 2.0, nil })
			object.Members[i].Getter = &f
		} else if _, is := m.Value.(wire.Func); is {
			object.Members[i].Value = w.function(m.Name, func(context.Context, []any) (any, error) { return m.Name, nil })
		}
	}
	object.Members = append(object.Members, wire.Member{Name: "again", Value: again})
	lines := consume(t, w, object, `
		const forIn = o => { const out = []; for (const k in o) out.push(k); return out.join() }
		for (const o of [s, s.again(s)]) console.log(Object.keys(o).join(), forIn(o), 'f' in o, o.f(), o.below(), o.two, JSON.stringify(o))`)
	want := `own,again own,again true f below 2 {"own":1}`
	if diff := cmp.Diff([]string{want, want}, lines); diff != "" {
		t.Error(diff)
	}
}
