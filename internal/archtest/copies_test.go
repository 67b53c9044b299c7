package archtest_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dshkit/dshkit/internal/testkit"
)

// originals are the folders of copied material, and where the originals lie in
// the folder that testkit.Shared finds.
var originals = map[string]string{
	"selfip-fixtures": "spec/selfip-fixtures",
	"hook-samples":    "spec/hook-samples",
	"cordis-samples":  "spec/cordis-samples",
	"cases":           "cases",
	"oracle":          "oracle",
}

// TestCopiesEqualOriginals compares copied material with its originals where
// these are at hand, and holds in any case that no copy is empty of files.
func TestCopiesEqualOriginals(t *testing.T) {
	shared := testkit.Shared(t)
	folders := 0
	err := filepath.WalkDir(testkit.Root(t), func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		original, ok := originals[d.Name()]
		if !d.IsDir() || !ok || filepath.Base(filepath.Dir(path)) != "testdata" {
			return nil
		}
		folders++
		if n := compareTree(t, path, shared, original); n == 0 {
			t.Errorf("%s holds no files", path)
		}
		return fs.SkipDir
	})
	if err != nil {
		t.Fatal(err)
	}
	if folders == 0 {
		t.Error("no copied material found below any testdata")
	}
}

// compareTree compares each file of a copy and returns how many there are.
func compareTree(t *testing.T, dir, shared, original string) int {
	t.Helper()
	files := 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && d.Name() == "node_modules" {
			return fs.SkipDir // installed, not copied
		}
		if err != nil || d.IsDir() {
			return err
		}
		files++
		if shared == "" {
			return nil
		}
		rel := strings.TrimPrefix(path, dir)
		got, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		want, err := os.ReadFile(filepath.Join(shared, original, rel))
		if err != nil {
			t.Errorf("%s has no original: %v", path, err)
		} else if !bytes.Equal(got, want) {
			t.Errorf("%s differs from its original %s%s", path, original, rel)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestEveryCaseIsUsed holds that no field case that names selfip, dsh-mnemon or cordis was
// passed over: some package has it below its testdata.
func TestEveryCaseIsUsed(t *testing.T) {
	shared := testkit.Shared(t)
	if shared == "" {
		return // the originals are not at hand
	}
	pages, err := filepath.Glob(filepath.Join(shared, "cases", "*", "case.md"))
	if err != nil || len(pages) < 50 {
		t.Fatalf("%d cases, error %v", len(pages), err)
	}
	used := map[string]bool{}
	err = filepath.WalkDir(testkit.Root(t), func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && strings.HasSuffix(filepath.Dir(path), filepath.Join("testdata", "cases")) {
			used[d.Name()] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			binaries, ok := strings.CutPrefix(line, "- binary:")
			ours := strings.Contains(binaries, "selfip") || strings.Contains(binaries, "dsh-mnemon") || strings.Contains(binaries, "cordis")
			if name := filepath.Base(filepath.Dir(page)); ok && ours && !used[name] {
				t.Errorf("no package uses the case %s", name)
			}
		}
	}
}
