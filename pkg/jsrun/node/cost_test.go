package node_test

import (
	"testing"

	"github.com/dshkit/dshkit/pkg/jsrun"
	"github.com/dshkit/dshkit/pkg/jsrun/node"
)

// BenchmarkStart compares a run without Node's globals to one that has them and
// to ones that use some.
func BenchmarkStart(b *testing.B) {
	for _, row := range []struct{ name, src string }{
		{"bare", ""},
		{"globals", ""},
		{"process.env", "process.env.HOME"},
		{"Buffer", "Buffer.byteLength('abc')"},
		{"URL", "new URL('http://a/b')"},
		{"fetch", "fetch"},
		{"console", "console.log('x')"},
	} {
		b.Run(row.name, func(b *testing.B) {
			h := host(b.TempDir())
			p, err := jsrun.Compile("t.js", row.src)
			if err != nil {
				b.Fatal(err)
			}
			config := jsrun.Config{Globals: node.Globals(h)}
			if row.name == "bare" {
				config.Globals = nil
			}
			for b.Loop() {
				run, err := p.Start(b.Context(), config)
				if err != nil {
					b.Fatal(err)
				}
				run.Close()
			}
		})
	}
}
