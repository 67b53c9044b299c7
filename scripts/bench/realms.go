package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"path/filepath"
	"runtime"
	"time"

	"github.com/dshkit/dshkit/internal/jscache"
	"github.com/dshkit/dshkit/internal/mnemon/machine"
	"github.com/dshkit/dshkit/internal/mnemon/script"
	"github.com/dshkit/dshkit/pkg/compose"
	"github.com/dshkit/dshkit/pkg/fiber"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
	"github.com/dshkit/dshkit/pkg/jsrun"
	"github.com/dshkit/dshkit/pkg/jsrun/node"
)

// many is how many runtimes are held at once.
const many = 50

// loader makes realms in this process, as the binary does.
func (b *bench) loader() *script.Loader {
	host := &node.Host{
		Files: machine.NewFiles(machine.Grant{Path: b.root}), Temp: b.root, Home: b.root, Cwd: func() string { return b.root },
		Now: time.Now, RandomBytes: func(p []byte) { _, _ = rand.Read(p) },
	}
	return script.NewLoader(script.Settings{
		Modules: jsrun.ModuleConfig{Host: node.Modules(host), Files: jscache.Disk{}},
		Run:     jsrun.Config{Now: time.Now, Globals: node.Globals(host)},
		Natives: script.Natives(),
	})
}

// realms measures the memory of a runtime, fresh and with a published Source.
func (b *bench) realms() error {
	p, err := b.published()
	if err != nil {
		return err
	}
	fresh, err := b.perRealm(b.root, "")
	if err != nil {
		return err
	}
	b.note("memory of a runtime, fresh", many, fresh)
	if p == nil {
		return nil
	}
	loaded, err := b.perRealm(p.modules, "dsh-mnemon-source-runtime")
	if err != nil {
		return err
	}
	b.note("memory of a runtime, published Source", many, loaded)
	return nil
}

// perRealm holds many realms, each with a module loaded, and says what one takes.
func (b *bench) perRealm(base, specifier string) (string, error) {
	ctx, l := context.Background(), b.loader()
	open := func() (*script.Realm, error) {
		r, err := l.Open(ctx, base)
		if err == nil && specifier != "" {
			err = r.Import(ctx, specifier, func(*jsrun.VM, jsrun.Value) error { return nil })
		}
		return r, err
	}
	first, err := open() // makes what all share
	if err != nil {
		return "", err
	}
	defer first.Close()
	heap, goroutines := held()
	for range many {
		r, err := open()
		if err != nil {
			return "", err
		}
		defer r.Close()
	}
	now, running := held()
	return fmt.Sprintf("%.0f KiB, %.0f goroutine", float64(now-heap)/many/1024, float64(running-goroutines)/many), nil
}

// held is what the process holds: bytes that are in use, and goroutines.
func held() (heap int64, goroutines int) {
	for range 3 { // what a collection frees may hold more
		runtime.GC()
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc), runtime.NumGoroutine()
}

// growth measures a process that goes on: turns, one after the other, of plugins
// that stay mounted.
func (b *bench) growth() error {
	p, err := b.published()
	if p == nil || err != nil {
		return err
	}
	core, stop, err := b.mounted(p)
	if err != nil {
		return err
	}
	defer stop()
	turns := compose.NewTurns(core)
	defer turns.Close()
	begin := time.Now()
	for n := 1; n <= 1000; n++ {
		id := fmt.Sprint("turn-", n)
		if _, err := turns.Begin(context.Background(), id, jsonvalue.Of("storage", "custom"), ""); err != nil {
			return err
		}
		turns.End(id)
		if n == 100 || n == 1000 {
			heap, goroutines := held()
			b.note(fmt.Sprintf("after %s turns in one process", grouped(n)), 0, fmt.Sprintf("%.2f MiB, %d goroutines", float64(heap)/(1<<20), goroutines))
		}
	}
	b.note("a turn in one process, 7 plugins", 0, figure(milliseconds(time.Since(begin)/1000))+" ms")
	return nil
}

// mounted starts the scenario in this process, each plugin in a realm of its own.
func (b *bench) mounted(p *published) (core *compose.Core, stop func(), err error) {
	ctx, l := context.Background(), b.loader()
	core = compose.New(compose.Settings{Now: time.Now})
	root := fiber.New(fiber.Config{})
	var realms []*script.Realm
	stop = func() {
		_ = root.Fiber().Dispose(ctx)
		for _, r := range realms {
			_ = r.Close()
		}
		_ = core.Close(ctx)
	}
	for name, service := range map[string]any{"mnemonMemory": core, "loader": l} {
		if _, err := root.Provide(name, service); err != nil {
			return nil, nil, err
		}
	}
	for _, m := range scenario(fixtureOf(p.modules)) {
		r, err := l.Open(ctx, p.modules)
		if err != nil {
			return nil, nil, err
		}
		realms = append(realms, r)
		entry := script.Entry{ID: m.ID, Specifier: m.Name}
		if m.Config != nil {
			if entry.Config, err = jsonOf(m.Config); err != nil {
				return nil, nil, err
			}
		}
		f, err := r.Mount(ctx, root, entry)
		if err == nil {
			err = f.Await(ctx)
		}
		if err != nil {
			stop()
			return nil, nil, fmt.Errorf("%s: %w", m.ID, err)
		}
	}
	return core, stop, nil
}

func fixtureOf(modules string) string {
	return filepath.Join(filepath.Dir(modules), "scenarios", "plugins", "fixture-source.mjs")
}

func jsonOf(v any) (any, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return jsonvalue.Parse(data)
}
