package filestore_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dshkit/dshkit/pkg/filestore"
)

// killedAt adds data behind old in a store of its own, and then puts file and
// lock file into the state that a process killed halfway would have left: of the
// data, part bytes are there.
func killedAt(t *testing.T, old, data string, part int) (*filestore.Dir, string) {
	t.Helper()
	d := filestore.Open(t.TempDir(), lockAt)
	var said []byte
	err := d.With(t.Context(), func(tx *filestore.Tx) error {
		if err := tx.Append("notes.md", []byte(old), filestore.NoSync); err != nil {
			return err
		}
		if err := tx.Append("notes.md", []byte(data)); err != nil {
			return err
		}
		var err error
		said, err = os.ReadFile(d.Path(lockAt.LockName))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	writeTo(t, d.Path("notes.md"), old+data[:part])
	writeTo(t, d.Path(lockAt.LockName), string(said))
	return d, string(said)
}

func writeTo(t *testing.T, path, data string) {
	t.Helper()
	write(t, filepath.Dir(path), map[string]string{filepath.Base(path): data})
}

// visit takes the lock and does nothing.
func visit(t *testing.T, d *filestore.Dir) {
	t.Helper()
	if err := d.With(t.Context(), func(*filestore.Tx) error { return nil }); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(d.Path(lockAt.LockName)); err != nil || string(got) != "clean\n" && string(got) != "" {
		t.Errorf("the lock file says %q, %v", got, err)
	}
}

// text returns n bytes in lines that differ.
func text(n int) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, "line %d of many\n", i)
	}
	return b.String()[:n-1] + "\n"
}

func TestWhatWasAddedByHalfIsTakenBack(t *testing.T) {
	for _, c := range []struct{ old, add, part int }{
		{4000, 200, 96},
		{100, 4000, 3996},
		{4096, 4097, 4096},
		{5, 65_536, 4091},
		{5, 65_536, 65_531 - 3*4096},
		{8191, 30_000, 1 + 4096},
	} {
		old := text(c.old)
		d, _ := killedAt(t, old, text(c.add), c.part)
		visit(t, d)
		wantRead(t, d, "notes.md", old)
	}
}

func TestOnlyWhatWasAddedByHalfIsTakenBack(t *testing.T) {
	old, add := text(4000), text(9000)
	for name, now := range map[string]string{
		"all of it":        old + add,
		"nothing of it":    old,
		"more than it":     old + add + "more\n",
		"not to a page":    old + add[:100],
		"something else":   old + strings.Repeat("x", 96),
		"other beginning":  old + "X" + add[1:4096+96],
		"cut":              old[:3000],
		"cut to a page":    "",
		"another's pages":  strings.Repeat("y", 8192),
		"whole, rewritten": strings.ToUpper(old + add),
	} {
		d, _ := killedAt(t, old, add, 96)
		writeTo(t, d.Path("notes.md"), now)
		visit(t, d)
		if got, err := os.ReadFile(d.Path("notes.md")); err != nil || string(got) != now {
			t.Errorf("%s: %d bytes became %d, %v", name, len(now), len(got), err)
		}
	}
}

// An addition that lies within one page cannot be cut; one that is not synced
// need not be whole.
func TestNoMarkWhereNothingCanBeCut(t *testing.T) {
	for _, c := range []struct {
		old, add int
		opts     []filestore.WriteOption
	}{{3900, 196, nil}, {4096, 4096, nil}, {4000, 200, []filestore.WriteOption{filestore.NoSync}}} {
		d := filestore.Open(t.TempDir(), lockAt)
		if err := d.Append(t.Context(), "notes.md", []byte(text(c.old)), filestore.NoSync); err != nil {
			t.Fatal(err)
		}
		err := d.With(t.Context(), func(tx *filestore.Tx) error {
			if err := tx.Append("notes.md", []byte(text(c.add)), c.opts...); err != nil {
				return err
			}
			if said, err := os.ReadFile(d.Path(lockAt.LockName)); err != nil || strings.HasPrefix(string(said), "+") {
				t.Errorf("%+v: the lock file says %q, %v", c, said, err)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// What the lock file says is no order: a name that leads outside, a wrong
// checksum or nonsense change nothing.
func TestAMarkIsNotTrusted(t *testing.T) {
	old, add := text(4000), text(9000)
	outside := filepath.Join(t.TempDir(), "notes.md")
	writeTo(t, outside, old+add[:96])
	_, good := killedAt(t, old, add, 96)
	fields := strings.SplitN(strings.TrimSuffix(good, "\n"), " ", 4)
	for _, said := range []string{
		strings.Join([]string{fields[0], fields[1], fields[2], outside}, " ") + "\n",
		strings.Join([]string{fields[0], fields[1], fields[2], "../notes.md"}, " ") + "\n",
		strings.Join([]string{fields[0], fields[1], fields[2], "link.md"}, " ") + "\n",
		strings.Join([]string{fields[0], fields[1], fields[2], lockAt.LockName}, " ") + "\n",
		strings.Join([]string{fields[0], fields[1], fields[2], ""}, " ") + "\n",
		strings.Join([]string{fields[0], fields[1], strings.Repeat("0", len(fields[2])), "notes.md"}, " ") + "\n",
		strings.Join([]string{fields[0], fields[1], "", "notes.md"}, " ") + "\n",
		strings.Join([]string{"+0", fields[1], fields[2], "notes.md"}, " ") + "\n",
		strings.Join([]string{"+-5", fields[1], fields[2], "notes.md"}, " ") + "\n",
		"+9223372036854775807 9223372036854775807  notes.md\n",
		"+0 9223372036854775807  notes.md\n",
		"+\n", "+ \n", "+1 2 3\n", strings.TrimSuffix(good, "\n"), good[:len(good)/2],
	} {
		d, _ := killedAt(t, old, add, 96)
		if err := os.Symlink(outside, d.Path("link.md")); err != nil {
			t.Fatal(err)
		}
		writeTo(t, d.Path(lockAt.LockName), said)
		visit(t, d)
		wantRead(t, d, "notes.md", old+add[:96])
		if got, err := os.ReadFile(outside); err != nil || string(got) != old+add[:96] {
			t.Errorf("%.60q changed a file outside", said)
		}
	}
}
