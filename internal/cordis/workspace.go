// Package cordis is the use cases of the commands: it starts the host process of
// a workspace and finds it again, serves it, and runs or checks one Host half
// without a host.
//
// It promises that a workspace has one host at a time, and that nothing of a host
// outlives it. The host itself is in package host, the socket in control; here
// they are joined with files, processes and services.
package cordis

import (
	"context"
	"time"

	"github.com/dshkit/dshkit/internal/cordis/control"
	"github.com/dshkit/dshkit/pkg/filestore"
)

// Folder is the folder that makes its parent a workspace of cordis.
const Folder = control.Folder

// Options are what a Workspace takes from its process.
type Options struct {
	Root     string                 // of the workspace, its real path
	State    string                 // the user's own folder; "" when there is none
	Program  func() (string, error) // the path of this program, which hosts and halves are
	Version  string
	Language string // of the texts for models: "en" or "zh-CN"
	Environ  []string
	Now      func() time.Time
	Random   func() float64
	Explain  func(error) string // puts an error into words
	DryRun   bool
}

// Workspace is one folder with the host that it has or can have.
type Workspace struct {
	opts  Options
	place control.Place
}

// Open names the workspace. It does no I/O.
func Open(o Options) *Workspace { return &Workspace{o, control.At(o.Root)} }

// Root is the path of the workspace.
func (w *Workspace) Root() string { return w.opts.Root }

// Path is the path of a file in the folder of the host.
func (w *Workspace) Path(name string) string { return w.place.Path(name) }

// files are those of .cordis, for the owner's eyes, never through links.
func (w *Workspace) files() *filestore.Dir {
	return filestore.Open(w.place.Dir, filestore.Options{Private: []string{"."}, Confined: true, MaxBytes: maxFile, DryRun: w.opts.DryRun})
}

// maxFile bounds what is read of a log or a journal.
const maxFile = 64 << 20

// Connect connects with the host that runs. Without one the error is a fault of
// the kind NoHost.
func (w *Workspace) Connect(ctx context.Context, role control.Role, handlers control.Handlers) (*control.Conn, control.HelloResult, error) {
	return w.place.Dial(ctx, control.Hello{Role: role, Name: "cordis", Version: w.opts.Version, Language: w.opts.Language}, handlers)
}
