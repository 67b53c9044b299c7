//go:build unix

package service_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/dshkit/dshkit/internal/cordis/wire"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// key is a target that a plugin has made up.
func (w *world) forged(path string) any {
	if !filepath.IsAbs(path) {
		path = w.root + "/" + path
	}
	return obj("targetKey", path, "displayPath", "harmless")
}

func link(t *testing.T, to, name string) {
	t.Helper()
	if err := os.Symlink(to, name); err != nil {
		t.Fatal(err)
	}
}

// No way of naming a file leads to one that is not granted.
func TestNoWayOut(t *testing.T) {
	w := newWorld(t, "fs:write docs")
	outside := t.TempDir()
	if err := os.WriteFile(filepath.Join(outside, "secret"), []byte("secret"), 0o644); err != nil {
		t.Fatal(err)
	}
	w.write("docs/a", "a")
	w.write("other/secret", "secret")
	w.write(".cordis/secret", "secret")
	link(t, outside, filepath.Join(w.root, "docs/out"))
	link(t, filepath.Join(outside, "secret"), filepath.Join(w.root, "docs/file"))
	link(t, "../other", filepath.Join(w.root, "docs/up"))
	link(t, "../.cordis", filepath.Join(w.root, "docs/state"))
	link(t, "loop", filepath.Join(w.root, "docs/loop"))
	link(t, "/proc/self/root", filepath.Join(w.root, "docs/proc"))
	for path, code := range map[string]string{
		"docs/out/secret": "not-granted", "docs/file": "not-granted", "docs/up/secret": "not-granted", "docs/state/secret": "not-granted",
		"docs/../other/secret": "not-granted", "docs/../../../../../../../etc/passwd": "not-granted", "/etc/passwd": "not-granted",
		"docs/loop": "ELOOP", "docs/proc/etc/passwd": "not-granted", "docs/a/": "", "docs/a/../../other/secret": "not-granted", ".cordis/secret": "not-granted",
	} {
		for _, name := range []string{"fs.readText", "fs.streamText"} {
			_, err := w.try(name, w.forged(path))
			if code != "" {
				refused(t, err, code)
			}
		}
		_, err := w.try("fs.writeText", w.forged(path), "owned")
		if code != "" {
			refused(t, err, code)
		}
	}
	for _, path := range []string{"other/secret", ".cordis/secret"} {
		if w.content(path) != "secret" {
			t.Errorf("%s has changed", path)
		}
	}
	if data, err := os.ReadFile(filepath.Join(outside, "secret")); err != nil || string(data) != "secret" {
		t.Errorf("the file outside: %q, %v", data, err)
	}
}

// No grant covers what decides over plugins, whatever name it has.
func TestPrivateFolders(t *testing.T) {
	w := newWorld(t, "fs:write .", "fs:write .cordis")
	w.write(".cordis/host.json", "{}")
	w.write("own/grants.json", "{}")
	link(t, ".cordis", filepath.Join(w.root, "alias"))
	for _, path := range []string{".cordis/host.json", ".CORDIS/host.json", "alias/host.json", "own/grants.json", ".cordis"} {
		_, err := w.try("fs.readText", w.forged(path))
		thrown := refused(t, err, "not-granted")
		if strings.Contains(thrown.Message, "grant allow") {
			t.Errorf("%s: advice that cannot help: %s", path, thrown.Message)
		}
		_, err = w.try("fs.writeText", w.forged(path), "x")
		refused(t, err, "not-granted")
	}
	_, err := w.try("fs.listDir", w.forged("alias"))
	refused(t, err, "not-granted")
}

// A write makes a new file: another name of the old one keeps what it had.
func TestHardLink(t *testing.T) {
	w := newWorld(t, "fs:write docs")
	w.write("other/secret", "secret")
	w.write("docs/a", "a")
	if err := os.Link(filepath.Join(w.root, "other/secret"), filepath.Join(w.root, "docs/hard")); err != nil {
		t.Fatal(err)
	}
	w.call("fs.writeText", w.target("docs/hard"), "owned")
	if w.content("other/secret") != "secret" || w.content("docs/hard") != "owned" {
		t.Error("the write went through the hard link")
	}
}

