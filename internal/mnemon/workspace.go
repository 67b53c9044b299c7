// Package mnemon is composable memory for a workspace: which plugins it mounts,
// the turns that are composed of them, and the reads and writes of a turn.
//
// A turn is begun by one process and used by others. Its View is stored once and
// never changed; what happened since is a ledger that only grows; the plugins are
// started anew for each process, from the assembly that the turn was begun with.
// Operations of one turn run one after the other; several turns run at once.
// Code of a plugin runs only after the user of this machine has allowed it.
package mnemon

import (
	"context"
	"path/filepath"
	"sync"
	"time"

	"github.com/dshkit/dshkit/internal/mnemon/approval"
	"github.com/dshkit/dshkit/internal/mnemon/assembly"
	"github.com/dshkit/dshkit/pkg/filestore"
	"github.com/dshkit/dshkit/pkg/jsrun"
)

// The files of a workspace, below Folder.
const (
	Folder       = ".mnemon"
	entriesFile  = "mnemon.yml"
	settingsFile = "settings.json"
	ignoreFile   = ".gitignore"
	pluginFolder = "plugins"
	turnFolder   = "turns"

	approvalsFile = "approvals.json" // in the user's folder
)

// Options are what a Workspace takes from its process.
type Options struct {
	Root    string // the workspace: absolute, without symbolic links
	Current string // the folder that relative paths of the user start from
	Home    string // the user's home; "" when nobody knows
	Memory  string // where Sources keep what no workspace owns; "" means HOME/.mnemon
	State   string // the user's own folder for approvals
	Cache   string // for transpiled plugins; "" means none is kept

	Getenv func(string) string
	Now    func() time.Time
	NewID  func(prefix string) string
	Random func() float64 // at least 0 and less than 1, another each time

	RandomBytes func([]byte)
	NPM         func(ctx context.Context, arguments ...string) error
	Log         func(text string) // what plugins print; nil drops it
	Limits      jsrun.Limits      // of each plugin's realm
	DryRun      bool
}

// Workspace is a project whose memory is composed. Its methods may be called by
// several goroutines.
type Workspace struct {
	Options
	dir   *filestore.Dir // ROOT/.mnemon
	state *filestore.Dir

	modules func() *jsrun.Modules // resolve and digest plugins without running them; made on first need
}

// Open names a workspace. It reads and creates nothing.
func Open(o Options) *Workspace {
	if o.Memory == "" && o.Home != "" {
		o.Memory = filepath.Join(o.Home, Folder)
	}
	if o.Log == nil {
		o.Log = func(string) {}
	}
	w := &Workspace{
		Options: o,
		dir: filestore.Open(filepath.Join(o.Root, Folder), filestore.Options{
			Private: []string{turnFolder, pluginFolder}, Confined: true, Within: o.Root, DryRun: o.DryRun, Now: o.Now,
		}),
		state: filestore.Open(o.State, filestore.Options{Private: []string{"."}, DryRun: o.DryRun, Now: o.Now}),
	}
	w.modules = sync.OnceValue(func() *jsrun.Modules { return w.loader(reach{}, nil, w.Log).Modules() })
	return w
}

// Warning is something odd that stops nobody.
type Warning = assembly.Warning

// Assembly reads the list of Entries. Without the file it is empty.
func (w *Workspace) Assembly() (*assembly.Assembly, error) {
	data, err := w.read(entriesFile)
	if err != nil {
		return nil, err
	}
	a, err := assembly.Parse(data)
	return a, w.damaged(entriesFile, err)
}

func (w *Workspace) approvals() (*approval.Approvals, error) {
	data, err := readOptional(w.state, approvalsFile)
	if err != nil {
		return nil, err
	}
	a, err := approval.Parse(data)
	if err != nil {
		return nil, inFile(w.state.Path(approvalsFile), err)
	}
	return a, nil
}

// allow changes the approvals under their lock.
func (w *Workspace) allow(ctx context.Context, change func(a *approval.Approvals)) error {
	return w.state.Update(ctx, approvalsFile, func(old []byte) ([]byte, error) {
		a, err := approval.Parse(old)
		if err != nil {
			return nil, inFile(w.state.Path(approvalsFile), err)
		}
		change(a)
		return a.Format()
	})
}
