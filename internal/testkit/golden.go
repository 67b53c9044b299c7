package testkit

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func updating() bool { return os.Getenv("UPDATE") == "1" }

// Golden compares got with a file, which UPDATE=1 rewrites.
func Golden(t *testing.T, path string, got []byte) {
	t.Helper()
	if updating() {
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (UPDATE=1 writes it)", err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got, UPDATE=1 rewrites):\n%s", path, diff)
	}
}

// Root returns the root of the repository: the folder above that has go.mod.
func Root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			t.Fatal("no go.mod above the test")
		}
		dir = up
	}
}

// Shared returns the folder "shared" that stands beside the repository or
// beside a folder above it, and "" where there is none: only who has the
// original materials can compare the copies below testdata with them.
func Shared(t testing.TB) string {
	t.Helper()
	for dir := filepath.Dir(Root(t)); ; dir = filepath.Dir(dir) {
		shared := filepath.Join(dir, "shared")
		if info, err := os.Stat(filepath.Join(shared, "spec")); err == nil && info.IsDir() {
			return shared
		}
		if filepath.Dir(dir) == dir {
			return ""
		}
	}
}
