package jsrun_test

import (
	"strings"
	"testing"

	"github.com/dshkit/dshkit/pkg/jsrun"
)

// A stack names the author's own line and column, in the first line as in others.
func TestStackOfBody(t *testing.T) {
	for src, want := range map[string]string{
		`throw new Error("x")`:                                                 "cordis-dyn-p.js:1:7",
		`/* one */ throw new Error("x")`:                                       "cordis-dyn-p.js:1:17",
		"\n  throw new Error('x')":                                             "cordis-dyn-p.js:2:9",
		"const f = () => { null.x }\nf()":                                      "cordis-dyn-p.js:1:24",
		`const {a, ...b} = {a: 1}, f = async (x = b.y.z) => x; await f()`:      "cordis-dyn-p.js:1:46",
		`async function* g() { yield 1 } for await (const x of g()) x.y.z = x`: "cordis-dyn-p.js:1:",
	} {
		p, err := jsrun.CompileBody("cordis-dyn-p.js", src)
		if err != nil {
			t.Fatalf("%s: %v", src, err)
		}
		_, err = evaluate(t, p, jsrun.Config{})
		thrown, ok := err.(*jsrun.Error)
		if !ok || !strings.Contains(thrown.Stack, want) {
			t.Errorf("%s: %+v, want %s", src, err, want)
		}
	}
}
