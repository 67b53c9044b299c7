package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

// TestEndurance is a short run in both modes.
func TestEndurance(t *testing.T) {
	if testing.Short() {
		t.Skip("many cycles")
	}
	if runtime.GOOS != "linux" {
		t.Skip("the figures come from /proc")
	}
	binary := filepath.Join(t.TempDir(), "cordis")
	build := exec.Command("go", "build", "-trimpath", "-o", binary, "github.com/dshkit/dshkit/cmd/cordis")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	for _, o := range []options{
		{binary: binary, cycles: 150, plugins: 20, time: 2 * time.Second, seed: 1},
		{binary: binary, cycles: 200, plugins: 20, time: 2 * time.Second, seed: 1, trusted: true},
	} {
		name := "isolated"
		if o.trusted {
			name = "trusted"
		}
		t.Run(name, func(t *testing.T) {
			o.out = t.Output()
			if err := run(o, t.TempDir()); err != nil {
				t.Fatal(err)
			}
		})
	}
}
