package filestore_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/filestore"
)

func TestTouchMakesAndMoves(t *testing.T) {
	d := filestore.Open(t.TempDir(), lockAt)
	for _, at := range []time.Time{time.Unix(1_800_000_000, 5_000_000), time.Unix(1_700_000_000, 0)} {
		if err := d.Touch("run/beat/start", at); err != nil {
			t.Fatal(err)
		}
		info, err := d.Stat("run/beat/start")
		if err != nil || info.Size != 0 || info.ModTime != at.UnixNano() {
			t.Errorf("after Touch at %s: %+v, %v", at, info, err)
		}
	}
}

func TestOverwriteLeavesNothingOfTheOld(t *testing.T) {
	root := t.TempDir()
	d := filestore.Open(root, lockAt)
	for _, s := range []string{"first", "second, longer", "3", ""} {
		if err := d.Overwrite("run/sessions/s.json", []byte(s)); err != nil {
			t.Fatal(err)
		}
		wantRead(t, d, "run/sessions/s.json", s)
	}
	if info, err := os.Stat(d.Path("run/sessions/s.json")); err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("others may read the note: %v, %v", info.Mode(), err)
	}
	wantNoLitter(t, root)
}

// notes are the two ways to leave a note.
func notes(name string) map[string]func(*filestore.Dir) error {
	return map[string]func(*filestore.Dir) error{
		"Touch":     func(d *filestore.Dir) error { return d.Touch(name, time.Unix(1, 0)) },
		"Overwrite": func(d *filestore.Dir) error { return d.Overwrite(name, []byte("x")) },
	}
}

func TestANoteMakesNoStore(t *testing.T) {
	root := filepath.Join(t.TempDir(), "none")
	for name, leave := range notes("run/note") {
		if err := leave(filestore.Open(root, lockAt)); err == nil {
			t.Errorf("%s: no error although there is no store", name)
		}
		if _, err := os.Stat(root); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s made %s", name, root)
		}
	}
}

func TestANoteIsLeftNowhereElse(t *testing.T) {
	root := t.TempDir()
	for name, leave := range notes("run/lock") {
		wantFault(t, leave(filestore.Open(root, lockAt)), fault.Usage, "bad-file-name", "run/lock")
		for _, opts := range []filestore.Options{{LockName: "run/lock", ReadOnly: true}, {LockName: "run/lock", DryRun: true}} {
			if err := notes("note")[name](filestore.Open(root, opts)); err != nil {
				t.Errorf("%s in a store that is not written: %v", name, err)
			}
		}
	}
	if names, _ := filestore.Open(root, lockAt).List("."); !slices.Equal(names, []string{}) {
		t.Errorf("files %q, want none", names)
	}
}

func TestOverwriteFollowsNoLink(t *testing.T) {
	root, outside := t.TempDir(), filepath.Join(t.TempDir(), "precious")
	if err := os.WriteFile(outside, []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	d := filestore.Open(root, lockAt)
	if err := os.Symlink(outside, d.Path("note")); err != nil {
		t.Fatal(err)
	}
	if err := d.Overwrite("note", []byte("theirs")); err == nil {
		t.Error("Overwrite went through a link")
	}
	if got, err := os.ReadFile(outside); string(got) != "mine" || err != nil {
		t.Errorf("outside is %q, %v", got, err)
	}
}

func TestOverwriteRespectsAReadOnlyFile(t *testing.T) {
	root := t.TempDir()
	write(t, root, map[string]string{"note": "old"})
	d := filestore.Open(root, lockAt)
	if err := os.Chmod(d.Path("note"), 0o444); err != nil {
		t.Fatal(err)
	}
	wantFault(t, d.Overwrite("note", []byte("new")), fault.Refused, "store-read-only", d.Path("note"))
	wantRead(t, d, "note", "old")
}

func TestAmendChangesInPlace(t *testing.T) {
	root := t.TempDir()
	d := filestore.Open(root, lockAt)
	write(t, root, map[string]string{"run/index": "abc"})
	before, err := d.Stat("run/index")
	if err != nil {
		t.Fatal(err)
	}
	err = d.Amend("run/index", func(f *os.File) error {
		_, err := f.WriteAt([]byte("XY"), 1)
		return err
	})
	if after, _ := d.Stat("run/index"); err != nil || after.Inode != before.Inode {
		t.Errorf("Amend: %v, inode %d, before %d", err, after.Inode, before.Inode)
	}
	wantRead(t, d, "run/index", "aXY")
}

func TestAmendMakesNothing(t *testing.T) {
	root := t.TempDir()
	never := func(*os.File) error { t.Error("called"); return nil }
	err := filestore.Open(root, lockAt).Amend("run/index", never)
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Amend of a missing file: %v", err)
	}
	write(t, root, map[string]string{"run/index": "abc"})
	for _, opts := range []filestore.Options{{LockName: "run/lock", ReadOnly: true}, {LockName: "run/lock", DryRun: true}} {
		d := filestore.Open(root, opts)
		wantFault(t, d.Amend("run/index", never), fault.Refused, "store-read-only", d.Path("run/index"))
	}
}

