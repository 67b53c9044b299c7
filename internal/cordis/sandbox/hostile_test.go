package sandbox_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/cordis/sandbox"
	"github.com/dshkit/dshkit/internal/cordis/wire"
)

const revoked = `const {proxy, revoke} = Proxy.revocable({}, {}); revoke(); `

// Each call gets its answer, whatever its code throws.
func TestThrownProxies(t *testing.T) {
	w := newWorld(t, sandbox.Config{})
	w.run(revoked + `
		harness.handle("throws", () => { throw proxy })
		harness.handle("rejects", async () => { throw proxy })
		harness.handle("gives", () => ({proxy}))
		return () => {}`)
	for method, want := range map[string]string{"throws": "an object", "rejects": "an object", "gives": "Proxy already revoked"} {
		if _, err := w.invoke(method, nil); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", method, err, want)
		}
	}
	for _, src := range []string{`throw proxy`, `return Promise.reject(proxy)`, `return () => { throw proxy }`, `return async () => { throw proxy }`} {
		w := newWorld(t, sandbox.Config{})
		_, err := w.start(revoked + src)
		if err == nil {
			err = w.load()
		}
		if err == nil || err.Error() != "an object" {
			t.Errorf("%s: %v", src, err)
		}
	}
}

// What errors tell is bounded, whoever made them.
func TestHugeErrors(t *testing.T) {
	w := newWorld(t, sandbox.Config{})
	w.run(`
		harness.handle("both", () => { throw Object.assign(new Error("é".repeat(3e6)), {stack: "s".repeat(3e6), code: "c".repeat(3e6)}) })
		harness.handle("text", () => { throw "x" + "é".repeat(3e6) })
		return () => {}`)
	for method, want := range map[string]*wire.Thrown{
		"both": {Name: "Error", Message: strings.Repeat("é", 32<<10) + "…", Stack: strings.Repeat("s", 64<<10) + "…", Code: strings.Repeat("c", 64<<10) + "…"},
		"text": {Message: "x" + strings.Repeat("é", 32<<10-1) + "…", Plain: true},
	} {
		_, err := w.invoke(method, nil)
		got, _ := errors.AsType[*wire.Thrown](err)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: (-want +got)\n%.300s", method, diff)
		}
	}
}
