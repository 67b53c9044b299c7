package mnemon

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/dshkit/dshkit/internal/mnemon/approval"
	"github.com/dshkit/dshkit/internal/mnemon/assembly"
	"github.com/dshkit/dshkit/internal/mnemon/fetch"
	"github.com/dshkit/dshkit/internal/mnemon/strategy/general"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// codeBadID is: bad id %q (what can be part of a Source key).
const codeBadID = "plugin-bad-id"

// Plugin is an Entry and what is known of it without running its code.
type Plugin struct {
	assembly.Entry
	Allowed bool     // its code may run here
	Follows bool     // allowed however its folder changes
	Why     error    // why it may not, or cannot be loaded; nil when all is well
	Grants  []string // what it may reach beyond its own data
	Digest  string   // of its code; "" when it cannot be read
}

// AddOptions say what is added.
type AddOptions struct {
	Spec     string // a folder, an archive, a package
	ID       string // "" makes one of the name
	Config   *jsonvalue.Object
	Disabled bool
	Grants   []approval.Grant
	Follow   bool // allow its folder also after it changes
}

// AddPlugin brings a plugin to the workspace, adds its Entry and allows its code
// to run. Nothing is added when it cannot be loaded.
func (w *Workspace) AddPlugin(ctx context.Context, o AddOptions) (Plugin, error) {
	now, err := w.Assembly()
	if err != nil {
		return Plugin{}, err
	}
	got, err := w.fetch(ctx, o.Spec)
	if err != nil {
		return Plugin{}, err
	}
	e := assembly.Entry{ID: o.ID, Name: got.Name, Config: o.Config, Disabled: o.Disabled}
	if e.Config.Len() == 0 {
		e.Config = nil // as the list has it
	}
	if err := fetch.Complete(ctx, packagesOf(e), w.fetching()); err != nil {
		return Plugin{}, err
	}
	if e.ID == "" {
		e.ID = idOf(got, now)
	}
	if !idPattern().MatchString(e.ID) {
		return Plugin{}, fault.New(fault.Usage, codeBadID, e.ID)
	}
	digest, err := w.digest(e)
	if err != nil {
		return Plugin{}, err
	}
	err = w.edit(ctx, func(a *assembly.Assembly) ([]byte, error) {
		text, err := a.Add(e)
		if err != nil {
			return nil, err
		}
		return text, w.allowEntry(ctx, e, digest, Permit{o.Grants, o.Follow})
	})
	if err != nil {
		return Plugin{}, err
	}
	return w.Plugin(e.ID)
}

// fetch brings what spec names to the workspace, unless it is a Strategy of ours.
func (w *Workspace) fetch(ctx context.Context, spec string) (fetch.Fetched, error) {
	if spec == general.Package {
		return fetch.Fetched{Name: spec, PackageName: spec}, nil
	}
	return fetch.Fetch(ctx, spec, w.fetching())
}

func (w *Workspace) fetching() fetch.Options {
	return fetch.Options{Root: w.Root, Folder: w.dir.Path(pluginFolder), Current: w.Current, NPM: w.NPM}
}

