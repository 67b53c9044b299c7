//go:build unix

package filestore_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/filestore"
)

// A store that came with a repository may hold links that point at files of the
// user's home.
func TestConfinedStoreFollowsNoLinkOutOfIt(t *testing.T) {
	base := t.TempDir()
	write(t, base, map[string]string{"home/.bashrc": "alias", "home/dir/a": "old", "store/inside/a": "old", "store/keep": ""})
	if err := os.Symlink(filepath.Join(base, "store"), filepath.Join(base, "elsewhere")); err != nil {
		t.Fatal(err)
	}
	d := filestore.Open(filepath.Join(base, "elsewhere"), filestore.Options{LockName: "run/lock", Confined: true})
	for _, link := range []struct{ name, to string }{
		{"absolute.md", filepath.Join(base, "home", ".bashrc")},
		{"relative.md", "../home/.bashrc"},
		{"dangling.md", "../home/new"},
		{"folder", "../home/dir"},
		{"good.md", "inside/a"},
	} {
		if err := os.Symlink(link.to, d.Path(link.name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"absolute.md", "relative.md", "dangling.md", "folder/a", "folder/new"} {
		for what, err := range map[string]error{
			"Update":    d.Update(ctx, name, set("taken")),
			"Append":    d.Append(ctx, name, []byte("\ntaken")),
			"AppendLog": d.AppendLog(name, []byte("\ntaken")),
			"Derived":   d.WriteDerived(name, []byte("taken")),
			"Overwrite": d.Overwrite(name, []byte("taken")),
			"Touch":     d.Touch(name, time.Unix(0, 0)),
			"Amend":     d.Amend(name, func(*os.File) error { return nil }),
		} {
			if fault.CodeOf(err) != "link-outside" || fault.KindOf(err) != fault.Refused {
				t.Errorf("%s of %s: %v, want link-outside", what, name, err)
			}
		}
	}
	other := filestore.Open(filepath.Join(base, "other"), filestore.Options{LockName: "run/lock", Confined: true})
	write(t, base, map[string]string{"other/keep": ""})
	if err := os.Symlink("../home/dir", other.Path("run")); err != nil {
		t.Fatal(err)
	}
	if err := other.Update(ctx, "plain.md", set("ours")); fault.CodeOf(err) != "link-outside" {
		t.Errorf("with the lock outside: %v, want link-outside", err)
	}
	if names, err := os.ReadDir(filepath.Join(base, "home", "dir")); err != nil || len(names) != 1 {
		t.Errorf("outside lie %v, %v, want one file", names, err)
	}
	at := filestore.Open(base, lockAt)
	wantRead(t, at, "home/.bashrc", "alias")
	wantRead(t, at, "home/dir/a", "old")
	if _, err := os.Lstat(filepath.Join(base, "home", "new")); !os.IsNotExist(err) {
		t.Errorf("the target of the dangling link was made: %v", err)
	}
	for _, name := range []string{"good.md", "plain.md", "run/new/plain.md"} {
		if err := d.Update(ctx, name, set("ours")); err != nil {
			t.Errorf("Update of %s: %v", name, err)
		}
		wantRead(t, d, name, "ours")
	}
}
