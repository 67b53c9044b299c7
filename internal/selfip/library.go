// Package selfip is memory that carries over from one session of a coding agent
// to the next: the use cases behind the commands and hooks of the same name.
//
// A library is a folder of plain files (spec/selfip.md 2). Every change of one
// happens under its lock, is synced before it is acknowledged, and is written
// down in the library's journal. Reading takes no lock and creates nothing.
// What is derived from the files (catalogs, search indexes) lives under run/ and
// can be deleted at any time.
package selfip

import (
	"errors"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/dshkit/dshkit/internal/selfip/catalog"
	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/pkg/filestore"
)

// FolderName is the folder of a library below its base.
const FolderName = "self-improvement"

// Label tells the two libraries apart in output.
type Label string

// The two labels.
const (
	WorkspaceLabel Label = "workspace"
	GlobalLabel    Label = "global"
)

// Partition is one of the four files that hold entries.
type Partition struct {
	Name string     // "facts", as supersede rows and proposals name it
	File string     // relative to the library
	Kind entry.Kind // of a line that names none
}

// Partitions in the order in which they are read, searched and chosen from.
var Partitions = [...]Partition{
	{"lessons", "memory/lessons.md", entry.Lesson},
	{"facts", "memory/facts.md", entry.Fact},
	{"resources", "memory/resources.md", entry.Resource},
	{"methods", "memory/methods.md", entry.Method},
}

// partitionOf returns the index of the partition in which new entries of a kind
// are stored.
func partitionOf(k entry.Kind) int {
	switch k {
	case entry.Lesson:
		return 0
	case entry.Resource:
		return 2
	case entry.Method:
		return 3
	}
	return 1
}

// Names of the other files of a library. LockFile is the lock that every change of
// a library, or of the settings beside it, takes.
const (
	readmeFile     = "README.md"
	principlesFile = "memory/principles.md"
	hypothesesFile = "memory/hypotheses.md"
	prefetchFile   = "memory/prefetch.md"
	quarantineDir  = "memory/quarantine"
	archiveDir     = "memory/archive"
	playbookDir    = "playbooks"
	proposalDir    = "proposals"
	logDir         = "logs"
	handoffFile    = "logs/handoff-latest.md"
	queueFile      = "logs/pending.md"
	deadFile       = "logs/pending-dead.md"
	journalFile    = "logs/journal.jsonl"
	LockFile       = "run/lock"
	sessionDir     = "run/sessions"
	liveCatalog    = "run/cache/live.catalog"
	archiveCatalog = "run/cache/archive.catalog"
	indexFile      = "run/cache/search.index"
	figuresFile    = "logs/figures.json"
	figuresLog     = "logs/figures.jsonl"
)

// Library is one library on disk.
type Library struct {
	Label Label
	Root  string // absolute, ends in self-improvement
	dir   *filestore.Dir

	releases *Releases // texts that are shown although a detector fires on them; nil: none
}

// OpenLibrary names the library below base. It does no I/O.
func OpenLibrary(label Label, base string, wait time.Duration, dryRun bool) *Library {
	root := filepath.Join(base, FolderName)
	return &Library{Label: label, Root: root, dir: filestore.Open(root, filestore.Options{
		LockName: LockFile, Wait: wait, DryRun: dryRun, Confined: true,
	})}
}

// Path returns the absolute path of a file of the library.
func (l *Library) Path(name string) string { return filepath.Join(l.Root, filepath.FromSlash(name)) }

// read returns the bytes of a file, nil when it does not exist.
func (l *Library) read(name string) ([]byte, error) {
	data, err := l.dir.Read(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return data, err
}

// Sizes of sources that are no files.
const (
	missing    = -1
	unreadable = -2
)

// source returns the identity of a file.
func (l *Library) source(name string) catalog.Source {
	info, err := l.dir.Stat(name)
	switch {
	case isMissing(err):
		return catalog.Source{Name: name, Size: missing, Clean: true}
	case err != nil:
		return catalog.Source{Name: name, Size: unreadable}
	}
	return sourceOf(name, info)
}

func sourceOf(name string, info filestore.Info) catalog.Source {
	return catalog.Source{Name: name, Size: info.Size, ModTime: info.ModTime, Inode: info.Inode}
}
