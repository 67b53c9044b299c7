package lossless_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/cordis/lossless"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
	"github.com/dshkit/dshkit/pkg/jsrun"
)

// with evaluates an expression and hands its value to f, on the owner's goroutine.
func with(t *testing.T, src string, f func(vm *jsrun.VM, v jsrun.Value)) {
	t.Helper()
	compile := func(src string) *jsrun.Program {
		p, err := jsrun.Compile("test.js", src)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	run, err := compile("").Start(context.Background(), jsrun.Config{Limits: jsrun.Limits{Busy: 10 * time.Minute, Heap: 4 << 30}})
	if err != nil {
		t.Fatal(err)
	}
	defer run.Close()
	err = run.Do(context.Background(), func(vm *jsrun.VM) error {
		v, err := vm.Eval(compile("(" + src + ")"))
		if err == nil {
			f(vm, v)
		}
		return err
	})
	if err != nil {
		t.Fatalf("%s: %v", src, err)
	}
}

func clone(t *testing.T, src string) (out any, err error) {
	t.Helper()
	with(t, src, func(vm *jsrun.VM, v jsrun.Value) { out, err = lossless.Clone(vm, v, "root") })
	return out, err
}

func TestCloneAccepts(t *testing.T) {
	for src, want := range map[string]string{
		`"text"`:       `"text"`,
		`0`:            `0`,
		`null`:         `null`,
		`[]`:           `[]`,
		`"\ud83d"`:     `"\ud83d"`,
		`2 ** 53 + 2`:  `9007199254740994`,
		`[1e-7, -1.5]`: `[1e-7,-1.5]`,
		`{a: [1, {b: [true, null]}], 2: 1, 1: 2}`:    `{"1":2,"2":1,"a":[1,{"b":[true,null]}]}`,
		`Object.assign(Object.create(null), {a: 1})`: `{"a":1}`,
		`{get a() { return 5 }}`:                     `{"a":5}`,
		`(() => { const a = [0]; Object.defineProperty(a, 0, {get: () => 7, enumerable: true}); return a })()`: `[7]`,
		`JSON.parse('{"__proto__":{"a":1}}')`:                            `{"__proto__":{"a":1}}`,
		`(() => { const s = {n: 1}; return {a: s, b: s, c: [s, s]} })()`: `{"a":{"n":1},"b":{"n":1},"c":[{"n":1},{"n":1}]}`,
		`new Proxy({a: 1}, {})`:                                          `{"a":1}`,
		`new Proxy([1, 2], {})`:                                          `[1,2]`,
		`Object.freeze({a: Object.freeze([1])})`:                         `{"a":[1]}`,
		`{"\ud83d": 1, "": 2}`:                                           `{"\ud83d":1,"":2}`,
	} {
		got, err := clone(t, src)
		if err != nil {
			t.Errorf("%s: %v", src, err)
			continue
		}
		if diff := cmp.Diff(want, jsonvalue.Format(got)); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", src, diff)
		}
	}
}

func TestCloneRefuses(t *testing.T) { // CR-N13
	for src, path := range map[string]string{
		`undefined`:                      `root`,
		`{a: undefined}`:                 `root.a`,
		`NaN`:                            `root`,
		`[Infinity]`:                     `root[0]`,
		`-0`:                             `root`,
		`{a: [0, {b: -0}]}`:              `root.a[1].b`,
		`1n`:                             `root`,
		`Symbol("s")`:                    `root`,
		`() => {}`:                       `root`,
		`{a: class {}}`:                  `root.a`,
		`new Date(0)`:                    `root`,
		`new Map()`:                      `root`,
		`{s: new Set()}`:                 `root.s`,
		`/x/`:                            `root`,
		`new Error("x")`:                 `root`,
		`new (class Point {})()`:         `root`,
		`Object.create({})`:              `root`,
		`new (class extends Array {})()`: `root`,
		`new Uint8Array(2)`:              `root`,
		`new ArrayBuffer(2)`:             `root`,
		`new String("x")`:                `root`,
		`Promise.resolve(1)`:             `root`,
		`[1,,2]`:                         `root`,
		`[,]`:                            `root`,
		`(() => { const a = []; a.length = 1e9; return a })()`: `root`,
		`Object.assign([1], {extra: 1})`:                       `root`,
		`Object.assign([,1], {extra: 1})`:                      `root`,
		`{a: {[Symbol("k")]: 1}}`:                              `root.a`,
		`Object.defineProperty({}, Symbol(), {value: 1})`:      `root`,
		`Object.defineProperty([], Symbol(), {value: 1})`:      `root`,
		`Object.defineProperty({}, "h", {value: 1})`:           `root`,
		`(() => { const o = {}; o.self = o; return o })()`:     `root.self`,
		`(() => { const o = [{}]; o[0].up = o; return o })()`:  `root[0].up`,
		`{toJSON() { return 1 }}`:                              `root.toJSON`,
		`{set a(v) {}}`:                                        `root.a`,
		`(function () { return arguments })(1)`:                `root`,
		`/a/.exec("a")`:                                        `root`,
		`{[Symbol.toStringTag]: "x"}`:                          `root`,
		`Math`:                                                 `root`,
		`globalThis`:                                           `root`,
		`(() => { const {proxy, revoke} = Proxy.revocable(() => {}, {}); return {proxy} })()`: `root.proxy`,
		`new Proxy(() => {}, {})`:                              `root`,
		`new Proxy(new Date(0), {})`:                           `root`,
		`Object.setPrototypeOf(new Date(0), Object.prototype)`: `root`,
	} {
		_, err := clone(t, src)
		if diff := cmp.Diff(error(&lossless.Error{Path: path}), err, cmp.Comparer(same)); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", src, diff)
		}
	}
}

