package jsrun

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"sync"

	"github.com/evanw/esbuild/pkg/api"
)

const (
	// recipe counts the changes to how text is made: what was kept under an older
	// number is not used.
	recipe = "4"
	// EsbuildVersion is the one in go.mod; a test compares.
	EsbuildVersion = "v0.28.2"
)

// lacking are the parts of the language that esbuild has to write differently,
// since the engine has them not or, for the regular expressions, wrongly: it
// reads \p{L} as the letters p{L}. As calls of RegExp they reach the prelude.
var lacking = sync.OnceValue(func() map[string]bool {
	return map[string]bool{
		"async-generator": false, "for-await": false, "dynamic-import": false, "import-meta": false,
		"regexp-unicode-property-escapes": false, "regexp-sticky-and-unicode-flags": false,
		"regexp-match-indices": false, "regexp-set-notation": false,
	}
})

// entry is a file that was asked for by a name that only the run knew, with the
// bundle that was made of it last.
type entry struct {
	mu   sync.Mutex
	last *bundle
}

// entries are those that Modules of the same kind have asked for.
type entries struct {
	mu   sync.Mutex
	made map[string]*entry // by real path
}

func (e *entries) of(file string) *entry {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.made == nil {
		e.made = map[string]*entry{}
	}
	one := e.made[file]
	if one == nil {
		one = &entry{}
		e.made[file] = one
	}
	return one
}

// bundle is the text of an entry and of all that it imports, ready to run.
type bundle struct {
	record  *record
	key     string // content address of the text
	digest  string // content address of the files alone
	compile func() (*Program, error)
}

// bundle returns what the file and its imports are at this moment.
func (m *Modules) bundle(file string) (*bundle, error) {
	e := m.entries.of(file)
	e.mu.Lock()
	defer e.mu.Unlock()
	b, err := m.current(file, e.last)
	if err == nil {
		e.last = b
	}
	return b, err
}

// built is what esbuild made: what a cache keeps.
type built struct {
	text, mapping []byte
	record        *record
	sums          map[string]string // of what it was handed
}

// build runs esbuild on an entry.
func (m *Modules) build(file string) (*built, error) {
	reader := &reader{m: m, sums: map[string]string{}, strict: map[string]bool{}}
	result := api.Build(m.options(file, reader.plug))
	if len(result.Errors) > 0 {
		return nil, m.explain(result.Errors)
	}
	var meta metafile
	if err := json.Unmarshal([]byte(result.Metafile), &meta); err != nil {
		return nil, moduleError(codeManifest, "%s: esbuild's list of inputs: %v", file, err)
	}
	out := built{sums: reader.sums, record: &record{Entry: file, ESM: meta.Inputs[file].Format == "esm" && filepath.Ext(file) != ".json"}}
	for _, f := range result.OutputFiles {
		if strings.HasSuffix(f.Path, ".map") {
			out.mapping = f.Contents
		} else {
			out.text = f.Contents
		}
	}
	out.text = wrap(out.text, meta.strict(reader.strict))
	var err error
	if out.mapping, err = out.record.settleMap(out.mapping, out.text, meta); err != nil {
		return nil, moduleError(codeManifest, "%s: the source map: %v", file, err)
	}
	out.record.Paths = m.decisive(meta)
	return &out, nil
}

func (m *Modules) options(file string, plug func(api.PluginBuild)) api.BuildOptions {
	return api.BuildOptions{
		EntryPoints: []string{file}, AbsWorkingDir: filepath.Dir(file), Outfile: filepath.Join(filepath.Dir(file), "out.js"),
		Bundle: true, Format: api.FormatCommonJS, Platform: api.PlatformNode, Target: api.ES2022, Supported: lacking(),
		Conditions: m.conditions(), NodePaths: m.config.Fallback, Loader: loaders(),
		Sourcemap: api.SourceMapExternal, SourcesContent: api.SourcesContentExclude,
		Metafile: true, AbsPaths: api.CodeAbsPath | api.LogAbsPath | api.MetafileAbsPath,
		KeepNames:         true, // a second class of one name is renamed in the text
		IgnoreAnnotations: true, // Node evaluates what is imported, whatever package.json says of side effects
		LegalComments:     api.LegalCommentsNone, LogLevel: api.LogLevelSilent, LogLimit: 10,
		Plugins: []api.Plugin{{Name: "jsrun", Setup: plug}},
	}
}

// conditions are those that esbuild does not add by itself, according to the
// kind of import. Not nil: then it would add "module", which Node has not.
func (m *Modules) conditions() []string {
	list := []string{}
	for _, c := range m.config.Conditions {
		if c != "import" && c != "require" && c != "default" {
			list = append(list, c)
		}
	}
	return list
}

func loaders() map[string]api.Loader {
	return map[string]api.Loader{
		".js": api.LoaderJS, ".mjs": api.LoaderJS, ".cjs": api.LoaderJS, ".jsx": api.LoaderJSX,
		".ts": api.LoaderTS, ".mts": api.LoaderTS, ".cts": api.LoaderTS, ".tsx": api.LoaderTSX,
		".json": api.LoaderJSON,
	}
}

// reader hands esbuild the files, so that the sums are those of the very bytes
// that it saw.
type reader struct {
	m      *Modules
	mu     sync.Mutex
	sums   map[string]string
	strict map[string]bool // begins with "use strict"
}

// plug leaves the modules of the host to the run, and gives each file its own
// import.meta and __filename: esbuild alone would give all the same.
func (r *reader) plug(build api.PluginBuild) {
	build.OnResolve(api.OnResolveOptions{Filter: "^[^./]"}, r.leave)
	build.OnResolve(api.OnResolveOptions{Filter: "."}, func(args api.OnResolveArgs) (api.OnResolveResult, error) {
		return leaveMissing(build, args), nil
	})
	build.OnLoad(api.OnLoadOptions{Filter: `\.([cm]?[jt]sx?|json)$`, Namespace: "file"}, r.load)
}

