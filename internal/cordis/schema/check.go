package schema

import "github.com/dshkit/dshkit/pkg/jsonvalue"

// Check says whether a value is a schema of the enforced subset. An error is an
// *Unsupported, with paths that begin with "schema".
func Check(schema any) error { return check(schema, false) }

func check(schema any, openRoot bool) error {
	c := checker{}
	c.node(schema, "schema", openRoot, 0)
	if len(c.found) > 0 {
		return &Unsupported{c.found}
	}
	return nil
}

type checker struct{ found Violations }

func (c *checker) refuse(path string, rule Rule, fact string) {
	c.found = append(c.found, Violation{path, rule, fact})
}

func (c *checker) node(v any, path string, open bool, depth int) {
	node, ok := v.(*jsonvalue.Object)
	switch {
	case !ok:
		c.refuse(path, Other, "must be an object")
		return
	case depth > maxDepth:
		c.refuse(path, Other, "is nested too deeply")
		return
	}
	name, typed := c.typeOf(node, path)
	if node.Has("type") && !typed {
		return
	}
	for key, v := range node.All() {
		c.keyword(node, name, key, v, path, depth)
	}
	if name == "object" && !open {
		if _, ok := node.Truth("additionalProperties"); !ok {
			c.refuse(path+".additionalProperties", Openness, "")
		}
	}
}

// typeOf is the type that a node declares.
func (c *checker) typeOf(node *jsonvalue.Object, path string) (string, bool) {
	v, ok := node.Get("type")
	name, isText := v.(string)
	if ok && (!isText || !isType(name)) {
		c.refuse(path+".type", SchemaType, "")
		return "", false
	}
	return name, ok
}

// keyword looks at one member of a node.
func (c *checker) keyword(node *jsonvalue.Object, name, key string, v any, path string, depth int) {
	at := path + "." + key
	switch {
	case key == "type", key == "additionalProperties" && name == "object":
	case isAnnotation(key):
		if _, ok := v.(string); !ok && (key == "description" || key == "title") {
			c.refuse(at, Other, "must be a text")
		}
	case key == "oneOf" && name == "":
		c.oneOf(v, at, depth)
	case key == "enum" && isScalar(name):
		values, ok := v.([]any)
		if !ok || len(values) == 0 || !all(values, name) {
			c.refuse(at, EnumValues, name)
		}
	case key == "const" && isScalar(name):
		if !hasType(v, name) {
			c.refuse(at, ConstValue, name)
		}
	case key == "properties" && name == "object":
		c.properties(v, at, depth)
	case key == "required" && name == "object":
		c.required(node, v, at)
	case key == "items" && name == "array":
		c.node(v, at, false, depth+1)
	default:
		c.refuse(at, UnknownKeyword, "")
	}
}

func (c *checker) oneOf(v any, at string, depth int) {
	branches, ok := v.([]any)
	if !ok || len(branches) < 2 {
		c.refuse(at, Other, "must hold two schemas or more")
		return
	}
	for i, branch := range branches {
		c.node(branch, element(at, i), false, depth+1)
	}
}

func (c *checker) properties(v any, at string, depth int) {
	properties, ok := v.(*jsonvalue.Object)
	if !ok {
		c.refuse(at, Other, "must be an object of schemas")
		return
	}
	for key, one := range properties.All() {
		c.node(one, at+"."+key, false, depth+1)
	}
}

func (c *checker) required(node *jsonvalue.Object, v any, at string) {
	names, ok := v.([]any)
	if !ok {
		c.refuse(at, Other, "must be an array of names of declared properties")
		return
	}
	properties, _ := node.Map("properties")
	for i, v := range names {
		if name, ok := v.(string); !ok || !properties.Has(name) {
			c.refuse(element(at, i), Other, "must name a declared property")
		}
	}
}

func all(values []any, name string) bool {
	for _, v := range values {
		if !hasType(v, name) {
			return false
		}
	}
	return true
}
