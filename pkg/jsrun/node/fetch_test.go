package node_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/mnemon/machine"
	"github.com/dshkit/dshkit/pkg/jsrun/node"
)

// service is what scripts fetch from.
func service(t *testing.T) *httptest.Server {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("/echo", func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("X-Answer", "yes")
		w.Header().Add("Set-Cookie", "a=1")
		w.Header().Add("Set-Cookie", "b=2")
		_ = json.NewEncoder(w).Encode(map[string]any{
			"method": r.Method, "url": r.URL.String(), "type": r.Header.Get("Content-Type"), "own": r.Header.Get("X-Own"), "body": string(body), "agent": r.UserAgent(), "accept": r.Header.Get("Accept"),
		})
	})
	mux.HandleFunc("/status/{code}", func(w http.ResponseWriter, r *http.Request) {
		var code int
		_, _ = fmt.Sscan(r.PathValue("code"), &code)
		w.WriteHeader(code)
	})
	mux.HandleFunc("/go/{where...}", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/"+r.PathValue("where"), http.StatusFound)
	})
	mux.HandleFunc("/hang", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	mux.HandleFunc("/half", func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, "first")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	mux.HandleFunc("/long", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, strings.Repeat("x", 3000)) })
	mux.HandleFunc("/cut", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "100")
		_, _ = io.WriteString(w, "short")
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server
}

