package jscache_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
	"time"

	"github.com/dshkit/dshkit/internal/jscache"
)

// clock is a time that a test moves.
type clock struct{ at time.Time }

func (c *clock) now() time.Time { return c.at }

func open(t *testing.T, limit int64) (*jscache.Cache, string, *clock) {
	t.Helper()
	root := filepath.Join(t.TempDir(), "dshkit", "js")
	c := &clock{at: time.Now()}
	return jscache.Open(root, jscache.Config{Now: c.now, Limit: limit}), root, c
}

func mustPut(t *testing.T, c *jscache.Cache, key, text string) {
	t.Helper()
	if err := c.Put(key, []byte(text)); err != nil {
		t.Fatal(err)
	}
}

func TestPutGet(t *testing.T) {
	c, root, _ := open(t, 0)
	if _, ok := c.Get("aa.js"); ok {
		t.Error("an empty cache has an entry")
	}
	for _, text := range []string{"", "one", "two\nlines\n", "\x00\xff"} {
		mustPut(t, c, "aa.js", text)
		got, ok := c.Get("aa.js")
		if !ok || string(got) != text {
			t.Errorf("put %q, got %q, %v", text, got, ok)
		}
	}
	if runtime.GOOS == "windows" {
		return
	}
	for path, want := range map[string]os.FileMode{root: 0o700, filepath.Join(root, "aa.js"): 0o600} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: mode %v, %v, want %v", path, info.Mode(), err, want)
		}
	}
}

func TestKeys(t *testing.T) {
	c, _, _ := open(t, 0)
	for _, key := range []string{"", "a", "../a.js", "a/b.js", "A.js", "a.js.x", ".js", "a."} {
		if err := c.Put(key, nil); err == nil {
			t.Errorf("the key %q is taken", key)
		}
		if _, ok := c.Get(key); ok {
			t.Errorf("the key %q is found", key)
		}
	}
}

func TestDamage(t *testing.T) {
	c, root, _ := open(t, 0)
	file := filepath.Join(root, "aa.js")
	mustPut(t, c, "aa.js", "var x = 1;\nvar y = 2;\n")
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for at := range whole {
		flipped := bytes.Clone(whole)
		flipped[at] ^= 1
		for name, damaged := range map[string][]byte{"cut": whole[:at], "flipped": flipped} {
			if err := os.WriteFile(file, damaged, 0o600); err != nil {
				t.Fatal(err)
			}
			if text, ok := c.Get("aa.js"); ok {
				t.Fatalf("%s at %d: %q is believed", name, at, text)
			}
		}
	}
	mustPut(t, c, "aa.js", "new")
	if text, ok := c.Get("aa.js"); !ok || string(text) != "new" {
		t.Errorf("a damaged entry is not replaced: %q, %v", text, ok)
	}
}

func TestLeastRecentlyUsedGoes(t *testing.T) {
	c, _, clock := open(t, 100_000)
	text := string(make([]byte, 10_000))
	for i := range 9 {
		mustPut(t, c, fmt.Sprintf("%d.js", i), text)
	}
	clock.at = clock.at.Add(48 * time.Hour)
	for _, used := range []string{"0.js", "3.js"} { // a sign that they are used
		if _, ok := c.Get(used); !ok {
			t.Fatalf("%s is not there", used)
		}
	}
	for i := 9; i < 12; i++ {
		mustPut(t, c, fmt.Sprintf("%d.js", i), text)
	}
	left := 0
	for i := range 12 {
		if _, ok := c.Get(fmt.Sprintf("%d.js", i)); ok {
			left++
		}
	}
	if left < 6 || left > 9 {
		t.Errorf("%d entries of 10 kB are left of a limit of 100 kB", left)
	}
	for _, used := range []string{"0.js", "3.js"} {
		if _, ok := c.Get(used); !ok {
			t.Errorf("%s went although it was used last", used)
		}
	}
}

func TestUnwritable(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	c := jscache.Open(filepath.Join(file, "js"), jscache.Config{Now: time.Now})
	if err := c.Put("aa.js", nil); err == nil {
		t.Error("no error although the folder cannot be made")
	}
	if _, ok := c.Get("aa.js"); ok {
		t.Error("an entry out of nothing")
	}
}

func TestFolderOfOthers(t *testing.T) {
	if runtime.GOOS == "windows" {
		return // modes say nothing there
	}
	c, root, _ := open(t, 0)
	mustPut(t, c, "aa.js", "text")
	if err := os.Chmod(root, 0o777); err != nil {
		t.Fatal(err)
	}
	if _, ok := c.Get("aa.js"); ok {
		t.Error("an entry is believed that anybody could have written")
	}
}

const childRoot = "JSCACHE_TEST_ROOT"

// TestMain is also the program of the processes that fill one cache at once.
func TestMain(m *testing.M) {
	root := os.Getenv(childRoot)
	if root == "" {
		os.Exit(m.Run())
	}
	c := jscache.Open(root, jscache.Config{Now: time.Now, Limit: 400_000})
	for i := range 300 {
		key := strconv.Itoa(i%40) + ".js"
		if text, ok := c.Get(key); ok && !bytes.Equal(text, textOf(key)) {
			fmt.Printf("%s is not what was put: %d bytes\n", key, len(text))
			os.Exit(1)
		}
		if err := c.Put(key, textOf(key)); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
	}
	os.Exit(0)
}

func textOf(key string) []byte { return bytes.Repeat([]byte(key), 4000) }

func TestProcessesFillOneCache(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	root := filepath.Join(t.TempDir(), "js")
	var children []*exec.Cmd
	for range 3 {
		child := exec.Command(self)
		child.Env = append(os.Environ(), childRoot+"="+root)
		child.Stdout, child.Stderr = &bytes.Buffer{}, &bytes.Buffer{}
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		children = append(children, child)
	}
	for _, child := range children {
		if err := child.Wait(); err != nil {
			t.Errorf("%v: %s%s", err, child.Stdout, child.Stderr)
		}
	}
	c := jscache.Open(root, jscache.Config{Now: time.Now})
	found := 0
	for i := range 40 {
		key := strconv.Itoa(i) + ".js"
		if text, ok := c.Get(key); ok {
			found++
			if !bytes.Equal(text, textOf(key)) {
				t.Errorf("%s is not what was put", key)
			}
		}
	}
	if found == 0 {
		t.Error("nothing is left")
	}
}
