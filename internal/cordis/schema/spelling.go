package schema

import "github.com/dshkit/dshkit/pkg/jsonvalue"

// spelling is one of the two ways to write parameters.
type spelling bool

const (
	direct spelling = false // a map of properties
	raw    spelling = true  // a JSON Schema with type "object" at its root
)

// root compiles the direct form: the implicit open object.
func (s spelling) root(properties *jsonvalue.Object) (*jsonvalue.Object, error) {
	out := jsonvalue.Of("type", "object")
	if err := s.properties(out, properties, "parameters", 0); err != nil {
		return nil, err
	}
	return out, nil
}

// rawRoot unwraps the raw form. Its properties are called by their names alone.
func (s spelling) rawRoot(node *jsonvalue.Object) (*jsonvalue.Object, error) {
	const path = "parameters"
	for _, key := range node.Keys() {
		if !isObjectKey(key) && !isAnnotation(key) {
			return nil, refuse(member(path, key), UnknownKey, "")
		}
	}
	if v, ok := node.Get("additionalProperties"); ok && v != true {
		return nil, refuse(path+".additionalProperties", RootOpen, "")
	}
	v, _ := node.Get("properties")
	properties, err := asNode(v, path+".properties", Properties)
	if err != nil {
		return nil, err
	}
	out := jsonvalue.Of("type", "object")
	if err := s.properties(out, properties, path, 0); err != nil {
		return nil, err
	}
	if err := s.required(out, node, path, RequiredArray); err != nil {
		return nil, err
	}
	return out, annotate(out, node, path)
}

func isObjectKey(key string) bool {
	return key == "type" || key == "properties" || key == "required" || key == "additionalProperties"
}

// properties compiles the members of an object into out. In the direct form each
// says itself whether it is required.
func (s spelling) properties(out, properties *jsonvalue.Object, path string, depth int) error {
	compiled := &jsonvalue.Object{}
	var required []any
	for key, v := range properties.All() {
		at := member(path, key)
		node, err := asNode(v, at, NotObject)
		if err != nil {
			return err
		}
		one, err := s.node(node, at, depth+1)
		if err != nil {
			return err
		}
		compiled.Set(key, one)
		if s == direct && node.Has("required") {
			required = append(required, key)
		}
	}
	out.Set("properties", compiled)
	if len(required) > 0 {
		out.Set("required", required)
	}
	return nil
}

// required compiles the array of required names, of the raw form.
func (s spelling) required(out, node *jsonvalue.Object, path string, otherwise Rule) error {
	v, ok := node.Get("required")
	if !ok {
		return nil
	}
	at := path + ".required"
	names, err := asList(v, at, 0, otherwise)
	if err != nil {
		return err
	}
	properties, _ := out.Map("properties")
	for _, v := range names {
		name, ok := v.(string)
		if !ok {
			return refuse(at, RequiredArray, "")
		}
		if !properties.Has(name) {
			return refuse(at, RequiredUndeclared, name)
		}
	}
	if len(names) > 0 {
		out.Set("required", names)
	}
	return nil
}

// node compiles one schema.
func (s spelling) node(node *jsonvalue.Object, path string, depth int) (*jsonvalue.Object, error) {
	if depth > maxDepth {
		return nil, refuse(path, TooDeep, "")
	}
	if err := s.perProperty(node, path); err != nil {
		return nil, err
	}
	out := &jsonvalue.Object{}
	kind, err := s.kind(node, path)
	if err != nil {
		return nil, err
	}
	if isType(kind) {
		out.Set("type", kind)
	}
	if err := s.known(node, kind, path); err != nil {
		return nil, err
	}
	switch kind {
	case "oneOf":
		err = s.oneOf(out, node, path, depth)
	case "object":
		err = s.object(out, node, path, depth)
	case "array":
		err = s.items(out, node, path, depth)
	default:
		err = values(out, node, path)
	}
	if err != nil {
		return nil, err
	}
	return out, annotate(out, node, path)
}

// perProperty looks at the member required of a property.
func (s spelling) perProperty(node *jsonvalue.Object, path string) error {
	v, ok := node.Get("required")
	switch {
	case !ok:
		return nil
	case s == direct && v != true:
		return refuse(path+".required", RequiredTrue, "")
	case s == raw:
		name, _ := node.Text("type")
		if _, isList := v.([]any); !isList || name != "object" {
			return refuse(path+".required", RawRequired, "")
		}
	}
	return nil
}