func TestPatchWritesOverBytes(t *testing.T) {
	root := t.TempDir()
	write(t, root, map[string]string{"a": "uses:1 uses:9\n"})
	d := filestore.Open(root, lockAt)
	before, _ := d.Stat("a")
	patch := func(d *filestore.Dir, state filestore.Info, pieces ...filestore.Piece) error {
		return d.With(ctx, func(tx *filestore.Tx) error { return tx.Patch("a", state, pieces) })
	}
	pieces := []filestore.Piece{{5, []byte("2")}, {12, []byte("8")}}
	if err := patch(d, before, pieces...); err != nil {
		t.Fatal(err)
	}
	wantRead(t, d, "a", "uses:2 uses:8\n")
	after, _ := d.Stat("a")
	if after.Inode != before.Inode || after.Size != before.Size {
		t.Errorf("state %+v, before %+v; want the same file", after, before)
	}
	other := after
	other.Size++
	wantFault(t, patch(d, other, pieces...), fault.Conflict, "file-changed", d.Path("a"))
	wantFault(t, patch(d, after, filestore.Piece{13, []byte("22")}), fault.Conflict, "file-changed", d.Path("a"))
	wantRead(t, d, "a", "uses:2 uses:8\n")

	dry := filestore.Open(root, filestore.Options{LockName: "run/lock", DryRun: true})
	if err := patch(dry, after, filestore.Piece{5, []byte("7")}); err != nil {
		t.Fatal(err)
	}
	wantRead(t, dry, "a", "uses:7 uses:8\n")
	wantRead(t, d, "a", "uses:2 uses:8\n")
}

func TestPatchOfAReadOnlyFile(t *testing.T) {
	root := t.TempDir()
	write(t, root, map[string]string{"a": "x"})
	d := filestore.Open(root, lockAt)
	state, _ := d.Stat("a")
	if err := os.Chmod(d.Path("a"), 0o444); err != nil {
		t.Fatal(err)
	}
	err := d.With(ctx, func(tx *filestore.Tx) error { return tx.Patch("a", state, []filestore.Piece{{0, []byte("y")}}) })
	wantFault(t, err, fault.Refused, "store-read-only", d.Path("a"))
	wantRead(t, d, "a", "x")
}

func TestAloneIsAlone(t *testing.T) {
	root := t.TempDir()
	first, second := filestore.Open(root, lockAt), filestore.Open(root, lockAt)
	inner := true
	outer := first.Alone("run/work.lock", func() {
		inner = second.Alone("run/work.lock", func() { t.Error("two at once") })
	})
	if !outer || inner {
		t.Errorf("the first did: %v, the second beside it: %v", outer, inner)
	}
	if !second.Alone("run/work.lock", func() {}) {
		t.Error("nobody else is at it, and it did nothing")
	}
	none := filestore.Open(filepath.Join(root, "none"), lockAt)
	if none.Alone("run/work.lock", func() { t.Error("called") }) {
		t.Error("worked where there is no store")
	}
}
