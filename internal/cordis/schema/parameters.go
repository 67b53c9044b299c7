package schema

import (
	"math"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// Parameters compiles what a plugin gave as the parameters of a tool, in one of
// the two spellings of spec/cordis.md 7.5, to a JSON Schema. What JavaScript had
// and JSON has not arrives as jsonvalue.Foreign, as package lossless reads it. An
// error is a *ParameterError or an *Unsupported.
func Parameters(v any) (*jsonvalue.Object, error) {
	root, err := asNode(v, "parameters", NotObject)
	if err != nil {
		return nil, err
	}
	compile := direct.root
	if name, ok := root.Text("type"); ok && name == "object" {
		compile = raw.rawRoot
	}
	out, err := compile(root)
	if err != nil {
		return nil, err
	}
	if err := check(out, true); err != nil {
		return nil, err
	}
	return out, nil
}

// Output compiles what a plugin gave as the schema of a tool's output: a schema of
// the enforced subset, in which the type json is allowed too and means any value.
func Output(v any) (*jsonvalue.Object, error) {
	v = withoutJSON(v, 0)
	if err := Check(v); err != nil {
		return nil, err
	}
	return v.(*jsonvalue.Object), nil
}

// withoutJSON takes the type json out of a schema.
func withoutJSON(v any, depth int) any {
	node, ok := v.(*jsonvalue.Object)
	if !ok || depth > maxDepth {
		return v
	}
	if name, ok := node.Text("type"); ok && name == "json" {
		node = node.Without("type")
	}
	if items, ok := node.Get("items"); ok {
		node = node.With("items", withoutJSON(items, depth+1))
	}
	if branches, ok := node.Array("oneOf"); ok {
		list := make([]any, len(branches))
		for i, branch := range branches {
			list[i] = withoutJSON(branch, depth+1)
		}
		node = node.With("oneOf", list)
	}
	if properties, ok := node.Map("properties"); ok {
		inner := &jsonvalue.Object{}
		for key, one := range properties.All() {
			inner.Set(key, withoutJSON(one, depth+1))
		}
		node = node.With("properties", inner)
	}
	return node
}

func refuse(path string, rule Rule, fact string) error { return &ParameterError{path, rule, fact} }

// asNode is a value that has to be an object.
func asNode(v any, path string, otherwise Rule) (*jsonvalue.Object, error) {
	switch v := v.(type) {
	case *jsonvalue.Object:
		return v, nil
	case jsonvalue.Foreign:
		switch v.Kind {
		case jsonvalue.Cycle:
			return nil, refuse(path, Circular, "")
		case jsonvalue.HiddenKeys:
			return nil, refuse(path, HiddenKeys, "")
		}
	}
	return nil, refuse(path, otherwise, "")
}

// asList is a value that has to be an array, in which nothing is missing.
func asList(v any, path string, least int, otherwise Rule) ([]any, error) {
	if f, ok := v.(jsonvalue.Foreign); ok && f.Kind == jsonvalue.Cycle {
		return nil, refuse(path, Circular, "")
	}
	list, ok := v.([]any)
	if !ok || len(list) < least {
		return nil, refuse(path, otherwise, "")
	}
	return list, nil
}

// data says whether a value is lossless JSON.
func data(v any, path string, depth int) error {
	if depth > 4*maxDepth {
		return refuse(path, TooDeep, "")
	}
	switch v := v.(type) {
	case nil, bool, string:
		return nil
	case float64:
		if !math.IsNaN(v) && !math.IsInf(v, 0) && (v != 0 || !math.Signbit(v)) {
			return nil
		}
	case []any:
		for i, one := range v {
			if err := data(one, element(path, i), depth+1); err != nil {
				return err
			}
		}
		return nil
	case *jsonvalue.Object:
		for key, one := range v.All() {
			if err := data(one, path+"."+key, depth+1); err != nil {
				return err
			}
		}
		return nil
	}
	return refuse(path, Lossy, "")
}

// got shows the type that was given.
func got(v any, ok bool) string {
	if f, foreign := v.(jsonvalue.Foreign); foreign {
		return f.Text
	}
	if !ok {
		return "undefined"
	}
	return jsonvalue.Format(v)
}
