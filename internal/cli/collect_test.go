package cli_test

import (
	"runtime"
	"runtime/debug"
	"testing"
	"time"

	"github.com/dshkit/dshkit/internal/cli"
)

// TestPostponeCollection holds that only the first collection comes late, and
// none when the user said when collections come.
func TestPostponeCollection(t *testing.T) {
	percent := func() int {
		p := debug.SetGCPercent(100)
		debug.SetGCPercent(p)
		return p
	}
	usual := percent()
	gogc := "50"
	env := &cli.Env{Getenv: func(string) string { return gogc }}
	env.PostponeCollection()
	if got := percent(); got != usual {
		t.Errorf("with GOGC: %d%%, want %d%%", got, usual)
	}
	gogc = ""
	env.PostponeCollection()
	if got := percent(); got <= usual {
		t.Errorf("before the first collection: %d%%, want more than %d%%", got, usual)
	}
	for deadline := time.Now().Add(10 * time.Second); percent() != usual; {
		if time.Now().After(deadline) {
			t.Fatalf("after the first collection: %d%%, want %d%%", percent(), usual)
		}
		runtime.GC()
	}
}
