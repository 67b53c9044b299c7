// Package approval is what a user has allowed: which plugins of which workspaces
// may run here, and what each may reach beyond its own data.
//
// A workspace comes with its list of plugins, perhaps from somebody else, cloned
// a minute ago. Code runs only after the user of this machine has said so, and
// that word is kept outside of the workspace. Changed code of a package needs
// the word again; a folder that its author works on is allowed as it is.
package approval

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/dshkit/dshkit/pkg/fault"
)

// The codes of this package, each with its English sentence.
const (
	codeDamaged  = "approvals-damaged"   // the file of approvals cannot be read
	codeGrant    = "grant-unknown"       // unknown grant %q (want fs:read=FOLDER, ...)
	codeRelative = "grant-relative"      // the folder %q of a grant is not absolute
	codeNewer    = "approvals-newer"     // the file of approvals is of version %d, newer than this program
	codeNever    = "plugin-not-allowed"  // the plugin %q of this workspace was never allowed here
	codeChanged  = "plugin-code-changed" // the code of the plugin %q is not what was allowed
)

// version is that of the file.
const version = 1

// Approvals is the file: by workspace (its real path), then by Entry id.
type Approvals struct {
	Version    int                             `json:"version"`
	Workspaces map[string]map[string]*Approval `json:"workspaces"`
}

// Approval is the word for one Entry.
type Approval struct {
	Name   string   `json:"name"`             // of the Entry: another package under the same id is another plugin
	Digest string   `json:"digest,omitempty"` // of the code; "" follows a folder as it changes
	Grants []string `json:"grants,omitempty"` // in the form of Grant
}

// Parse reads the file; nothing is no approval at all.
func Parse(data []byte) (*Approvals, error) {
	a := &Approvals{Version: version, Workspaces: map[string]map[string]*Approval{}}
	if len(data) == 0 {
		return a, nil
	}
	if err := json.Unmarshal(data, a); err != nil {
		return nil, fault.New(fault.Damaged, codeDamaged).Because(err)
	}
	if a.Version > version {
		return nil, fault.New(fault.Damaged, codeNewer, a.Version)
	}
	if a.Workspaces == nil {
		a.Workspaces = map[string]map[string]*Approval{}
	}
	return a, nil
}

// Format writes the file.
func (a *Approvals) Format() ([]byte, error) {
	data, err := json.MarshalIndent(a, "", "  ")
	return append(data, '\n'), err
}

// Allow keeps the word for an Entry, in place of an earlier one.
func (a *Approvals) Allow(workspace, id string, word Approval) {
	if a.Workspaces[workspace] == nil {
		a.Workspaces[workspace] = map[string]*Approval{}
	}
	a.Workspaces[workspace][id] = &word
}

// Withdraw takes the word for an Entry back.
func (a *Approvals) Withdraw(workspace, id string) {
	delete(a.Workspaces[workspace], id)
	if len(a.Workspaces[workspace]) == 0 {
		delete(a.Workspaces, workspace)
	}
}

// Find returns the word for an Entry of this name, nil when there is none.
func (a *Approvals) Find(workspace, id, name string) *Approval {
	word := a.Workspaces[workspace][id]
	if word == nil || word.Name != name {
		return nil
	}
	return word
}

// Check returns the word for an Entry whose code has the given digest, or a
// fault of kind Refused that says what is missing.
func (a *Approvals) Check(workspace, id, name, digest string) (*Approval, error) {
	word := a.Find(workspace, id, name)
	switch {
	case word == nil:
		return nil, fault.New(fault.Refused, codeNever, id, name)
	case word.Digest != "" && word.Digest != digest:
		return nil, fault.New(fault.Refused, codeChanged, id, name)
	}
	return word, nil
}

// The kinds of Grant.
const (
	ReadFiles  = "fs:read"
	WriteFiles = "fs:write"
	Network    = "net"
	Run        = "run"
	Variable   = "env"
)

var kinds = []string{ReadFiles, WriteFiles, Network, Run, Variable}

// Grant is one thing that a plugin may reach beyond its own data: a folder, a
// host (with its port, or * for all), a program, a variable of the environment.
type Grant struct{ Kind, Target string }

// ParseGrant reads KIND=TARGET. Folders must be absolute: absolute says how a
// path that a user typed becomes so, or is nil for what a file holds.
func ParseGrant(s string, absolute func(string) string) (Grant, error) {
	kind, target, found := strings.Cut(s, "=")
	if !found || target == "" || !slices.Contains(kinds, kind) {
		return Grant{}, fault.New(fault.Usage, codeGrant, s)
	}
	if kind != ReadFiles && kind != WriteFiles {
		return Grant{kind, target}, nil
	}
	if absolute != nil {
		target = absolute(target)
	}
	if !strings.HasPrefix(target, "/") && !isDrive(target) {
		return Grant{}, fault.New(fault.Usage, codeRelative, target)
	}
	return Grant{kind, target}, nil
}

func isDrive(path string) bool {
	return len(path) > 2 && path[1] == ':' && (path[2] == '\\' || path[2] == '/')
}

// String is the form that ParseGrant reads.
func (g Grant) String() string { return g.Kind + "=" + g.Target }

// Granted parses the grants of a word.
func (a *Approval) Granted() ([]Grant, error) {
	grants := make([]Grant, 0, len(a.Grants))
	for _, s := range a.Grants {
		g, err := ParseGrant(s, nil)
		if err != nil {
			return nil, fault.New(fault.Damaged, codeDamaged).Because(err)
		}
		grants = append(grants, g)
	}
	return grants, nil
}
