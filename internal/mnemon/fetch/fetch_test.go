package fetch_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/mnemon/fetch"
	"github.com/dshkit/dshkit/pkg/fault"
)

// registry stands in for npm: it installs from a table and writes what npm
// writes.
type registry struct {
	t        *testing.T
	folder   string
	packages map[string]map[string]any // name to package.json
	calls    [][]string
}

func (r *registry) npm(_ context.Context, arguments ...string) error {
	r.calls = append(r.calls, arguments)
	spec := arguments[len(arguments)-1]
	if spec == "--" { // what the folder's own package.json names
		for name := range r.packages {
			r.write(filepath.Join(r.folder, "node_modules", name, "package.json"), r.packages[name])
		}
		return nil
	}
	name := spec
	if i := strings.LastIndex(spec, "@"); i > 0 {
		name = spec[:i]
	}
	if strings.HasSuffix(spec, ".tgz") {
		name = strings.TrimSuffix(filepath.Base(spec), ".tgz")
	}
	p, ok := r.packages[name]
	if !ok {
		return errors.New("E404")
	}
	r.write(filepath.Join(r.folder, "node_modules", name, "package.json"), p)
	root := map[string]any{}
	if data, err := os.ReadFile(filepath.Join(r.folder, "package.json")); err == nil {
		_ = json.Unmarshal(data, &root)
	}
	deps, _ := root["dependencies"].(map[string]any)
	if deps == nil {
		deps = map[string]any{}
	}
	deps[name] = p["version"]
	root["dependencies"] = deps
	r.write(filepath.Join(r.folder, "package.json"), root)
	return nil
}

func (r *registry) write(path string, v any) {
	r.t.Helper()
	data, err := json.Marshal(v)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(path), 0o700)
	}
	if err == nil {
		err = os.WriteFile(path, data, 0o600)
	}
	if err != nil {
		r.t.Fatal(err)
	}
}

func newRegistry(t *testing.T) (*registry, fetch.Options) {
	root := t.TempDir()
	r := &registry{t: t, folder: filepath.Join(root, ".mnemon", "plugins"), packages: map[string]map[string]any{
		"dsh-mnemon-strategy-scoped": {
			"name": "dsh-mnemon-strategy-scoped", "version": "0.5.4",
			"peerDependencies": map[string]any{"dsh-mnemon": "^0.5.0", "@deepseek-ai/cordis": "^4", "dsh-mnemon-strategy-default-three-tier": "^0.5.1", "react": "*"},
		},
		"dsh-mnemon-strategy-default-three-tier": {
			"name": "dsh-mnemon-strategy-default-three-tier", "version": "0.5.5",
			"peerDependencies": map[string]any{"dsh-mnemon-strategy-scoped": "^0.5.4"}, // a ring must end
		},
		"@me/notes": {"name": "@me/notes", "version": "1.0.0"},
		"packed":    {"name": "packed", "version": "2.0.0"},
	}}
	return r, fetch.Options{Root: root, Folder: r.folder, Current: root, NPM: r.npm}
}

// TestPackage: the package and the plugin packages it stands on, and nothing of
// the harness.
func TestPackage(t *testing.T) {
	r, o := newRegistry(t)
	got, err := fetch.Fetch(t.Context(), "dsh-mnemon-strategy-scoped@0.5.4", o)
	if err != nil {
		t.Fatal(err)
	}
	want := fetch.Fetched{
		Name: "dsh-mnemon-strategy-scoped", PackageName: "dsh-mnemon-strategy-scoped", Version: "0.5.4",
		Folder: filepath.Join(r.folder, "node_modules", "dsh-mnemon-strategy-scoped"),
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	var asked []string
	for _, call := range r.calls {
		if !slices.Contains(call, "--ignore-scripts") {
			t.Errorf("scripts of packages would run: %q", call)
		}
		asked = append(asked, call[len(call)-1])
	}
	if diff := cmp.Diff([]string{"dsh-mnemon-strategy-scoped@0.5.4", "dsh-mnemon-strategy-default-three-tier@^0.5.1"}, asked); diff != "" {
		t.Error(diff)
	}
}

func TestScopedPackageAgainAndArchive(t *testing.T) {
	_, o := newRegistry(t)
	for range 2 { // the second time npm changes nothing
		got, err := fetch.Fetch(t.Context(), "@me/notes", o)
		if err != nil || got.Name != "@me/notes" || got.Version != "1.0.0" {
			t.Fatalf("%+v, %v", got, err)
		}
	}
	if err := os.WriteFile(filepath.Join(o.Root, "packed.tgz"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := fetch.Fetch(t.Context(), "packed.tgz", o)
	if err != nil || got.Name != "packed" || got.Version != "2.0.0" {
		t.Fatalf("%+v, %v", got, err)
	}
}

// TestComplete: the folder's own package.json goes before the latest versions, and
// what is there is not asked for.
func TestComplete(t *testing.T) {
	r, o := newRegistry(t)
	names := []string{"dsh-mnemon-strategy-scoped", "@me/notes", "dsh-mnemon-strategy-scoped"}
	if diff := cmp.Diff(names[:2], fetch.Missing(names, o)); diff != "" {
		t.Error(diff)
	}
	r.write(filepath.Join(o.Folder, "package.json"), map[string]any{"dependencies": map[string]string{"@me/notes": "1.0.0"}})
	for range 2 {
		if err := fetch.Complete(t.Context(), names, o); err != nil {
			t.Fatal(err)
		}
	}
	if len(r.calls) != 1 || r.calls[0][len(r.calls[0])-1] != "--" || !slices.Contains(r.calls[0], "--ignore-scripts") {
		t.Errorf("npm was asked: %q", r.calls)
	}
	if missing := fetch.Missing(names, o); len(missing) != 0 {
		t.Errorf("missing: %q", missing)
	}
}

// TestFolder: one inside the workspace is named relative to it, another whole.
func TestFolder(t *testing.T) {
	r, o := newRegistry(t)
	inside, outside := filepath.Join(o.Root, "plugins", "notes"), t.TempDir()
	r.write(filepath.Join(inside, "package.json"), map[string]any{"name": "notes", "version": "3.0.0"})
	for _, row := range []struct {
		spec string
		want fetch.Fetched
	}{
		{"./plugins/notes", fetch.Fetched{Name: "./plugins/notes", PackageName: "notes", Version: "3.0.0", Folder: inside}},
		{outside, fetch.Fetched{Name: outside, Folder: outside}},
		{"./plugins/notes/package.json", fetch.Fetched{Name: "./plugins/notes/package.json", Folder: inside}},
	} {
		got, err := fetch.Fetch(t.Context(), row.spec, o)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(row.want, got); diff != "" {
			t.Errorf("%s: %s", row.spec, diff)
		}
	}
	if len(r.calls) != 0 {
		t.Errorf("npm was asked: %q", r.calls)
	}
}

func TestRefusals(t *testing.T) {
	_, o := newRegistry(t)
	for spec, code := range map[string]string{
		"./nowhere": "plugin-no-folder", "gone.tgz": "plugin-no-folder", "dsh-mnemon-nobody": "plugin-install",
	} {
		_, err := fetch.Fetch(t.Context(), spec, o)
		var f *fault.Error
		if !errors.As(err, &f) || f.Code != code {
			t.Errorf("%s: %v, want %s", spec, err, code)
		}
	}
}
