package schema

import (
	"math"
	"strconv"
	"strings"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// Validate says what of a value does not fit a schema of the enforced subset.
// Paths begin with root; with "" they begin with the name of a member, and the
// value itself is called "arguments". Of an object come the missing names first,
// then its declared members in the order of the schema, then those that are not
// declared.
func Validate(schema, value any, root string) Violations {
	return validate(nil, schema, value, root)
}

func validate(out Violations, schema, value any, path string) Violations {
	node, ok := jsonvalue.Map(schema)
	if !ok {
		return out
	}
	refuse := func(rule Rule, fact string) Violations {
		if path == "" {
			path = "arguments"
		}
		return append(out, Violation{path, rule, fact})
	}
	if branches, ok := node.Array("oneOf"); ok {
		if n := fitting(branches, value); n != 1 {
			return refuse(OneOf, strconv.Itoa(n))
		}
		return out
	}
	if name, ok := node.Text("type"); ok && !hasType(value, name) {
		return refuse(Type, name)
	}
	if values, ok := node.Array("enum"); ok && !contains(values, value) {
		return refuse(Enum, list(values))
	}
	if want, ok := node.Get("const"); ok && !jsonvalue.Equal(want, value) {
		return refuse(Const, jsonvalue.Format(want))
	}
	switch value := value.(type) {
	case *jsonvalue.Object:
		return members(out, node, value, path)
	case []any:
		if items, ok := node.Get("items"); ok {
			for i, v := range value {
				out = validate(out, items, v, element(path, i))
			}
		}
	}
	return out
}

// members looks at an object.
func members(out Violations, node, value *jsonvalue.Object, path string) Violations {
	required, _ := node.Array("required")
	for _, v := range required {
		if name, ok := v.(string); ok && !value.Has(name) {
			out = append(out, Violation{member(path, name), Missing, ""})
		}
	}
	properties, _ := node.Map("properties")
	if properties != nil {
		for key, schema := range properties.All() {
			if v, ok := value.Get(key); ok {
				out = validate(out, schema, v, member(path, key))
			}
		}
	}
	if open, ok := node.Truth("additionalProperties"); !ok || open {
		return out
	}
	for _, key := range value.Keys() {
		if !properties.Has(key) {
			out = append(out, Violation{member(path, key), Undeclared, ""})
		}
	}
	return out
}

// fitting counts the branches that a value fits.
func fitting(branches []any, value any) (n int) {
	for _, branch := range branches {
		if len(validate(nil, branch, value, "")) == 0 {
			n++
		}
	}
	return n
}

func hasType(value any, name string) bool {
	switch value := value.(type) {
	case nil:
		return name == "null"
	case bool:
		return name == "boolean"
	case string:
		return name == "string"
	case float64:
		return name == "number" || name == "integer" && value == math.Trunc(value) && !math.IsInf(value, 0)
	case []any:
		return name == "array"
	case *jsonvalue.Object:
		return name == "object"
	}
	return false
}

func contains(values []any, value any) bool {
	for _, v := range values {
		if jsonvalue.Equal(v, value) {
			return true
		}
	}
	return false
}

func list(values []any) string {
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = jsonvalue.Format(v)
	}
	return strings.Join(texts, ", ")
}