// leave leaves the modules that are given.
func (r *reader) leave(args api.OnResolveArgs) (api.OnResolveResult, error) {
	found := args.Path
	if strings.HasPrefix(found, "#") {
		found, _ = r.m.find.resolve(args.ResolveDir, found, asImport) // an imports map can name a given module
	}
	if args.Kind != api.ResolveEntryPoint && found != "" && r.m.gives(found) {
		return api.OnResolveResult{Path: found, External: true}, nil
	}
	return api.OnResolveResult{}, nil
}

// asked marks a question of ours, so that it is not asked again.
type asked struct{}

// leaveMissing leaves what import() and require ask for and is not there: as in
// Node that is an error when it is asked for, and not before.
func leaveMissing(build api.PluginBuild, args api.OnResolveArgs) api.OnResolveResult {
	_, again := args.PluginData.(asked)
	late := args.Kind == api.ResolveJSDynamicImport || args.Kind == api.ResolveJSRequireCall || args.Kind == api.ResolveJSRequireResolve
	if again || !late {
		return api.OnResolveResult{}
	}
	found := build.Resolve(args.Path, api.ResolveOptions{
		Importer: args.Importer, Namespace: args.Namespace, ResolveDir: args.ResolveDir, Kind: args.Kind, PluginData: asked{}, With: args.With,
	})
	if len(found.Errors) == 0 {
		return api.OnResolveResult{}
	}
	return api.OnResolveResult{Path: args.Path, External: true}
}

func (r *reader) load(args api.OnLoadArgs) (api.OnLoadResult, error) {
	text, err := r.m.config.Files.ReadFile(args.Path)
	if err != nil {
		return api.OnLoadResult{}, nil // esbuild reads it itself and says what is wrong
	}
	r.mu.Lock()
	r.sums[args.Path] = digestOf(text)
	r.strict[args.Path] = beginsStrict(string(text))
	r.mu.Unlock()
	contents, loader := string(text), loaders()[filepath.Ext(args.Path)]
	if loader != api.LoaderJSON && mentionsPlace(contents) {
		contents, loader = r.place(args.Path, contents, loader)
	}
	return api.OnLoadResult{Contents: &contents, Loader: loader}, nil
}

// place writes the place of the file into its text, with a map back to what the
// author wrote.
func (r *reader) place(path, text string, loader api.Loader) (string, api.Loader) {
	quote := func(s string) string { b, _ := json.Marshal(s); return string(b) }
	file, dir := quote(path), quote(filepath.Dir(path))
	result := api.Transform(text, api.TransformOptions{
		Define: map[string]string{
			"import.meta.url": quote(urlOfPath(path)), "import.meta.filename": file, "import.meta.dirname": dir,
			"import.meta.resolve": "imp$ort.resolve",
			"__filename":          file, "__dirname": dir,
		},
		Loader: loader, Sourcefile: path, Sourcemap: api.SourceMapInline, SourcesContent: api.SourcesContentExclude,
		Target: api.ESNext, JSX: api.JSXPreserve, TsconfigRaw: r.m.tsconfig(path), LogLevel: api.LogLevelSilent,
	})
	if len(result.Errors) > 0 {
		return text, loader // esbuild meets the same error and tells it
	}
	return string(result.Code), api.LoaderJSX
}

// beginsStrict says whether the first statement of a script is "use strict".
func beginsStrict(text string) bool {
	if strings.HasPrefix(text, "#!") {
		_, text, _ = strings.Cut(text, "\n")
	}
	for {
		text = strings.TrimLeft(text, " \t\r\n\ufeff;")
		switch {
		case strings.HasPrefix(text, "//"):
			_, text, _ = strings.Cut(text, "\n")
		case strings.HasPrefix(text, "/*"):
			_, text, _ = strings.Cut(text, "*/")
		default:
			return strings.HasPrefix(text, `"use strict"`) || strings.HasPrefix(text, `'use strict'`)
		}
	}
}

func mentionsPlace(s string) bool {
	return strings.Contains(s, "import.meta") || strings.Contains(s, "__dirname") || strings.Contains(s, "__filename")
}

// tsconfig is the text of the tsconfig.json around a file of the author's own.
func (m *Modules) tsconfig(file string) string {
	for dir := range upwards(filepath.Dir(file)) {
		if filepath.Base(dir) == "node_modules" {
			break
		}
		if text, err := m.config.Files.ReadFile(filepath.Join(dir, "tsconfig.json")); err == nil {
			return string(text)
		}
	}
	return ""
}

// parameters of the function that the text of a bundle becomes. The last two are
// ours; imp$ort is as long as require, so that the source map stays right.
const parameters = "exports, require, module, __filename, __dirname, __jsrunNamespace, imp$ort"

// wrap makes one function of the text, on a line of its own before it. In what
// esbuild writes for import() it asks us for the module, since require would give
// something else, and lets us say what its namespace is.
func wrap(text []byte, strict bool) []byte {
	head := "(function (" + parameters + ") {"
	if strict {
		head += `"use strict";`
	}
	s := strings.NewReplacer(
		"var __toESM = (mod, isNodeMode, target) => (target =", "var __toESM = (mod, isNodeMode, target) => __jsrunNamespace(mod) || (target =",
		"Promise.resolve().then(() => __toESM(require(", "Promise.resolve().then(() => __toESM(imp$ort(",
	).Replace(string(text))
	return []byte(head + "\n" + s + "\n})")
}
