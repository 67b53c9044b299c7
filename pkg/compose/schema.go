package compose

import (
	"fmt"
	"math"
	"slices"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// CheckInput is the check that routes and actions make of their input, against
// the part of JSON Schema that they understand (spec/mnemon.md 9.2).
func CheckInput(schema, value any, label string) error { return checkInput(schema, value, label) }

// checkInput checks a value against the keywords that count (9.2): type,
// required, properties, additionalProperties and enum. All others are ignored,
// and a schema that is no object accepts everything. The value is as a plugin
// gave it and may hold what JSON cannot.
func checkInput(schema, value any, label string) error {
	s, ok := schema.(*jsonvalue.Object)
	if !ok {
		return nil
	}
	if err := checkType(s, value, label); err != nil {
		return err
	}
	candidates, ok := member(s, "enum").([]any)
	if !ok {
		return nil
	}
	return checkEnum(candidates, value, label)
}

func checkType(s *jsonvalue.Object, value any, label string) error {
	ok := true
	switch expected := member(s, "type"); expected {
	case "object":
		return checkObject(s, value, label)
	case "string":
		_, ok = value.(string)
	case "boolean":
		_, ok = value.(bool)
	case "array":
		_, ok = value.([]any)
	case "number", "integer":
		f, number := value.(float64)
		if number && !math.IsNaN(f) && !math.IsInf(f, 0) && (expected == "number" || math.Trunc(f) == f) {
			return nil
		}
		return fmt.Errorf("%s must be %s", label, expected)
	}
	if ok {
		return nil
	}
	article := "a"
	if member(s, "type") == "array" {
		article = "an"
	}
	return fmt.Errorf("%s must be %s %s", label, article, member(s, "type"))
}

func checkObject(s *jsonvalue.Object, value any, label string) error {
	o, ok := asRecord(value)
	if !ok {
		return fmt.Errorf("%s must be an object", label)
	}
	required, _ := member(s, "required").([]any)
	for _, name := range required {
		if key, ok := name.(string); ok && !hasMember(o, key) {
			return fmt.Errorf("%s is missing required property: %s", label, key)
		}
	}
	properties, _ := member(s, "properties").(*jsonvalue.Object)
	if properties == nil {
		properties = &jsonvalue.Object{}
	}
	if member(s, "additionalProperties") == false {
		for _, key := range o.Keys() {
			if !hasMember(properties, key) {
				return fmt.Errorf("%s contains unsupported property: %s", label, key)
			}
		}
	}
	for key, property := range properties.All() {
		if !hasMember(o, key) {
			continue
		}
		if err := checkInput(property, memberOrInherited(o, key), label+"."+key); err != nil {
			return err
		}
	}
	return nil
}

// asRecord returns what counts as an object here. An exotic one has members that
// cannot be seen; it is refused later, when the input is copied.
func asRecord(v any) (*jsonvalue.Object, bool) {
	switch v := v.(type) {
	case *jsonvalue.Object:
		return v, v != nil
	case jsonvalue.Foreign:
		exotic := v.Kind == jsonvalue.Exotic || v.Kind == jsonvalue.Cycle || v.Kind == jsonvalue.Deep
		return &jsonvalue.Object{}, exotic
	}
	return nil, false
}

// inherited are the names that every object has from its prototype.
var inherited = []string{
	"__defineGetter__", "__defineSetter__", "__lookupGetter__", "__lookupSetter__", "__proto__",
	"constructor", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable",
	"toLocaleString", "toString", "valueOf",
}

// hasMember is the in operator.
func hasMember(o *jsonvalue.Object, key string) bool {
	return o.Has(key) || !o.Bare() && slices.Contains(inherited, key)
}

func memberOrInherited(o *jsonvalue.Object, key string) any {
	if v, ok := o.Get(key); ok {
		return v
	}
	if key == "__proto__" {
		return &jsonvalue.Object{}
	}
	return jsonvalue.Foreign{Kind: jsonvalue.Function, Text: "function " + key + "() { [native code] }"}
}

// checkEnum looks for a candidate with the same canonical form: -0 is 0 and the
// order of members does not count.
func checkEnum(candidates []any, value any, label string) error {
	if len(candidates) > 0 {
		if err := jsonvalue.Check(value, "memory value"); err != nil {
			return err
		}
	}
	same := func(candidate any) bool { return jsonvalue.Equal(candidate, value) }
	if !slices.ContainsFunc(candidates, same) {
		return fmt.Errorf("%s is not an allowed value", label)
	}
	return nil
}
