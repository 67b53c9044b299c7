package mnemon

import (
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/dshkit/dshkit/internal/mnemon/approval"
	"github.com/dshkit/dshkit/internal/mnemon/machine"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
	"github.com/dshkit/dshkit/pkg/jsrun/node"
)

// reach is what the plugin of an Entry may touch.
type reach struct {
	code   string            // the folder that its code comes from
	config *jsonvalue.Object // the folders that it names are the plugin's own
	grants []approval.Grant
}

// targets are what the grants of a kind name.
func (r reach) targets(kind string) []string {
	names := []string{}
	for _, g := range r.grants {
		if g.Kind == kind {
			names = append(names, g.Target)
		}
	}
	return names
}

// folders are those that a plugin may use: to read and write the memory of the
// user and of the workspace, and what the Entry or the user names; to read, its
// own code.
func (w *Workspace) folders(r reach) []machine.Grant {
	folders := []machine.Grant{{Path: w.dir.Path(dataFolder)}}
	if w.Memory != "" {
		folders = append(folders, machine.Grant{Path: w.Memory})
	}
	return append(folders, r.folders(w.Home)...)
}

// folders are those that the Entry and the user name.
func (r reach) folders(home string) (folders []machine.Grant) {
	if r.code != "" {
		folders = append(folders, machine.Grant{Path: r.code, ReadOnly: true})
	}
	for _, text := range textsOf(r.config, nil) {
		if rest, ok := strings.CutPrefix(text, "~/"); ok && home != "" {
			text = filepath.Join(home, rest)
		}
		if filepath.IsAbs(text) {
			folders = append(folders, machine.Grant{Path: filepath.Clean(text)})
		}
	}
	for _, path := range r.targets(approval.WriteFiles) {
		folders = append(folders, machine.Grant{Path: path})
	}
	for _, path := range r.targets(approval.ReadFiles) {
		folders = append(folders, machine.Grant{Path: path, ReadOnly: true})
	}
	return folders
}

// usual are the variables that a program needs to run at all. A plugin that may
// run programs sees them.
var usual = []string{"PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "SystemRoot"}

// visible are the names of the variables that a plugin sees.
func (r reach) visible() []string {
	names := r.targets(approval.Variable)
	if len(r.targets(approval.Run)) > 0 {
		names = append(names, usual...)
	}
	return names
}

// variable is a variable of the environment that the plugin sees.
func (w *Workspace) variable(r reach, name string) (string, bool) {
	if !slices.Contains(r.visible(), name) {
		return "", false
	}
	value := w.Getenv(name)
	return value, value != ""
}

// environ is the environment of a program that a plugin starts.
func (w *Workspace) environ(r reach) []string {
	var list []string
	for _, name := range r.visible() {
		if value, ok := w.variable(r, name); ok {
			list = append(list, name+"="+value)
		}
	}
	return list
}

// processes are the programs that the user has granted. Of others an error says
// how they can be.
func (w *Workspace) processes(r reach) node.Processes {
	programs := r.targets(approval.Run)
	return &machine.Processes{
		Environ: func() []string { return w.environ(r) },
		Allow: func(c node.Command) error {
			if !slices.Contains(programs, c.Name) {
				return fmt.Errorf("the program %q is not granted; it can be with: dsh-mnemon plugin allow ID --allow run=%s", c.Name, c.Name)
			}
			return w.samePath(c)
		},
	}
}

// samePath refuses a program that a script looks for in folders of its own: what
// was granted is the program that the user would start.
func (w *Workspace) samePath(c node.Command) error {
	for _, pair := range c.Env {
		if path, ok := strings.CutPrefix(pair, "PATH="); ok && path != w.Getenv("PATH") && !filepath.IsAbs(c.Name) {
			return fmt.Errorf("the program %q is granted from the user's own PATH alone", c.Name)
		}
	}
	return nil
}

// network are the hosts that the user has granted. Of others an error says how
// they can be.
func (w *Workspace) network(r reach) node.Network {
	hosts := r.targets(approval.Network)
	return &machine.Network{Allow: func(u *url.URL) error {
		if slices.Contains(hosts, "*") || slices.Contains(hosts, u.Hostname()) || slices.Contains(hosts, u.Host) {
			return nil
		}
		return fmt.Errorf("the host %q is not granted; it can be with: dsh-mnemon plugin allow ID --allow net=%s", u.Host, u.Hostname())
	}}
}
