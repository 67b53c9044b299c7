package jsrun_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/dshkit/dshkit/internal/jscache"
	"github.com/dshkit/dshkit/pkg/jsrun"
)

// counting is a cache that counts. What was put means that esbuild ran.
type counting struct {
	inner      jsrun.Cache
	hits, puts atomic.Int64
}

func (c *counting) Get(key string) ([]byte, bool) {
	text, ok := c.inner.Get(key)
	if ok {
		c.hits.Add(1)
	}
	return text, ok
}

func (c *counting) Put(key string, text []byte) error {
	c.puts.Add(1)
	return c.inner.Put(key, text)
}

const cachedFiles = `-- main.ts --
import dep from 'dep';
import { a } from './a';
import { viaPath } from '@/p';
const late = (name: string) => import(name);
export default (async () => [dep, a, viaPath, (await late('./late.mjs')).default, import.meta.filename.slice(-7)])();
-- a.ts --
export const a = 'a1';
-- late.mjs --
export default 'late1';
-- src/p.ts --
export const viaPath = 'p1';
-- tsconfig.json --
{"extends": "./base.json"}
-- base.json --
{"compilerOptions": {"paths": {"@/*": ["./src/*"]}}}
-- other/p.ts --
export const viaPath = 'p2';
-- node_modules/dep/package.json --
{"main": "one.js"}
-- node_modules/dep/one.js --
module.exports = 'dep1';
-- node_modules/dep/two.js --
module.exports = 'dep2';
`

type cacheTest struct {
	t     *testing.T
	root  string // of the files
	dir   string // of the cache
	cache *counting
}

func newCacheTest(t *testing.T) *cacheTest {
	dir := filepath.Join(t.TempDir(), "js")
	c := &cacheTest{t: t, root: unpack(t, txtar.Parse([]byte(cachedFiles))), dir: dir}
	c.cache = &counting{inner: jscache.Open(dir, jscache.Config{Now: time.Now})}
	return c
}

// load is what a new process does. It returns how often esbuild ran.
func (c *cacheTest) load(want string) int {
	c.t.Helper()
	before := c.cache.puts.Load()
	c.same(plainModules(c.cache), want)
	return int(c.cache.puts.Load()-before) / 3
}

func (c *cacheTest) same(m *jsrun.Modules, want string) {
	c.t.Helper()
	got, err := outcome(c.t, m, c.root, "./main.ts")
	if err != nil {
		c.t.Fatal(err)
	}
	if got != want {
		c.t.Errorf("got %s, want %s", got, want)
	}
}

func (c *cacheTest) change(name, text string) {
	c.t.Helper()
	write(c.t, filepath.Join(c.root, filepath.FromSlash(name)), text)
}

const cachedResult = `["dep1","a1","p1","late1","main.ts"]`

func TestCacheSparesEsbuild(t *testing.T) {
	c := newCacheTest(t)
	if n := c.load(cachedResult); n != 2 {
		t.Errorf("the first load ran esbuild %d times, not for two entries", n)
	}
	if n := c.load(cachedResult); n != 0 || c.cache.hits.Load() == 0 {
		t.Errorf("the second ran it %d times", n)
	}
	m := plainModules(c.cache)
	c.same(m, cachedResult)
	hits := c.cache.hits.Load()
	c.same(m, cachedResult)
	if now := c.cache.hits.Load(); now != hits {
		t.Errorf("a second run of one process read %d entries of the cache", now-hits)
	}
}

func TestCacheSeesEveryChange(t *testing.T) {
	for _, test := range []struct {
		name, file, text, want string
		built                  int
	}{
		{"an input", "a.ts", "export const a = 'a2';\n", `["dep1","a2","p1","late1","main.ts"]`, 1},
		{"an entry of a run-time name", "late.mjs", "export default 'late2';\n", `["dep1","a1","p1","late2","main.ts"]`, 1},
		{"package.json", "node_modules/dep/package.json", `{"main": "two.js"}`, `["dep2","a1","p1","late1","main.ts"]`, 1},
		{"tsconfig.json", "tsconfig.json", `{"compilerOptions": {"paths": {"@/*": ["./other/*"]}}}`, `["dep1","a1","p2","late1","main.ts"]`, 2},
		{"what tsconfig.json extends", "base.json", `{"compilerOptions": {"paths": {"@/*": ["./other/*"]}}}`, `["dep1","a1","p2","late1","main.ts"]`, 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := newCacheTest(t)
			old, err := os.ReadFile(filepath.Join(c.root, test.file))
			if err != nil {
				t.Fatal(err)
			}
			living := plainModules(c.cache)
			c.same(living, cachedResult)
			at := time.Unix(1_700_000_000, 0) // a time tells nothing
			c.change(test.file, test.text)
			if err := os.Chtimes(filepath.Join(c.root, test.file), at, at); err != nil {
				t.Fatal(err)
			}
			if n := c.load(test.want); n != test.built {
				t.Errorf("esbuild ran %d times, not %d", n, test.built)
			}
			c.same(living, test.want)
			c.change(test.file, string(old))
			if n := c.load(cachedResult); n > test.built {
				t.Errorf("back at the old text esbuild ran %d times", n)
			}
		})
	}
}

