package jsrun

import (
	"bytes"
	"sync"
)

// Module is one module that the host gives under a specifier ("node:fs",
// "dsh-mnemon/extension-sdk"): what require and import of it return.
type Module struct {
	Specifiers []string
	Make       func(vm *VM) (Value, error) // called once per run, on first need
}

// Modules resolves, bundles, caches and evaluates modules. An entry is bundled
// with all that it imports by name; what it imports by a value that only the run
// knows is an entry of its own.
type Modules struct {
	config ModuleConfig
	host   map[string]int // specifier, without node:, to its place in config.Host
	find   *resolver

	entries *entries
	runs    sync.Map // *Run to *loader
}

// ModuleConfig is what Modules need from the host.
type ModuleConfig struct {
	Host       []Module // given modules, found before anything on disk
	Files      Files    // read access for resolution and hashing; esbuild reads the disk itself
	Cache      Cache    // nil: nothing is kept
	Conditions []string // of exports maps; default node, import, default
	Fallback   []string // folders of packages, asked after every node_modules above the importing file

	// Like has bundled some of the same files already: what it made and parsed is
	// used, if all but the values of the host's modules is alike.
	Like *Modules
}

// Files reads files for the module loader. RealPath follows symbolic links.
type Files interface {
	ReadFile(name string) ([]byte, error)
	RealPath(name string) (string, error)
}

// Looker is what Files may be too: most folders that a package is looked for in
// are not there, and one look tells that without trying each file.
type Looker interface {
	IsFolder(name string) bool
}

// Cache keeps transpiled text by content address. Both may be called by many
// processes at once; Put replaces atomically. A key is made of lower-case
// letters, digits and one dot.
type Cache interface {
	Get(key string) ([]byte, bool)
	Put(key string, text []byte) error
}

// NewModules returns a loader; it is shared by the runs of a process.
func NewModules(config ModuleConfig) *Modules {
	if config.Conditions == nil {
		config.Conditions = []string{"node", "import", "default"}
	}
	m := &Modules{config: config, host: map[string]int{}, entries: &entries{}}
	for i, given := range config.Host {
		for _, specifier := range given.Specifiers {
			m.host[bareName(specifier)] = i
		}
	}
	if like := config.Like; like != nil && bytes.Equal(m.switches(""), like.switches("")) {
		m.entries = like.entries
	}
	m.find = &resolver{files: config.Files, conditions: config.Conditions, fallback: config.Fallback, given: m.gives}
	return m
}

// Import loads the module that the specifier names, seen from the folder base,
// and returns its namespace. Within one run a file is evaluated once. It is what
// import() and the host use; require gives module.exports of the same modules.
func (m *Modules) Import(vm *VM, base, specifier string) (Value, error) {
	l, err := m.loader(vm)
	if err != nil {
		return nil, err
	}
	loaded, err := l.load(base, specifier, asImport)
	if err != nil {
		return nil, err
	}
	return l.namespace(loaded)
}

// Digest is the content address of the bundle that the specifier names: of all
// files that it is made of. It does not depend on where they lie.
func (m *Modules) Digest(base, specifier string) (string, error) {
	file, err := m.find.resolve(base, specifier, asImport)
	if err != nil {
		return "", err
	}
	if m.gives(file) {
		return digestOf([]byte("given " + bareName(file))), nil
	}
	b, err := m.bundle(file)
	if err != nil {
		return "", err
	}
	return b.digest, nil
}
