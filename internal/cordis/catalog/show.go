package catalog

import (
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// The codes of this package, each with its English sentence.
const (
	codeService = "inspect-no-service" // there is no catalogued service %q
	codeEvent   = "inspect-no-event"   // there is no catalogued event %q
)

// ListServices answers Service.listService without a key: the directory
// (spec/cordis.md 15.2).
func (c Catalog) ListServices() *jsonvalue.Object {
	return jsonvalue.Of("mode", "catalog", "services", list(c.Visible().Services, Service.brief))
}

// ListService answers Service.listService with a key: one service in full.
func (c Catalog) ListService(key string) (*jsonvalue.Object, error) {
	for _, s := range c.Visible().Services {
		if s.Key == key {
			return jsonvalue.Of("mode", "service", "service", s.full(), "referencedTypes", c.referenced(s.texts())), nil
		}
	}
	return nil, fault.New(fault.NotFound, codeService, key)
}

// ListEvents answers Event.listEvents without a name: the directory.
func (c Catalog) ListEvents() *jsonvalue.Object {
	return jsonvalue.Of("mode", "catalog", "events", list(c.Visible().Events, Event.brief))
}

// ListEvent answers Event.listEvents with a name: one event in full.
func (c Catalog) ListEvent(name string) (*jsonvalue.Object, error) {
	for _, e := range c.Visible().Events {
		if e.Name == name {
			full := e.brief().With("parameters", list(e.Parameters, Parameter.show))
			return jsonvalue.Of("mode", "event", "event", full, "referencedTypes", c.referenced([]string{e.Signature})), nil
		}
	}
	return nil, fault.New(fault.NotFound, codeEvent, name)
}

// ListBuiltins answers Builtin.listBuiltins.
func (c Catalog) ListBuiltins() *jsonvalue.Object {
	var texts []string
	for _, b := range c.Builtins {
		texts = append(texts, b.Signatures...)
	}
	return jsonvalue.Of("builtins", list(c.Builtins, Builtin.show), "referencedTypes", c.referenced(texts))
}

func (s Service) brief() *jsonvalue.Object {
	return jsonvalue.Of("key", s.Key, "description", s.Description, "methods", list(s.Methods, func(m Method) *jsonvalue.Object {
		return jsonvalue.Of("signature", m.Signature)
	}))
}

func (s Service) full() *jsonvalue.Object {
	return jsonvalue.Of(
		"key", s.Key,
		"description", s.Description,
		"access", jsonvalue.Of(
			"optional", jsonvalue.Of("expression", "ctx.get("+jsonvalue.Quote(s.Key)+")", "requiresUndefinedCheck", true),
			"hardDependency", jsonvalue.Of("inject", []any{s.Key}, "expression", "ctx."+s.Key),
		),
		"methods", list(s.Methods, Method.show),
	)
}

func (s Service) texts() []string {
	var out []string
	for _, m := range s.Methods {
		out = append(out, m.Signature)
	}
	return out
}

func (m Method) show() *jsonvalue.Object {
	o := jsonvalue.Of("signature", m.Signature, "description", m.Description, "parameters", list(m.Parameters, Parameter.show))
	if m.Returns != "" {
		o.Set("returns", m.Returns)
	}
	if len(m.Throws) > 0 {
		o.Set("throws", jsonvalue.Texts(m.Throws))
	}
	return o
}

func (p Parameter) show() *jsonvalue.Object {
	return jsonvalue.Of("name", p.Name, "description", p.Description)
}

func (e Event) brief() *jsonvalue.Object {
	return jsonvalue.Of("name", e.Name, "description", e.Description, "mode", string(e.Mode), "signature", e.Signature)
}

func (b Builtin) show() *jsonvalue.Object {
	return jsonvalue.Of("name", b.Name, "description", b.Description, "signatures", jsonvalue.Texts(b.Signatures))
}

// list is an array, empty rather than null.
func list[T any](items []T, show func(T) *jsonvalue.Object) []any {
	out := make([]any, len(items))
	for i, item := range items {
		out[i] = show(item)
	}
	return out
}
