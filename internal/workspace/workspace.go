// Package workspace finds the project that a folder belongs to, so that reading
// and writing, a subdirectory, a symbolic link and a git worktree all meet the
// same memory (design/product.md 5; spec/harness-hooks.md 25, item 7).
//
// It looks at the disk and changes nothing there. It reads git's files itself:
// starting git would cost a hook more than everything else it does.
package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/dshkit/dshkit/pkg/fault"
)

// The codes of this package, each with its English sentence.
const (
	codeMissing   = "workspace-missing"    // the workspace folder %q does not exist
	codeLoop      = "workspace-loop"       // the workspace folder %q is a loop of symbolic links
	codeNotFolder = "workspace-not-folder" // the workspace %q is not a folder
	codeUnusable  = "workspace-unusable"   // the workspace folder %q cannot be used
	codeNeeded    = "workspace-needed"     // %q is no workspace, so nothing is written there
)

// The values of Note.
const (
	NoteHome = "workspace-is-home" // %q is the home directory or above it and counts as a workspace only when named with -C
	NoteRoot = "workspace-is-root" // %q is the root of the file system and counts as a workspace only when named with -C
)

// Options says how to look.
type Options struct {
	Mark         string // the folder that makes its parent a workspace: self-improvement, .mnemon
	Explicit     bool   // the user named the folder: it may be the home directory or /
	Home         string // the user's home directory; "" when unknown
	MainCheckout bool   // a git worktree stands for the repository's main checkout
}

// Workspace is what was found. The zero Workspace is none.
type Workspace struct {
	Root  string // absolute, without symbolic links; "" when there is none
	Start string // where the search began, in the same form
	Note  string // why there is no root: NoteHome, NoteRoot; else ""
}

// ForWriting returns the root, or a fault of kind Refused when there is none:
// what would be written there would mix the memories of all projects.
func (w Workspace) ForWriting() (string, error) {
	if w.Root == "" {
		return "", fault.New(fault.Refused, codeNeeded, w.Start)
	}
	return w.Root, nil
}

// Resolve finds the workspace of an absolute folder: the nearest one upward
// that has the folder Mark, else the top of the git checkout, else
// the folder itself. The search does not leave a git checkout (that of a
// submodule belongs to the one around it) and ends below the home directory.
// The errors are faults: NotFound, Usage when start is a file, Failed.
func Resolve(start string, opt Options) (Workspace, error) {
	real, err := realFolder(start)
	if err != nil {
		return Workspace{}, err
	}
	opt.Home = realHome(opt.Home)
	w := Workspace{Start: real}
	if w.Note = accidental(real, opt.Home); w.Note != "" && !opt.Explicit {
		return w, nil
	}
	if w.Note != "" { // the user said so: this folder and no other
		return Workspace{Root: real, Start: real}, nil
	}
	w.Root = search(real, opt)
	return w, nil
}

// search walks upward from a folder that may be a workspace.
func search(start string, opt Options) string {
	for dir := start; accidental(dir, opt.Home) == ""; dir = filepath.Dir(dir) {
		if isDir(filepath.Join(dir, opt.Mark)) {
			return dir
		}
		if top, ok := checkout(dir, opt.MainCheckout); ok {
			if accidental(top, opt.Home) != "" {
				return dir
			}
			return top
		}
	}
	return start
}

// accidental returns why dir is no workspace unless the user names it: it is the
// root of the file system, or the home directory or a folder above that.
func accidental(dir, home string) string {
	if filepath.Dir(dir) == dir {
		return NoteRoot
	}
	for h := home; h != ""; h = filepath.Dir(h) {
		if dir == h {
			return NoteHome
		}
		if filepath.Dir(h) == h {
			break
		}
	}
	return ""
}

// realFolder returns the folder without symbolic links.
func realFolder(start string) (string, error) {
	real, err := "", error(nil)
	if !filepath.IsAbs(start) {
		return "", fault.New(fault.NotFound, codeMissing, start)
	}
	info, err := os.Stat(start)
	if err == nil && !info.IsDir() {
		return "", fault.New(fault.Usage, codeNotFolder, start)
	}
	if err == nil {
		real, err = filepath.EvalSymlinks(start)
	}
	switch {
	case err == nil:
		return real, nil
	case errors.Is(err, fs.ErrNotExist):
		return "", fault.New(fault.NotFound, codeMissing, start)
	case errors.Is(err, syscall.ELOOP):
		return "", fault.New(fault.NotFound, codeLoop, start)
	case errors.Is(err, syscall.ENOTDIR):
		return "", fault.New(fault.Usage, codeNotFolder, start)
	}
	return "", fault.New(fault.Failed, codeUnusable, start).Because(err)
}

func realHome(home string) string {
	if home == "" {
		return ""
	}
	if real, err := filepath.EvalSymlinks(home); err == nil {
		return real
	}
	return filepath.Clean(home)
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
