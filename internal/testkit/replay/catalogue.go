package replay

import (
	"strings"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// reduced keeps of what a provider answered its names, keys, counts and
// signatures.
func reduced(data any) any {
	o, ok := jsonvalue.Map(data)
	if !ok {
		return data
	}
	switch {
	case text(o, "mode") == "catalog":
		return reducedCatalog(o)
	case text(o, "mode") == "service":
		return reducedService(o)
	case text(o, "mode") == "event":
		event, _ := o.Map("event")
		return jsonvalue.Of("mode", "event", "name", text(event, "name"), "keys", keys(event), "eventMode", text(event, "mode"),
			"signature", text(event, "signature"), "referencedTypes", size(o, "referencedTypes"))
	case o.Has("builtins"):
		return jsonvalue.Of("builtins", each(o, "builtins", func(b *jsonvalue.Object) any {
			signatures, _ := b.Get("signatures")
			return jsonvalue.Of("name", text(b, "name"), "signatures", signatures)
		}), "referencedTypes", size(o, "referencedTypes"))
	case o.Has("tools"):
		return jsonvalue.Of("tools", each(o, "tools", func(t *jsonvalue.Object) any {
			return jsonvalue.Of("name", text(t, "name"), "keys", keys(t))
		}))
	case o.Has("tokens"):
		return jsonvalue.Of("tokens", each(o, "tokens", func(t *jsonvalue.Object) any { return text(t, "name") }), "tokenKeys", firstKeys(o, "tokens"))
	case o.Has("trees"):
		return reducedTrees(o)
	}
	return data
}

func reducedCatalog(o *jsonvalue.Object) any {
	list, name := "services", "key"
	if !o.Has(list) {
		list, name = "events", "name"
	}
	return jsonvalue.Of("mode", "catalog", "count", size(o, list), "firstKeys", firstKeys(o, list),
		"names", each(o, list, func(e *jsonvalue.Object) any { return text(e, name) }))
}

func reducedService(o *jsonvalue.Object) any {
	service, _ := o.Map("service")
	access, _ := service.Get("access")
	return jsonvalue.Of("mode", "service", "key", text(service, "key"), "keys", keys(service), "access", access,
		"methods", each(service, "methods", func(m *jsonvalue.Object) any { return text(m, "signature") }),
		"methodKeys", firstKeys(service, "methods"), "referencedTypes", size(o, "referencedTypes"))
}

func reducedTrees(o *jsonvalue.Object) any {
	out := jsonvalue.Of()
	if root, ok := o.Get("requestedRoot"); ok {
		out.Set("requestedRoot", root)
	}
	out.Set("trees", each(o, "trees", bare))
	if selected, ok := o.Map("selected"); ok {
		if catalog, ok := selected.Map("catalog"); ok {
			selected = replaced(selected, "catalog", keys(catalog))
		}
		out.Set("selected", selected)
	}
	return out
}

func bare(node *jsonvalue.Object) any {
	return jsonvalue.Of("name", text(node, "name"), "kind", text(node, "kind"), "scope", text(node, "scope"),
		"keys", keys(node), "children", each(node, "children", bare))
}

func each(o *jsonvalue.Object, key string, f func(*jsonvalue.Object) any) []any {
	list, _ := o.Array(key)
	out := []any{}
	for _, v := range list {
		e, _ := jsonvalue.Map(v)
		out = append(out, f(e))
	}
	return out
}

func keys(o *jsonvalue.Object) []any {
	if o == nil {
		return []any{}
	}
	return jsonvalue.Texts(o.Keys())
}

func firstKeys(o *jsonvalue.Object, key string) []any {
	list, _ := o.Array(key)
	if len(list) == 0 {
		return []any{}
	}
	first, _ := jsonvalue.Map(list[0])
	return keys(first)
}

func size(o *jsonvalue.Object, key string) float64 {
	list, _ := o.Array(key)
	return float64(len(list))
}

// directory is one line for each provider: its platform, methods, and the input
// of the first.
func directory(value any) any {
	o, _ := jsonvalue.Map(value)
	return jsonvalue.Of("providers", each(o, "providers", func(p *jsonvalue.Object) any {
		methods := each(p, "methods", func(m *jsonvalue.Object) any { return text(m, "name") })
		var names []string
		for _, m := range methods {
			name, _ := jsonvalue.Text(m)
			names = append(names, name)
		}
		return text(p, "platform") + ":" + text(p, "id") + "." + strings.Join(names, ",") + "(" + firstInput(p) + ")"
	}))
}

func firstInput(provider *jsonvalue.Object) string {
	methods, _ := provider.Array("methods")
	if len(methods) == 0 {
		return ""
	}
	first, _ := jsonvalue.Map(methods[0])
	schema, _ := first.Map("inputSchema")
	properties, _ := schema.Map("properties")
	if properties == nil {
		return ""
	}
	return strings.Join(properties.Keys(), ",")
}
