// Package script runs JavaScript plugins as contributions to composable memory.
//
// A Realm is one runtime with Node's stand-ins and our modules; plugins in it are
// mounted as Fibers, and what they install becomes definitions of package
// compose, whose functions call back into the realm. One realm may hold all
// plugins of a workspace, or each plugin may have its own: a Source that hangs
// ends its realm, and the others go on.
package script

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"time"
	"weak"

	"github.com/dshkit/dshkit/pkg/fiber"
	"github.com/dshkit/dshkit/pkg/jsrun"
)

// Settings are what the realms of a process share.
type Settings struct {
	Modules jsrun.ModuleConfig // Node's stand-ins among the Host's; ours go before those of the same name
	Run     jsrun.Config       // Node's globals among them
	Natives []Native           // Strategies in Go that packages name
	Tests   bool               // give node:test
	Log     func(plugin, what string, err error)
}

// Loader makes realms. It is for one process, and is provided to plugins as the
// service "loader" by whoever mounts them.
type Loader struct {
	settings Settings
	modules  *jsrun.Modules

	mu      sync.Mutex
	kits    map[*jsrun.Run]*kit
	bases   map[*jsrun.Run]string
	entries map[weak.Pointer[fiber.Fiber]]string
}

// NewLoader returns a Loader.
func NewLoader(settings Settings) *Loader {
	l := &Loader{
		settings: settings,
		kits:     map[*jsrun.Run]*kit{},
		bases:    map[*jsrun.Run]string{},
		entries:  map[weak.Pointer[fiber.Fiber]]string{},
	}
	config := settings.Modules
	config.Host = slices.Concat(config.Host, l.hostModules()) // of one name, the last is taken
	l.modules = jsrun.NewModules(config)
	return l
}

// Modules are those that the realms import from.
func (l *Loader) Modules() *jsrun.Modules { return l.modules }

func (l *Loader) now() time.Time {
	if l.settings.Run.Now == nil {
		return time.Unix(0, 0).UTC()
	}
	return l.settings.Run.Now()
}

func (l *Loader) log(f *fiber.Fiber, what string, err error) {
	if l.settings.Log != nil {
		l.settings.Log(f.Name(), what, err)
	}
}

// hostModules are ours, found before anything of the same name on disk.
func (l *Loader) hostModules() []jsrun.Module {
	member := func(specifier string, of func(k *kit) (jsrun.Value, error)) jsrun.Module {
		return jsrun.Module{Specifiers: []string{specifier}, Make: func(vm *jsrun.VM) (jsrun.Value, error) {
			k, err := l.kit(vm)
			if err != nil {
				return nil, err
			}
			return of(k)
		}}
	}
	out := []jsrun.Module{
		member("dsh-mnemon/contracts", func(k *kit) (jsrun.Value, error) { return k.vm.Get(k.sdk, "contracts") }),
		member("dsh-mnemon/extension-sdk", func(k *kit) (jsrun.Value, error) { return k.vm.Get(k.sdk, "extensionSdk") }),
		member("dsh-mnemon/core", func(k *kit) (jsrun.Value, error) { return k.vm.Get(k.sdk, "core") }),
		member("dsh-mnemon/testing", func(k *kit) (jsrun.Value, error) { return k.testing, nil }),
		member("@deepseek-ai/cordis", func(k *kit) (jsrun.Value, error) { return k.cordis() }),
	}
	if l.settings.Tests {
		out = append(out, member(testModule, func(k *kit) (jsrun.Value, error) { return k.testsModule() }))
	}
	for _, n := range l.settings.Natives {
		out = append(out, member(n.Package, func(k *kit) (jsrun.Value, error) { return k.nativeModule(n) }))
	}
	return out
}

// kit is what a runtime has of ours, made on first need.
func (l *Loader) kit(vm *jsrun.VM) (*kit, error) {
	l.mu.Lock()
	k := l.kits[vm.Run()]
	l.mu.Unlock()
	if k != nil {
		return k, nil
	}
	k, err := newKit(vm, l)
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	l.kits[vm.Run()] = k
	l.mu.Unlock()
	return k, nil
}

// Realm is one runtime for plugins. Its methods may be called from any goroutine.
type Realm struct {
	loader *Loader
	run    *jsrun.Run
	base   string
}

// Open starts a realm that imports as seen from the folder base.
func (l *Loader) Open(ctx context.Context, base string) (*Realm, error) {
	empty, err := jsrun.Compile("realm", "")
	if err != nil {
		return nil, err
	}
	run, err := empty.Start(ctx, l.settings.Run)
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	l.bases[run] = base
	l.mu.Unlock()
	run.Defer(func() { l.forget(run) })
	return &Realm{loader: l, run: run, base: base}, nil
}

func (l *Loader) forget(run *jsrun.Run) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.kits, run)
	delete(l.bases, run)
}

