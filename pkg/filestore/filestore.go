// Package filestore keeps plain files in a folder that several processes read
// and change at the same time.
//
// What it promises between processes. A change happens under one lock of the
// folder, so what f of [Dir.Update] is given is what its result replaces. A
// replaced file is the old one or the new one for whoever reads it, never a
// mixture, also when the writer is killed, the disk is full or the power goes.
// A change is on the disk when the call returns, unless it says [NoSync].
// Waiting for the lock is bounded and ends in [ErrBusy]. A lock dies with its
// holder: a lock file that merely exists means nothing. Reading takes no lock
// and creates nothing. A file that cannot be read is an error, never an empty
// file.
//
// What it does not promise. A transaction over several files is not undone when
// the process dies in the middle of it. The lock binds those who take it: a
// program that writes without it can lose its own change. File locks do not
// hold on network file systems. A replaced file keeps its mode, and its owner
// where the system allows that, but not its hard links and extended attributes.
package filestore

import (
	"io/fs"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/dshkit/dshkit/pkg/fault"
)

// What Options leaves out.
const (
	defaultLock     = ".lock"
	defaultWait     = 5 * time.Second
	defaultMaxBytes = 64 << 20
)

// Options says how a Dir is used. The zero value is a good choice.
type Options struct {
	// LockName is the lock file, relative to the root, with slashes. It is
	// ".lock" when empty. All who share the folder must use the same one.
	LockName string

	// Wait bounds the waiting for the lock, 5 s when zero. The context of a
	// call can bound it further.
	Wait time.Duration

	// MaxBytes bounds what is read of one file, 64 MiB when zero.
	MaxBytes int64

	// Private names folders, relative to the root, for the owner's eyes: what is
	// created there has mode 0600, folders 0700; "." means all. The folder of
	// the lock file is always private. Elsewhere it is 0644 and 0755, less the
	// umask. A file that exists keeps its mode.
	Private []string

	// Confined refuses to change a file that symbolic links lead to outside of the
	// root: for folders that can come with somebody's repository.
	Confined bool
	// Within is the folder that links may not lead out of, when Confined; empty: the
	// root itself.
	Within string

	// ReadOnly makes every change fail as it does on a read-only disk.
	ReadOnly bool

	// DryRun lets every change succeed without writing: later reads through the
	// same Dir see it, and Planned lists it. No lock is taken, nothing created.
	DryRun bool

	// Now is the clock for the waiting time that ErrBusy reports. Without one
	// the bound is reported.
	Now func() time.Time
}

// Dir is a folder of plain files that several processes change. Its methods
// take names relative to the folder, with slashes on every system; a name that
// leads out of it is a fault of kind Usage. A Dir may be used by many goroutines.
type Dir struct {
	root    string
	opts    Options
	private []string
	gate    chan struct{} // of size 1: one goroutine at a time waits for the lock
	plan    *plan         // of a dry run, else nil
}

// Open names a folder. It does no I/O: the folder need not exist, and is
// created by the first change.
func Open(root string, opts Options) *Dir {
	if opts.LockName == "" {
		opts.LockName = defaultLock
	}
	if opts.Wait <= 0 {
		opts.Wait = defaultWait
	}
	if opts.MaxBytes <= 0 {
		opts.MaxBytes = defaultMaxBytes
	}
	d := &Dir{root: filepath.Clean(root), opts: opts, private: opts.Private, gate: make(chan struct{}, 1)}
	if folder := path.Dir(opts.LockName); folder != "." {
		d.private = append(d.private[:len(d.private):len(d.private)], folder)
	}
	if opts.DryRun {
		d.plan = &plan{files: map[string][]byte{}}
	}
	return d
}

// Patient returns the same folder for a caller who waits for the lock no longer
// than wait, and no longer than before.
func (d *Dir) Patient(wait time.Duration) *Dir {
	less := *d
	less.opts.Wait = min(less.opts.Wait, wait)
	return &less
}

// Path returns the path of the named file. It does not check the name.
func (d *Dir) Path(name string) string { return filepath.Join(d.root, filepath.FromSlash(name)) }

// locate returns the path of the named file, or a fault of kind Usage.
func (d *Dir) locate(name string) (string, error) {
	ok := fs.ValidPath(name) && strings.IndexByte(name, 0) < 0
	if local := filepath.FromSlash(name); !ok || !filepath.IsLocal(local) {
		return "", fault.New(fault.Usage, codeBadName, name)
	}
	return d.Path(name), nil
}

// locateFile is locate for a file that is to be changed: the lock file and the
// folder itself are none of these.
func (d *Dir) locateFile(name string) (string, error) {
	if name == d.opts.LockName || name == "." {
		return "", fault.New(fault.Usage, codeBadName, name)
	}
	return d.locate(name)
}

// isPrivate reports whether the named file or folder is for the owner only.
func (d *Dir) isPrivate(name string) bool {
	for _, p := range d.private {
		if p == "." || name == p || strings.HasPrefix(name, p) && name[len(p)] == '/' {
			return true
		}
	}
	return false
}

func (d *Dir) fileMode(name string) fs.FileMode {
	if d.isPrivate(name) {
		return 0o600
	}
	return 0o644
}

func (d *Dir) folderMode(name string) fs.FileMode {
	if d.isPrivate(name) {
		return 0o700
	}
	return 0o755
}
