package mnemon

import (
	"runtime"

	"github.com/dshkit/dshkit/internal/jscache"
	"github.com/dshkit/dshkit/internal/mnemon/machine"
	"github.com/dshkit/dshkit/internal/mnemon/script"
	"github.com/dshkit/dshkit/pkg/jsrun"
	"github.com/dshkit/dshkit/pkg/jsrun/node"
)

// dataFolder is where plugins keep what belongs to the workspace; below it lies
// what they take for the system's temporary folder.
const dataFolder, tempFolder = "data", "data/tmp"

// loader makes realms that reach so far and no farther. They share with like what
// was parsed, which holds nothing that was granted.
func (w *Workspace) loader(r reach, like *jsrun.Modules, unhandled func(text string)) *script.Loader {
	settings := w.realms(w.host(r), unhandled)
	settings.Modules.Like = like
	if r.code != "" {
		settings.Modules.Files = codeFiles{folder: r.code, folders: w.folders(r)}
	}
	return script.NewLoader(settings)
}

// realms are the settings of realms whose scripts see host.
func (w *Workspace) realms(host *node.Host, unhandled func(text string)) script.Settings {
	return script.Settings{
		Modules: jsrun.ModuleConfig{Host: node.Modules(host), Files: jscache.Disk{}, Cache: w.cache()},
		Run: jsrun.Config{
			Now: w.Now, Random: w.Random, Globals: node.Globals(host), Limits: w.Limits,
			Unhandled: func(e *jsrun.Error) { unhandled(e.Message) },
		},
		Natives: script.Natives(),
		Log:     func(_, _ string, err error) { unhandled(err.Error()) },
	}
}

func (w *Workspace) cache() jsrun.Cache {
	if w.Cache == "" {
		return nil
	}
	return jscache.Open(w.Cache, jscache.Config{Now: w.Now})
}

// host is the machine as the plugin sees it. What is not granted is not there:
// an error says what is missing.
func (w *Workspace) host(r reach) *node.Host {
	return &node.Host{
		Files:       machine.NewFiles(w.folders(r)...),
		Processes:   w.processes(r),
		Network:     w.network(r),
		Env:         func(name string) (string, bool) { return w.variable(r, name) },
		Environ:     r.visible,
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
