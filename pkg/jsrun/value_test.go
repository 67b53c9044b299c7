package jsrun_test

import (
	"math"
	"runtime"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
	"github.com/dshkit/dshkit/pkg/jsrun"
)

func drawValue(depth int) *rapid.Generator[any] {
	text := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"__proto__", "\xed\xa0\xbd", "a\xed\xb8\x80", "toString", "1", "0", "\uFFFD", ""}))
	leaves := []*rapid.Generator[any]{
		rapid.Just[any](nil), rapid.Map(rapid.Bool(), func(b bool) any { return b }), rapid.Map(text, func(s string) any { return s }),
		rapid.Map(rapid.OneOf(rapid.Float64(), rapid.SampledFrom([]float64{0, math.Copysign(0, -1), 1, 1 << 53, 1e21, -7})), func(f float64) any { return f }),
	}
	if depth == 0 {
		return rapid.OneOf(leaves...)
	}
	inner := rapid.Deferred(func() *rapid.Generator[any] { return drawValue(depth - 1) })
	return rapid.OneOf(append(leaves,
		rapid.Map(rapid.SliceOfN(rapid.OneOf(inner, rapid.Just[any](jsonvalue.Hole{})), 0, 4), func(list []any) any { return append([]any{}, list...) }),
		rapid.Custom(func(t *rapid.T) any {
			o := &jsonvalue.Object{}
			for range rapid.IntRange(0, 4).Draw(t, "members") {
				// Keys that are indexes come first in JavaScript: none here.
				o.Set("k"+text.Draw(t, "key"), inner.Draw(t, "value"))
			}
			if rapid.Bool().Draw(t, "proto") {
				o.Set("__proto__", inner.Draw(t, "value"))
			}
			if rapid.Bool().Draw(t, "bare") {
				o.SetBare()
			}
			return o
		}))...)
}

// TestRoundTrip: what is built of a value is copied back as the same value.
func TestRoundTrip(t *testing.T) {
	run := start(t, `Object.defineProperty(Object.prototype, "ka", {get() { return "inherited" }, set() {}, configurable: true})`, jsrun.Config{})
	rapid.Check(t, func(rt *rapid.T) {
		want := drawValue(3).Draw(rt, "value")
		err := run.Do(t.Context(), func(vm *jsrun.VM) error {
			for name, v := range map[string]jsrun.Value{"FromJSON": vm.FromJSON(want), "Frozen": vm.Frozen(want)} {
				got, err := vm.ToJSON(v)
				if err != nil {
					return err
				}
				if diff := cmp.Diff(want, got, cmp.Comparer(sameNumber), cmp.Comparer(sameObject)); diff != "" {
					rt.Errorf("%s (-want +got):\n%s", name, diff)
				}
			}
			return nil
		})
		if err != nil {
			rt.Fatal(err)
		}
	})
}

func sameObject(a, b *jsonvalue.Object) bool {
	if a.Len() != b.Len() || a.Bare() != b.Bare() {
		return false
	}
	for i, key := range a.Keys() {
		x, _ := a.Get(key)
		y, _ := b.Get(key)
		if b.Keys()[i] != key || !cmp.Equal(x, y, cmp.Comparer(sameNumber), cmp.Comparer(sameObject)) {
			return false
		}
	}
	return true
}