// A grant that was replaced by a link covers nothing: the user had allowed the
// folder, not where the link leads.
func TestGrantBecomesLink(t *testing.T) {
	w := newWorld(t, "fs:write docs")
	w.write("docs/a", "a")
	w.write("other/a", "secret")
	if err := os.Rename(filepath.Join(w.root, "docs"), filepath.Join(w.root, "old")); err != nil {
		t.Fatal(err)
	}
	link(t, "other", filepath.Join(w.root, "docs"))
	_, err := w.try("fs.readText", w.forged("docs/a"))
	refused(t, err, "not-granted")
	_, err = w.try("fs.writeText", w.forged("docs/a"), "owned")
	refused(t, err, "not-granted")
	if w.content("other/a") != "secret" {
		t.Error("written through the link")
	}
}

// Pipes, sockets and devices stop nobody and give nothing.
func TestSpecialFiles(t *testing.T) {
	w := newWorld(t, "fs:write .", "fs:read /dev/zero")
	pipe := filepath.Join(w.root, "pipe")
	if err := syscall.Mkfifo(pipe, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(pipe, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"fs.readText", "fs.streamText"} {
		for _, target := range []any{w.target("pipe"), w.forged("/dev/zero")} {
			_, err := w.try(name, target)
			refused(t, err, "ENXIO")
		}
	}
	_, err := w.try("fs.writeText", w.target("pipe"), "x")
	refused(t, err, "ENXIO")
	if got := get(t, w.call("fs.stat", w.target("pipe")), "type"); got != "other" {
		t.Errorf("type %v", got)
	}
}

// Somebody swaps a granted folder for a link, and a file for a link, again and
// again, while plugins read and write: what they get is the granted text or an
// error, and nothing outside changes.
func TestRace(t *testing.T) {
	w := newWorld(t, "fs:write docs")
	w.write("docs/sub/a", "granted")
	w.write("other/a", "secret")
	w.write("other/marker", "secret")
	stop := make(chan struct{})
	var swapping sync.WaitGroup
	swapping.Go(func() {
		sub, spare, evil := filepath.Join(w.root, "docs/sub"), filepath.Join(w.root, "spare"), filepath.Join(w.root, "evil")
		for {
			select {
			case <-stop:
				return
			default:
			}
			link(t, filepath.Join(w.root, "other"), evil)
			for _, move := range [][2]string{{sub, spare}, {evil, sub}, {spare, sub}} {
				// A plugin that writes makes the folder anew when it is away.
				for os.Rename(move[0], move[1]) != nil {
					_ = os.RemoveAll(move[1])
				}
			}
		}
	})
	var using sync.WaitGroup
	target := w.forged("docs/sub/a")
	for range 2 {
		using.Go(func() {
			for range 300 {
				if v, err := w.try("fs.readText", target); err == nil && v != "granted" {
					t.Errorf("read %v", v)
				}
				if v, err := w.try("fs.listDir", w.forged("docs/sub")); err == nil && strings.Contains(jsonvalue.Format(v), "marker") {
					t.Errorf("listed %s", jsonvalue.Format(v))
				}
				_, _ = w.try("fs.writeText", target, "granted")
				_, _ = w.try("fs.writeText", w.forged("docs/sub/b"), "new", obj("kind", "createIfAbsent"))
			}
		})
	}
	using.Wait()
	close(stop)
	swapping.Wait()
	if names, err := os.ReadDir(filepath.Join(w.root, "other")); err != nil || len(names) != 2 || w.content("other/a") != "secret" {
		t.Errorf("the other folder: %v, %v", names, err)
	}
}

// Two plugins create the same file: one of them did.
func TestCreateOnce(t *testing.T) {
	w := newWorld(t, "fs:write .")
	var made, refusals int
	var mu sync.Mutex
	var all sync.WaitGroup
	target := w.target("once")
	for range 8 {
		all.Go(func() {
			_, err := w.try("fs.writeText", target, "x", obj("kind", "createIfAbsent"))
			mu.Lock()
			defer mu.Unlock()
			var thrown *wire.Thrown
			switch {
			case err == nil:
				made++
			case errors.As(err, &thrown) && thrown.Code == "EEXIST":
				refusals++
			default:
				t.Error(err)
			}
		})
	}
	all.Wait()
	if made != 1 || refusals != 7 {
		t.Errorf("%d made it, %d were refused", made, refusals)
	}
}
