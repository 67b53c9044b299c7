package grant

import (
	"slices"
	"strings"
)

// List is what is granted for one workspace.
type List []Grant

// Compare orders grants by kind, then target.
func Compare(a, b Grant) int {
	if a.Kind != b.Kind {
		return slices.Index(Kinds, a.Kind) - slices.Index(Kinds, b.Kind)
	}
	return strings.Compare(a.Target, b.Target)
}

// Path says whether a real path may be read, or written.
func (l List) Path(write bool, path string) bool {
	return l.Folder(write, path) != ""
}

// Folder is the granted path that covers a path: the outermost, so that two
// paths in one folder have the same; "" when there is none.
func (l List) Folder(write bool, path string) string {
	best := ""
	for _, g := range l {
		if g.Kind != WriteFiles && (write || g.Kind != ReadFiles) || !Below(g.Target, path) {
			continue
		}
		if best == "" || len(g.Target) < len(best) {
			best = g.Target
		}
	}
	return best
}

// Shell says whether any line may be given to the shell.
func (l List) Shell() bool { return slices.Contains(l, Grant{Shell, Any}) }

// Program says whether a program may be started, by the name that a line gives.
func (l List) Program(name string) bool {
	return l.Shell() || slices.Contains(l, Grant{Shell, name})
}

// Host says whether requests may go to a host. The default port is that of the
// scheme: a grant without a port is for it alone.
func (l List) Host(name, port, defaultPort string) bool {
	name = strings.TrimSuffix(strings.ToLower(name), ".")
	return slices.ContainsFunc(l, func(g Grant) bool {
		return g.Kind == Web && (g.Target == Any || matches(g.Target, name, port, defaultPort))
	})
}

// Named says whether a grant names the host itself, so that it may be an address
// of a private network: neither Any nor a pattern does.
func (l List) Named(name, port, defaultPort string) bool {
	name = strings.TrimSuffix(strings.ToLower(name), ".")
	return slices.ContainsFunc(l, func(g Grant) bool {
		return g.Kind == Web && !strings.HasPrefix(g.Target, Any) && matches(g.Target, name, port, defaultPort)
	})
}

func matches(target, name, port, defaultPort string) bool {
	want, wantPort := split(target)
	if wantPort == "" {
		wantPort = defaultPort
	}
	if wantPort != Any && wantPort != port {
		return false
	}
	if suffix, ok := strings.CutPrefix(want, "*"); ok {
		return strings.HasSuffix(name, suffix) && len(name) > len(suffix)
	}
	return want == name
}
