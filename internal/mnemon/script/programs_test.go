package script_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/dshkit/dshkit/internal/testkit"
)

// TestPrograms runs what authors of plugins write: main is a module whose default
// export is a function, golden is the JSON that it returns. Each tells what it
// holds of docs/conformance.md.
func TestPrograms(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "programs", "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatal("no programs", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			dir := unpackArchive(t, archive)
			published := strings.HasPrefix(string(archive.Comment), "node: yes\n")
			if published {
				if err := os.Symlink(testkit.Plugins(t), filepath.Join(dir, "node_modules")); err != nil {
					t.Fatal(err)
				}
			}
			got := played(t, dir)
			if published {
				playedByNode(t, dir, got)
			}
			golden := &archive.Files[len(archive.Files)-1]
			if golden.Name != "golden" {
				t.Fatal("the last file is not the golden one")
			}
			if os.Getenv("UPDATE") == "1" {
				golden.Data = []byte(got)
				if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(string(golden.Data), got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func played(t *testing.T, dir string) string {
	t.Helper()
	main, err := filepath.Glob(filepath.Join(dir, "main.*"))
	if err != nil || len(main) != 1 {
		t.Fatal("no main", err)
	}
	r, err := newLoader(t, noLimits).Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	got, err := run(t, r, main[0])
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// playedByNode holds that the published packages give the same under Node, where
// there is one.
func playedByNode(t *testing.T, dir, want string) {
	t.Helper()
	program, err := exec.LookPath("node")
	if err != nil {
		return
	}
	cmd := exec.CommandContext(t.Context(), program, "--input-type=module", "--eval",
		`import main from './main.mjs'; process.stdout.write(JSON.stringify(await main(), null, 2) + '\n')`)
	cmd.Dir = dir
	cmd.Stderr = os.Stderr
	got, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(got), want); diff != "" {
		t.Errorf("ours is not what Node gives (-node +ours):\n%s", diff)
	}
}
