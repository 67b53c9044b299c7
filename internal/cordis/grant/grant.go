// Package grant is what the user of this machine lets the plugins of a workspace
// reach: folders, programs, hosts. Nothing is granted until the user says so,
// and that word is kept outside of the workspace, by the folder it was said for.
//
// A grant is for a workspace, not for a plugin: whoever writes plugins there can
// use it. It does not say what a granted program does.
package grant

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/dshkit/dshkit/pkg/fault"
)

// The codes of this package, each with its English sentence.
const (
	codeUnknown  = "cordis-grant-unknown"   // unknown grant %q (want fs:read FOLDER, fs:write FOLDER, shell PROGRAM or *, web HOST or *)
	codePath     = "cordis-grant-path"      // the path %q of a grant cannot be used
	codeNever    = "cordis-grant-never"     // %q can never be granted: it holds what decides over plugins
	codeProgram  = "cordis-grant-program"   // %q is not one program (want its name, its path or *)
	codeHost     = "cordis-grant-host"      // %q is not a host (want example.org, *.example.org, example.org:8080 or *)
	codeDamaged  = "cordis-grants-damaged"  // the file of grants cannot be read
	codeNewer    = "cordis-grants-newer"    // the file of grants is of version %d, newer than this program
	codeNotFound = "cordis-grant-not-found" // %q was not granted
	codeDenied   = "cordis-not-granted"     // the plugin %q may not %s: %s
)

// Kind is what a grant is about.
type Kind string

// The kinds of grants.
const (
	ReadFiles  Kind = "fs:read"
	WriteFiles Kind = "fs:write" // reading included
	Shell      Kind = "shell"
	Web        Kind = "web"
)

// Kinds are all kinds, in the order of lists.
var Kinds = []Kind{ReadFiles, WriteFiles, Shell, Web}

// Any is the target of a grant of all programs or all public hosts.
const Any = "*"

// Grant is one thing that is allowed. Target is an absolute real path for files,
// a program, or a host in lower case, perhaps with its port; Any for all.
type Grant struct {
	Kind   Kind
	Target string
}

// Folders says where grants are typed and what they never cover.
type Folders struct {
	Workspace string   // the real path; relative paths begin here
	Never     []string // real paths that are never granted, with all below
	// Real follows links: the real path of an absolute one, as far as it exists.
	Real func(path string) (string, error)
}

// Parse reads what a user typed, KIND and TARGET apart by a space. note says what
// was granted in place of what was typed, "" when that is the same.
func Parse(text string, f Folders) (g Grant, note string, err error) {
	kind, target, _ := strings.Cut(strings.TrimLeft(text, " "), " ")
	target = strings.TrimLeft(target, " ") // at its end a space is part of a name
	if target == "" || !slices.Contains(Kinds, Kind(kind)) {
		return Grant{}, "", fault.New(fault.Usage, codeUnknown, text)
	}
	g = Grant{Kind(kind), target}
	switch g.Kind {
	case Shell:
		return g, "", checkProgram(target)
	case Web:
		g.Target, err = host(target)
		return g, "", err
	}
	g.Target, note, err = f.path(target)
	return g, note, err
}

// path is the real path of what was typed.
func (f Folders) path(typed string) (path, note string, err error) {
	if strings.ContainsRune(typed, 0) || typed == Any {
		return "", "", fault.New(fault.Usage, codePath, typed)
	}
	literal := typed
	if !filepath.IsAbs(literal) {
		literal = filepath.Join(f.Workspace, literal)
	}
	literal = filepath.Clean(literal)
	path = literal
	if f.Real != nil {
		if path, err = f.Real(literal); err != nil {
			return "", "", fault.New(fault.Usage, codePath, typed).Because(err)
		}
	}
	for _, never := range f.Never {
		// Some disks take letters of both cases for the same.
		if Below(strings.ToLower(never), strings.ToLower(path)) {
			return "", "", fault.New(fault.Refused, codeNever, typed)
		}
	}
	if path != literal {
		note = path
	}
	return path, note, nil
}

// Below says whether a path is the folder, or lies in it. Both are clean.
func Below(folder, path string) bool {
	if path == folder {
		return true
	}
	if !strings.HasSuffix(folder, string(filepath.Separator)) {
		folder += string(filepath.Separator)
	}
	return strings.HasPrefix(path, folder)
}

// Text is the grant as a user types it in this workspace.
func (g Grant) Text(workspace string) string {
	if g.Kind != ReadFiles && g.Kind != WriteFiles {
		return string(g.Kind) + " " + g.Target
	}
	return string(g.Kind) + " " + shown(workspace, g.Target)
}

// shown is a path as users of the workspace write it.
func shown(workspace, path string) string {
	if workspace == "" || !Below(workspace, path) {
		return path
	}
	rel, err := filepath.Rel(workspace, path)
	if err != nil {
		return path
	}
	if rel == "." {
		return "."
	}
	return "./" + filepath.ToSlash(rel)
}
