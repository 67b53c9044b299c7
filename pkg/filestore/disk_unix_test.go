//go:build unix

package filestore_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/filestore"
)

const case15 = "testdata/cases/15-disk-full-empties-the-store/in/self-improvement"

// copyStore lays the files of a case into root.
func copyStore(t testing.TB, from, root string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := fs.WalkDir(os.DirFS(from), ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(from, name))
		files[name] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	write(t, root, files)
	return files
}

// grow makes files larger by more than there is room for, in every way there is,
// and returns the code of each fault.
func grow(d *filestore.Dir) []string {
	more := []byte("- {\"key\":\"" + strings.Repeat("x", 10_000) + "\"}\n")
	add := func(old []byte) ([]byte, error) { return append(old, more...), nil }
	err := []error{
		d.Update(ctx, "config.json", add),
		d.Append(ctx, "memory/facts.md", more),
		d.Append(ctx, "logs/pending.md", more),
		d.Update(ctx, "memory/lessons.md", add),
		d.With(ctx, func(tx *filestore.Tx) error { return tx.Create("proposals/p.md", more) }),
		d.WriteDerived("run/index", more),
	}
	codes := make([]string, len(err))
	for i := range err {
		codes[i] = fault.CodeOf(err[i])
	}
	return codes
}

// fullRole grows files in a process that cannot write more than 4 KiB to one.
func fullRole(args []string) error {
	limit := syscall.Rlimit{Cur: 4096, Max: 4096}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		return err
	}
	d := filestore.Open(args[0], patient)
	fmt.Println(strings.Join(grow(d), " "))
	// What fits is stored all the same.
	return d.Append(ctx, "memory/facts.md", []byte("- fits\n"))
}

func wantFull(t *testing.T, root string, codes []string, before map[string]string) {
	t.Helper()
	for i, code := range codes {
		if code != "disk-full" {
			t.Errorf("change %d: code %q, want disk-full", i, code)
		}
	}
	d := filestore.Open(root, lockAt)
	for name, data := range before {
		wantRead(t, d, name, data)
	}
	for _, name := range []string{"logs/pending.md", "memory/lessons.md", "proposals/p.md", "run/index"} {
		if data, err := d.Read(name); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("Read(%q) = %d bytes, %v, want no file", name, len(data), err)
		}
	}
	wantNoLitter(t, root)
}

func TestCase15FileSizeLimit(t *testing.T) {
	root := t.TempDir()
	before := copyStore(t, case15, root)
	c := start(t, "full", root)
	c.lines.Scan()
	codes := strings.Fields(c.lines.Text())
	if err := c.Wait(); err != nil || len(codes) != 6 {
		t.Fatalf("the child gave %q, %v", codes, err)
	}
	before["memory/facts.md"] += "- fits\n"
	wantFull(t, root, codes, before)
	if codes := grow(filestore.Open(root, lockAt)); slices.ContainsFunc(codes, func(s string) bool { return s != "" }) {
		t.Errorf("without the limit: %q", codes)
	}
}

func TestCase17Links(t *testing.T) {
	base := t.TempDir()
	write(t, base, map[string]string{"dot/selfip.json": "{\"scope\":\"workspace\"}\n", "store/.a.1-1.tmp": "left over"})
	if err := os.Symlink(filepath.Join(base, "store"), filepath.Join(base, "elsewhere")); err != nil {
		t.Fatal(err)
	}
	// The root is itself behind a link.
	d := filestore.Open(filepath.Join(base, "elsewhere"), lockAt)
	at := filestore.Open(base, lockAt)
	for _, row := range []struct{ name, link, target string }{
		{"relative", "../dot/selfip.json", "dot/selfip.json"},
		{"absolute", filepath.Join(base, "dot", "selfip.json"), "dot/selfip.json"},
		{"dangling", "../dot/none.json", "dot/none.json"},
		{"folder-links", "../elsewhere/../dot/odd.json", "dot/odd.json"},
		{"inside", "other", "store/other"},
		{"chain", "inside", "store/other"},
	} {
		if err := os.Symlink(row.link, d.Path(row.name)); err != nil {
			t.Fatal(err)
		}
		if err := d.Update(ctx, row.name, set("by "+row.name)); err != nil {
			t.Fatalf("%s: %v", row.name, err)
		}
		wantRead(t, at, row.target, "by "+row.name)
		if err := d.Append(ctx, row.name, []byte("\nmore")); err != nil {
			t.Fatalf("%s: %v", row.name, err)
		}
		wantRead(t, at, row.target, "by "+row.name+"\nmore")
		if got, err := os.Readlink(d.Path(row.name)); got != row.link || err != nil {
			t.Errorf("%s leads to %q, %v, want %q", row.name, got, err, row.link)
		}
	}
	wantNoLitter(t, base)
}