// TestToJSONOrder (MN12): the accessors of one object run in its own order, as
// Object.entries runs them, and those of its members in canonical order.
func TestToJSONOrder(t *testing.T) {
	run := start(t, `
		var log = []
		var watch = (name, value) => Object.defineProperty({}, name, {enumerable: true, get() { log.push(name); return value }})
		function make() { return {get b() { log.push("b"); return watch("in b", 1) }, get _() { log.push("_"); return watch("in _", 2) }, get a() { log.push("a"); return 3 }, [Symbol("s")]: 4} }
		function fails() { return {get x() { throw new RangeError("no") }, get a() { throw new RangeError("later") }} }
	`, jsrun.Config{})
	want := jsonvalue.Of("b", jsonvalue.Of("in b", 1.0), "_", jsonvalue.Of("in _", 2.0), "a", 3.0)
	if diff := cmp.Diff(any(want), call(t, run, "make"), cmp.Comparer(sameObject)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	err := run.Do(t.Context(), func(vm *jsrun.VM) error {
		got, err := vm.ToJSON(vm.Runtime().Get("log"))
		if diff := cmp.Diff(any([]any{"b", "_", "a", "in _", "in b"}), got); diff != "" {
			t.Errorf("order (-want +got):\n%s", diff)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := run.Call(t.Context(), "fails"); err == nil || err.Error() != "no" {
		t.Errorf("a getter that throws: %v", err)
	}
}

// TestToJSONAsksNoMethods (MN11): a list is read by its indices, whatever methods
// it has of its own or has inherited.
func TestToJSONAsksNoMethods(t *testing.T) {
	run := start(t, `
		var methods = ["map", "forEach", "every", "some", "entries", "keys", "values", "toJSON", Symbol.iterator]
		function own() { return Object.assign([new Date(0)], Object.fromEntries(methods.map(name => [name, () => []]))) }
		function inherited() { for (const name of methods) Array.prototype[name] = () => []; return [new Date(0)] }
	`, jsrun.Config{})
	want := []any{jsonvalue.Foreign{Kind: jsonvalue.Exotic, Text: "Thu Jan 01 1970 00:00:00 GMT+0000 (UTC)"}}
	for _, name := range []string{"own", "inherited"} {
		if diff := cmp.Diff(any(want), call(t, run, name)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestFrozen: what is handed over frozen is so all the way down, arrays and
// members with names that are no text too.
func TestFrozen(t *testing.T) {
	run := start(t, `function frozen(v) { return v === null || typeof v !== "object" || Object.isFrozen(v) && Object.values(v).every(frozen) }`, jsrun.Config{})
	odd, err := jsonvalue.Parse([]byte(`{"list": [[1], {"a": []}], "odd": {"\ud800": {}}}`))
	if err != nil {
		t.Fatal(err)
	}
	err = run.Do(t.Context(), func(vm *jsrun.VM) error {
		for v, want := range map[jsrun.Value]bool{vm.Frozen(odd): true, vm.FromJSON(odd): false} {
			got, err := vm.Apply(vm.Runtime().Get("frozen"), nil, v)
			if err != nil {
				return err
			}
			if got.ToBoolean() != want {
				t.Errorf("frozen: %v, want %v", got, want)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestSharedIsOneObject(t *testing.T) {
	run := start(t, `function same(a, b) { return a === b && Object.isFrozen(a) && a.list[0] === 1 }`, jsrun.Config{})
	scope := jsonvalue.Of("list", []any{1.0})
	err := run.Do(t.Context(), func(vm *jsrun.VM) error {
		v, err := vm.Apply(vm.Runtime().Get("same"), nil, vm.Shared(scope), vm.Shared(scope))
		if err == nil && !v.ToBoolean() {
			t.Error("two calls gave two objects")
		}
		if vm.Shared(jsonvalue.Of("list", []any{1.0})) == vm.Shared(scope) {
			t.Error("two pointers gave one object")
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	runtime.KeepAlive(scope)
}

// TestSharedLeavesNothing: objects that are gone in Go take their twins along.
func TestSharedLeavesNothing(t *testing.T) {
	run := start(t, ``, jsrun.Config{})
	pad := make([]any, 8)
	share := func(n int) {
		for range n {
			o := jsonvalue.Of("pad", pad)
			if err := run.Do(t.Context(), func(vm *jsrun.VM) error { vm.Shared(o); return nil }); err != nil {
				t.Fatal(err)
			}
		}
	}
	share(1000)
	before := live()
	share(100_000)
	deadline := time.After(10 * time.Second)
	for live() > before+(16<<20) {
		select {
		case <-deadline:
			t.Fatalf("%d bytes before, %d after 100,000 objects", before, live())
		case <-time.After(time.Millisecond):
		}
	}
}

func live() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// TestManyRunsLeaveNothing: a thousand runs, started and closed.
func TestManyRunsLeaveNothing(t *testing.T) {
	p, err := jsrun.Compile("x.js", `setInterval(() => {}, 1); new AbortController()`)
	if err != nil {
		t.Fatal(err)
	}
	rounds := func(n int) {
		for range n {
			run, err := p.Start(t.Context(), jsrun.Config{})
			if err != nil {
				t.Fatal(err)
			}
			if err := run.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
	rounds(10)
	before, count := live(), goroutines(t, 0)
	rounds(1000)
	if after := goroutines(t, count); after > count {
		t.Errorf("%d goroutines before, %d after", count, after)
	}
	if after := live(); after > before+(8<<20) {
		t.Errorf("%d bytes before, %d after", before, after)
	}
}

func BenchmarkFromJSON(b *testing.B) {
	benchValues(b, func(vm *jsrun.VM, v any) { vm.Frozen(v) })
}

func BenchmarkToJSON(b *testing.B) {
	var held jsrun.Value
	benchValues(b, func(vm *jsrun.VM, v any) {
		if held == nil {
			held = vm.FromJSON(v)
		}
		_, _ = vm.ToJSON(held)
	})
}

func benchValues(b *testing.B, f func(vm *jsrun.VM, v any)) {
	p, err := jsrun.Compile("x.js", "")
	if err != nil {
		b.Fatal(err)
	}
	run, err := p.Start(b.Context(), jsrun.Config{})
	if err != nil {
		b.Fatal(err)
	}
	defer run.Close()
	item := jsonvalue.Of("id", "entry-1", "score", 0.5, "text", "some text that is not too short", "tags", []any{"a", "b"}, "none", nil)
	v := jsonvalue.Of("items", []any{item, item, item, item, item, item, item, item}, "total", 8.0)
	_ = run.Do(b.Context(), func(vm *jsrun.VM) error {
		for b.Loop() {
			f(vm, v)
		}
		return nil
	})
}

// TestShape: what has a Shape is read by name, whatever made the object.
func TestShape(t *testing.T) {
	run := start(t, `
class Base { get revision() { return "inherited" } get other() { return 1 } }
class Own extends Base { id = "own"; more = 2 }
const cyclic = { items: [] }
cyclic.items.push(cyclic)
const hidden = { id: "plain", get secret() { throw new Error("read") } }
`, jsrun.Config{})
	loose := &jsrun.Shape{Names: []string{"revision", "id"}}
	only := &jsrun.Shape{Names: []string{"id", "revision", "absent"}, Only: true}
	nested := &jsrun.Shape{Lists: map[string]*jsrun.Shape{"items": only}, Parts: map[string]*jsrun.Shape{"one": {}}}
	exotic := jsonvalue.Foreign{Kind: jsonvalue.Exotic, Text: "[object Object]"}
	for _, c := range []struct {
		text  string
		shape *jsrun.Shape
		want  any
	}{
		{"new Own()", nil, exotic},
		{"new Own()", loose, jsonvalue.Of("id", "own", "more", 2.0, "revision", "inherited")},
		{"new Own()", only, jsonvalue.Of("id", "own", "revision", "inherited")},
		{`new Proxy({ id: "kept" }, { get: (o, key) => o[key] })`, loose, jsonvalue.Of("id", "kept")}, // which answers to any name
		{"hidden", only, jsonvalue.Of("id", "plain")},
		{"[new Own()]", loose, jsonvalue.Of("0", exotic)},
		{"[1, 2]", only, &jsonvalue.Object{}},
		{"Object.assign(() => 1, { id: 'called' })", only, jsonvalue.Of("id", "called")},
		{"new Proxy([1, , 2], {})", nil, []any{1.0, jsonvalue.Hole{}, 2.0}},
		{"new Proxy([1], { get: (list, key) => key === 'length' ? -1 : list[key] })", nil, []any{}},
		{"({ items: new Proxy([new Own(), 7, [1]], {}), one: new Own(), two: new Own() })", nested, jsonvalue.Of(
			"items", []any{jsonvalue.Of("id", "own", "revision", "inherited"), 7.0, &jsonvalue.Object{}}, "one", jsonvalue.Of("id", "own", "more", 2.0), "two", exotic)},
		{"({ items: new Own() })", nested, jsonvalue.Of("items", exotic)},
		{"cyclic", &jsrun.Shape{Lists: map[string]*jsrun.Shape{"items": {}}}, jsonvalue.Of(
			"items", []any{jsonvalue.Foreign{Kind: jsonvalue.Cycle, Text: "[object Object]"}})},
	} {
		program, err := jsrun.Compile("case", c.text)
		if err != nil {
			t.Fatal(err)
		}
		err = run.Do(t.Context(), func(vm *jsrun.VM) error {
			v, err := vm.Eval(program)
			if err != nil {
				return err
			}
			got, err := vm.ToJSONAs(v, c.shape)
			if diff := cmp.Diff(c.want, got, cmp.Comparer(sameObject)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.text, diff)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// TestThrownThings: what is thrown and is no Error is said as String says it.
func TestThrownThings(t *testing.T) {
	run := start(t, `globalThis.fail = kind => { throw { text: "a text", object: {}, spoken: { toString: () => "spoken" }, told: { message: "told" } }[kind] }`, jsrun.Config{})
	for kind, want := range map[string]string{"text": "a text", "object": "[object Object]", "spoken": "spoken", "told": "told"} {
		if _, err := run.Call(t.Context(), "fail", kind); err == nil || err.Error() != want {
			t.Errorf("%s: %v", kind, err)
		}
	}
}
