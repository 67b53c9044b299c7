package mnemon

import (
	"github.com/dshkit/dshkit/internal/mnemon/assembly"
	"github.com/dshkit/dshkit/internal/mnemon/fetch"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// digest is what a user allows of an Entry: the code that its name leads to, its
// configuration, and the code of what the configuration names, as a Source that
// loads Providers does. An error is a fault of kind Plugin.
func (w *Workspace) digest(e assembly.Entry) (string, error) {
	base, specifier := w.module(e.Name)
	code, err := w.modules().Digest(base, specifier)
	if err != nil {
		if !isPath(e.Name) && len(fetch.Missing([]string{e.Name}, w.fetching())) > 0 {
			return "", fault.New(fault.Plugin, CodeMissing, e.ID, e.Name)
		}
		return "", fault.New(fault.Plugin, codeLoad, e.ID).Because(err)
	}
	named := &jsonvalue.Object{}
	for _, text := range textsOf(e.Config, nil) {
		if digest, err := w.modules().Digest(base, text); err == nil {
			named.Set(text, digest)
		}
	}
	var config any
	if e.Config != nil {
		config = e.Config
	}
	return jsonvalue.Digest(jsonvalue.Of("code", code, "config", config, "named", named))
}

// textsOf lists the texts in a configuration.
func textsOf(v any, texts []string) []string {
	switch v := v.(type) {
	case string:
		return append(texts, v)
	case []any:
		for _, item := range v {
			texts = textsOf(item, texts)
		}
	case *jsonvalue.Object:
		for _, item := range v.All() {
			texts = textsOf(item, texts)
		}
	}
	return texts
}
