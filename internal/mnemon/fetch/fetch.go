// Package fetch brings plugin packages to where a workspace loads them from: a
// folder stays where it is, an archive or an npm package is installed by the npm
// client of the user, without running any script of a package.
package fetch

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/dshkit/dshkit/pkg/fault"
)

// The codes of this package, each with its English sentence.
const (
	codeNoFolder  = "plugin-no-folder"  // %q: no such folder or archive
	codeNoPackage = "plugin-no-package" // %q has no package.json with a name
	codeInstall   = "plugin-install"    // %q could not be installed
)

// Options say where packages go and how npm is run.
type Options struct {
	Root    string // the workspace
	Folder  string // where npm installs: FOLDER/node_modules
	Current string // the folder that a relative path of the user starts from
	NPM     func(ctx context.Context, arguments ...string) error
}

// Fetched is a plugin that is where it can be loaded from.
type Fetched struct {
	Name        string // what the Entry names: a package, or a path
	PackageName string // of its package.json; "" when it has none
	Version     string
	Folder      string // where it is
}

// Fetch brings what spec names. An error is a fault.
func Fetch(ctx context.Context, spec string, o Options) (Fetched, error) {
	path, local := localPath(spec, o.Current)
	if !local {
		return o.install(ctx, spec)
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Fetched{}, fault.New(fault.NotFound, codeNoFolder, spec)
	case err != nil:
		return Fetched{}, fault.New(fault.Failed, codeNoFolder, spec).Because(err)
	case isArchive(path) && !info.IsDir():
		return o.install(ctx, path)
	}
	return o.folder(path, info.IsDir())
}

// localPath tells a path from the name of a package: it starts like one, or is
// an archive.
func localPath(spec, current string) (string, bool) {
	if !strings.HasPrefix(spec, ".") && !filepath.IsAbs(spec) && !isArchive(spec) {
		return "", false
	}
	if !filepath.IsAbs(spec) {
		spec = filepath.Join(current, spec)
	}
	return filepath.Clean(spec), true
}

func isArchive(path string) bool {
	return strings.HasSuffix(path, ".tgz") || strings.HasSuffix(path, ".tar.gz")
}

// folder names a folder, or a single file, as the workspace will: relative when
// it is inside, so that the workspace can move.
func (o Options) folder(path string, isFolder bool) (Fetched, error) {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return Fetched{}, fault.New(fault.Failed, codeNoFolder, path).Because(err)
	}
	got := Fetched{Name: real, Folder: real}
	if !isFolder {
		got.Folder = filepath.Dir(real)
	}
	if inside, err := filepath.Rel(o.Root, real); err == nil && inside != ".." && !strings.HasPrefix(inside, ".."+string(filepath.Separator)) {
		got.Name = "./" + filepath.ToSlash(inside)
	}
	if isFolder {
		if p, err := readPackage(real); err == nil {
			got.PackageName, got.Version = p.Name, p.Version
		}
	}
	return got, nil
}

// install runs npm, then brings the other plugin packages that the new one
// stands on: npm leaves peers out, because their own peers are a whole harness.
func (o Options) install(ctx context.Context, spec string) (Fetched, error) {
	before, err := o.installed()
	if err != nil {
		return Fetched{}, err
	}
	if err := o.npm(ctx, spec); err != nil {
		return Fetched{}, err
	}
	name, err := o.added(before, spec)
	if err != nil {
		return Fetched{}, err
	}
	if err := o.peers(ctx, name, map[string]bool{name: true}); err != nil {
		return Fetched{}, err
	}
	dir := o.packageFolder(name)
	p, err := readPackage(dir)
	if err != nil {
		return Fetched{}, fault.New(fault.Failed, codeNoPackage, name).Because(err)
	}
	return Fetched{Name: name, PackageName: p.Name, Version: p.Version, Folder: dir}, nil
}

// Missing lists those of the packages that are not installed.
func Missing(names []string, o Options) []string {
	missing := []string{}
	for _, name := range names {
		if _, err := readPackage(o.packageFolder(name)); err != nil && !slices.Contains(missing, name) {
			missing = append(missing, name)
		}
	}
	return missing
}

