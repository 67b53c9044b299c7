package script_test

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/dshkit/dshkit/internal/jscache"
	"github.com/dshkit/dshkit/internal/mnemon/machine"
	"github.com/dshkit/dshkit/internal/mnemon/script"
	"github.com/dshkit/dshkit/pkg/compose"
	"github.com/dshkit/dshkit/pkg/fiber"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
	"github.com/dshkit/dshkit/pkg/jsrun"
	"github.com/dshkit/dshkit/pkg/jsrun/node"
)

// newLoader returns a loader whose plugins see temporary files, and no program or
// network.
func newLoader(t *testing.T, limits jsrun.Limits) *script.Loader {
	t.Helper()
	host := &node.Host{
		Files: machine.NewFiles(machine.Grant{Path: os.TempDir()}), Temp: os.TempDir(), Cwd: os.TempDir,
		Now: time.Now, RandomBytes: func(b []byte) { _, _ = io.ReadFull(rand.Reader, b) },
	}
	return script.NewLoader(script.Settings{
		Modules: jsrun.ModuleConfig{Host: node.Modules(host), Files: jscache.Disk{}},
		Run:     jsrun.Config{Now: time.Now, Globals: node.Globals(host), Limits: limits},
		Natives: script.Natives(),
	})
}

var noLimits jsrun.Limits

// unpack writes the files of testdata/plugins/NAME.txtar to a fresh folder.
func unpack(t *testing.T, name string) string {
	t.Helper()
	archive, err := txtar.ParseFile(filepath.Join("testdata", "plugins", name+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	return unpackArchive(t, archive)
}

func unpackArchive(t *testing.T, archive *txtar.Archive) string {
	t.Helper()
	dir := t.TempDir()
	for _, f := range archive.Files {
		path := filepath.Join(dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// bench is a Core with plugins below one root, as a product mounts them.
type bench struct {
	t      *testing.T
	loader *script.Loader
	dir    string
	root   *fiber.Context
	core   *compose.Core
	spoilt bool // what was mounted may fail when it is disposed of
}

func newBench(t *testing.T, dir string, settings compose.Settings, limits jsrun.Limits) *bench {
	t.Helper()
	b := &bench{t: t, loader: newLoader(t, limits), dir: dir}
	b.root = fiber.New(fiber.Config{})
	settings.Now = func() time.Time { return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC) }
	b.core = compose.New(settings)
	for name, service := range map[string]any{"mnemonMemory": b.core, "loader": b.loader} {
		if _, err := b.root.Provide(name, service); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() {
		ctx := context.Background()
		if err := b.root.Fiber().Dispose(ctx); err != nil {
			t.Error(err)
		}
		if err := b.core.Close(ctx); err != nil && !b.spoilt {
			t.Error(err)
		}
	})
	return b
}

// realm opens a realm that is closed after the plugins are gone.
func (b *bench) realm() *script.Realm {
	b.t.Helper()
	r, err := b.loader.Open(b.t.Context(), b.dir)
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { _ = r.Close() })
	return r
}

// mount mounts a plugin and waits until it has started.
func (b *bench) mount(r *script.Realm, id, specifier string, config any) *fiber.Fiber {
	b.t.Helper()
	f, err := b.tryMount(r, script.Entry{ID: id, Specifier: specifier, Config: config})
	if err != nil {
		b.t.Fatalf("mount %s: %v", id, err)
	}
	return f
}

func (b *bench) tryMount(r *script.Realm, e script.Entry) (*fiber.Fiber, error) {
	f, err := r.Mount(b.t.Context(), b.root, e)
	if err != nil {
		return nil, err
	}
	return f, f.Await(b.t.Context())
}

// view composes one View for the default budget.
func (b *bench) view() *jsonvalue.Object {
	b.t.Helper()
	v, err := b.compose()
	if err != nil {
		b.t.Fatal(err)
	}
	return v.Raw()
}

func (b *bench) compose() (*compose.View, error) {
	lease, err := b.core.Acquire("")
	if err != nil {
		return nil, err
	}
	defer lease.Release()
	return lease.Compose(b.t.Context(), jsonvalue.Of(
		"scope", jsonvalue.Of("storage", "custom"), "scenario", "test", "budget", jsonvalue.Of(
			"maxProjectionCharacters", 1000.0, "maxRoutes", 16.0, "maxActions", 16.0, "maxEvidenceResults", 16.0, "maxEvidenceCharacters", 1000.0,
		)))
}

// run calls the module's default export and returns what it gives as JSON.
func run(t *testing.T, r *script.Realm, specifier string) (string, error) {
	t.Helper()
	out, err := r.Call(t.Context(), specifier, "default")
	if err != nil {
		return "", told(err)
	}
	return jsonvalue.FormatIndent(out, "  ") + "\n", nil
}

// told is the error with the place where it was thrown.
func told(err error) error {
	var thrown *jsrun.Error
	if errors.As(err, &thrown) && thrown.Stack != "" {
		return errors.New(strings.TrimSpace(thrown.Stack))
	}
	return err
}
