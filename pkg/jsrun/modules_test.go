package jsrun_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/dshkit/dshkit/internal/jscache"
	"github.com/dshkit/dshkit/pkg/jsrun"
)

// startEmpty makes a runtime for a test, with the few globals that fixtures need.
func startEmpty(t *testing.T) *jsrun.Run {
	t.Helper()
	program, err := jsrun.Compile("empty.js", "")
	if err != nil {
		t.Fatal(err)
	}
	url := jsrun.Global{Name: "URL", Make: func(vm *jsrun.VM) (jsrun.Value, error) {
		p, err := jsrun.Compile("url.js", `(class URL { constructor(name, base) { this.href = base.slice(0, base.lastIndexOf("/") + 1) + name.replace("./", ""); this.pathname = this.href.slice(7); } })`)
		if err != nil {
			return nil, err
		}
		return vm.Eval(p)
	}}
	run, err := program.Start(context.Background(), jsrun.Config{Globals: []jsrun.Global{url}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := run.Close(); err != nil {
			t.Error(err)
		}
	})
	return run
}

// outcome imports an entry and returns the JSON that its default export is, or
// is a promise of.
func outcome(t *testing.T, m *jsrun.Modules, base, specifier string) (string, error) {
	t.Helper()
	run := startEmpty(t)
	var text string
	err := run.Await(context.Background(), func(vm *jsrun.VM) (jsrun.Value, error) {
		namespace, err := m.Import(vm, base, specifier)
		if err != nil {
			return nil, err
		}
		return vm.Get(namespace, "default")
	}, func(vm *jsrun.VM, v jsrun.Value) error {
		json, err := vm.Get(jsrunGlobal(vm), "stringify")
		if err != nil {
			return err
		}
		out, err := vm.Apply(json, nil, v)
		if err == nil {
			text = out.String()
		}
		return err
	})
	return text, err
}

// jsrunGlobal is the global JSON.
func jsrunGlobal(vm *jsrun.VM) jsrun.Value {
	p, err := jsrun.Compile("json.js", "JSON")
	if err != nil {
		panic(err)
	}
	v, err := vm.Eval(p)
	if err != nil {
		panic(err)
	}
	return v
}

func plainModules(cache jsrun.Cache) *jsrun.Modules {
	return newModules(jsrun.ModuleConfig{Cache: cache})
}

func newModules(config jsrun.ModuleConfig) *jsrun.Modules {
	config.Files = jscache.Disk{}
	return jsrun.NewModules(config)
}

// unpack writes the files of an archive, makes the links that its comment lists,
// and returns the folder. The folder has a name that a URL writes differently.
func unpack(t *testing.T, archive *txtar.Archive) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	root = filepath.Join(root, "a b 100% ünï")
	for _, f := range archive.Files {
		write(t, filepath.Join(root, filepath.FromSlash(f.Name)), string(f.Data))
	}
	_, links, _ := strings.Cut(string(archive.Comment), "links:\n")
	for line := range strings.Lines(links) {
		from, to, ok := strings.Cut(strings.TrimSpace(line), " -> ")
		if !ok {
			continue
		}
		if err := os.Symlink(filepath.FromSlash(to), filepath.Join(root, filepath.FromSlash(from))); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestModules runs every archive here and, where Node can, there: both have to
// print what the archive wants.
func TestModules(t *testing.T) {
	archives, err := filepath.Glob("testdata/modules/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("%d archives, %v", len(archives), err)
	}
	for _, name := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) { checkArchive(t, name) })
	}
}

func checkArchive(t *testing.T, name string) {
	archive, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	root := unpack(t, archive)
	entry := "./" + archive.Files[0].Name
	if archive.Files[0].Name == "package.json" {
		entry = "./" + archive.Files[1].Name
	}
	got, err := outcome(t, plainModules(nil), root, entry)
	if err != nil {
		t.Fatal(err)
	}
	got = tidy(t, got, root)
	last := &archive.Files[len(archive.Files)-1]
	if os.Getenv("UPDATE") == "1" {
		last.Data = []byte(got)
		if err := os.WriteFile(name, txtar.Format(archive), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(string(last.Data), got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if strings.Contains(string(archive.Comment), "\nnode: no") {
		return
	}
	if there := byNode(t, root, entry); there != "" {
		if diff := cmp.Diff(there, got); diff != "" {
			t.Errorf("-Node +here:\n%s", diff)
		}
	}
}

// nodeProgram is a Node that knows import.meta.dirname; empty when there is none
// on this machine.
func nodeProgram(t *testing.T) string {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		return ""
	}
	version, err := exec.Command(node, "--version").Output()
	if err != nil {
		t.Fatal(err)
	}
	var major, minor int
	if _, err := fmt.Sscanf(string(version), "v%d.%d", &major, &minor); err != nil {
		t.Fatalf("node --version says %q: %v", version, err)
	}
	if major < 20 || major == 20 && minor < 11 {
		t.Logf("Node %s is too old to compare with", version)
		return ""
	}
	return node
}

// byNode is what Node prints; empty without one.
func byNode(t *testing.T, root, entry string) string {
	t.Helper()
	node := nodeProgram(t)
	if node == "" {
		return ""
	}
	cmd := exec.Command(node, "--no-warnings", "--input-type=module", "-e",
		"import { pathToFileURL as url } from 'node:url'; const ns = await import(url(process.argv[1])); console.log(JSON.stringify(await ns.default))",
		filepath.Join(root, entry))
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("node: %v: %s", err, err.(*exec.ExitError).Stderr)
	}
	return tidy(t, string(out), root)
}

// tidy indents JSON and takes the folder of the test out of it.
func tidy(t *testing.T, text, root string) string {
	t.Helper()
	quoted, err := json.Marshal(root)
	if err != nil {
		t.Fatal(err)
	}
	asURL := (&url.URL{Path: root}).EscapedPath()
	text = strings.NewReplacer(strings.Trim(string(quoted), `"`), "$DIR", asURL, "$DIR").Replace(text)
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	out, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return string(out) + "\n"
}

// TestFallback holds that packages are found in the folders that the host names,
// by an import as by a name that only the run knows, after those that lie above.
func TestFallback(t *testing.T) {
	root := unpack(t, txtar.Parse([]byte(`
-- far/both/index.js --
module.exports = 'far'
-- far/only/package.json --
{"exports": {"./part": "./part.mjs"}}
-- far/only/part.mjs --
export { default } from 'both'
-- near/node_modules/both/index.js --
module.exports = 'near'
-- near/main.mjs --
import both from 'both'
import part from 'only/part'
export default import(['only', 'part'].join('/')).then(late => [both, part, late.default])
`)))
	m := newModules(jsrun.ModuleConfig{Fallback: []string{filepath.Join(root, "far")}})
	got, err := outcome(t, m, filepath.Join(root, "near"), "./main.mjs")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(`["near","far","far"]`, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
