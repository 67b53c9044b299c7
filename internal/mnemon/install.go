package mnemon

import (
	"context"
	"regexp"
	"sync"

	"github.com/dshkit/dshkit/internal/mnemon/assembly"
	"github.com/dshkit/dshkit/internal/mnemon/fetch"
	"github.com/dshkit/dshkit/internal/mnemon/strategy/general"
)

// InstallPlugins brings the packages that Entries and their configurations name
// and that are not there, as in a workspace that was cloned, and returns their
// names. It allows nothing to run.
func (w *Workspace) InstallPlugins(ctx context.Context) (brought []string, err error) {
	a, err := w.Assembly()
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range a.Entries {
		if !w.isElsewhere(e) {
			names = append(names, packagesOf(e)...)
		}
	}
	missing := fetch.Missing(names, w.fetching())
	if w.DryRun {
		return missing, nil
	}
	return missing, fetch.Complete(ctx, missing, w.fetching())
}

// isElsewhere tells a package that is not in the folder of plugins and yet is
// found, above it.
func (w *Workspace) isElsewhere(e assembly.Entry) bool {
	if len(fetch.Missing([]string{e.Name}, w.fetching())) == 0 {
		return false
	}
	_, err := w.digest(e)
	return err == nil
}

// packagesOf are the packages that an Entry needs: its own, and those that its
// configuration names, as a Source does that loads Providers. A folder finds
// what it needs by itself.
func packagesOf(e assembly.Entry) []string {
	if isPath(e.Name) || e.Name == general.Package {
		return nil
	}
	names := []string{e.Name}
	for _, text := range textsOf(e.Config, nil) {
		if packagePattern().MatchString(text) {
			names = append(names, text)
		}
	}
	return names
}

// packagePattern is the name of a package of plugins.
var packagePattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(@[a-z0-9~-][a-z0-9._~-]*/)?dsh-mnemon-[a-z0-9._~-]+$`)
})