func TestFetch(t *testing.T) {
	server := service(t)
	dir := realDir(t)
	h := host(dir)
	network := &machine.Network{Allow: func(u *url.URL) error {
		if u.Path == "/forbidden" {
			return errors.New("this address is not granted")
		}
		return nil
	}}
	defer network.Close()
	h.Network, h.MaxBody = network, 2000
	base := fmt.Sprintf("const base = %q;\n", server.URL)
	for _, row := range []struct {
		name, src string
		want      any
	}{
		{
			"get", `const r = await fetch(base + '/echo?q=1#frag'); const b = await r.json(); return [r.ok, r.status, r.statusText, r.url === base + '/echo?q=1', r.headers.get('x-answer'), r.headers.getSetCookie(), r.redirected, r.bodyUsed, b.method, b.url, b.agent, b.accept]`,
			[]any{true, 200.0, "OK", true, "yes", []any{"a=1", "b=2"}, false, true, "GET", "/echo?q=1", "node", "*/*"},
		},
		{
			"json body", `const r = await fetch(base + '/echo', { method: 'post', headers: { 'Content-Type': 'application/json', 'x-own': 'me' }, body: JSON.stringify({ a: 'é' }) }); const b = await r.json(); return [b.method, b.type, b.own, b.body]`,
			[]any{"POST", "application/json", "me", `{"a":"é"}`},
		},
		{
			"form body", `const b = await (await fetch(new URL(base + '/echo'), { method: 'PUT', body: new URLSearchParams({ a: 'b c' }) })).json(); return [b.method, b.type, b.body]`,
			[]any{"PUT", "application/x-www-form-urlencoded;charset=UTF-8", "a=b+c"},
		},
		{
			"bytes", `const b = await (await fetch(base + '/echo', { method: 'POST', body: new Uint8Array([104, 105]) })).json(); return [b.type, b.body]`,
			[]any{"", "hi"},
		},
		{
			"request object", `const b = await (await fetch(new Request(base + '/echo', { method: 'DELETE', headers: [['x-own', '1']] }))).json(); return [b.method, b.own]`,
			[]any{"DELETE", "1"},
		},
		{
			"form data", `const f = new FormData(); f.set('n', 'v'); f.set('file', new Blob(['data'], { type: 'text/x' }), 'f.txt'); const b = await (await fetch(base + '/echo', { method: 'POST', body: f })).json(); return [b.type.split(';')[0], b.body.includes('name="n"\r\n\r\nv\r\n'), b.body.includes('filename="f.txt"\r\nContent-Type: text/x\r\n\r\ndata')]`,
			[]any{"multipart/form-data", true, true},
		},
		{
			"statuses", `const out = []; for (const s of [204, 404, 500]) { const r = await fetch(base + '/status/' + s); out.push([r.status, r.ok, r.statusText, await r.text()]) } return out`,
			[]any{[]any{204.0, true, "No Content", ""}, []any{404.0, false, "Not Found", ""}, []any{500.0, false, "Internal Server Error", ""}},
		},
		{"redirect", `const r = await fetch(base + '/go/echo'); return [r.redirected, r.url === base + '/echo', r.status]`, []any{true, true, 200.0}},
		{"redirect by hand", `const r = await fetch(base + '/go/echo', { redirect: 'manual' }); return [r.status, r.headers.get('location')]`, []any{302.0, "/echo"}},
		{"redirect refused", `return await fetch(base + '/go/echo', { redirect: 'error' }).catch((e) => [e.name, e.message, e.cause.message])`, []any{"TypeError", "fetch failed", "unexpected redirect"}},
		{"redirect to the forbidden", `return await fetch(base + '/go/forbidden').catch((e) => [e.message, e.cause.code, e.cause.message])`, []any{"fetch failed", "ERR_ACCESS_DENIED", "this address is not granted"}},
		{"forbidden", `return await fetch(base + '/forbidden').catch((e) => [e.message, e.cause.code, e.cause.message])`, []any{"fetch failed", "ERR_ACCESS_DENIED", "this address is not granted"}},
		{"aborted before", `return await fetch(base + '/echo', { signal: AbortSignal.abort(new RangeError('why')) }).catch((e) => [e.name, e.message])`, []any{"RangeError", "why"}},
		{"aborted meanwhile", `const c = new AbortController(); const p = fetch(base + '/hang', { signal: c.signal }); setTimeout(() => c.abort(), 5); return await p.catch((e) => [e.name, e.message])`, []any{"AbortError", "This operation was aborted"}},
		{"aborted with a text", `const c = new AbortController(); const p = fetch(base + '/hang', { signal: c.signal }); setTimeout(() => c.abort('text'), 5); return await p.catch((e) => e)`, "text"},
		{"timeout", `return await fetch(base + '/hang', { signal: AbortSignal.timeout(5) }).catch((e) => [e.name, e.message])`, []any{"TimeoutError", "The operation was aborted due to timeout"}},
		{"aborted in the body", `const c = new AbortController(); const r = await fetch(base + '/half', { signal: c.signal }); setTimeout(() => c.abort(new Error('enough')), 5); return await r.text().catch((e) => e.message)`, "enough"},
		{"read by parts", `const r = await fetch(base + '/half'); const reader = r.body.getReader(); const { value } = await reader.read(); await reader.cancel(); return Buffer.from(value).toString()`, "first"},
		{"too long", `const r = await fetch(base + '/long'); return await r.text().catch((e) => [e.name, e.message, e.cause.message])`, []any{"TypeError", "terminated", "the answer is longer than the 2000 bytes that the host takes"}},
		{"cut off", `const r = await fetch(base + '/cut'); return await r.text().catch((e) => [e.name, e.message])`, []any{"TypeError", "terminated"}},
		{"nobody there", `return await fetch('http://127.0.0.1:1/').catch((e) => [e.name, e.message, e.cause.code, e.cause.message])`, []any{"TypeError", "fetch failed", "ECONNREFUSED", "connect ECONNREFUSED 127.0.0.1:1"}},
		{"head", `const r = await fetch(base + '/echo', { method: 'HEAD' }); return [r.status, await r.text()]`, []any{200.0, ""}},
		{"at once", `const all = await Promise.all([1, 2, 3, 4].map((n) => fetch(base + '/echo?n=' + n).then((r) => r.json()))); return all.map((b) => b.url)`, []any{"/echo?n=1", "/echo?n=2", "/echo?n=3", "/echo?n=4"}},
		{"one hangs, one answers", `const c = new AbortController(); const p = fetch(base + '/hang', { signal: c.signal }).catch(() => 'gone'); const r = await fetch(base + '/echo'); c.abort(); return [r.status, await p]`, []any{200.0, "gone"}},
		{"clone", `const r = await fetch(base + '/long?', {}); const s = r.clone(); await s.text().catch(() => {}); return r.status`, 200.0},
	} {
		t.Run(row.name, func(t *testing.T) {
			got := printed(t, h, dir, base+"out(await (async () => {"+row.src+"})())")
			if diff := cmp.Diff([]any{row.want}, lines(t, strings.Join(got, "\n"))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestRunLeavesNothing holds that the end of a run ends what it had under way:
// requests, programs, files, goroutines.
func TestRunLeavesNothing(t *testing.T) {
	server := service(t)
	dir := realDir(t)
	network := &machine.Network{}
	before := goroutines()
	for range 3 {
		h := host(dir)
		h.Network = network
		var outs []string
		run := start(t, h, wrapped(fmt.Sprintf(`
globalThis.kept = [fetch(%[1]q + '/hang').catch(() => {}), fetch(%[1]q + '/half').then((r) => r.text()).catch(() => {})]
const child = require('child_process').spawn('sleep', ['600'])
child.on('exit', () => out('exit'))
require('child_process').spawn('sh', ['-c', 'sleep 600 & wait'], { stdio: 'pipe', detached: true }).stdout.on('data', () => {})
require('fs').openSync('left-open', 'w')
setTimeout(() => out('late'), 100000)
out(child.pid)`, server.URL)), &outs)
		if _, err := run.Call(t.Context(), "main", dir); err != nil {
			t.Fatal(err)
		}
		if err := run.Close(); err != nil {
			t.Fatal(err)
		}
		if len(outs) != 1 {
			t.Errorf("printed %q, want one number", outs)
		}
	}
	network.Close()
	server.CloseClientConnections()
	deadline := time.Now().Add(10 * time.Second)
	for goroutines() > before {
		if time.Now().After(deadline) {
			t.Fatalf("%d goroutines, %d before:\n%s", goroutines(), before, stacks())
		}
		time.Sleep(time.Millisecond)
	}
}

var _ node.Network = (*machine.Network)(nil)
