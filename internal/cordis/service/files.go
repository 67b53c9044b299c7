package service

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/dshkit/dshkit/internal/cordis/grant"
)

// files are those of the workspace that grants cover.
//
// A path is followed step by step to where it leads, looking at the disk only
// where the user has granted something. What comes out is opened once more from
// the top, folder by folder and without following any link, so that a link that
// somebody puts in the way meanwhile is found and refused.
type files struct {
	root   string
	never  []string
	grants func() grant.List

	writing sync.Mutex // one change at a time, so that what was compared still holds
}

func newFiles(settings Settings) *files {
	never := append([]string{filepath.Join(settings.Workspace, ".cordis")}, settings.Private...)
	return &files{root: settings.Workspace, never: never, grants: settings.granted}
}

func (s Settings) granted() grant.List {
	if s.Grants == nil {
		return nil
	}
	return s.Grants()
}

const maxLinks = 40

// absolute is a path as it was given, from the root or another folder.
func (f *files) absolute(path, cwd string) string {
	if !filepath.IsAbs(path) {
		if !filepath.IsAbs(cwd) {
			cwd = filepath.Join(f.root, cwd)
		}
		path = cwd + string(filepath.Separator) + path
	}
	return path
}

// follow is where a path leads, as far as grants let us look. last says that a
// link at the end is followed too. What is not there stays as it is.
func (f *files) follow(path string, last bool) (string, error) {
	grants := f.grants()
	volume := filepath.VolumeName(path) + string(filepath.Separator)
	at, todo := volume, steps(path[len(volume)-1:])
	for links := 0; len(todo) > 0; {
		step := todo[0]
		todo = todo[1:]
		if step == ".." {
			at = filepath.Dir(at)
			continue
		}
		at = filepath.Join(at, step)
		if !last && len(todo) == 0 || !grants.Path(false, at) || f.private(at) {
			continue
		}
		target, err := os.Readlink(at)
		if err != nil {
			continue // no link, or not there: opening will tell
		}
		if links++; links > maxLinks {
			return "", problem("ELOOP", "too many links: "+f.shown(path))
		}
		if filepath.IsAbs(target) {
			at, target = volume, target[len(filepath.VolumeName(target)):]
		} else {
			at = filepath.Dir(at)
		}
		todo = append(steps(target), todo...)
	}
	return at, nil
}

func steps(path string) []string {
	return slices.DeleteFunc(strings.FieldsFunc(path, func(r rune) bool { return r < 128 && os.IsPathSeparator(uint8(r)) }),
		func(s string) bool { return s == "." })
}

// private says whether a path is in a folder that no grant covers. Letters count
// as the same in both cases, as some disks have it.
func (f *files) private(path string) bool {
	path = strings.ToLower(path)
	return slices.ContainsFunc(f.never, func(never string) bool { return grant.Below(strings.ToLower(never), path) })
}

// shown is a path as users of the workspace know it.
func (f *files) shown(path string) string {
	rel, err := filepath.Rel(f.root, path)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return path
	}
	return filepath.ToSlash(rel)
}

// allowed refuses a path that no grant covers.
func (f *files) allowed(c *call, path string, write bool) error {
	verb, kind := "read", grant.ReadFiles
	if write {
		verb, kind = "write", grant.WriteFiles
	}
	denied := &grant.Denied{PluginID: c.caller.PluginID, Want: verb + " " + f.shown(path), Root: f.root}
	switch {
	case f.private(path):
		denied.Note = "no grant ever covers this folder"
		return denied
	case f.grants().Path(write, path):
		return nil
	}
	denied.Grant = grant.Grant{Kind: kind, Target: f.advised(path)}
	return denied
}

// advised is what to grant for a path: the folder that it is in, or itself where
// that would be all of the workspace.
func (f *files) advised(path string) string {
	dir := filepath.Dir(path)
	if dir == f.root || !grant.Below(f.root, dir) || grant.Below(path, f.root) {
		return path
	}
	return dir
}

