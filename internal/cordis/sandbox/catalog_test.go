package sandbox_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/cordis/catalog"
	"github.com/dshkit/dshkit/internal/cordis/sandbox"
)

// language is what plain ECMAScript has; the engine may have less of it.
const language = `Infinity NaN undefined globalThis eval isFinite isNaN parseFloat parseInt decodeURI decodeURIComponent encodeURI encodeURIComponent escape unescape
AggregateError Array ArrayBuffer Atomics BigInt BigInt64Array BigUint64Array Boolean DataView Date Error EvalError FinalizationRegistry Float16Array Float32Array Float64Array Function Int16Array Int32Array Int8Array
Iterator JSON Map Math Number Object Promise Proxy RangeError ReferenceError Reflect RegExp Set SharedArrayBuffer String Symbol SyntaxError TypeError URIError Uint16Array Uint32Array Uint8Array Uint8ClampedArray
WeakMap WeakRef WeakSet DisposableStack AsyncDisposableStack SuppressedError`

// traps are names that only say what to do instead (spec/cordis.md 6.4).
const traps = `require setTimeout setInterval setImmediate clearTimeout clearInterval fetch`

// CR-S6, spec/cordis.md 6.3: what a half has beyond the language is what the
// catalogue says it has, name by name and member by member.
func TestBuiltinsAreCatalogued(t *testing.T) {
	w := newWorld(t, sandbox.Config{})
	w.run(`return { apply(ctx) {
		console.log(Object.getOwnPropertyNames(globalThis).join(' '))
		console.log(Object.getOwnPropertyNames(console).map(k => 'console.' + k).concat(Object.getOwnPropertyNames(harness).map(k => 'harness.' + k)).join(' '))
		console.log(['get', 'on', 'once', 'provide', 'effect', 'tools', 'emit', 'plugin', 'root', 'extend', 'timeout'].filter(k => k in ctx).map(k => 'ctx.' + k).join(' '))
		console.log(typeof new TextEncoder(), typeof new TextDecoder('utf-8'), typeof btoa('x'), typeof atob('eA=='))
	} }`)
	w.untilLine("object object string string")
	lines := w.logs()
	var names, members []string
	plain := strings.Fields(language + " " + traps)
	for _, name := range strings.Fields(lines[0]) {
		if !slices.Contains(plain, name) {
			names = append(names, name)
		}
	}
	members = append(strings.Fields(lines[1]), strings.Fields(lines[2])...)
	var wantNames, wantMembers []string
	for _, b := range catalog.HostBuiltins() {
		if b.Name != "ctx" {
			wantNames = append(wantNames, b.Name)
		}
		for _, s := range b.Signatures {
			if member, _, _ := strings.Cut(s, "("); strings.Contains(member, ".") {
				wantMembers = append(wantMembers, member)
			}
		}
	}
	wantMembers = append(wantMembers, "ctx.tools") // a service, which needs no declaration
	for _, list := range [][]string{names, members, wantNames, wantMembers} {
		slices.Sort(list)
	}
	if diff := cmp.Diff(wantNames, names); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(wantMembers, members); diff != "" {
		t.Error(diff)
	}
}
