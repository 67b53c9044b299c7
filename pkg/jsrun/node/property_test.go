package node_test

import (
	"context"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/dshkit/dshkit/pkg/jsrun"
)

// functions starts a script whose global functions a test calls.
func functions(t *testing.T, src string) func(name string, args ...any) any {
	t.Helper()
	var outs []string
	run := start(t, host(realDir(t)), src, &outs)
	return func(name string, args ...any) any {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		v, err := run.Call(ctx, name, args...)
		if err != nil {
			t.Fatalf("%s(%q): %v\n%s", name, args, err, stack(err))
		}
		return v
	}
}

func numbers(b []byte) []any {
	list := make([]any, len(b))
	for i, c := range b {
		list[i] = float64(c)
	}
	return list
}

// TestCutAnywhere holds that text which arrives in parts is the text that
// arrives whole, wherever it is cut.
func TestCutAnywhere(t *testing.T) {
	call := functions(t, `
const { StringDecoder } = require('string_decoder')
globalThis.cut = (bytes, at, encoding) => {
  const all = Buffer.from(bytes)
  const parts = []
  let from = 0
  for (const to of [...at, all.length]) { parts.push(all.subarray(from, Math.max(from, to))); from = Math.max(from, to) }
  const d = new StringDecoder(encoding)
  const t = new TextDecoder(encoding === 'utf8' ? 'utf-8' : 'utf-16le', { ignoreBOM: true })
  const decoded = parts.map((p) => d.write(p)).join('') + d.end()
  const streamed = parts.map((p) => t.decode(p, { stream: true })).join('') + t.decode()
  const whole = new TextDecoder(encoding === 'utf8' ? 'utf-8' : 'utf-16le', { ignoreBOM: true }).decode(all)
  return [decoded === all.toString(encoding), streamed === whole, encoding !== 'utf8' || whole === all.toString()]
}`)
	rapid.Check(t, func(rt *rapid.T) {
		b := rapid.OneOf(
			rapid.SliceOfN(rapid.Byte(), 0, 12),
			rapid.Map(rapid.StringN(0, 5, -1), func(s string) []byte { return []byte(s) }),
			rapid.SliceOfN(rapid.SampledFrom([]byte{0x41, 0x80, 0xBF, 0xC2, 0xE0, 0xA0, 0xE2, 0x82, 0xAC, 0xED, 0xF0, 0x9F, 0x98, 0xF4, 0x90, 0xD8, 0xDC}), 0, 12),
		).Draw(rt, "bytes")
		at := rapid.SliceOfN(rapid.IntRange(0, len(b)), 0, 3).Draw(rt, "cuts")
		var cuts []any
		for _, n := range at {
			cuts = append(cuts, float64(n))
		}
		encoding := rapid.SampledFrom([]string{"utf8", "utf16le"}).Draw(rt, "encoding")
		if encoding == "utf16le" {
			b = b[:len(b)/2*2] // Node drops a last half unit, the web replaces it
		}
		for i, same := range call("cut", numbers(b), cuts, encoding).([]any) {
			if same != true {
				rt.Fatalf("%x cut at %v as %s: check %d fails", b, at, encoding, i)
			}
		}
	})
}

// TestBytesSurvive holds that bytes come back from every encoding that holds all.
func TestBytesSurvive(t *testing.T) {
	call := functions(t, `globalThis.round = (bytes) => ['hex', 'base64', 'base64url', 'latin1', 'binary'].filter((e) => !Buffer.from(Buffer.from(bytes).toString(e), e).equals(Buffer.from(bytes)))`)
	rapid.Check(t, func(rt *rapid.T) {
		b := rapid.SliceOf(rapid.Byte()).Draw(rt, "bytes")
		if lost := call("round", numbers(b)).([]any); len(lost) > 0 {
			rt.Fatalf("%x is lost by %v", b, lost)
		}
	})
}

// FuzzURL holds that the normal form of an address is stable and that no text
// gets the parser into trouble.
func FuzzURL(f *testing.F) {
	for _, seed := range []string{
		"http://a/b?c#d", "HTTP://u:p@A:80/../x", "file:///C|/x", "foo:bar", "foo://h/..//x", "http://[::1]/", "http://0x7f.1/", "http://münchen/", "//a", "..", "?", "#", "data:,x y ", "http://a b", "foo:/..//p", "http://xn--a/", "http://１２７.1/", "javascript://%0a",
	} {
		f.Add(seed, "http://base/x/y?z")
	}
	var run *jsrun.Run
	f.Fuzz(func(t *testing.T, input, base string) {
		if !utf8.ValidString(input + base) {
			return
		}
		var outs []string
		if run == nil || run.Err() != nil {
			run = start(t, host(t.TempDir()), `globalThis.check = (input, base) => {
  for (const make of [() => new URL(input), () => new URL(input, base)]) {
    let u
    try { u = make() } catch (e) { if (e.code !== 'ERR_INVALID_URL') throw e; continue }
    const again = new URL(u.href)
    if (again.href !== u.href) return [u.href, again.href]
    for (const part of ['protocol', 'host', 'pathname', 'search', 'hash', 'username']) if (again[part] !== u[part]) return [part, u[part], again[part]]
    u.search = u.search
    u.hash = u.hash
    u.pathname = u.pathname
    u.searchParams.append('k', 'v')
    new URL(u.href)
  }
  return []
}`, &outs)
		}
		r := run
		v, err := r.Call(t.Context(), "check", input, base)
		run = nil // it is closed with this test
		if err != nil {
			t.Fatalf("%q on %q: %v", input, base, err)
		}
		if list := v.([]any); len(list) > 0 {
			t.Errorf("%q on %q is not stable: %q", input, base, list)
		}
	})
}

// TestAbsentModules holds that a package may name what there is not, and hears
// what there is instead when it calls.
func TestAbsentModules(t *testing.T) {
	dir := realDir(t)
	got := printed(t, host(dir), dir, `
const http = require('node:http')
class Own extends require('stream').Readable {}
out([typeof http.createServer, http === require('http'), http.then, Object.keys(http), require('tty').isatty(1), require('worker_threads').isMainThread])
out([thrown(() => http.createServer()), thrown(() => new Own()), thrown(() => require('zlib').gzipSync('x')).message])`)
	want := `["function",true,"(undefined)",[],false,true]
[{"name":"Error","message":"node:http is not available to this script (createServer): use fetch","code":"ERR_FEATURE_UNAVAILABLE_ON_PLATFORM"},{"name":"Error","message":"node:stream is not available to this script (Readable): read and write whole files, or spawn","code":"ERR_FEATURE_UNAVAILABLE_ON_PLATFORM"},"node:zlib is not available to this script (gzipSync): use a package that is JavaScript alone"]`
	if got := strings.Join(got, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
