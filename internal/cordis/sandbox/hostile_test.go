package sandbox_test

import (
	"testing"

	"github.com/dshkit/dshkit/internal/cordis/sandbox"
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
