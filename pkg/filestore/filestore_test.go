package filestore_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/filestore"
)

var lockAt = filestore.Options{LockName: "run/lock"}

// write puts files into root.
func write(t testing.TB, root string, files map[string]string) {
	t.Helper()
	for name, data := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func set(data string) func([]byte) ([]byte, error) {
	return func([]byte) ([]byte, error) { return []byte(data), nil }
}

// wantRead checks the contents of a file.
func wantRead(t testing.TB, d *filestore.Dir, name, want string) {
	t.Helper()
	got, err := d.Read(name)
	if err != nil || string(got) != want || got == nil {
		t.Errorf("Read(%q) = %q, %v, want %q", name, got, err, want)
	}
}

// wantFault checks kind and code, and that the error names something.
func wantFault(t testing.TB, err error, kind fault.Kind, code, names string) {
	t.Helper()
	if fault.KindOf(err) != kind || fault.CodeOf(err) != code {
		t.Errorf("error %v has kind %q and code %q, want %q and %q", err, fault.KindOf(err), fault.CodeOf(err), kind, code)
	}
	if err != nil && !strings.Contains(err.Error(), names) {
		t.Errorf("error %q does not name %q", err, names)
	}
}

// wantNoLitter checks that there are no temporary files below root.
func wantNoLitter(t testing.TB, root string) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".tmp") {
			t.Errorf("left over: %s", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func TestUpdateSeesWhatItReplaces(t *testing.T) {
	root := filepath.Join(t.TempDir(), "not", "there", "yet")
	d := filestore.Open(root, lockAt)

	steps := []struct {
		old  string // "-": nil
		next []byte
		want string
	}{
		{"-", []byte("one"), "one"},
		{"one", []byte("two\n"), "two\n"},
		{"two\n", nil, "two\n"},
		{"two\n", []byte{}, ""},
		{"", []byte("three"), "three"},
	}
	for _, s := range steps {
		err := d.Update(ctx, "memory/facts.md", func(old []byte) ([]byte, error) {
			if (old == nil) != (s.old == "-") || old != nil && string(old) != s.old {
				t.Errorf("old = %q (nil: %v), want %q", old, old == nil, s.old)
			}
			return s.next, nil
		})
		if err != nil {
			t.Fatalf("Update to %q: %v", s.next, err)
		}
		wantRead(t, d, "memory/facts.md", s.want)
	}
	wantNoLitter(t, root)
}

func TestUpdateThatFailsWritesNothing(t *testing.T) {
	root := t.TempDir()
	write(t, root, map[string]string{"a": "old"})
	d := filestore.Open(root, lockAt)
	stop := errors.New("stop")
	before, _ := d.Stat("a")
	err := d.Update(ctx, "a", func(old []byte) ([]byte, error) {
		copy(old, "new") // must not reach the file either
		return old, stop
	})
	if !errors.Is(err, stop) {
		t.Errorf("error %v, want %v", err, stop)
	}
	if after, _ := d.Stat("a"); after != before {
		t.Errorf("the file changed from %v to %v", before, after)
	}
}

func TestUpdateWithTheSameBytesWritesNothing(t *testing.T) {
	root := t.TempDir()
	write(t, root, map[string]string{"a": "old"})
	d := filestore.Open(root, lockAt)
	before, _ := d.Stat("a")
	if err := d.Update(ctx, "a", set("old")); err != nil {
		t.Fatal(err)
	}
	if after, _ := d.Stat("a"); after != before {
		t.Errorf("the file was written: %v, then %v", before, after)
	}
	err := d.Update(ctx, "a", func(old []byte) ([]byte, error) {
		old[0] = 'O' // changed in place: that is a change
		return old, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	wantRead(t, d, "a", "Old")
}
