package jsrun

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// metafile is what is read of esbuild's account of a build.
type metafile struct {
	Inputs map[string]struct {
		Format  string `json:"format"`
		Imports []struct {
			Path     string `json:"path"`
			Original string `json:"original"`
			External bool   `json:"external"`
		} `json:"imports"`
	} `json:"inputs"`
}

// strict says whether all of the text may be strict, as ES modules are. One
// CommonJS file among them that does not say so makes the bundle sloppy.
func (f metafile) strict(declared map[string]bool) bool {
	for name, input := range f.Inputs {
		if input.Format != "esm" && !declared[name] && filepath.Ext(name) != ".json" {
			return false
		}
	}
	return true
}

// record is what is remembered of a build: enough to see, without esbuild,
// whether it would make the same text again.
type record struct {
	Entry string   `json:"entry"`
	ESM   bool     `json:"esm"`
	Paths []string `json:"paths"` // sorted; all that was read, and what decided by not being there
	// Sources are the names in the source map, and Owners the inputs that brought
	// those which are not inputs themselves.
	Sources []string          `json:"sources"`
	Owners  map[string]string `json:"owners,omitempty"`
}

// decisive lists the files whose bytes, or whose absence, decided the build: the
// inputs, the package.json and tsconfig.json around them, source maps beside
// them, and the places where a package would have been found sooner.
func (m *Modules) decisive(meta metafile) []string {
	seen := map[string]bool{} // and whether it is there, as far as that was asked
	for name, input := range meta.Inputs {
		seen[name] = true
		m.addAround(seen, filepath.Dir(name))
		m.addMap(seen, name)
		for _, imported := range input.Imports {
			if pkg, _, ok := splitName(imported.Original); ok && !imported.External && !filepath.IsAbs(imported.Original) {
				m.addSooner(seen, filepath.Dir(name), pkg, imported.Path)
			}
		}
	}
	var paths []string
	for path := range seen {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	return paths
}

// addAround adds the nearest package.json and tsconfig.json, and those that would
// be nearer.
func (m *Modules) addAround(seen map[string]bool, dir string) {
	for dir := range upwards(dir) {
		if file := filepath.Join(dir, "package.json"); filepath.Base(dir) == "node_modules" || m.note(seen, file) {
			break
		}
	}
	for dir := range upwards(dir) {
		if filepath.Base(dir) == "node_modules" || m.addTsconfig(seen, filepath.Join(dir, "tsconfig.json")) {
			break
		}
	}
}

// note adds a file, be it there or not, and says which.
func (m *Modules) note(seen map[string]bool, file string) bool {
	there, known := seen[file]
	if !known {
		_, err := m.config.Files.ReadFile(file)
		there = err == nil
		seen[file] = there
	}
	return there
}

// addTsconfig adds the file and those that it extends.
func (m *Modules) addTsconfig(seen map[string]bool, file string) bool {
	if there, known := seen[file]; known {
		return there
	}
	if !m.note(seen, file) {
		return false
	}
	text, err := m.config.Files.ReadFile(file)
	if err != nil {
		return false
	}
	_, rest, _ := bytes.Cut(text, []byte(`"extends"`))
	value, _, _ := bytes.Cut(rest, []byte("\n"))
	for i, part := range strings.Split(string(value), `"`) {
		if i%2 == 1 && strings.HasPrefix(part, ".") {
			m.addTsconfig(seen, filepath.Join(filepath.Dir(file), strings.TrimSuffix(part, ".json")+".json"))
		}
	}
	return true
}

// addMap adds the source map that a file names at its end.
func (m *Modules) addMap(seen map[string]bool, file string) {
	text, err := m.config.Files.ReadFile(file)
	if err != nil {
		return
	}
	at := bytes.LastIndex(text, []byte("sourceMappingURL="))
	if at < 0 {
		return
	}
	name, _, _ := strings.Cut(string(text[at+len("sourceMappingURL="):]), "\n")
	if name = strings.TrimSpace(name); name != "" && !strings.Contains(name, ":") {
		seen[filepath.Join(filepath.Dir(file), filepath.FromSlash(name))] = true
	}
}

// addSooner adds the package.json of each folder that was looked into before the
// package was found.
func (m *Modules) addSooner(seen map[string]bool, importer, name, found string) {
	for _, dir := range m.find.folders(importer) {
		candidate := filepath.Join(dir, filepath.FromSlash(name))
		m.note(seen, filepath.Join(candidate, "package.json"))
		if strings.HasPrefix(found, candidate+string(filepath.Separator)) {
			return
		}
	}
}

// hash reads the files again and gives the content address of the text that a
// build makes of them, and that of the files alone, wherever they lie. Times of
// files are not trusted. Of what esbuild was handed, known has the sums.
func (m *Modules) hash(r *record, known map[string]string) (key, digest string) {
	text, files := sha256.New(), sha256.New()
	text.Write(m.switches(r.Entry))
	base := filepath.Dir(r.Entry)
	for _, path := range r.Paths {
		sum, ok := known[path]
		if !ok {
			sum = m.sum(path)
		}
		fmt.Fprintf(text, "%q %s\n", path, sum)
		if rel, err := filepath.Rel(base, path); err == nil && sum != absent {
			fmt.Fprintf(files, "%q %s\n", filepath.ToSlash(rel), sum)
		}
	}
	return hex.EncodeToString(text.Sum(nil)), hex.EncodeToString(files.Sum(nil))
}

// absent stands for the sum of a file that is not there.
const absent = "absent"

func (m *Modules) sum(path string) string {
	content, err := m.config.Files.ReadFile(path)
	if err != nil {
		return absent
	}
	return digestOf(content)
}

// switches is all but files that decides what esbuild makes of an entry.
func (m *Modules) switches(entry string) []byte {
	b, err := json.Marshal([]any{recipe, EsbuildVersion, lacking(), m.config.Conditions, m.config.Fallback, m.hostNames(), entry})
	if err != nil {
		panic(err) // strings only
	}
	return append(b, '\n')
}

func (m *Modules) hostNames() []string {
	var names []string
	for name := range m.host {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func digestOf(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}