func same(a, b error) bool {
	return a == b || a != nil && b != nil && a.Error() == b.Error()
}

func TestCloneThrows(t *testing.T) { // CR-N13
	for _, src := range []string{
		`{get a() { throw new RangeError("mine") }}`,
		`new Proxy({}, {ownKeys() { throw new RangeError("mine") }})`,
		`[new Proxy({}, {getPrototypeOf() { throw new RangeError("mine") }})]`,
		`new Proxy({a: 1}, {get() { throw new RangeError("mine") }})`,
	} {
		_, err := clone(t, src)
		e, ok := errors.AsType[*jsrun.Error](err)
		if !ok || e.Name != "RangeError" || e.Message != "mine" {
			t.Errorf("%s: %#v", src, err)
		}
	}
}

func TestCloneIsACopy(t *testing.T) {
	with(t, `globalThis.live = {a: [1]}`, func(vm *jsrun.VM, v jsrun.Value) {
		got, err := lossless.Clone(vm, v, "root")
		if err != nil {
			t.Fatal(err)
		}
		change, err := jsrun.Compile("", "live.a.push(2); live.b = 1")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := vm.Eval(change); err != nil {
			t.Fatal(err)
		}
		if text := jsonvalue.Format(got); text != `{"a":[1]}` {
			t.Errorf("the copy is now %s", text)
		}
	})
}

func TestCloneDeepAndLarge(t *testing.T) {
	levels := 1_000_000
	if testing.Short() {
		levels = 100_000
	}
	got, err := clone(t, fmt.Sprintf(`(() => { let x = []; for (let i = 1; i < %d; i++) x = [x]; return x })()`, levels))
	if err != nil {
		t.Fatal(err)
	}
	depth := 0
	for list, ok := got.([]any); ok; depth++ {
		if len(list) == 0 {
			depth++
			break
		}
		list, ok = list[0].([]any)
	}
	if depth != levels {
		t.Errorf("%d levels arrived", depth)
	}
	for _, src := range []string{
		`"x".repeat(1 << 24)`, `Array(1 << 12).fill("x".repeat(1 << 12))`, `{["x".repeat(1 << 24)]: 1}`,
		`new Proxy({}, {ownKeys: () => ["a".repeat(1 << 14)], getOwnPropertyDescriptor: () => ({value: 1, enumerable: true, configurable: true}), get: function more() { return new Proxy({}, this) }})`,
	} {
		_, err := clone(t, src)
		if diff := cmp.Diff(error(&lossless.SizeError{Root: "root", Limit: lossless.MaxSize}), err, cmp.Comparer(same)); diff != "" {
			t.Errorf("%.40s: (-want +got)\n%s", src, diff)
		}
	}
}

func TestRead(t *testing.T) {
	foreign := func(k jsonvalue.Kind) any { return jsonvalue.Foreign{Kind: k, Text: string(k)} }
	with(t, `(() => { const c = [1]; c[1] = c; return {c, f() {}, d: new Date(0), u: undefined, s: {[Symbol()]: 1}, n: 1n} })()`, func(vm *jsrun.VM, v jsrun.Value) {
		got, err := lossless.Read(vm, v, "root")
		if err != nil {
			t.Fatal(err)
		}
		want := jsonvalue.Of("c", []any{1.0, foreign(jsonvalue.Cycle)}, "f", foreign(jsonvalue.Function), "d", foreign(jsonvalue.Exotic),
			"u", foreign(jsonvalue.Undefined), "s", foreign(jsonvalue.HiddenKeys), "n", foreign(jsonvalue.BigInt))
		if diff := cmp.Diff(want, got, cmp.Comparer(func(a, b *jsonvalue.Object) bool { return a.Equal(b) })); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
	})
}
