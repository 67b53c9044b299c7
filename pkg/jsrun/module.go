package jsrun

// Module is one module that the host gives under a specifier ("node:fs",
// "dsh-mnemon/extension-sdk"): what require and import of it return.
type Module struct {
	Specifiers []string
	Make       func(vm *VM) (Value, error) // called once per run, on first need
}

// Modules resolves, bundles, caches and evaluates modules.
type Modules struct{}

// ModuleConfig is what Modules need from the host.
type ModuleConfig struct {
	Host       []Module // given modules, found before anything on disk
	Files      Files    // read access for hashing; esbuild reads the disk itself
	Cache      Cache    // nil: nothing is kept
	Conditions []string // of exports maps; default node, import, default
}

// Files reads files for the module loader.
type Files interface {
	ReadFile(name string) ([]byte, error)
}

// Cache keeps transpiled text by content address. Both may be called by many
// processes at once; Put replaces atomically.
type Cache interface {
	Get(key string) ([]byte, bool)
	Put(key string, text []byte) error
}

// NewModules returns a loader; it is shared by the runs of a process.
func NewModules(config ModuleConfig) *Modules { panic("not built") }

// Import loads the module that the specifier names, seen from the folder base,
// and returns its namespace. Within one run a file is evaluated once. It is what
// import(), require() and the host use.
func (m *Modules) Import(vm *VM, base, specifier string) (Value, error) { panic("not built") }

// Digest is the content address of the bundle that the specifier names: of all
// files that it is made of.
func (m *Modules) Digest(base, specifier string) (string, error) { panic("not built") }
