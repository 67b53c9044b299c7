package jsfeatures

import (
	"time"

	"github.com/dshkit/dshkit/pkg/jsrun"
	"github.com/dshkit/dshkit/pkg/jsrun/node"
)

// given is what scripts are given that is no part of the machine: each part of
// that is handed in by whoever starts them.
func given(dir string) (jsrun.Config, []jsrun.Module) {
	now := func() time.Time { return time.Unix(1_700_000_000, 0) }
	host := &node.Host{
		Now: now, Cwd: func() string { return dir },
		Env:         func(string) (string, bool) { return "", false },
		Log:         func(string, string) {},
		RandomBytes: func(b []byte) { clear(b) },
	}
	config := jsrun.Config{Now: now, Random: func() float64 { return 0.5 }, Globals: node.Globals(host)}
	return config, node.Modules(host)
}
