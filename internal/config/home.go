package config

import (
	"path/filepath"
	"runtime"
	"strings"
)

// findHome finds the home of the harness, the two config.json and the default
// of globalDir (spec/selfip.md 6.2).
func (l *loader) findHome() {
	l.out.Home = l.harnessHome()
	if l.in.Workspace != "" {
		l.out.WorkspaceConfig = filepath.Join(l.in.Workspace, "self-improvement", "config.json")
	}
	if l.out.Home == "" {
		l.warn(codeNoHome)
		return
	}
	l.out.GlobalDir = filepath.Join(l.out.Home, "self-improvement")
	l.out.HomeConfig = filepath.Join(l.out.GlobalDir, "config.json")
}

// harnessHome returns DSH_HOME, else .dsh in the user's home. The original
// joined the latter with a backslash on every system; a folder that it made so
// is used when there is no other (29, W35).
func (l *loader) harnessHome() string {
	if dir := strings.TrimSpace(l.in.Getenv("DSH_HOME")); dir != "" {
		if filepath.IsAbs(dir) {
			return filepath.Clean(dir)
		}
		l.warn(warnHomePath, dir)
	}
	if l.in.Home == "" {
		return ""
	}
	dir, old := filepath.Join(l.in.Home, ".dsh"), l.in.Home+`\.dsh`
	if runtime.GOOS != "windows" && !l.isDir(dir) && l.isDir(old) {
		l.warn(warnBackslash, old, dir)
		return old
	}
	return dir
}

func (l *loader) isDir(path string) bool { return l.in.IsDir != nil && l.in.IsDir(path) }

// folder makes a folder as written an absolute one, or warns and returns "".
func (l *loader) folder(where, base, written string) string {
	dir := l.expand(where, written)
	switch {
	case dir == "":
		l.warn(warnBadValue, where, shown(written), keyGlobalDir, want(wantFolder))
		return ""
	case filepath.IsAbs(dir):
		return filepath.Clean(dir)
	case hasDrive(dir): // text from another system; never a folder called C:
		l.warn(warnForeignPath, where, dir)
		return ""
	case base == "":
		l.warn(warnNoBase, where, dir)
		return ""
	}
	return filepath.Join(base, dir)
}

// expand puts the home for ${DSH_HOME} and ~, and drops separators at the end
// (spec/selfip.md 6.2). Without a home such a path is "".
func (l *loader) expand(where, written string) string {
	dir := strings.TrimSpace(written)
	const place = "${DSH_HOME}"
	for i := 0; i+len(place) <= len(dir); i++ {
		if strings.EqualFold(dir[i:i+len(place)], place) {
			if l.out.Home == "" {
				return ""
			}
			dir = dir[:i] + l.out.Home + dir[i+len(place):]
			i += len(l.out.Home) - 1
		}
	}
	if strings.HasPrefix(dir, "~/") || strings.HasPrefix(dir, `~\`) {
		dir = l.expandTilde(where, dir[2:])
	}
	trimmed := strings.TrimRight(dir, `/\`)
	if trimmed == "" && dir != "" {
		return dir[:1]
	}
	return trimmed
}

// expandTilde puts the user's home for ~, as everyone else does. The original
// meant the home of the harness; a folder that exists there and not here is
// used, with a warning (29, W35).
func (l *loader) expandTilde(where, rest string) string {
	rest = strings.TrimLeft(rest, `/\`)
	if l.in.Home == "" {
		return ""
	}
	dir := filepath.Join(l.in.Home, rest)
	if old := filepath.Join(l.out.Home, rest); l.out.Home != "" && !l.isDir(dir) && l.isDir(old) {
		l.warn(warnTilde, where, old, dir)
		return old
	}
	return dir
}

func hasDrive(path string) bool {
	if len(path) < 2 || path[1] != ':' {
		return false
	}
	c := path[0] | 0x20
	return c >= 'a' && c <= 'z'
}

// ExpandFolder returns a folder as Load would understand it when it stood in a
// file of the given workspace, for a command that checks it before it is
// written; "" when it is none here.
func ExpandFolder(in Inputs, written string) string {
	l := &loader{in: in}
	l.findHome()
	return l.folder("", in.Workspace, written)
}
