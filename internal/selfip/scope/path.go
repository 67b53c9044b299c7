package scope

import (
	"path"
	"strings"

	"github.com/dshkit/dshkit/pkg/fault"
)

// PathKey returns a form of the path under which every spelling of one folder
// is the same string: slashes for backslashes, no empty or "." parts, none at
// the end. On Windows also without case, without the prefix \\?\, and with
// c:/ for the /c/ of MSYS. It looks at the text alone, never at a disk.
func PathKey(p string, windows bool) string {
	p = strings.ReplaceAll(p, `\`, "/")
	if windows {
		p = windowsKey(p)
	}
	if p == "" {
		return ""
	}
	share := strings.HasPrefix(p, "//") && windows
	p = path.Clean(p)
	switch {
	case share:
		p = "/" + p
	case windows:
		p = path.Clean(driveKey(p))
	}
	return p
}

func windowsKey(p string) string {
	p = strings.ToLower(p)
	if rest, ok := strings.CutPrefix(p, "//?/unc/"); ok {
		return "//" + rest
	}
	return strings.TrimPrefix(p, "//?/")
}

// driveKey writes the /c/ of MSYS, at the beginning of a clean path, as c:/.
func driveKey(p string) string {
	if len(p) >= 2 && p[0] == '/' && isLetter(p[1]) && (len(p) == 2 || p[2] == '/') {
		return p[1:2] + ":/" + strings.TrimPrefix(p[2:], "/")
	}
	return p
}

// SamePath reports whether a and b spell one folder (spec/selfip.md 6.6).
func SamePath(a, b string, windows bool) bool {
	return PathKey(a, windows) == PathKey(b, windows)
}

// HasDrive reports whether p begins with a Windows drive letter, as in C:\x. On
// other systems such a path is data and never a folder of that name.
func HasDrive(p string) bool {
	return len(p) >= 2 && isLetter(p[0]) && p[1] == ':'
}

// ValidateGlobalDir checks an expanded folder for the global library: it has a
// slash, it is not the workspace itself, and it is one of this system's paths.
// The error is a fault of kind Usage.
func ValidateGlobalDir(dir, workspace string, windows bool) error {
	switch {
	case !strings.ContainsAny(dir, `/\`):
		return fault.New(fault.Usage, codeNotPath, dir)
	case !windows && HasDrive(dir):
		return fault.New(fault.Usage, codeForeign, dir)
	case SamePath(dir, workspace, windows):
		return fault.New(fault.Usage, codeIsWorkspace, dir)
	}
	return nil
}

func isLetter(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