func (k *kit) base() string {
	k.loader.mu.Lock()
	defer k.loader.mu.Unlock()
	return k.loader.bases[k.run]
}

// Run is the realm's runtime.
func (r *Realm) Run() *jsrun.Run { return r.run }

// Err says why the realm is of no further use, or nil. One that has passed a
// limit answers every call with that error; its owner opens another realm and
// mounts the plugins again, after their Fibers were disposed of.
func (r *Realm) Err() error { return r.run.Err() }

// Done is closed when the realm is of no further use.
func (r *Realm) Done() <-chan struct{} { return r.run.Done() }

// Close ends the realm. Plugins are to be unmounted before.
func (r *Realm) Close() error { return r.run.Close() }

// Import loads a module and returns its namespace to f, on the realm's goroutine.
func (r *Realm) Import(ctx context.Context, specifier string, f func(vm *jsrun.VM, namespace jsrun.Value) error) error {
	return r.run.Await(ctx, func(vm *jsrun.VM) (jsrun.Value, error) {
		return r.loader.modules.Import(vm, r.base, specifier)
	}, f)
}

// Call calls an exported function of a module with JSON and returns the JSON that
// it gives, or promises.
func (r *Realm) Call(ctx context.Context, specifier, export string, args ...any) (out any, err error) {
	var given jsrun.Value
	err = r.Import(ctx, specifier, func(vm *jsrun.VM, namespace jsrun.Value) error {
		f, err := vm.Get(namespace, export)
		if err != nil {
			return err
		}
		values := make([]jsrun.Value, len(args))
		for i, arg := range args {
			values[i] = vm.FromJSON(arg)
		}
		given, err = vm.Apply(f, nil, values...)
		return err
	})
	if err != nil {
		return nil, err
	}
	err = r.run.Await(ctx, func(*jsrun.VM) (jsrun.Value, error) { return given, nil }, func(vm *jsrun.VM, v jsrun.Value) (err error) {
		out, err = vm.ToJSON(v)
		return err
	})
	return out, err
}

// Entry is one mount.
type Entry struct {
	ID        string // its stable identity
	Specifier string // the module, as seen from the realm's folder
	Export    string // one of its exports instead of the module itself
	Config    any    // JSON; nil: undefined
}

// Mount mounts a plugin below parent, whose tree provides the services
// mnemonMemory (a *compose.Core) and loader (the realm's). It does not wait for
// the plugin to start: Await of the Fiber does.
func (r *Realm) Mount(ctx context.Context, parent *fiber.Context, e Entry) (f *fiber.Fiber, err error) {
	err = r.Import(ctx, e.Specifier, func(vm *jsrun.VM, namespace jsrun.Value) error {
		k, err := r.loader.kit(vm)
		if err != nil {
			return err
		}
		f, err = k.mountEntry(parent, namespace, e)
		return err
	})
	return f, err
}

func (k *kit) mountEntry(parent *fiber.Context, namespace jsrun.Value, e Entry) (*fiber.Fiber, error) {
	plugin, err := k.plugin(namespace, e)
	if err != nil {
		return nil, err
	}
	view, err := k.view(parent)
	if err != nil {
		return nil, err
	}
	config := k.undefined()
	if e.Config != nil {
		config = k.vm.FromJSON(e.Config)
	}
	mount, err := k.vm.Get(k.context, "mount")
	if err != nil {
		return nil, err
	}
	object, err := k.vm.Apply(mount, nil, view, plugin, config)
	if err != nil {
		return nil, err
	}
	ref, _ := object.(*jsrun.Object)
	f := k.twins.fiber(ref)
	k.loader.remember(f, e.ID)
	return f, nil
}

// plugin is what of a module is mounted: an export that is named, the module if
// it can be applied, else its default export.
func (k *kit) plugin(namespace jsrun.Value, e Entry) (jsrun.Value, error) {
	if e.Export != "" {
		return k.vm.Get(namespace, e.Export)
	}
	apply, err := k.vm.Get(namespace, "apply")
	if err != nil || k.vm.IsFunc(apply) {
		return namespace, err
	}
	return k.vm.Get(namespace, "default")
}

// remember keeps the id of an Entry as long as somebody holds its Fiber.
func (l *Loader) remember(f *fiber.Fiber, id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	key := weak.Make(f)
	l.entries[key] = id
	runtime.AddCleanup(f, l.drop, key)
}

func (l *Loader) drop(key weak.Pointer[fiber.Fiber]) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.entries, key)
}

// locate is the id of the Entry that the Fiber belongs to: its own or that of
// the nearest above.
func (l *Loader) locate(f *fiber.Fiber) (string, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for ; f != nil; f = f.Parent() {
		if id, ok := l.entries[weak.Make(f)]; ok {
			return id, true
		}
	}
	return "", false
}
