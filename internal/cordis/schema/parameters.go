package schema

import (
	"fmt"
	"math"
	"slices"

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
// the enforced subset, in which the type json is allowed too and means any value,
// and a property may say itself that it is required.
func Output(v any) (*jsonvalue.Object, error) {
	c := checker{}
	c.typed(v, "schema", 0)
	if len(c.found) > 0 {
		return nil, &Unsupported{c.found}
	}
	v = spelledOut(v, 0)
	if err := Check(v); err != nil {
		return nil, err
	}
	return v.(*jsonvalue.Object), nil
}

// typed refuses nodes that do not say of what type they are: in the output of a
// tool, any value is the type json.
func (c *checker) typed(v any, path string, depth int) {
	node, ok := v.(*jsonvalue.Object)
	if !ok || depth > maxDepth {
		return
	}
	if !node.Has("type") && !node.Has("oneOf") {
		c.refuse(path+".type", SchemaType, "")
	}
	if items, ok := node.Get("items"); ok {
		c.typed(items, path+".items", depth+1)
	}
	branches, _ := node.Array("oneOf")
	for i, branch := range branches {
		c.typed(branch, fmt.Sprintf("%s.oneOf[%d]", path, i), depth+1)
	}
	properties, _ := node.Map("properties")
	for key, property := range properties.All() {
		c.typed(property, path+".properties."+key, depth+1)
	}
}

// spelledOut takes the type json out of a schema, and what properties say
// themselves into the list of their object.
func spelledOut(v any, depth int) any {
	node, ok := v.(*jsonvalue.Object)
	if !ok || depth > maxDepth {
		return v
	}
	if name, ok := node.Text("type"); ok && name == "json" {
		node = node.Without("type")
	}
	if items, ok := node.Get("items"); ok {
		node = node.With("items", spelledOut(items, depth+1))
	}
	if branches, ok := node.Array("oneOf"); ok {
		list := make([]any, len(branches))
		for i, branch := range branches {
			list[i] = spelledOut(branch, depth+1)
		}
		node = node.With("oneOf", list)
	}
	if properties, ok := node.Map("properties"); ok {
		node = withProperties(node, properties, depth)
	}
	return node
}

func withProperties(node, properties *jsonvalue.Object, depth int) *jsonvalue.Object {
	inner := &jsonvalue.Object{}
	var required []any
	for key, v := range properties.All() {
		if one, ok := v.(*jsonvalue.Object); ok {
			if needed, _ := one.Truth("required"); needed {
				required = append(required, key)
				v = one.Without("required")
			}
		}
		inner.Set(key, spelledOut(v, depth+1))
	}
	node = node.With("properties", inner)
	if listed, ok := node.Array("required"); len(required) > 0 && (ok || !node.Has("required")) {
		node = node.With("required", append(slices.Clone(listed), required...))
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