// kind is the type of a node; "oneOf" for a union, "json" for any value.
func (s spelling) kind(node *jsonvalue.Object, path string) (string, error) {
	v, ok := node.Get("type")
	if !ok && node.Has("oneOf") {
		return "oneOf", nil
	}
	if !ok && s == raw {
		return "json", nil
	}
	name, _ := v.(string)
	if !isType(name) && (s == raw || name != "json") {
		return "", refuse(path, ParameterType, got(v, ok))
	}
	return name, nil
}

// known refuses keys that a node of this kind has not.
func (s spelling) known(node *jsonvalue.Object, kind, path string) error {
	for _, key := range node.Keys() {
		ok := isAnnotation(key) || key == "type" || key == "required"
		switch kind {
		case "oneOf":
			ok = ok || key == "oneOf"
		case "object":
			ok = ok || isObjectKey(key)
		case "array":
			ok = ok || key == "items"
		case "json":
		default:
			ok = ok || key == "enum" || key == "const"
		}
		if !ok {
			return refuse(member(path, key), UnknownKey, "")
		}
	}
	return nil
}

func (s spelling) oneOf(out, node *jsonvalue.Object, path string, depth int) error {
	v, _ := node.Get("oneOf")
	at := path + ".oneOf"
	branches, err := asList(v, at, 2, TooFew)
	if err != nil {
		return err
	}
	list := make([]any, len(branches))
	for i, v := range branches {
		branch, err := asNode(v, element(at, i), NotObject)
		if err != nil {
			return err
		}
		if s == direct && branch.Has("required") {
			return refuse(element(at, i)+".required", UnknownKey, "")
		}
		if list[i], err = s.node(branch, element(at, i), depth+1); err != nil {
			return err
		}
	}
	out.Set("oneOf", list)
	return nil
}

func (s spelling) object(out, node *jsonvalue.Object, path string, depth int) error {
	v, ok := node.Get("additionalProperties")
	open, isTruth := v.(bool)
	switch {
	case s == direct && !isTruth:
		return refuse(path+".additionalProperties", ObjectOpenness, "")
	case !ok:
		open = true
	case !isTruth:
		return refuse(path+".additionalProperties", Boolean, "")
	}
	out.Set("additionalProperties", open)
	if v, ok := node.Get("properties"); ok {
		properties, err := asNode(v, path+".properties", Properties)
		if err != nil {
			return err
		}
		if err := s.properties(out, properties, path+".properties", depth); err != nil {
			return err
		}
	}
	if s == raw {
		return s.required(out, node, path, RawRequired)
	}
	return nil
}

func (s spelling) items(out, node *jsonvalue.Object, path string, depth int) error {
	v, ok := node.Get("items")
	if !ok {
		return nil
	}
	at := path + ".items"
	items, err := asNode(v, at, NotObject)
	if err != nil {
		return err
	}
	if s == direct && items.Has("required") {
		return refuse(at+".required", UnknownKey, "")
	}
	one, err := s.node(items, at, depth+1)
	if err != nil {
		return err
	}
	out.Set("items", one)
	return nil
}

// values takes over enum and const. Whether they are of the type is looked at with
// the whole.
func values(out, node *jsonvalue.Object, path string) error {
	if v, ok := node.Get("enum"); ok {
		list, err := asList(v, path+".enum", 1, EnumEmpty)
		if err == nil {
			err = data(list, path+".enum", 0)
		}
		if err != nil {
			return err
		}
		out.Set("enum", list)
	}
	if v, ok := node.Get("const"); ok {
		if err := data(v, path+".const", 0); err != nil {
			return err
		}
		out.Set("const", v)
	}
	return nil
}

// annotate takes over the annotations, in their fixed order.
func annotate(out, node *jsonvalue.Object, path string) error {
	for _, key := range []string{"description", "title", "default", "examples"} {
		v, ok := node.Get(key)
		if !ok {
			continue
		}
		if err := data(v, path+"."+key, 0); err != nil {
			return err
		}
		out.Set(key, v)
	}
	return nil
}