// Complete installs the packages that are not there: in the versions that the
// lock file of the folder pins, if it names them, else the latest.
func Complete(ctx context.Context, names []string, o Options) error {
	missing := Missing(names, o)
	if len(missing) == 0 {
		return nil
	}
	pinned, err := o.installed()
	if err != nil {
		return err
	}
	if len(Missing(slices.Collect(maps.Keys(pinned)), o)) > 0 {
		if err := o.npm(ctx); err != nil {
			return err
		}
	}
	for _, name := range Missing(missing, o) {
		if _, err := o.install(ctx, name); err != nil {
			return err
		}
	}
	return nil
}

// npm installs what specs name; without any, what the folder's own package.json
// does.
func (o Options) npm(ctx context.Context, specs ...string) error {
	what := append(specs, o.Folder)[0]
	if err := os.MkdirAll(o.Folder, 0o700); err != nil {
		return fault.New(fault.Failed, codeInstall, what).Because(err)
	}
	arguments := append([]string{
		"install", "--prefix", o.Folder, "--ignore-scripts", "--legacy-peer-deps",
		"--no-audit", "--no-fund", "--save-exact", "--loglevel=error", "--",
	}, specs...)
	if err := o.NPM(ctx, arguments...); err != nil {
		return fault.New(fault.Failed, codeInstall, what).Because(err)
	}
	return nil
}

// peers installs the plugin packages that name needs and that are not there.
func (o Options) peers(ctx context.Context, name string, seen map[string]bool) error {
	p, err := readPackage(o.packageFolder(name))
	if err != nil {
		return fault.New(fault.Failed, codeNoPackage, name).Because(err)
	}
	for _, peer := range p.pluginPeers() {
		if seen[peer] {
			continue
		}
		seen[peer] = true
		if _, err := readPackage(o.packageFolder(peer)); err != nil {
			if err := o.npm(ctx, peer+"@"+p.Peers[peer]); err != nil {
				return err
			}
		}
		if err := o.peers(ctx, peer, seen); err != nil {
			return err
		}
	}
	return nil
}

func (o Options) packageFolder(name string) string {
	return filepath.Join(o.Folder, "node_modules", filepath.FromSlash(name))
}

// manifest is what we read of a package.json.
type manifest struct {
	Name         string            `json:"name"`
	Version      string            `json:"version"`
	Dependencies map[string]string `json:"dependencies"`
	Peers        map[string]string `json:"peerDependencies"`
	Exports      json.RawMessage   `json:"exports"`
}

// pluginPeers lists the peers that are plugin packages: not the harness, whose
// part we play, and not what only its pages need.
func (m manifest) pluginPeers() []string {
	var names []string
	for name := range m.Peers {
		if strings.HasPrefix(name, "dsh-mnemon-") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// Exporting returns the name of the package in a folder that says with exports
// what it gives.
func Exporting(folder string) (name string, ok bool) {
	m, err := readPackage(folder)
	return m.Name, err == nil && len(m.Exports) > 0
}

func readPackage(dir string) (manifest, error) {
	var m manifest
	data, err := os.ReadFile(filepath.Join(dir, "package.json"))
	if err != nil {
		return m, err
	}
	if err := json.Unmarshal(data, &m); err != nil {
		return m, err
	}
	if m.Name == "" {
		return m, fault.New(fault.Damaged, codeNoPackage, dir)
	}
	return m, nil
}

// installed returns what npm has been asked for so far.
func (o Options) installed() (map[string]string, error) {
	data, err := os.ReadFile(filepath.Join(o.Folder, "package.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var m manifest
	if err == nil {
		err = json.Unmarshal(data, &m)
	}
	if err != nil {
		return nil, fault.New(fault.Damaged, codeNoPackage, o.Folder).Because(err)
	}
	return m.Dependencies, nil
}

// added finds the name of what was just installed: the one that is new, else the
// one whose version changed, else the one that the spec names.
func (o Options) added(before map[string]string, spec string) (string, error) {
	after, err := o.installed()
	if err != nil {
		return "", err
	}
	var changed []string
	for name, version := range after {
		if before[name] != version {
			changed = append(changed, name)
		}
	}
	if len(changed) == 1 {
		return changed[0], nil
	}
	if name := nameOf(spec); after[name] != "" {
		return name, nil
	}
	return "", fault.New(fault.Failed, codeInstall, spec)
}

// nameOf cuts the version from the spec of a package.
func nameOf(spec string) string {
	if i := strings.LastIndex(spec, "@"); i > 0 {
		return spec[:i]
	}
	return spec
}