func TestCase17LinksThatLeadNowhere(t *testing.T) {
	base := t.TempDir()
	write(t, base, map[string]string{"locked/a": "old", "store/keep": ""})
	if err := os.Chmod(filepath.Join(base, "locked"), 0o555); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(filepath.Join(base, "locked"), 0o755) })
	d := filestore.Open(filepath.Join(base, "store"), lockAt)
	if err := os.Symlink("loop", d.Path("loop2")); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		name, link string
		kind       fault.Kind
		code       string
	}{
		{"nowhere", "../none/config.json", fault.Failed, "link-target-no-folder"},
		{"loop", "loop2", fault.Damaged, "file-link-loop"},
		{"folder", "../locked", fault.Damaged, "is-a-folder"},
		{"locked", "../locked/a", fault.Refused, "store-read-only"},
		{"locked-new", "../locked/new", fault.Refused, "store-read-only"},
	} {
		if err := os.Symlink(row.link, d.Path(row.name)); err != nil {
			t.Fatal(err)
		}
		names := d.Path(row.name)
		if row.kind == fault.Refused {
			names = "/locked/" // what cannot be written, not what leads to it
		}
		wantFault(t, d.Update(ctx, row.name, set("new")), row.kind, row.code, names)
		if row.name != "locked" {
			wantFault(t, d.Append(ctx, row.name, []byte("new")), row.kind, row.code, "")
		}
		if got, _ := os.Readlink(d.Path(row.name)); got != row.link {
			t.Errorf("%s leads to %q, want %q", row.name, got, row.link)
		}
	}
	wantRead(t, filestore.Open(filepath.Join(base, "locked"), lockAt), "a", "old")
	wantNoLitter(t, base)
}

// A lock file that is a link would be written through: it is refused.
func TestLockFileBehindALink(t *testing.T) {
	root := t.TempDir()
	write(t, root, map[string]string{"precious": "x", "run/keep": ""})
	if err := os.Symlink("../precious", filepath.Join(root, "run", "lock")); err != nil {
		t.Fatal(err)
	}
	d := filestore.Open(root, lockAt)
	wantFault(t, d.Update(ctx, "a", set("x")), fault.Damaged, "file-link-loop", "run/lock")
	wantRead(t, d, "precious", "x")
}

func TestThingsThatAreNoFiles(t *testing.T) {
	root := t.TempDir()
	d := filestore.Open(root, lockAt)
	if err := syscall.Mkfifo(d.Path("pipe"), 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := d.Read("pipe") // would wait for a writer for ever
	wantFault(t, err, fault.Damaged, "not-a-file", "pipe")
	_, err = d.Stat("pipe")
	wantFault(t, err, fault.Damaged, "not-a-file", "pipe")
	wantFault(t, d.Update(ctx, "pipe", set("x")), fault.Damaged, "not-a-file", "pipe")
	wantFault(t, d.Append(ctx, "pipe", []byte("x")), fault.Damaged, "not-a-file", "pipe")
	err = d.With(ctx, func(tx *filestore.Tx) error { return tx.Replace("pipe", []byte("x")) })
	wantFault(t, err, fault.Damaged, "not-a-file", "pipe")

	locked := filestore.Open(t.TempDir(), lockAt)
	if err := os.MkdirAll(locked.Path("run/lock"), 0o755); err != nil {
		t.Fatal(err)
	}
	wantFault(t, locked.Append(ctx, "a", []byte("x")), fault.Damaged, "is-a-folder", "run/lock")
	inFile := filestore.Open(filepath.Join(root, "file", "store"), lockAt)
	write(t, root, map[string]string{"file": ""})
	wantFault(t, inFile.Append(ctx, "a", []byte("x")), fault.Damaged, "not-a-folder", "file")
}

const case21 = "testdata/cases/21-read-only-store/in/self-improvement"

// wantReadOnly checks that all is read, nothing changed, and how it is refused.
func wantReadOnly(t *testing.T, root string, files map[string]string) {
	t.Helper()
	d := filestore.Open(root, lockAt)
	for name, data := range files {
		wantRead(t, d, name, data)
	}
	names, err := d.List(".")
	if !slices.Equal(names, []string{"memory/"}) || err != nil {
		t.Errorf("List = %q, %v", names, err)
	}
	wantFault(t, d.Append(ctx, "memory/facts.md", []byte("new")), fault.Refused, "store-read-only", root)
	wantFault(t, d.Update(ctx, "new/file", set("new")), fault.Refused, "store-read-only", root)
	_ = d.WriteDerived("run/index", []byte("x"))
	entries, err := os.ReadDir(root)
	if len(entries) != 1 || err != nil {
		t.Errorf("the store holds %v, %v, want memory alone", entries, err)
	}
	for name, data := range files {
		wantRead(t, d, name, data)
	}
}

func TestCase21FoldersNobodyMayWriteTo(t *testing.T) {
	root := t.TempDir()
	files := copyStore(t, case21, root)
	for _, dir := range []string{filepath.Join(root, "memory"), root} {
		if err := os.Chmod(dir, 0o555); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.Chmod(dir, 0o755) })
	}
	wantReadOnly(t, root, files)
}

// Root working on a user's store does not take it away from the user.
func TestFilesBelongToTheOwnerOfTheFolder(t *testing.T) {
	root := t.TempDir()
	if os.Geteuid() == 0 {
		if err := os.Chown(root, 1234, 1234); err != nil {
			t.Fatal(err)
		}
	}
	d := filestore.Open(root, lockAt)
	err := errors.Join(
		d.Append(ctx, "memory/facts.md", []byte("x")), d.Update(ctx, "memory/facts.md", set("y")),
		d.Update(ctx, "new/file", set("y")), d.AppendLog("logs/a", []byte("z")),
	)
	if err != nil {
		t.Fatal(err)
	}
	want, _ := os.Stat(root)
	for _, name := range []string{"memory", "memory/facts.md", "new/file", "logs/a", "run/lock", "run"} {
		info, err := os.Stat(d.Path(name))
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Sys().(*syscall.Stat_t).Uid; got != want.Sys().(*syscall.Stat_t).Uid {
			t.Errorf("%s belongs to %d", name, got)
		}
	}
}
