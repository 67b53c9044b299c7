package testkit

import (
	"os"
	"path/filepath"
	"testing"
)

// Plugins returns the folder node_modules with the published packages of
// dsh-mnemon, which make plugins installs as the lock file pins them.
func Plugins(t testing.TB) string {
	t.Helper()
	dir := filepath.Join(Root(t), "testdata", "oracle", "mnemon", "node_modules")
	if _, err := os.Stat(filepath.Join(dir, ".package-lock.json")); err != nil {
		t.Fatalf("the published packages are not installed: run make plugins, which needs npm (%v)", err)
	}
	return dir
}
