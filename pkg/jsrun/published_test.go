package jsrun_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/jscache"
	"github.com/dshkit/dshkit/internal/testkit"
	"github.com/dshkit/dshkit/pkg/jsrun"
	"github.com/dshkit/dshkit/pkg/jsrun/node"
)

// published lists the specifiers of all JavaScript that the installed packages
// export, but for what is made for browsers.
func published(t *testing.T, dir string) []string {
	t.Helper()
	var list []string
	for _, pattern := range []string{"*/package.json", "@*/*/package.json"} {
		files, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			list = append(list, exported(t, file)...)
		}
	}
	slices.Sort(list)
	return list
}

func exported(t *testing.T, file string) []string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var p struct {
		Exports any `json:"exports"`
	}
	if err := json.Unmarshal(text, &p); err != nil {
		t.Fatal(err)
	}
	name := filepath.Base(filepath.Dir(file)) // which another name in the file may be installed as
	if scope := filepath.Base(filepath.Dir(filepath.Dir(file))); strings.HasPrefix(scope, "@") {
		name = scope + "/" + name
	}
	paths, ok := p.Exports.(map[string]any)
	if !ok || !strings.HasPrefix(name, "dsh-mnemon") {
		return []string{name}
	}
	var list []string
	for path := range paths {
		if path != "./client" && !strings.HasSuffix(path, ".json") && !strings.HasSuffix(path, ".css") {
			list = append(list, strings.TrimSuffix(name+path[1:], "/"))
		}
	}
	return list
}

// incomplete are packages whose own dependencies are not installed: the Host's
// part of dsh-mnemon, which Go takes the place of, and one for React.
var incomplete = []string{"dsh-mnemon", "markdown-to-jsx"}

// TestPublishedPackages (MN124) loads every package of the originals, unmodified, and
// compares the names that it exports with those that Node sees.
func TestPublishedPackages(t *testing.T) {
	dir := testkit.Plugins(t)
	specifiers := published(t, dir)
	plugins := 0
	got := map[string]any{}
	m := newModules(jsrun.ModuleConfig{Host: node.Modules(machineOfTests())})
	for _, specifier := range specifiers {
		names, err := exportedNames(m, dir, specifier)
		var thrown *jsrun.Error
		switch {
		case errors.As(err, &thrown):
			got[specifier] = thrown.Code
			if !slices.Contains(incomplete, specifier) {
				t.Errorf("%s: %v\n%s", specifier, err, thrown.Stack)
			}
		case err != nil:
			t.Errorf("%s: %v", specifier, err)
		default:
			got[specifier] = names
		}
		if strings.HasPrefix(specifier, "dsh-mnemon-") && !strings.Contains(specifier, "/") {
			plugins++
		}
	}
	if plugins != 16 {
		t.Errorf("%d plugins are installed, not 16", plugins)
	}
	want := namesByNode(t, dir, specifiers)
	if want == nil {
		return
	}
	// A CommonJS function with members that a scan of the text does not find.
	if names, _ := got["schemastery"].([]any); !slices.Contains(names, any("default")) || !slices.Contains(names, any("natural")) {
		t.Errorf("schemastery exports %v", names)
	}
	got["schemastery"] = want["schemastery"]
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-Node +here:\n%s", diff)
	}
}

func machineOfTests() *node.Host {
	return &node.Host{
		Now: func() time.Time { return time.Unix(1_700_000_000, 0) },
		Log: func(string, string) {}, RandomBytes: func(b []byte) { clear(b) },
	}
}

// exportedNames imports packages in one run and returns the names of the last.
func exportedNames(m *jsrun.Modules, dir string, specifiers ...string) (names []any, err error) {
	program, err := jsrun.Compile("empty.js", "")
	if err != nil {
		return nil, err
	}
	run, err := program.Start(context.Background(), jsrun.Config{Globals: node.Globals(machineOfTests())})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, run.Close()) }()
	for _, specifier := range specifiers {
		err := run.Do(context.Background(), func(vm *jsrun.VM) error {
			namespace, err := m.Import(vm, dir, specifier)
			if err != nil {
				return err
			}
			names = []any{}
			for _, name := range namespace.(*jsrun.Object).Keys() {
				names = append(names, name)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return names, nil
}

// namesByNode is the same in Node; nil when there is no Node on this machine.
func namesByNode(t *testing.T, dir string, specifiers []string) map[string]any {
	t.Helper()
	program := nodeProgram(t)
	if program == "" {
		return nil
	}
	const script = `const out = {};
for (const s of process.argv.slice(1)) out[s] = await import(s).then((ns) => Object.keys(ns).filter((k) => k !== 'module.exports'), (e) => e.code);
console.log(JSON.stringify(out));`
	cmd := exec.Command(program, append([]string{"--no-warnings", "--input-type=module", "-e", script}, specifiers...)...)
	cmd.Dir = dir
	text, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var names map[string]any
	if err := json.Unmarshal(text, &names); err != nil {
		t.Fatal(err)
	}
	return names
}

// BenchmarkStrategies loads the four published Strategies into one run, as a new
// process does, with their text kept and without.
func BenchmarkStrategies(b *testing.B) {
	dir := testkit.Plugins(b)
	var strategies []string
	for _, name := range []string{"default-three-tier", "scoped", "light-context", "auto-capture"} {
		strategies = append(strategies, "dsh-mnemon-strategy-"+name)
	}
	kept := jscache.Open(filepath.Join(b.TempDir(), "js"), jscache.Config{Now: time.Now})
	for _, test := range []struct {
		name  string
		cache jsrun.Cache
	}{{"kept", kept}, {"transpiled", nil}} {
		b.Run(test.name, func(b *testing.B) {
			for b.Loop() {
				m := newModules(jsrun.ModuleConfig{Host: node.Modules(machineOfTests()), Cache: test.cache})
				if _, err := exportedNames(m, dir, strategies...); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
