package jsrun

import (
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
)

// kind is the way in which a module is asked for: it decides between the
// conditions import and require, and what the asker gets.
type kind int

const (
	asImport kind = iota
	asRequire
)

// resolver finds the file that a specifier names, as Node does: it serves the
// entries. Within a bundle esbuild resolves, by the same rules.
type resolver struct {
	files      Files
	conditions []string
	fallback   []string
	given      func(specifier string) bool
}

// Codes of errors that scripts compare.
const (
	codeNotFound    = "ERR_MODULE_NOT_FOUND"
	codeNotExported = "ERR_PACKAGE_PATH_NOT_EXPORTED"
	codeNotImported = "ERR_PACKAGE_IMPORT_NOT_DEFINED"
	codeTarget      = "ERR_INVALID_PACKAGE_TARGET"
	codeSpecifier   = "ERR_INVALID_MODULE_SPECIFIER"
	codeManifest    = "ERR_INVALID_PACKAGE_CONFIG"
	codeScheme      = "ERR_UNSUPPORTED_ESM_URL_SCHEME"
	codeBuiltin     = "ERR_UNKNOWN_BUILTIN_MODULE"
)

func moduleError(code, format string, args ...any) *Error {
	return &Error{Name: "Error", Code: code, Message: fmt.Sprintf(format, args...)}
}

// notFound is what Node says in the two worlds, and then what would help.
func notFound(k kind, what, name, specifier, base, help string) *Error {
	if k == asRequire {
		return moduleError("MODULE_NOT_FOUND", "Cannot find module '%s' required from %s: %s", specifier, base, help)
	}
	return moduleError(codeNotFound, "Cannot find %s '%s' imported from %s: %s", what, name, base, help)
}

