package mnemon

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/dshkit/dshkit/internal/jscache"
	"github.com/dshkit/dshkit/internal/mnemon/approval"
	"github.com/dshkit/dshkit/internal/mnemon/machine"
	"github.com/dshkit/dshkit/internal/mnemon/script"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
	"github.com/dshkit/dshkit/pkg/jsrun"
	"github.com/dshkit/dshkit/pkg/jsrun/node"
)

// dataFolder is where plugins keep what belongs to the workspace; below it lies
// what they take for the system's temporary folder.
const dataFolder, tempFolder = "data", "data/tmp"

// reach is what the plugin of an Entry may touch.
type reach struct {
	code   string            // the folder that its code comes from
	config *jsonvalue.Object // the folders that it names are the plugin's own
	grants []approval.Grant
}

// loader makes realms that reach so far and no farther.
func (w *Workspace) loader(r reach, unhandled func(text string)) *script.Loader {
	host := w.host(r)
	return script.NewLoader(script.Settings{
		Modules: jsrun.ModuleConfig{Host: node.Modules(host), Files: jscache.Disk{}, Cache: w.cache()},
		Run: jsrun.Config{
			Now: w.Now, Random: w.Random, Globals: node.Globals(host),
			Unhandled: func(e *jsrun.Error) { unhandled(e.Message) },
		},
		Natives: script.Natives(),
		Log:     func(_, _ string, err error) { unhandled(err.Error()) },
	})
}

func (w *Workspace) cache() jsrun.Cache {
	if w.Cache == "" {
		return nil
	}
	return jscache.Open(w.Cache, jscache.Config{Now: w.Now})
}

// modules resolves and digests plugins without running them.
func (w *Workspace) modules() *jsrun.Modules { return w.plain() }

// host is the machine as the plugin sees it. What is not granted is not there:
// an error says what is missing.
func (w *Workspace) host(r reach) *node.Host {
	_ = os.MkdirAll(w.dir.Path(tempFolder), 0o700) // without it, a plugin that wants it says so
	return &node.Host{
		Files:       machine.NewFiles(w.folders(r)...),
		Env:         func(name string) (string, bool) { return w.variable(r.grants, name) },
		Environ:     func() []string { return targets(r.grants, approval.Variable) },
		Cwd:         func() string { return w.Root },
		Home:        w.Home,
		Temp:        w.dir.Path(tempFolder),
		Platform:    platform(),
		Arch:        arch(),
		Log:         func(_, text string) { w.Log(text) },
		RandomBytes: w.RandomBytes,
		Now:         w.Now,
	}
}

// folders are those that a plugin may use: to read and write the memory of the
// user and of the workspace, and what the Entry or the user names; to read, its
// own code.
func (w *Workspace) folders(r reach) []machine.Grant {
	folders := []machine.Grant{{Path: w.dir.Path(dataFolder)}}
	if w.Memory != "" {
		folders = append(folders, machine.Grant{Path: w.Memory})
	}
	if r.code != "" {
		folders = append(folders, machine.Grant{Path: r.code, ReadOnly: true})
	}
	for _, text := range textsOf(r.config, nil) {
		if rest, ok := strings.CutPrefix(text, "~/"); ok && w.Home != "" {
			text = filepath.Join(w.Home, rest)
		}
		if filepath.IsAbs(text) {
			folders = append(folders, machine.Grant{Path: filepath.Clean(text)})
		}
	}
	for _, g := range r.grants {
		if g.Kind == approval.ReadFiles || g.Kind == approval.WriteFiles {
			folders = append(folders, machine.Grant{Path: g.Target, ReadOnly: g.Kind == approval.ReadFiles})
		}
	}
	return folders
}

// variable is a variable of the environment that was granted.
func (w *Workspace) variable(grants []approval.Grant, name string) (string, bool) {
	for _, granted := range targets(grants, approval.Variable) {
		if granted == name {
			value := w.Getenv(name)
			return value, value != ""
		}
	}
	return "", false
}

// targets are what the grants of a kind name.
func targets(grants []approval.Grant, kind string) []string {
	names := []string{}
	for _, g := range grants {
		if g.Kind == kind {
			names = append(names, g.Target)
		}
	}
	return names
}

// platform and arch are the system's names in Node.
func platform() string {
	if runtime.GOOS == "windows" {
		return "win32"
	}
	return runtime.GOOS
}

func arch() string {
	if runtime.GOARCH == "amd64" {
		return "x64"
	}
	return runtime.GOARCH
}
