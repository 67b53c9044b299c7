package jsrun_test

import (
	"testing"
	"time"

	"github.com/dshkit/dshkit/pkg/jsrun"
)

// TestGuards: what one native call could not finish is refused, and what it can
// is done as ever.
func TestGuards(t *testing.T) {
	for src, want := range map[string]any{
		`new Uint8Array(2 ** 33)`:                               "RangeError",
		`new Float64Array({length: 2 ** 32})`:                   "RangeError",
		`new ArrayBuffer(1e12)`:                                 "RangeError",
		`new Array(2 ** 32 - 2).fill(0)`:                        "RangeError",
		`new Array(1e8).join()`:                                 "RangeError",
		`new Array(1e8).indexOf(1)`:                             "RangeError",
		`Array.from({length: 2 ** 32})`:                         "RangeError",
		`Array.prototype.map.call({length: 2 ** 40}, (x) => x)`: "RangeError",
		`new Array(1e6).fill("x".repeat(1e6)).join("")`:         "RangeError",
		`(() => { const a = new Array(1e6).fill(0); return [].concat(...new Array(1000).fill(a)) })()`: "RangeError",
		`(() => { let a = []; for (let i = 0; i < 1e5; i++) a = [a]; return a.flat(Infinity) })()`:     "RangeError",
		`(() => { let a = []; for (let i = 0; i < 1e5; i++) a = [a]; return String(a) })()`:            "RangeError",
		`(() => { let a = []; for (let i = 0; i < 1e5; i++) a = [a]; return JSON.stringify(a) })()`:    "RangeError",
		`(() => { let a = []; for (let i = 0; i < 1e5; i++) a = [a]; return structuredClone(a) })()`:   "RangeError",
		`Math.max.apply(null, {length: 1e9})`:                                                          "RangeError",
		`Reflect.apply(Math.max, null, {length: 1e9})`:                                                 "RangeError",
		`Reflect.construct(Array, {length: 1e9})`:                                                      "RangeError",
		`"x".repeat(2 ** 31)`:                                 "RangeError",
		`"x".repeat(-1)`:                                      "RangeError",
		`"x".padStart(2 ** 31, "ab")`:                         "RangeError",
		`"a".repeat(1e6).replaceAll("a", "b".repeat(1e6))`:    "RangeError",
		`"a".repeat(1e6).replace(/a/g, "$'")`:                 "RangeError",
		`eval("(".repeat(1e5))`:                               "SyntaxError",
		`eval("/\\p{L}/u.test('é')")`:                         "SyntaxError",
		`new Function("return /[\\p{L}]/u.test('é')")`:        "SyntaxError",
		`new Function("return " + "[".repeat(1e5))`:           "SyntaxError",
		`(async function () {}).constructor("(".repeat(1e5))`: "SyntaxError",

		`"a".repeat(1e6).replace("a", "b".repeat(1e6)).length`:                                     1999999.0,
		`"x".repeat(3) + "ab".padEnd(4, "-") + [1, [2, [3]]].flat().length`:                        "xxxab--3",
		`[1, , null, undefined, [2, "\ud83d"]].join("|") + ["\ud83d", "\ude00"].join("")`:          "1||||2,\xed\xa0\xbd😀",
		`(() => { const a = [1]; a.push(a); return String(a) + a.flat(3).length })()`:              "1,5",
		`eval("1 + 1") + new Function("a", "b", "return a + b")(1, 2)`:                             5.0,
		`new Uint8Array([1, 2]).map((x) => x * 2)[1] + new Uint16Array(new ArrayBuffer(4)).length`: 6.0,
		`(() => { class B extends Uint8Array {} const b = new B(2); return b instanceof B && b instanceof Uint8Array && b.slice(1) instanceof B && Uint8Array.from([1]).constructor === Uint8Array })()`: true,
		`[].map.name + [].map.length + [].join.length + Uint8Array.name + Uint8Array.length + Function.length`:                                                                                           "map11Uint8Array31",
		`Math.max(...[1, 2, 3]) + Math.max.apply(null, [4])`: 7.0,
	} {
		t.Run("", func(t *testing.T) {
			run := start(t, "function f() { return "+src+" }", jsrun.Config{Limits: jsrun.Limits{Busy: time.Minute}}) // a busy machine is slow
			got, err := run.Call(t.Context(), "f")
			if thrown, ok := err.(*jsrun.Error); ok {
				got = thrown.Name
			} else if err != nil {
				got = err.Error()
			}
			if got != want {
				t.Errorf("%s = %.80v, want %v", src, got, want)
			}
		})
	}
}