// idPattern is what may stand behind "source:" in a Source key, and that leaves
// room for the type that Core adds.
var idPattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[a-zA-Z0-9][a-zA-Z0-9._:/-]{0,149}$`)
})

// roles are what the names of packages have behind "dsh-mnemon-"; keys have it
// before the id.
var roles = [...]string{"source-", "strategy-"}

// idOf makes an id of the name of a package, without what all of them begin
// with, else of the folder. The role stays when another plugin has the id, as of
// a Source and a Strategy of one name.
func idOf(got fetch.Fetched, now *assembly.Assembly) string {
	name := got.PackageName
	if name == "" {
		name = strings.TrimSuffix(filepath.Base(got.Name), filepath.Ext(got.Name))
	}
	if i := strings.LastIndex(name, "/"); i >= 0 {
		name = name[i+1:]
	}
	long := strings.TrimPrefix(name, "dsh-mnemon-")
	short := long
	for _, role := range roles {
		short = strings.TrimPrefix(short, role)
	}
	for _, e := range now.Entries {
		if e.ID == short && e.Name != got.Name {
			return long
		}
	}
	return short
}

// edit changes the list of Entries under its lock. What is said of approvals with
// it is said in change, before the list is written: when it cannot be kept, the
// list stays as it is.
func (w *Workspace) edit(ctx context.Context, change func(a *assembly.Assembly) ([]byte, error)) error {
	return w.dir.Update(ctx, entriesFile, func(old []byte) ([]byte, error) {
		if old == nil {
			old = []byte(entriesText)
		}
		a, err := assembly.Parse(old)
		if err != nil {
			return nil, w.damaged(entriesFile, err)
		}
		return change(a)
	})
}

// Permit is what the user says when allowing an Entry.
type Permit struct {
	Grants []approval.Grant // what it may reach beyond its own data
	Follow bool             // its folder also after it changes
}

// allowEntry keeps the user's word: for the code and the configuration as they
// are now, unless a folder is followed.
func (w *Workspace) allowEntry(ctx context.Context, e assembly.Entry, digest string, permit Permit) error {
	word := approval.Approval{Name: e.Name, Digest: digest}
	if permit.Follow && isPath(e.Name) {
		word.Digest = ""
	}
	for _, g := range permit.Grants {
		word.Grants = append(word.Grants, g.String())
	}
	slices.Sort(word.Grants)
	word.Grants = slices.Compact(word.Grants)
	return w.allow(ctx, func(a *approval.Approvals) { a.Allow(w.Root, e.ID, word) })
}

// isPath tells an Entry whose name is a folder from one that names a package.
func isPath(name string) bool { return strings.HasPrefix(name, ".") || filepath.IsAbs(name) }

// module is what the name of an Entry leads to: the specifier to import, and the
// folder that it is resolved from. A folder that says itself what it exports is
// imported by its own name, as other packages would import it.
func (w *Workspace) module(name string) (base, specifier string) {
	folder := w.dir.Path(pluginFolder)
	if !isPath(name) {
		if isFolder(folder) {
			return folder, name
		}
		return w.Root, name
	}
	path := name
	if !filepath.IsAbs(path) {
		path = filepath.Join(w.Root, path)
	}
	if own, ok := fetch.Exporting(path); ok {
		return path, own
	}
	return w.Root, name
}

// codeFolder is where the code of an Entry lies, with all that it is made of.
func (w *Workspace) codeFolder(name string) string {
	if !isPath(name) {
		return w.dir.Path(pluginFolder)
	}
	if !filepath.IsAbs(name) {
		name = filepath.Join(w.Root, name)
	}
	if !isFolder(name) {
		return filepath.Dir(name)
	}
	return name
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// Plugins lists the Entries.
func (w *Workspace) Plugins() ([]Plugin, []Warning, error) {
	a, err := w.Assembly()
	if err != nil {
		return nil, nil, err
	}
	allowed, err := w.approvals()
	if err != nil {
		return nil, nil, err
	}
	plugins := make([]Plugin, len(a.Entries))
	for i, e := range a.Entries {
		plugins[i] = w.plugin(e, allowed)
	}
	return plugins, a.Warnings, nil
}

func (w *Workspace) plugin(e assembly.Entry, allowed *approval.Approvals) Plugin {
	p := Plugin{Entry: e, Grants: []string{}}
	digest, err := w.digest(e)
	if err != nil {
		p.Why = err
		return p
	}
	p.Digest = digest
	word, err := allowed.Check(w.Root, e.ID, e.Name, digest)
	if err != nil {
		p.Why = err
		return p
	}
	p.Allowed, p.Follows, p.Grants = true, word.Digest == "", append(p.Grants, word.Grants...)
	return p
}

// Plugin returns one Entry.
func (w *Workspace) Plugin(id string) (Plugin, error) {
	a, err := w.Assembly()
	if err != nil {
		return Plugin{}, err
	}
	e, err := a.Need(id)
	if err != nil {
		return Plugin{}, err
	}
	allowed, err := w.approvals()
	if err != nil {
		return Plugin{}, err
	}
	return w.plugin(e, allowed), nil
}

// AllowPlugin lets the code of an Entry run here. Nil grants keep those that were
// there.
func (w *Workspace) AllowPlugin(ctx context.Context, id string, permit Permit) (Plugin, error) {
	p, err := w.Plugin(id)
	if err != nil {
		return p, err
	}
	if p.Digest == "" {
		return p, p.Why
	}
	if permit.Grants == nil {
		if permit.Grants, err = w.grants(p.Entry); err != nil {
			return p, err
		}
	}
	if err := w.allowEntry(ctx, p.Entry, p.Digest, permit); err != nil {
		return p, err
	}
	return w.Plugin(id)
}

// grants returns what an Entry was granted before, whatever its code is now.
func (w *Workspace) grants(e assembly.Entry) ([]approval.Grant, error) {
	word, err := w.word(e)
	if word == nil || err != nil {
		return nil, err
	}
	return word.Granted()
}

func (w *Workspace) word(e assembly.Entry) (*approval.Approval, error) {
	allowed, err := w.approvals()
	if err != nil {
		return nil, err
	}
	return allowed.Find(w.Root, e.ID, e.Name), nil
}

// SwitchPlugin enables or disables an Entry and reports whether that changed it.
func (w *Workspace) SwitchPlugin(ctx context.Context, id string, enabled bool) (changed bool, err error) {
	err = w.edit(ctx, func(a *assembly.Assembly) ([]byte, error) {
		e, err := a.Need(id)
		if err != nil || e.Disabled == !enabled {
			return nil, err
		}
		changed, e.Disabled = true, !enabled
		return a.Put(e)
	})
	return changed, err
}

// ConfigurePlugin sets members of an Entry's configuration; a value that is
// jsonvalue.Hole takes the member away. An Entry that was allowed stays so.
func (w *Workspace) ConfigurePlugin(ctx context.Context, id string, members *jsonvalue.Object) (Plugin, error) {
	err := w.edit(ctx, func(a *assembly.Assembly) ([]byte, error) {
		e, err := a.Need(id)
		if err != nil {
			return nil, err
		}
		allowed, err := w.approvals()
		if err != nil {
			return nil, err
		}
		before := w.plugin(e, allowed)
		e.Config = e.Config.Merge(members)
		for key, v := range members.All() {
			if v == (jsonvalue.Hole{}) {
				e.Config = e.Config.Without(key)
			}
		}
		text, err := a.Put(e)
		if err != nil || !before.Allowed {
			return text, err
		}
		return text, w.stayAllowed(ctx, e, before.Follows)
	})
	if err != nil {
		return Plugin{}, err
	}
	return w.Plugin(id)
}

// stayAllowed renews the word for an Entry whose configuration the user changes.
func (w *Workspace) stayAllowed(ctx context.Context, e assembly.Entry, follow bool) error {
	digest, err := w.digest(e)
	if err != nil {
		return err
	}
	grants, err := w.grants(e)
	if err != nil {
		return err
	}
	return w.allowEntry(ctx, e, digest, Permit{grants, follow})
}

// RemovePlugin takes an Entry from the list, and the word for it. What npm
// installed and what a Source keeps stay.
func (w *Workspace) RemovePlugin(ctx context.Context, id string) error {
	return w.edit(ctx, func(a *assembly.Assembly) ([]byte, error) {
		text, err := a.Remove(id)
		if err != nil {
			return nil, err
		}
		return text, w.allow(ctx, func(a *approval.Approvals) { a.Withdraw(w.Root, id) })
	})
}
