package filestore_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/filestore"
)

var ctx = context.Background()

func TestOpenAndReadCreateNothing(t *testing.T) {
	root := filepath.Join(t.TempDir(), "store")
	d := filestore.Open(root, lockAt)
	if _, err := d.Read("a"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Read: %v, want a missing file", err)
	}
	if _, err := d.Stat("a"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Stat: %v, want a missing file", err)
	}
	if _, _, err := d.OpenFile("a"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("OpenFile: %v, want a missing file", err)
	}
	if names, err := d.List("memory"); err != nil || len(names) != 0 {
		t.Errorf("List = %q, %v, want none", names, err)
	}
	if err := d.WriteDerived("run/index", []byte("x")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("WriteDerived: %v, want a missing store", err)
	}
	if _, err := os.Lstat(root); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the store exists: %v", err)
	}
}

func TestNamesStayInside(t *testing.T) {
	base := t.TempDir()
	d := filestore.Open(filepath.Join(base, "store"), lockAt)
	for _, name := range []string{"", "..", "../a", "a/../../b", "a/../b", "/etc/passwd", "a//b", "a/", "./a", "a\x00b"} {
		_, err := d.Read(name)
		wantFault(t, err, fault.Usage, "bad-file-name", "")
		wantFault(t, d.Update(ctx, name, set("x")), fault.Usage, "bad-file-name", "")
		wantFault(t, d.Append(ctx, name, []byte("x")), fault.Usage, "bad-file-name", "")
		wantFault(t, d.AppendLog(name, []byte("x")), fault.Usage, "bad-file-name", "")
		wantFault(t, d.WriteDerived(name, []byte("x")), fault.Usage, "bad-file-name", "")
	}
	for _, name := range []string{"run/lock", "."} { // the lock is nobody's file
		wantFault(t, d.Update(ctx, name, set("x")), fault.Usage, "bad-file-name", name)
		wantFault(t, d.With(ctx, func(tx *filestore.Tx) error { return tx.Remove(name) }), fault.Usage, "bad-file-name", name)
	}
	if _, err := os.Lstat(filepath.Join(base, "b")); err == nil {
		t.Error("a file was made outside of the store")
	}
}

