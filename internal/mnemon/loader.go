package mnemon

import (
	"github.com/dshkit/dshkit/internal/jscache"
	"github.com/dshkit/dshkit/internal/mnemon/approval"
	"github.com/dshkit/dshkit/internal/mnemon/script"
	"github.com/dshkit/dshkit/pkg/jsrun"
)

// loader makes realms that reach what the grants say.
func (w *Workspace) loader(grants []approval.Grant, unhandled func(text string)) *script.Loader {
	_ = grants
	var cache jsrun.Cache
	if w.Cache != "" {
		cache = jscache.Open(w.Cache, jscache.Config{Now: w.Now})
	}
	return script.NewLoader(script.Settings{
		Modules: jsrun.ModuleConfig{Files: jscache.Disk{}, Cache: cache},
		Run:     jsrun.Config{Now: w.Now, Unhandled: func(e *jsrun.Error) { unhandled(e.Message) }},
		Log:     func(_, _ string, err error) { unhandled(err.Error()) },
	})
}

// modules resolves and digests plugins without running them.
func (w *Workspace) modules() *jsrun.Modules { return w.plain() }
