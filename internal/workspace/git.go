package workspace

import (
	"io"
	"os"
	"path/filepath"
	"strings"
)

// checkout reports whether dir is the top of a git checkout, and which folder
// stands for the project: dir, or the main checkout of the repository when dir
// is a linked worktree and main is true. The top of a submodule is not the top
// of a checkout: it belongs to the one around it.
func checkout(dir string, main bool) (top string, ok bool) {
	git := filepath.Join(dir, ".git")
	info, err := os.Stat(git)
	if err != nil {
		return "", false
	}
	if info.IsDir() {
		_, err := os.Stat(filepath.Join(git, "HEAD"))
		return dir, err == nil // git, too, wants more than a folder of that name
	}
	gitDir := pointer(git, "gitdir: ")
	if gitDir == "" {
		return "", false
	}
	common := pointer(filepath.Join(gitDir, "commondir"), "")
	if common == "" { // no linked worktree
		return dir, !isSubmodule(gitDir)
	}
	if shared := sharedCheckout(git, gitDir, common); main && shared != "" {
		return shared, true
	}
	return dir, true
}

// isSubmodule reports whether a git directory is that of a submodule:
// .git/modules/NAME of the repository around it, or of a worktree of that.
func isSubmodule(gitDir string) bool {
	slashed := filepath.ToSlash(gitDir)
	_, inside, found := strings.Cut(slashed, "/.git/")
	return found && strings.Contains("/"+inside, "/modules/")
}

// sharedCheckout returns the folder that all worktrees of a repository share,
// "" when there is none. git is the .git file of a worktree, gitDir where it
// points, common the git directory of the repository. That must point back: a
// .git file that came with somebody's archive must not lead into the memory of
// another project.
func sharedCheckout(git, gitDir, common string) string {
	back := pointer(filepath.Join(gitDir, "gitdir"), "")
	if back == "" || !sameFile(back, git) {
		return ""
	}
	parent := filepath.Dir(common)
	if filepath.Base(common) == ".git" {
		return parent
	}
	if before, _, ok := strings.Cut(filepath.ToSlash(common), "/.git/modules/"); ok {
		return filepath.FromSlash(before) // a worktree of a submodule
	}
	if sameFile(pointer(filepath.Join(parent, ".git"), "gitdir: "), common) {
		return parent // a bare repository kept beside its worktrees
	}
	return ""
}

// pointer reads a file of git that holds one path, after a prefix. The path is
// returned absolute and without symbolic links; "" when there is none.
func pointer(file, prefix string) string {
	if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() {
		return "" // a pipe would be waited for
	}
	f, err := os.Open(file)
	if err != nil {
		return ""
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, 8<<10))
	if err != nil {
		return ""
	}
	path, ok := strings.CutPrefix(strings.TrimRight(string(text), "\r\n"), prefix)
	if !ok || path == "" {
		return ""
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(file), path)
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return ""
	}
	return real
}

func sameFile(a, b string) bool {
	if a == "" || b == "" {
		return false
	}
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}