// spot is a place in a folder that is open.
type spot struct {
	dir  *os.Root
	name string // in dir; "." is dir itself
	path string
}

func (s spot) close() { _ = s.dir.Close() }

// open opens the folder that a path is in, without following links. It checks
// that a grant covers the path first. makeDirs makes folders that are missing.
func (f *files) open(c *call, path string, write, makeDirs bool) (spot, error) {
	if err := f.allowed(c, path, write); err != nil {
		return spot{}, err
	}
	base, rel := f.base(path, write)
	dir, err := os.OpenRoot(base)
	if err != nil {
		return spot{}, about(f.shown(path), err)
	}
	if rel == "." {
		return spot{dir, ".", path}, nil
	}
	names := strings.Split(rel, string(filepath.Separator))
	for _, name := range names[:len(names)-1] {
		next, err := f.enter(dir, name, makeDirs)
		_ = dir.Close()
		if err != nil {
			return spot{}, about(f.shown(path), err)
		}
		dir = next
	}
	return spot{dir, names[len(names)-1], path}, nil
}

// base is a folder that is trusted not to be moved, and the rest of the path: the
// workspace; outside of it what holds the granted path.
func (f *files) base(path string, write bool) (base, rel string) {
	base = f.root
	if !grant.Below(f.root, path) {
		base = filepath.Dir(f.grants().Folder(write, path))
	}
	rel, err := filepath.Rel(base, path)
	if err != nil {
		return base, filepath.Base(path)
	}
	return base, rel
}

// enter opens a folder in a folder: a real one, which is not private.
func (f *files) enter(dir *os.Root, name string, makeDirs bool) (*os.Root, error) {
	info, err := dir.Lstat(name)
	if makeDirs && os.IsNotExist(err) {
		if err = dir.Mkdir(name, 0o777); err == nil || os.IsExist(err) {
			info, err = dir.Lstat(name)
		}
	}
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, notFolder(info)
	}
	next, err := dir.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	if opened, err := next.Stat("."); err != nil || !os.SameFile(info, opened) || f.isPrivate(opened) {
		_ = next.Close()
		return nil, errMoved
	}
	return next, nil
}

// isPrivate knows private folders by what they are, however they are spelled.
func (f *files) isPrivate(info fs.FileInfo) bool {
	return slices.ContainsFunc(f.never, func(path string) bool {
		never, err := os.Lstat(path)
		return err == nil && os.SameFile(never, info)
	})
}

func notFolder(info fs.FileInfo) error {
	if info.Mode()&fs.ModeSymlink != 0 {
		return errMoved
	}
	return problem("ENOTDIR", "not a directory")
}

var errMoved = problem("ELOOP", "the path was changed while it was followed")

// file opens the file of a spot for reading: a regular one, and the one that was
// looked at.
func (s spot) file() (*os.File, fs.FileInfo, error) {
	info, err := s.dir.Lstat(s.name)
	if err != nil {
		return nil, nil, err
	}
	if err := regular(info); err != nil {
		return nil, nil, err
	}
	file, err := s.dir.OpenFile(s.name, os.O_RDONLY|openNonblock, 0)
	if err != nil {
		return nil, nil, err
	}
	opened, err := file.Stat()
	if err == nil && !os.SameFile(info, opened) {
		err = errMoved
	}
	if err == nil {
		err = regular(opened)
	}
	if err != nil {
		_ = file.Close()
		return nil, nil, err
	}
	return file, opened, nil
}

func regular(info fs.FileInfo) error {
	switch mode := info.Mode(); {
	case mode.IsRegular():
		return nil
	case mode.IsDir():
		return problem("EISDIR", "is a directory")
	case mode&fs.ModeSymlink != 0:
		return errMoved
	}
	return problem("ENXIO", "neither a file nor a directory")
}
