// Package config resolves the settings of selfip from their layers: flag, then
// environment, then the files of the workspace, then those of the user, then
// the defaults (design/product.md 2). Every value knows where it came from.
//
// Two families of files hold settings. config.json is the originals'
// (spec/selfip.md 3.10, 6): scope, globalDir, autoPromote. settings.json of the
// workspace and config.{json,yaml,toml} of the user are ours alone. The package
// reads through functions it is handed and writes nothing: Set and Unset turn
// bytes into bytes, for a caller that holds the lock of the file. Nothing is
// kept between calls, so a change by hand counts at once (29, W36).
package config

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"github.com/dshkit/dshkit/pkg/fault"
)

// Settings is the effective settings. It is valid whatever Load had to report.
type Settings struct {
	Scope       string // workspace, global or both
	GlobalDir   string // absolute; the global library is GlobalDir/self-improvement; "" when there is none
	AutoPromote bool   // kept for the originals; has no effect in any scope

	Language     string        // en, zh-CN or auto: what the locale says
	InjectChars  int           // budget of the injected block, UTF-16 units
	HookBytes    int           // the most a hook puts before a harness, bytes
	PromptChars  int           // the most that one user prompt adds, UTF-16 units; 0: nothing
	SearchChars  int           // budget of the results of a search, UTF-16 units
	FileChars    int           // capacity of one memory file, UTF-16 units
	LockWait     time.Duration // how long a command waits for a lock
	MainCheckout bool          // a git worktree shares the memory of the main checkout
	Background   bool          // hooks start workers that outlive them
	KeepDays     int           // age in days from which what was learned from may be pruned; 0: never
	Writes       string        // auto, ask or off: what may be stored without the user's word

	ModelProvider string        // none, openai, anthropic or command
	ModelURL      string        // address of the service; "": that of the provider
	ModelName     string        // "": the service's own choice, where it has one
	ModelKeyEnv   string        // name of the variable that holds the key; "": the usual one of the address
	ModelKeyFile  string        // absolute path of the file that holds the key; "": none
	ModelCommand  string        // program and arguments, see Words
	ModelEffort   string        // of reasoning; auto: the cheapest
	ModelTimeout  time.Duration // of one call
	DailyTokens   int           // that calls of a model may cost a library a day
	ModelUse      string        // what a model is used for: retro, sleep, compact with commas between, or off

	Home string // home of the harness, DSH_HOME; "" when unknown

	HomeConfig      string // path of the global config.json; "" when there is no home
	WorkspaceConfig string // path of the workspace's config.json; "" without a workspace
	HomeExists      bool
	WorkspaceExists bool

	Sources    []Source // what files and environment gave scope and globalDir, in their order (spec/selfip.md 6.3)
	ReadErrors []error  // of files that could not be read, in the order of the layers

	userFile  string // the user's own settings; "" when unknown
	workspace string
	origins   [numKeys]Origin
}

// Source is a layer that gave a value, stronger layers later.
type Source struct {
	Layer Layer  `json:"layer"`
	Key   string `json:"key"`
}

// Layer is a place that settings come from.
type Layer string

// The layers, weakest first.
const (
	LayerDefault     Layer = "default"
	LayerGlobal      Layer = "global"
	LayerWorkspace   Layer = "workspace"
	LayerEnvironment Layer = "environment"
	LayerFlag        Layer = "flag"
)

// Origin is where a value came from: the layer, and the path, the variable or
// the flag.
type Origin struct {
	Layer Layer  `json:"layer"`
	Where string `json:"where,omitempty"`
}

// Inputs is everything that settings are made from.
type Inputs struct {
	Read      func(path string) ([]byte, error) // as os.ReadFile
	IsDir     func(path string) bool            // nil: no folder exists
	Getenv    func(string) string
	Environ   []string          // NAME=value, to find misspelt variables; may be nil
	Variables []string          // names of SELFIP_ variables that are no settings
	Home      string            // the user's home directory; "" when unknown
	Workspace string            // root of the workspace; "" for none
	Flags     map[string]string // values given as flags, by key
}

// Load resolves the settings. Warnings are in the order of the layers. An error
// (a fault of kind Damaged with file, line and column, or Failed when a file
// cannot be read) leaves the settings usable: the file counts as absent, and
// when it is a config.json the scope falls back to workspace, the one that
// neither shows nor tells anything to others, unless environment or flag say
// otherwise.
func Load(in Inputs) (Settings, []Warning, error) {
	l := &loader{in: in}
	l.defaults()
	l.findHome()
	l.configFiles()
	l.settingsFiles()
	l.environment()
	l.flags()
	l.strayVariables()
	if len(l.out.ReadErrors) > 0 {
		return l.out, l.warnings, l.out.ReadErrors[0]
	}
	return l.out, l.warnings, nil
}

