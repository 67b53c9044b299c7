package machine_test

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/mnemon/machine"
	"github.com/dshkit/dshkit/pkg/jsrun/node"
)

// house makes a granted folder with a file and, beside it, a secret.
func house(t *testing.T) (granted, secret string) {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	granted, secret = filepath.Join(top, "granted"), filepath.Join(top, "outside", "secret")
	for _, dir := range []string{granted, filepath.Dir(secret)} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	write(t, secret, "secret")
	write(t, filepath.Join(granted, "own"), "own")
	return granted, secret
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func link(t *testing.T, target, name string) {
	t.Helper()
	if err := os.Symlink(target, name); err != nil {
		t.Fatal(err)
	}
}

func code(err error) string {
	if err == nil {
		return ""
	}
	var s *node.SystemError
	switch {
	case errors.As(err, &s):
		return s.Code
	case errors.Is(err, os.ErrNotExist):
		return "ENOENT"
	case errors.Is(err, os.ErrExist):
		return "EEXIST"
	}
	return err.Error()
}

// attempts are all that can be done with one name.
func attempts(f *machine.Files, name string) map[string]error {
	_, statErr := f.Stat(name)
	_, listErr := f.ReadDir(name)
	_, realErr := f.Realpath(name)
	file, readErr := f.Open(name, node.Read, 0)
	if readErr == nil {
		file.Close()
	}
	file, writeErr := f.Open(name, node.Write|node.Create, 0o600)
	if writeErr == nil {
		file.Close()
	}
	return map[string]error{
		"stat": statErr, "list": listErr, "real": realErr, "read": readErr, "write": writeErr,
		"chmod": f.Chmod(name, 0o600), "times": f.Chtimes(name, time.Unix(1, 0), time.Unix(1, 0)), "access": f.Access(name, 4),
	}
}

// TestNothingLeavesTheGrant holds that no way of writing a name leads out.
func TestNothingLeavesTheGrant(t *testing.T) {
	granted, secret := house(t)
	at := func(name string) string { return filepath.Join(granted, name) }
	link(t, secret, at("absolute"))
	link(t, "../outside/secret", at("relative"))
	link(t, "../outside", at("folder"))
	link(t, "absolute", at("chain"))
	link(t, "/", at("root"))
	link(t, "../granted/../outside/secret", at("winding"))
	f := machine.NewFiles(machine.Grant{Path: granted})
	for _, name := range []string{
		secret, granted + "/../outside/secret", granted + "/./../outside/../outside/secret", at("absolute"), at("relative"),
		granted + "/folder/secret", at("chain"), granted + "/root" + secret, at("winding"), granted + "/own/../../outside/secret",
		granted + "/folder/../outside/secret", "/etc/passwd", granted + "x", filepath.Dir(secret),
	} {
		for what, err := range attempts(f, name) {
			if c := code(err); c != "EACCES" && c != "ENOTDIR" && c != "ENOENT" {
				t.Errorf("%s of %q: %q, want EACCES", what, name, c)
			}
		}
	}
	if got, err := os.ReadFile(secret); err != nil || string(got) != "secret" {
		t.Errorf("the secret is now %q, %v", got, err)
	}
	info, err := os.Stat(secret)
	if err != nil || info.ModTime().Unix() == 1 {
		t.Errorf("the secret's times were changed: %v, %v", info.ModTime(), err)
	}
}

func TestTwoNamesAndLinks(t *testing.T) {
	granted, secret := house(t)
	at := func(name string) string { return filepath.Join(granted, name) }
	out := filepath.Dir(secret)
	link(t, out, at("folder"))
	f := machine.NewFiles(machine.Grant{Path: granted})
	for what, err := range map[string]error{
		"move out":            f.Rename(at("own"), filepath.Join(out, "x")),
		"move in":             f.Rename(secret, at("x")),
		"move through a link": f.Rename(at("own"), at("folder/x")),
		"link out":            f.Link(at("own"), filepath.Join(out, "x")),
		"link in":             f.Link(secret, at("x")),
		"symlink to it":       f.Symlink(secret, at("s")),
		"symlink by dots":     f.Symlink("../outside/secret", at("s")),
		"symlink outside":     f.Symlink(at("own"), filepath.Join(out, "s")),
		"folder outside":      f.Mkdir(filepath.Join(out, "d"), 0o700),
		"folder through":      f.Mkdir(at("folder/d"), 0o700),
		"remove outside":      f.Unlink(secret),
		"remove through":      f.Unlink(at("folder/secret")),
		"remove the grant":    f.Rmdir(granted),
		"move the grant":      f.Rename(granted, at("x")),
	} {
		if code(err) != "EACCES" {
			t.Errorf("%s: %v, want EACCES", what, err)
		}
	}
	// Of a link itself, all can be done.
	if err := f.Unlink(at("folder")); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(secret); err != nil {
		t.Errorf("removing the link removed what it leads to: %v", err)
	}
	if err := f.Symlink("own", at("good")); err != nil {
		t.Error(err)
	}
	if err := f.Symlink(at("later"), at("dangling")); err != nil {
		t.Error(err)
	}
}

// TestLinksWithin holds that links between granted folders work, also absolute ones.
func TestLinksWithin(t *testing.T) {
	granted, _ := house(t)
	other := t.TempDir()
	write(t, filepath.Join(other, "far"), "far")
	link(t, filepath.Join(other, "far"), filepath.Join(granted, "to-far"))
	link(t, filepath.Join(granted, "own"), filepath.Join(granted, "to-own"))
	link(t, granted, filepath.Join(other, "grant"))
	f := machine.NewFiles(machine.Grant{Path: granted}, machine.Grant{Path: filepath.Join(other)}, machine.Grant{Path: filepath.Join(other, "grant")})
	for name, want := range map[string]string{
		filepath.Join(granted, "to-far"):                   "far",
		filepath.Join(granted, "to-own"):                   "own",
		filepath.Join(other, "grant", "to-own"):            "own",
		granted + "/../" + filepath.Base(granted) + "/own": "own",
	} {
		file, err := f.Open(name, node.Read, 0)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		b := make([]byte, 8)
		n, _ := file.Read(b)
		if got := string(b[:n]); got != want {
			t.Errorf("%s holds %q, want %q", name, got, want)
		}
		file.Close()
	}
	link(t, "loop", filepath.Join(granted, "loop"))
	if _, err := f.Stat(filepath.Join(granted, "loop")); code(err) != "ELOOP" {
		t.Errorf("a link to itself: %v, want ELOOP", err)
	}
}

func TestReadingOnly(t *testing.T) {
	granted, _ := house(t)
	f := machine.NewFiles(machine.Grant{Path: granted, ReadOnly: true})
	own := filepath.Join(granted, "own")
	got := map[string]string{}
	for what, err := range attempts(f, own) {
		got[what] = code(err)
	}
	got["mkdir"] = code(f.Mkdir(filepath.Join(granted, "d"), 0o700))
	got["unlink"] = code(f.Unlink(own))
	want := map[string]string{"stat": "", "list": "ENOTDIR", "real": "", "read": "", "write": "EACCES", "chmod": "EACCES", "times": "EACCES", "access": "", "mkdir": "EACCES", "unlink": "EACCES"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestGrantThatIsMadeLater holds that a script may make a granted folder with the
// folders above it, and nothing beside them.
func TestGrantThatIsMadeLater(t *testing.T) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	f := machine.NewFiles(machine.Grant{Path: filepath.Join(top, "a", "b", "c")}, machine.Grant{Path: filepath.Join(top, "file.json")})
	got := []string{
		code(f.Mkdir(filepath.Join(top, "a", "b", "c"), 0o700)),
		code(f.Mkdir(filepath.Join(top, "a"), 0o700)),
		code(f.Mkdir(filepath.Join(top, "a", "x"), 0o700)),
		code(f.Mkdir(filepath.Join(top, "a", "b"), 0o700)),
		code(f.Mkdir(filepath.Join(top, "a", "b", "c"), 0o700)),
		code(f.Mkdir(filepath.Join(top, "a", "b", "c", "d"), 0o700)),
	}
	if diff := cmp.Diff([]string{"ENOENT", "", "EACCES", "", "", ""}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if _, err := f.ReadDir(filepath.Join(top, "a")); code(err) != "EACCES" {
		t.Errorf("listing above a grant: %v, want EACCES", err)
	}
	if info, err := f.Stat(filepath.Join(top, "a")); err != nil || info.Mode&node.ModeType != node.ModeDir {
		t.Errorf("asking above a grant: %o, %v", info.Mode, err)
	}
	// A grant may be a file.
	file, err := f.Open(filepath.Join(top, "file.json"), node.Write|node.Create|node.Exclusive, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	file.Close()
	if err := f.Unlink(filepath.Join(top, "file.json")); err != nil {
		t.Error(err)
	}
}

// TestRaces swaps a folder for a link to the outside while files are made,
// read, moved and removed in it. Nothing outside may change.
func TestRaces(t *testing.T) {
	granted, secret := house(t)
	at := func(name string) string { return filepath.Join(granted, name) }
	f := machine.NewFiles(machine.Grant{Path: granted})
	done := make(chan struct{})
	var swapper sync.WaitGroup
	swapper.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-done:
				return
			default:
			}
			if i%2 == 0 {
				_ = os.Mkdir(at("d"), 0o700)
				_ = os.WriteFile(at("d/secret"), []byte("decoy"), 0o600)
				_ = os.RemoveAll(at("d"))
			} else {
				_ = os.Symlink(filepath.Dir(secret), at("d"))
				_ = os.Remove(at("d"))
			}
		}
	})
	for i := range 3000 {
		if file, err := f.Open(at("d/secret"), node.Read, 0); err == nil {
			b := make([]byte, 16)
			n, _ := file.Read(b)
			file.Close()
			if string(b[:n]) == "secret" {
				t.Fatalf("round %d read the secret", i)
			}
		}
		_ = f.Unlink(at("d/secret"))
		if file, err := f.Open(at("d/new"), node.Write|node.Create, 0o600); err == nil {
			file.Close()
		}
		_ = f.Mkdir(at("d/sub"+strconv.Itoa(i%7)), 0o700)
		_ = f.Rename(at("own"), at("d/own"))
		_ = f.Rename(at("d/own"), at("own"))
		_ = f.Chmod(at("d/secret"), 0o644)
	}
	close(done)
	swapper.Wait()
	entries, err := os.ReadDir(filepath.Dir(secret))
	if err != nil || len(entries) != 1 {
		t.Errorf("outside lie %v, %v; want the secret alone", entries, err)
	}
	info, err := os.Stat(secret)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the secret: %v, %v", info, err)
	}
}

func TestNamedPipeIsNotOpened(t *testing.T) {
	granted, _ := house(t)
	pipe := filepath.Join(granted, "pipe")
	makePipe(t, pipe)
	f := machine.NewFiles(machine.Grant{Path: granted})
	if _, err := f.Open(pipe, node.Read, 0); code(err) != "ENXIO" {
		t.Errorf("%v, want ENXIO at once", err)
	}
}

func TestNoGrant(t *testing.T) {
	f := machine.NewFiles()
	for what, err := range attempts(f, "/etc/passwd") {
		if code(err) != "EACCES" {
			t.Errorf("%s: %v, want EACCES", what, err)
		}
	}
}
