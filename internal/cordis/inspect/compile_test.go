package inspect_test

import (
	"errors"
	"slices"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// compile stands in for package schema: as much of it as the manifests here use.
func compile(schema any) (func(value any, root string) []string, error) {
	o, ok := jsonvalue.Map(schema)
	if !ok {
		return nil, errors.New("not an object")
	}
	for _, key := range o.Keys() {
		if !slices.Contains([]string{"type", "properties", "required", "additionalProperties", "items", "oneOf", "const", "enum", "description"}, key) {
			return nil, errors.New(key + ": unsupported")
		}
	}
	return func(value any, root string) []string { return violations(o, value, root) }, nil
}

func violations(schema *jsonvalue.Object, value any, path string) (out []string) {
	if kind, ok := schema.Text("type"); ok && !is(kind, value) {
		return []string{path + ": type " + kind}
	}
	if want, ok := schema.Get("const"); ok && want != value {
		out = append(out, path+": const")
	}
	if want, ok := schema.Array("enum"); ok && !slices.Contains(want, value) {
		out = append(out, path+": enum")
	}
	if kinds, ok := schema.Array("oneOf"); ok {
		n := 0
		for _, kind := range kinds {
			if len(violations(kind.(*jsonvalue.Object), value, path)) == 0 {
				n++
			}
		}
		if n != 1 {
			out = append(out, path+": oneOf")
		}
	}
	return append(out, inner(schema, value, path)...)
}

func inner(schema *jsonvalue.Object, value any, path string) (out []string) {
	if items, ok := schema.Map("items"); ok {
		for _, item := range value.([]any) {
			out = append(out, violations(items, item, path+"[]")...)
		}
	}
	properties, ok := schema.Map("properties")
	if !ok {
		return out
	}
	o := value.(*jsonvalue.Object)
	required, _ := schema.Array("required")
	for _, name := range required {
		if !o.Has(name.(string)) {
			out = append(out, path+"."+name.(string)+": missing")
		}
	}
	for name, member := range o.All() {
		if of, ok := properties.Map(name); ok {
			out = append(out, violations(of, member, path+"."+name)...)
		} else {
			out = append(out, path+"."+name+": undeclared")
		}
	}
	return out
}

func is(kind string, value any) bool {
	var ok bool
	switch kind {
	case "object":
		_, ok = jsonvalue.Map(value)
	case "array":
		_, ok = jsonvalue.Array(value)
	case "string":
		_, ok = jsonvalue.Text(value)
	case "boolean":
		_, ok = jsonvalue.Truth(value)
	}
	return ok
}
