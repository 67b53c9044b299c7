package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"
)

func replayed(t *testing.T, args ...string) (code int, out, problems string) {
	t.Helper()
	var o, p bytes.Buffer
	code = run(t.Context(), append([]string{"cordis"}, args...), &o, &p)
	return code, o.String(), p.String()
}

func TestCordisSample(t *testing.T) {
	if testing.Short() {
		t.Skip("TestSamples has the like")
	}
	repository, err := root()
	if err != nil {
		t.Fatal(err)
	}
	samples := filepath.Join(repository, "testdata", "cordis-samples")
	code, out, problems := replayed(t, samples, "--trusted", "--only", "01-object-form")
	if code != 0 || out != "same 01-object-form\n" {
		t.Errorf("exit %d, %q, %q", code, out, problems)
	}
	other := t.TempDir() // recordings of nothing
	if code, out, _ := replayed(t, "--golden", other, "--trusted", samples, "--only", "01-object-form"); code != 1 || !strings.HasPrefix(out, "fails 01-object-form\n") {
		t.Errorf("without a recording: exit %d, %q", code, out)
	}
}

// Without Node a sample with a page is not passed over.
func TestCordisWithoutNode(t *testing.T) {
	repository, err := root()
	if err != nil {
		t.Fatal(err)
	}
	samples := filepath.Join(repository, "testdata", "cordis-samples")
	t.Setenv("PATH", t.TempDir())
	code, out, _ := replayed(t, samples, "--binary", "none", "--only", "22-run-card-view")
	if code != 1 || !strings.HasPrefix(out, "fails 22-run-card-view\n") || !strings.Contains(out, "Node") {
		t.Errorf("exit %d, %q", code, out)
	}
}

func TestCordisUsage(t *testing.T) {
	for _, args := range [][]string{{}, {"--trusted"}, {"a", "b"}, {"--sideways", "a"}} {
		if code, out, problems := replayed(t, args...); code != 64 || out != "" || !strings.Contains(problems, "usage") {
			t.Errorf("%v: exit %d, %q, %q", args, code, out, problems)
		}
	}
	if code, _, problems := replayed(t, t.TempDir()); code != 1 || !strings.Contains(problems, "no sample is here") {
		t.Errorf("a folder without samples: exit %d, %q", code, problems)
	}
}