// loader collects what Load returns.
type loader struct {
	in       Inputs
	out      Settings
	warnings []Warning
}

func (l *loader) warn(code string, args ...any) {
	l.warnings = append(l.warnings, Warning{code, args})
}

// layer is one place with the values it holds.
type layer struct {
	name   Layer
	where  string // path of a file
	family family
	base   string // what a relative path starts from
	values []rawValue
}

// rawValue is one value as a layer holds it: a bool, a float64 or an int, a
// string, nil, or something that no setting accepts.
type rawValue struct {
	key   string
	value any
	where string // where it stands; for a file its path
}

func (l *loader) configFiles() {
	global, globalOK := l.openConfig(LayerGlobal, l.out.HomeConfig, l.out.Home, &l.out.HomeExists)
	local, localOK := l.openConfig(LayerWorkspace, l.out.WorkspaceConfig, l.in.Workspace, &l.out.WorkspaceExists)
	safe := !globalOK || !localOK
	if safe {
		bad := l.out.WorkspaceConfig
		if localOK {
			bad = l.out.HomeConfig
		}
		l.warn(warnSafeScope, bad)
	}
	for _, file := range []layer{global, local} {
		if safe {
			file.values = without(file.values, keyScope)
		}
		l.apply(file)
	}
}

// openConfig reads a config.json. The second result is false when there is one
// that nobody can understand.
func (l *loader) openConfig(name Layer, path, base string, exists *bool) (layer, bool) {
	file := layer{name: name, where: path, family: familyConfig, base: base}
	text, found, ok := l.readFile(path)
	*exists = found
	if found && ok {
		file.values, ok = l.parse(path, text)
	}
	return file, ok
}

func (l *loader) settingsFiles() {
	if path := l.userSettings(); path != "" {
		l.openSettings(LayerGlobal, path)
	}
	if l.in.Workspace != "" {
		l.openSettings(LayerWorkspace, l.out.settingsFile())
	}
}

func (l *loader) openSettings(name Layer, path string) {
	text, found, ok := l.readFile(path)
	if !found || !ok {
		return
	}
	if values, ok := l.parse(path, text); ok {
		l.apply(layer{name: name, where: path, family: familySettings, values: values})
	}
}

// maxFile bounds a file of settings, in bytes: what is larger is none.
const maxFile = 1 << 20

// readFile reads a file that need not exist. ok is false when it exists and
// cannot be read; that is noted.
func (l *loader) readFile(path string) (text []byte, found, ok bool) {
	if path == "" {
		return nil, false, true
	}
	text, err := l.in.Read(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, false, true
	case err != nil:
		l.readError(fault.New(fault.Failed, codeUnreadable, path).Because(err))
		return nil, true, false
	case len(text) > maxFile:
		l.readError(Damaged(path, fault.New(fault.Damaged, codeTooLarge, len(text), maxFile)))
		return nil, true, false
	}
	return text, true, true
}

func (l *loader) readError(err error) { l.out.ReadErrors = append(l.out.ReadErrors, err) }

func without(values []rawValue, key string) []rawValue {
	var kept []rawValue
	for _, v := range values {
		if v.key != key {
			kept = append(kept, v)
		}
	}
	return kept
}

// userSettings returns the path of the user's own settings file that exists, or
// "". Of several the first in the order json, yaml, yml, toml counts.
func (l *loader) userSettings() string {
	dir := l.userDir()
	if dir == "" {
		return ""
	}
	l.out.userFile = filepath.Join(dir, "config.json")
	if l.in.IsDir != nil && !l.in.IsDir(dir) {
		return "" // one question instead of four, in nearly every hook
	}
	found := ""
	for _, ext := range []string{"json", "yaml", "yml", "toml"} {
		path := filepath.Join(dir, "config."+ext)
		if _, err := l.in.Read(path); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if found != "" {
			l.warn(warnTwoFiles, path, found)
			continue
		}
		found, l.out.userFile = path, path
	}
	return found
}

// userDir returns $XDG_CONFIG_HOME/dshkit, or "" when nobody knows a home.
func (l *loader) userDir() string {
	base := strings.TrimSpace(l.in.Getenv("XDG_CONFIG_HOME"))
	if !filepath.IsAbs(base) { // the standard says to ignore a relative one
		if l.in.Home == "" {
			return ""
		}
		base = filepath.Join(l.in.Home, ".config")
	}
	return filepath.Join(base, "dshkit")
}