func TestTransaction(t *testing.T) {
	root := t.TempDir()
	d := filestore.Open(root, lockAt)
	var leaked *filestore.Tx
	err := d.With(ctx, func(tx *filestore.Tx) error {
		leaked = tx
		if err := tx.Create("p/one.md", []byte("1")); err != nil {
			t.Errorf("Create: %v", err)
		}
		err := tx.Create("p/one.md", []byte("2"))
		wantFault(t, err, fault.Conflict, "file-exists", "one.md")
		if !errors.Is(err, fs.ErrExist) {
			t.Errorf("Create of a file that exists: %v", err)
		}
		if err := tx.Replace("p/two.md", nil, filestore.NoSync); err != nil {
			t.Errorf("Replace: %v", err)
		}
		if err := tx.Append("log", []byte("line\n"), filestore.NoSync); err != nil {
			t.Errorf("Append: %v", err)
		}
		if err := tx.Create("p/three.md", nil); err != nil {
			t.Errorf("Create: %v", err)
		}
		if err := tx.Remove("p/three.md"); err != nil {
			t.Errorf("Remove: %v", err)
		}
		if err := tx.Remove("p/three.md"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("second Remove: %v, want a missing file", err)
		}
		wantFault(t, tx.Remove("p"), fault.Damaged, "is-a-folder", "p")
		names, err := tx.List("p")
		if diff := cmp.Diff([]string{"one.md", "two.md"}, names); diff != "" || err != nil {
			t.Errorf("List: %v %s", err, diff)
		}
		got, err := tx.Read("log")
		if string(got) != "line\n" || err != nil {
			t.Errorf("Read = %q, %v", got, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	names, _ := d.List(".")
	if diff := cmp.Diff([]string{"log", "p/", "run/"}, names); diff != "" {
		t.Error(diff)
	}
	if names, _ := d.List("run"); len(names) != 0 {
		t.Errorf("List shows the lock file: %q", names)
	}
	wantFault(t, leaked.Replace("late", nil), fault.Usage, "transaction-over", "late")
	wantNoLitter(t, root)
}

// A read error other than "not found" is no empty file: nothing is read, and
// nothing is written over it.
func TestW2UnreadableIsNotEmpty(t *testing.T) {
	for name, row := range map[string]struct {
		put  func(path string) error
		kind fault.Kind
		code string
	}{
		"folder":   {func(p string) error { return os.Mkdir(p, 0o755) }, fault.Damaged, "is-a-folder"},
		"loop":     {func(p string) error { return os.Symlink(filepath.Base(p), p) }, fault.Damaged, "file-link-loop"},
		"large":    {func(p string) error { return os.WriteFile(p, make([]byte, 101), 0o644) }, fault.Refused, "file-too-large"},
		"in-file":  {func(p string) error { return os.WriteFile(filepath.Dir(p), nil, 0o644) }, fault.Damaged, "not-a-folder"},
		"bad-utf8": {func(p string) error { return os.WriteFile(p, []byte("\xff"), 0o644) }, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			d := filestore.Open(root, filestore.Options{LockName: "run/lock", MaxBytes: 100})
			file := "facts.md"
			if name == "in-file" {
				file = "memory/facts.md"
			}
			if err := row.put(d.Path(file)); err != nil {
				t.Fatal(err)
			}
			called := ""
			err := d.Update(ctx, file, func(old []byte) ([]byte, error) {
				called = string(old)
				return append(old, "new"...), nil
			})
			if row.kind == "" {
				wantRead(t, d, file, "\xffnew") // the bytes are kept whatever they are
				return
			}
			wantFault(t, err, row.kind, row.code, d.Path(file))
			data, err := d.Read(file)
			wantFault(t, err, row.kind, row.code, d.Path(file))
			if data != nil || called != "" || errors.Is(err, fs.ErrNotExist) {
				t.Errorf("read %q, f was given %q, error %v", data, called, err)
			}
		})
	}
}

func TestReplaceKeepsTheMode(t *testing.T) {
	root := t.TempDir()
	write(t, root, map[string]string{"a": "old"})
	d := filestore.Open(root, lockAt)
	if err := os.Chmod(d.Path("a"), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := d.Update(ctx, "a", set("new")); err != nil {
		t.Fatal(err)
	}
	if info, _ := os.Stat(d.Path("a")); info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v, want 0640", info.Mode())
	}
}

func TestAReadOnlyFileIsLeftAlone(t *testing.T) {
	root := t.TempDir()
	write(t, root, map[string]string{"a": "old"})
	d := filestore.Open(root, lockAt)
	if err := os.Chmod(d.Path("a"), 0o444); err != nil {
		t.Fatal(err)
	}
	wantFault(t, d.Update(ctx, "a", set("new")), fault.Refused, "store-read-only", d.Path("a"))
	wantFault(t, d.Append(ctx, "a", []byte("new")), fault.Refused, "store-read-only", d.Path("a"))
	wantFault(t, d.AppendLog("a", []byte("new")), fault.Refused, "store-read-only", d.Path("a"))
	wantRead(t, d, "a", "old")
	wantNoLitter(t, root)
}

func TestCase14TornTailIsKeptApart(t *testing.T) {
	torn, err := os.ReadFile("testdata/cases/14-torn-tail-glues-next-entry/in/self-improvement/logs/pending.md")
	if err != nil {
		t.Fatal(err)
	}
	const line = "- {\"key\":\"s-104\"}\n"
	for name, add := range map[string]func(*filestore.Dir, string) error{
		"Append":    func(d *filestore.Dir, s string) error { return d.Append(ctx, "logs/pending.md", []byte(s)) },
		"AppendLog": func(d *filestore.Dir, s string) error { return d.AppendLog("logs/pending.md", []byte(s)) },
		"durable": func(d *filestore.Dir, s string) error {
			return d.AppendLog("logs/pending.md", []byte(s), filestore.Durable)
		},
	} {
		root := t.TempDir()
		write(t, root, map[string]string{"logs/pending.md": string(torn)})
		d := filestore.Open(root, lockAt)
		for range 2 {
			if err := add(d, line); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		wantRead(t, d, "logs/pending.md", string(torn)+"\n"+line+line)
	}
}

func TestAppendAddsNothingOfItsOwn(t *testing.T) {
	d := filestore.Open(t.TempDir(), lockAt)
	for _, s := range []string{"one", "\ntwo", "", "\nthree\n", "four\n"} {
		if err := d.Append(ctx, "a", []byte(s)); err != nil {
			t.Fatal(err)
		}
	}
	wantRead(t, d, "a", "one\ntwo\nthree\nfour\n")
}

func TestStatTellsStatesApart(t *testing.T) {
	d := filestore.Open(t.TempDir(), lockAt)
	seen := map[filestore.Info]string{}
	note := func(what string) {
		_, info, err := d.ReadInfo("a")
		if stat, serr := d.Stat("a"); err != nil || serr != nil || stat != info {
			t.Fatalf("%s: ReadInfo %v %v, Stat %v %v", what, info, err, stat, serr)
		}
		if before, ok := seen[info]; ok {
			t.Errorf("after %s the identity is the one after %s: %v", what, before, info)
		}
		seen[info] = what
	}
	for _, s := range []string{"a", "b", "c"} {
		if err := d.Update(ctx, "a", set(s)); err != nil {
			t.Fatal(err)
		}
		note("replace by " + s)
	}
	if err := d.Append(ctx, "a", []byte("\n")); err != nil {
		t.Fatal(err)
	}
	note("append")
}

func TestWriteDerived(t *testing.T) {
	root := t.TempDir()
	d := filestore.Open(root, lockAt)
	for _, s := range []string{"first", "second, longer", "3"} {
		if err := d.WriteDerived("run/cache/index", []byte(s)); err != nil {
			t.Fatal(err)
		}
		wantRead(t, d, "run/cache/index", s)
	}
	// What a killed process has left is used, not added to.
	left := filepath.Join(root, "run", "cache", ".index.derived.tmp")
	if err := os.WriteFile(left, []byte(strings.Repeat("half ", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	if names, _ := d.List("run/cache"); !slices.Equal(names, []string{"index"}) {
		t.Errorf("List = %q, want only the index", names)
	}
	if err := d.WriteDerived("run/cache/index", []byte("4")); err != nil {
		t.Fatal(err)
	}
	wantRead(t, d, "run/cache/index", "4")
	wantNoLitter(t, root)
	// A folder is in the way: nothing happens and nothing stays.
	if err := os.MkdirAll(d.Path("run/folder/x"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := d.WriteDerived("run/folder", []byte("5")); err == nil {
		t.Error("no error although a folder is in the way")
	}
	wantNoLitter(t, root)
}

func TestReadOnlyStore(t *testing.T) {
	root := t.TempDir()
	write(t, root, map[string]string{"a": "old"})
	d := filestore.Open(root, filestore.Options{LockName: "run/lock", ReadOnly: true})
	wantRead(t, d, "a", "old")
	wantFault(t, d.Update(ctx, "a", set("new")), fault.Refused, "store-read-only", root)
	wantFault(t, d.AppendLog("b", []byte("new")), fault.Refused, "store-read-only", root)
	if err := d.WriteDerived("c", []byte("new")); err != nil {
		t.Errorf("WriteDerived: %v", err)
	}
	if names, _ := d.List("."); !slices.Equal(names, []string{"a"}) {
		t.Errorf("files %q, want only a", names)
	}
}

func TestDryRunShowsWhatItWouldDo(t *testing.T) {
	root := t.TempDir()
	write(t, root, map[string]string{"a": "old", "p/x": "1", "p/y": "2"})
	d := filestore.Open(root, filestore.Options{LockName: "run/lock", DryRun: true})
	if err := d.Update(ctx, "a", set("new")); err != nil {
		t.Fatal(err)
	}
	err := d.With(ctx, func(tx *filestore.Tx) error {
		err := errors.Join(tx.Append("a", []byte("line")), tx.Remove("p/x"), tx.Create("p/q/z", nil), tx.Remove("p/q/z"), tx.Replace("p/z", nil))
		wantFault(t, tx.Create("p/y", nil), fault.Conflict, "file-exists", "y")
		wantFault(t, tx.Create("p/z", nil), fault.Conflict, "file-exists", "z")
		wantFault(t, tx.Remove("p/x"), fault.NotFound, "file-missing", "x")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(d.AppendLog("log", []byte("1\n")), d.WriteDerived("index", []byte("x"))); err != nil {
		t.Fatal(err)
	}
	wantRead(t, d, "a", "new\nline")
	wantRead(t, d, "p/z", "")
	if _, err := d.Stat("p/x"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Stat of what is removed: %v", err)
	}
	names, _ := d.List("p")
	if diff := cmp.Diff([]string{"y", "z"}, names); diff != "" {
		t.Error(diff)
	}
	names, _ = d.List(".")
	if diff := cmp.Diff([]string{"a", "log", "p/"}, names); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"a", "log", "p/q/z", "p/x", "p/z"}, d.Planned()); diff != "" {
		t.Error(diff)
	}
	onDisk := filestore.Open(root, lockAt)
	wantRead(t, onDisk, "a", "old")
	wantRead(t, onDisk, "p/x", "1")
	if names, _ := onDisk.List("."); !slices.Equal(names, []string{"a", "p/"}) {
		t.Errorf("on disk are %q", names)
	}
}

func TestPrivateFolders(t *testing.T) {
	root := filepath.Join(t.TempDir(), "s")
	d := filestore.Open(root, filestore.Options{LockName: "run/lock", Private: []string{"logs"}})
	for _, name := range []string{"logs/sub/a", "logsbook", "run/b", "memory/c"} {
		if err := d.Append(ctx, name, []byte("x")); err != nil {
			t.Fatal(err)
		}
		if err := d.Update(ctx, name+"2", set("x")); err != nil {
			t.Fatal(err)
		}
	}
	const private = 0o077
	for name, want := range map[string]bool{
		"logs": true, "logs/sub": true, "logs/sub/a": true, "logs/sub/a2": true, "run": true, "run/lock": true, "run/b": true,
		".": false, "memory": false, "memory/c": false, "memory/c2": false, "logsbook": false,
	} {
		info, err := os.Stat(d.Path(name))
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Mode().Perm()&private == 0; got != want {
			t.Errorf("%s: mode %v, want private: %v", name, info.Mode(), want)
		}
	}
}

func TestLeftoversAreSwept(t *testing.T) {
	const left, theirs = ".facts.md.4711-3.tmp", ".facts.md.tmp"
	for name, lock := range map[string]string{
		"no lock file": "-", "new lock file": "", "named in it": "memory/" + left + "\n", "torn": "memory/.fac", "of someone else": "4711\n",
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			write(t, root, map[string]string{"memory/" + left: "half", "memory/" + theirs: "mine"})
			if lock != "-" {
				write(t, root, map[string]string{"run/lock": lock})
			}
			d := filestore.Open(root, lockAt)
			if err := d.Append(ctx, "other", []byte("x")); err != nil {
				t.Fatal(err)
			}
			entries, _ := os.ReadDir(filepath.Join(root, "memory"))
			if len(entries) != 1 || entries[0].Name() != theirs {
				t.Errorf("left are %v, want only %s", entries, theirs)
			}
			wantLock(t, root, "clean\n")
		})
	}
}

// What the lock file says may come from a stranger: only temporary files of ours
// are ever removed.
func TestSweepingBelievesNoStranger(t *testing.T) {
	outside := t.TempDir()
	write(t, outside, map[string]string{"precious": "x"})
	precious := filepath.Join(outside, "precious")
	for _, said := range []string{precious, "../precious", "../precious\n" + precious} {
		root := filepath.Join(outside, "store")
		write(t, root, map[string]string{"run/lock": said + "\n"})
		if err := filestore.Open(root, lockAt).Update(ctx, "a", set(said)); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(precious); err != nil {
			t.Errorf("the lock file says %q: %v", said, err)
		}
	}
}

func wantLock(t *testing.T, root, want string) {
	t.Helper()
	if got, err := os.ReadFile(filepath.Join(root, "run", "lock")); string(got) != want || err != nil {
		t.Errorf("the lock file says %q, %v, want %q", got, err, want)
	}
}

func TestLongNames(t *testing.T) {
	root := t.TempDir()
	d := filestore.Open(root, lockAt)
	name := strings.Repeat("名", 80) // 240 bytes: no room for what temporary names add
	if err := d.Update(ctx, name, set("x")); err != nil {
		t.Fatal(err)
	}
	wantRead(t, d, name, "x")
	if err := d.WriteDerived(name, []byte("y")); err != nil {
		t.Fatal(err)
	}
	wantRead(t, d, name, "y")
}

func TestPanicReleasesTheLock(t *testing.T) {
	d := filestore.Open(t.TempDir(), lockAt)
	func() {
		defer func() { _ = recover() }()
		_ = d.With(ctx, func(*filestore.Tx) error { panic("mistake") })
	}()
	if err := d.Update(ctx, "a", set("x")); err != nil {
		t.Errorf("after a panic: %v", err)
	}
}
