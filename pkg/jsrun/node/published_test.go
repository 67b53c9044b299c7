package node_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/jscache"
	"github.com/dshkit/dshkit/internal/mnemon/machine"
	"github.com/dshkit/dshkit/internal/testkit"
	"github.com/dshkit/dshkit/pkg/jsrun"
	"github.com/dshkit/dshkit/pkg/jsrun/node"
)

// withSDK runs a script that has the published SDK of providers as sdk.
func withSDK(t *testing.T, h *node.Host, dir, src string) []any {
	t.Helper()
	base := filepath.Dir(testkit.Plugins(t))
	modules := jsrun.NewModules(jsrun.ModuleConfig{Host: node.Modules(h), Files: jscache.Disk{}})
	var outs []string
	run := start(t, h, wrapped(src), &outs)
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	if err := run.Do(ctx, func(vm *jsrun.VM) error {
		sdk, err := modules.Import(vm, base, "dsh-mnemon-source-memory-spaces/provider-sdk")
		if err != nil {
			return err
		}
		return vm.Runtime().GlobalObject().Set("sdk", sdk)
	}); err != nil {
		t.Fatal(err)
	}
	if _, err := run.Call(ctx, "main", dir); err != nil {
		t.Fatalf("%v\n%s", err, stack(err))
	}
	return lines(t, strings.Join(outs, "\n"))
}

// TestPublishedProcessRunner runs the runner that published providers start
// their programs with.
func TestPublishedProcessRunner(t *testing.T) {
	dir := realDir(t)
	got := withSDK(t, host(dir), dir, `
const said = (p) => p.then((r) => r, (e) => e.message)
const sh = (line, options) => said(sdk.runProcess('sh', ['-c', line], { label: 'tool', timeoutMs: 20000, ...options }))
out(await sh('printf "né"; printf err >&2'))
out(await sh('exit 3'))
out(await sh('sleep 60', { timeoutMs: 50 }))
out(await sh('trap "" TERM; head -c 5000 /dev/zero; sleep 60', { maxOutputBytes: 1000 }))
const c = new AbortController()
setTimeout(() => c.abort('enough'), 20)
out(await sh('sleep 60', { signal: c.signal }))
out(await said(sdk.runProcess('no-such-program', [], { label: 'tool', timeoutMs: 1000 })))
`)
	want := []any{
		map[string]any{"stdout": "né", "stderr": "err", "exitCode": 0.0},
		map[string]any{"stdout": "", "stderr": "", "exitCode": 3.0},
		"tool did not respond within 50ms",
		"tool output exceeded 1000 bytes",
		"tool command aborted: enough",
		`failed to launch tool ("no-such-program"): spawn no-such-program ENOENT`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestPublishedHTTPProvider calls services by the base class of the published
// providers.
func TestPublishedHTTPProvider(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("/v1/search", func(w http.ResponseWriter, r *http.Request) {
		var body any
		_ = json.NewDecoder(r.Body).Decode(&body)
		_ = json.NewEncoder(w).Encode(map[string]any{"method": r.Method, "key": r.Header.Get("Authorization"), "type": r.Header.Get("Content-Type"), "body": body, "query": r.URL.RawQuery})
	})
	mux.HandleFunc("/bad", func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusTeapot)
		_, _ = fmt.Fprint(w, `{"error":{"message":"short and stout"}}`)
	})
	mux.HandleFunc("/text", func(w http.ResponseWriter, _ *http.Request) { _, _ = fmt.Fprint(w, "no json") })
	mux.HandleFunc("/empty", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("/hang", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	dir := realDir(t)
	h := host(dir)
	network := &machine.Network{}
	defer network.Close()
	h.Network = network
	got := withSDK(t, h, dir, fmt.Sprintf(`
class Mine extends sdk.HttpMemoryProvider { id = 'mine'; label = 'Mine' }
const p = new Mine({}, { requestTimeoutMs: 20000 })
const ask = (path, options) => p.requestConnection({ endpoint: '%s//' }, path, options).then((r) => r, (e) => e.message)
out(await ask('/v1/search?a=b', { json: { q: 'é' }, headers: { Authorization: 'Bearer k' } }))
out(await ask('/v1/search'))
out(await ask('/bad'))
out(await ask('/text'))
out(await ask('/empty'))
out(await ask('/hang', { timeoutMs: 20 }))
const c = new AbortController()
setTimeout(() => c.abort(new Error('stopped')), 10)
out(await ask('/hang', { signal: c.signal }))
`, server.URL))
	want := []any{
		map[string]any{"method": "POST", "key": "Bearer k", "type": "application/json", "body": map[string]any{"q": "é"}, "query": "a=b"},
		map[string]any{"method": "GET", "key": "", "type": "", "body": nil, "query": ""},
		"Mine HTTP 418: short and stout",
		"no json",
		map[string]any{},
		"Mine request timed out after 20ms",
		"stopped",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