func TestCacheSeesWhatComesNearer(t *testing.T) {
	c := newCacheTest(t)
	c.change("deep/in/main.mjs", "import dep from 'dep';\nexport default dep;\n")
	load := func(want string) {
		t.Helper()
		got, err := outcome(t, plainModules(c.cache), filepath.Join(c.root, "deep", "in"), "./main.mjs")
		if err != nil || got != want {
			t.Errorf("got %s, %v, want %s", got, err, want)
		}
	}
	load(`"dep1"`)
	c.change("deep/node_modules/dep/package.json", `{"name": "dep"}`)
	c.change("deep/node_modules/dep/index.js", "module.exports = 'nearer'")
	load(`"nearer"`)
}

func TestDamagedCacheIsBuiltAgain(t *testing.T) {
	for name, damage := range map[string]func(text []byte) []byte{
		"cut":     func(text []byte) []byte { return text[:len(text)/2] },
		"empty":   func([]byte) []byte { return nil },
		"flipped": func(text []byte) []byte { text[len(text)-3] ^= 1; return text },
	} {
		t.Run(name, func(t *testing.T) {
			c := newCacheTest(t)
			c.load(cachedResult)
			files, err := filepath.Glob(filepath.Join(c.dir, "*.*"))
			if err != nil || len(files) < 6 {
				t.Fatalf("%d files, %v", len(files), err)
			}
			for _, file := range files {
				text, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				if len(text) < 10 {
					continue // a lock
				}
				if err := os.WriteFile(file, damage(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if n := c.load(cachedResult); n != 2 {
				t.Errorf("esbuild ran %d times, not for two entries", n)
			}
			if n := c.load(cachedResult); n != 0 {
				t.Errorf("esbuild ran %d times after that", n)
			}
		})
	}
}

// lying is a cache that has something for every key.
type lying struct{ text string }

func (l lying) Get(string) ([]byte, bool) { return []byte(l.text), true }
func (l lying) Put(string, []byte) error  { return os.ErrPermission }

func TestUselessCacheCostsTimeOnly(t *testing.T) {
	c := newCacheTest(t)
	for _, text := range []string{"", "{", "{}", `{"entry":"/elsewhere"}`, "(function () {", "null"} {
		c.same(plainModules(lying{text}), cachedResult)
	}
}

func TestDigest(t *testing.T) {
	first, second := newCacheTest(t), newCacheTest(t)
	digest := func(c *cacheTest, cache jsrun.Cache, specifier string) string {
		t.Helper()
		d, err := plainModules(cache).Digest(c.root, specifier)
		if err != nil || len(d) != 64 {
			t.Fatalf("%q, %v", d, err)
		}
		return d
	}
	d := digest(first, nil, "./main.ts")
	if d != digest(second, second.cache, "./main.ts") || d != digest(second, second.cache, "./main") {
		t.Error("it depends on the place, or on the cache")
	}
	if d == digest(first, nil, "dep") || d == digest(first, nil, "./late.mjs") {
		t.Error("two entries have one digest")
	}
	second.change("../package.json", `{"name": "around"}`)
	first.change("package.json", `{"name": "app"}`)
	second.change("package.json", `{"name": "app"}`)
	if d == digest(first, nil, "./main.ts") {
		t.Error("package.json does not change it")
	}
	if d = digest(first, nil, "./main.ts"); d != digest(second, second.cache, "./main.ts") {
		t.Error("a package.json around that of the package changes it")
	}
	second.change("node_modules/dep/one.js", "module.exports = 'dep1'; ")
	if d == digest(second, second.cache, "./main.ts") {
		t.Error("a changed file does not change it")
	}
	if _, err := plainModules(nil).Digest(first.root, "none"); err == nil {
		t.Error("of nothing there is one")
	}
}

// TestVersionOfEsbuild holds that kept text is thrown away when esbuild changes.
func TestVersionOfEsbuild(t *testing.T) {
	mod, err := os.ReadFile(filepath.Join("..", "..", "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(mod), "github.com/evanw/esbuild "+jsrun.EsbuildVersion+"\n") {
		t.Errorf("go.mod does not require esbuild %s, which stands in bundle.go", jsrun.EsbuildVersion)
	}
}

// TestRunsShareModules holds that runs at the same time get a module each, of one
// text that was made once.
func TestRunsShareModules(t *testing.T) {
	c := newCacheTest(t)
	m := plainModules(c.cache)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() { c.same(m, cachedResult) })
	}
	group.Wait()
	if n := c.cache.puts.Load() / 3; n != 2 {
		t.Errorf("esbuild ran %d times for two entries", n)
	}
}

const childOfModules = "JSRUN_TEST_CHILD"

// TestProcessesShareTheCache lets several processes load the same files with one
// empty cache, again and again.
func TestProcessesShareTheCache(t *testing.T) {
	if dir := os.Getenv(childOfModules); dir != "" {
		root, cache, _ := strings.Cut(dir, "\n")
		for range 5 {
			c := &cacheTest{t: t, root: root, cache: &counting{inner: jscache.Open(cache, jscache.Config{Now: time.Now})}}
			c.load(cachedResult)
		}
		return
	}
	c := newCacheTest(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var children []*exec.Cmd
	for range 3 {
		child := exec.Command(self, "-test.run", "^TestProcessesShareTheCache$")
		child.Env = append(os.Environ(), childOfModules+"="+c.root+"\n"+c.dir)
		child.Stdout = &bytes.Buffer{}
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		children = append(children, child)
	}
	for _, child := range children {
		if err := child.Wait(); err != nil {
			t.Errorf("%v: %s", err, child.Stdout)
		}
	}
	if n := c.load(cachedResult); n != 0 {
		t.Errorf("after them esbuild ran %d times", n)
	}
}

// TestLikeShares holds that Modules share what others have bundled and parsed, and
// do not when a module of the host would be found in the place of a file.
func TestLikeShares(t *testing.T) {
	c := newCacheTest(t)
	first := plainModules(c.cache)
	c.same(first, cachedResult)
	hits, puts := c.cache.hits.Load(), c.cache.puts.Load()
	like := newModules(jsrun.ModuleConfig{Cache: c.cache, Like: first})
	c.same(like, cachedResult)
	if c.cache.hits.Load() != hits || c.cache.puts.Load() != puts {
		t.Error("Modules that are alike asked the cache")
	}
	c.change("a.ts", "export const a = 'a2';\n")
	c.same(like, `["dep1","a2","p1","late1","main.ts"]`)
	given := jsrun.Module{Specifiers: []string{"dep"}, Make: func(vm *jsrun.VM) (jsrun.Value, error) { return vm.FromJSON("host1"), nil }}
	c.same(newModules(jsrun.ModuleConfig{Cache: c.cache, Host: []jsrun.Module{given}, Like: first}), `["host1","a2","p1","late1","main.ts"]`)
	c.same(first, `["dep1","a2","p1","late1","main.ts"]`)
}

// onlyFiles hides that the disk can tell whether a folder is there.
type onlyFiles struct{ jsrun.Files }

// TestLookFindsTheSame holds that a look for a folder changes nothing but the
// number of files that are tried.
func TestLookFindsTheSame(t *testing.T) {
	root := unpack(t, txtar.Parse([]byte(cachedFiles)))
	quick, slow := plainModules(nil), jsrun.NewModules(jsrun.ModuleConfig{Files: onlyFiles{jscache.Disk{}}})
	told := func(m *jsrun.Modules, specifier string) string {
		digest, err := m.Digest(root, specifier)
		if err != nil {
			return err.Error()
		}
		return digest
	}
	for _, specifier := range []string{"dep", "dep/one", "dep/two.js", "dep/none", "none", "./src", "./src/", "./src/p", "./", ".", "./a", "./main.ts/", "./none/"} {
		if got, want := told(quick, specifier), told(slow, specifier); got != want {
			t.Errorf("%s: got %s, want %s", specifier, got, want)
		}
	}
}