// extensions are tried in this order behind a name that is no file.
var extensions = []string{".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".tsx", ".jsx", ".json"}

// written are the extensions that TypeScript authors write for a file that will
// be compiled, and what may lie there.
var written = map[string][]string{
	".js": {".ts", ".tsx"}, ".jsx": {".tsx", ".ts"}, ".mjs": {".mts"}, ".cjs": {".cts"},
}

// resolve returns the real path of the file, or the specifier itself of a module
// that is given.
func (r *resolver) resolve(base, specifier string, k kind) (string, error) {
	if r.given(specifier) {
		return specifier, nil
	}
	if !filepath.IsAbs(base) {
		return "", moduleError(codeSpecifier, "Cannot look up '%s': the folder %q to look from is not absolute", specifier, base)
	}
	file, err := r.locate(base, specifier, k)
	if err != nil || r.given(file) {
		return file, err
	}
	real, err := r.files.RealPath(file)
	if err != nil {
		return "", notFound(k, "module", file, specifier, base, err.Error())
	}
	return real, nil
}

func (r *resolver) locate(base, specifier string, k kind) (string, error) {
	switch {
	case strings.HasPrefix(specifier, "file:"):
		path, err := pathOfURL(specifier)
		if err != nil {
			return "", moduleError(codeSpecifier, "Invalid module %q imported from %s: %v", specifier, base, err)
		}
		return r.path(base, specifier, path, k)
	case strings.HasPrefix(specifier, "./"), strings.HasPrefix(specifier, "../"), specifier == ".", specifier == "..":
		path := filepath.Join(base, filepath.FromSlash(specifier))
		if strings.HasSuffix(specifier, "/") {
			path += string(filepath.Separator)
		}
		return r.path(base, specifier, path, k)
	case filepath.IsAbs(specifier):
		return r.path(base, specifier, specifier, k)
	case strings.HasPrefix(specifier, "#"):
		return r.internal(base, specifier, k)
	case hasScheme(specifier) && !strings.HasPrefix(specifier, "node:"):
		return "", moduleError(codeScheme, "Only file URLs, paths and names of packages can be imported here, and not '%s', from %s", specifier, base)
	case strings.HasPrefix(specifier, "node:"), isBuiltin(specifier):
		return "", moduleError(codeBuiltin, "No such built-in module: %s, imported from %s: scripts have no such module here; see docs/javascript.md for those they have", specifier, base)
	}
	return r.bare(base, specifier, k)
}

func (r *resolver) path(base, specifier, path string, k kind) (string, error) {
	if file, ok := r.fileOrFolder(path); ok {
		return file, nil
	}
	if u, err := url.Parse(specifier); k == asImport && err == nil && u.Path != specifier { // import reads URLs: ./a%20b.js?v=2
		plain := filepath.FromSlash(u.Path)
		if !filepath.IsAbs(plain) {
			plain = filepath.Join(base, plain)
		}
		if file, ok := r.fileOrFolder(plain); ok {
			return file, nil
		}
	}
	help := fmt.Sprintf("there is no such file, none with one of the extensions %s, and no folder with an index of those", strings.Join(extensions, " "))
	return "", notFound(k, "module", path, specifier, base, help)
}

func (r *resolver) isFile(path string) bool {
	_, err := r.files.ReadFile(path)
	return err == nil
}

// lacks says that a folder is not there, nor what lies in it.
func (r *resolver) lacks(dir string) bool {
	if look, ok := r.files.(Looker); ok {
		return !look.IsFolder(dir)
	}
	return false
}

func (r *resolver) fileOrFolder(path string) (string, bool) {
	if !strings.HasSuffix(path, string(filepath.Separator)) {
		if file, ok := r.file(path); ok {
			return file, true
		}
	}
	if r.lacks(path) {
		return "", false
	}
	if p, err := r.manifest(path); err == nil && p != nil {
		for _, main := range p.mains() {
			named := filepath.Join(path, filepath.FromSlash(main))
			if file, ok := r.file(named); ok {
				return file, true
			}
			if file, ok := r.file(filepath.Join(named, "index")); ok {
				return file, true
			}
		}
	}
	return r.file(filepath.Join(path, "index"))
}

func (r *resolver) file(path string) (string, bool) {
	if r.isFile(path) {
		return path, true
	}
	for _, ext := range extensions {
		if r.isFile(path + ext) {
			return path + ext, true
		}
	}
	ext := filepath.Ext(path)
	for _, other := range written[ext] {
		if file := strings.TrimSuffix(path, ext) + other; r.isFile(file) {
			return file, true
		}
	}
	return "", false
}

// manifest reads the package.json of a folder; nil when there is none.
func (r *resolver) manifest(dir string) (*manifest, error) {
	text, err := r.files.ReadFile(filepath.Join(dir, "package.json"))
	if err != nil {
		return nil, nil
	}
	p, err := parseManifest(dir, text)
	if err != nil {
		return nil, moduleError(codeManifest, "Invalid package config %s: %v", filepath.Join(dir, "package.json"), errors.Unwrap(err))
	}
	return p, nil
}

// scope is the nearest package.json around a folder; nil when there is none.
func (r *resolver) scope(base string) (*manifest, error) {
	for dir := range upwards(base) {
		if filepath.Base(dir) == "node_modules" {
			return nil, nil
		}
		if p, err := r.manifest(dir); p != nil || err != nil {
			return p, err
		}
	}
	return nil, nil
}

// internal resolves #name by the imports map of the package around base.
func (r *resolver) internal(base, specifier string, k kind) (string, error) {
	p, err := r.scope(base)
	if err != nil {
		return "", err
	}
	missing := moduleError(codeNotImported, "Package import specifier \"%s\" is not defined, imported from %s: add it to \"imports\" of the package.json around that folder", specifier, base)
	if p == nil || p.Imports == nil {
		return "", missing
	}
	target, err := parseTarget(p.Imports)
	if err != nil {
		return "", moduleError(codeManifest, "Invalid package config %s: imports: %v", p.dir, err)
	}
	m, _ := target.(mapping)
	found, err := lookUp(m, specifier, r.with(k))
	switch {
	case errors.Is(err, errUndefined), errors.Is(err, errExcluded):
		return "", missing
	case err != nil:
		return "", moduleError(codeTarget, "Invalid \"imports\" target for %s in %s: %v", specifier, p.dir, err)
	case strings.HasPrefix(found, "./"):
		return r.exact(base, specifier, filepath.Join(p.dir, filepath.FromSlash(found)), k)
	case r.given(found):
		return found, nil
	case strings.HasPrefix(found, "../"), strings.HasPrefix(found, "/"):
		return "", moduleError(codeTarget, "Invalid \"imports\" target %s for %s in %s", found, specifier, p.dir)
	}
	return r.bare(p.dir, found, k)
}

func (r *resolver) exact(base, specifier, path string, k kind) (string, error) {
	if r.isFile(path) {
		return path, nil
	}
	return "", notFound(k, "module", path, specifier, base, fmt.Sprintf("the package says %s stands for %s, which is not there; build the package or install it again", specifier, path))
}

// bare resolves the name of a package.
func (r *resolver) bare(base, specifier string, k kind) (string, error) {
	name, subpath, ok := splitName(specifier)
	if !ok {
		return "", moduleError(codeSpecifier, "Invalid module \"%s\" is not a valid package name, imported from %s", specifier, base)
	}
	self, err := r.scope(base)
	if err != nil {
		return "", err
	}
	if self != nil && self.Name == name && self.Exports != nil {
		return r.inPackage(self, base, specifier, subpath, k)
	}
	for _, dir := range r.folders(base) {
		if r.lacks(dir) {
			continue
		}
		file, found, err := r.inFolder(filepath.Join(dir, filepath.FromSlash(name)), base, specifier, subpath, k)
		if found || err != nil {
			return file, err
		}
	}
	help := fmt.Sprintf("no node_modules/%s in that folder or above it; install it there (npm install %s)", name, name)
	return "", notFound(k, "package", name, specifier, base, help)
}

// folders are those that packages are looked for in, in their order.
func (r *resolver) folders(base string) []string {
	var out []string
	for dir := range upwards(base) {
		if filepath.Base(dir) != "node_modules" {
			out = append(out, filepath.Join(dir, "node_modules"))
		}
	}
	return append(out, r.fallback...)
}

// inFolder looks into one candidate folder; found is false when there is no
// such package and the search goes on upwards.
func (r *resolver) inFolder(dir, base, specifier, subpath string, k kind) (file string, found bool, err error) {
	p, err := r.manifest(dir)
	if err != nil {
		return "", true, err
	}
	if p != nil && p.Exports != nil && string(p.Exports) != "null" {
		file, err = r.inPackage(p, base, specifier, subpath, k)
		return file, true, err
	}
	if file, ok := r.fileOrFolder(filepath.Join(dir, filepath.FromSlash(subpath))); ok {
		return file, true, nil
	}
	if p == nil {
		return "", false, nil
	}
	return "", true, notFound(k, "module", filepath.Join(dir, filepath.FromSlash(subpath)), specifier, base, "the package is there, the file is not")
}

func (r *resolver) inPackage(p *manifest, base, specifier, subpath string, k kind) (string, error) {
	target, err := parseTarget(p.Exports)
	if err != nil {
		return "", moduleError(codeManifest, "Invalid package config %s: exports: %v", p.dir, err)
	}
	key := "." + strings.TrimSuffix("/"+subpath, "/")
	found, err := lookUp(asExports(target), key, r.with(k))
	switch {
	case (errors.Is(err, errUndefined) || errors.Is(err, errExcluded)) && key == ".":
		return "", moduleError(codeNotExported, "No \"exports\" main defined in %s imported from %s: import a subpath that the package exports", filepath.Join(p.dir, "package.json"), base)
	case errors.Is(err, errUndefined), errors.Is(err, errExcluded):
		return "", moduleError(codeNotExported, "Package subpath '%s' is not defined by \"exports\" in %s imported from %s: import one that is", key, filepath.Join(p.dir, "package.json"), base)
	case err != nil:
		return "", moduleError(codeTarget, "Invalid \"exports\" target for %s in %s: %v", key, p.dir, err)
	case !strings.HasPrefix(found, "./"):
		return "", moduleError(codeTarget, "Invalid \"exports\" target %s for %s in %s: a target starts with ./", found, key, p.dir)
	}
	return r.exact(base, specifier, filepath.Join(p.dir, filepath.FromSlash(found)), k)
}

// with exchanges the condition import for require when the asker is a require.
func (r *resolver) with(k kind) []string {
	if k == asImport {
		return r.conditions
	}
	list := slices.Clone(r.conditions)
	if i := slices.Index(list, "import"); i >= 0 {
		list[i] = "require"
	}
	return list
}
