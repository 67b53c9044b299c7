package compose_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/dshkit/dshkit/internal/testkit/marks"
	"github.com/dshkit/dshkit/pkg/compose"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// inherited are the names that every object of a script has.
var inherited = []string{
	"constructor", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString", "toString", "valueOf",
	"__proto__", "__defineGetter__", "__defineSetter__", "__lookupGetter__", "__lookupSetter__",
}

// FuzzInputs: a schema and a value, whatever they are, are accepted or refused in
// words that name the value; what is closed admits nothing undeclared.
func FuzzInputs(f *testing.F) {
	for _, seed := range []string{
		`[{"type":"object","required":["a"],"properties":{"a":{"type":"string","enum":["x"]}},"additionalProperties":false},{"a":"x"}]`,
		`[{"type":"object","properties":{"toString":{"type":"string"}}},{}]`,
		`[{"enum":[0,{"a":[1]}]},{"a":[1]}]`, `[{"type":"integer"},1.5]`, `[{"type":"array"},{"$undefined":1}]`,
		`[5,{"$date":0}]`, `[{"type":"object","properties":[1],"required":"a"},{"b":{"$nan":1}}]`,
		`[{"enum":[1]},{"a":{"$fn":1}}]`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		v, err := jsonvalue.Parse(text)
		pair, ok := v.([]any)
		if err != nil || !ok || len(pair) != 2 {
			return
		}
		schema, err := jsonvalue.Clone(pair[0], "schema")
		if err != nil {
			return
		}
		value := marks.Decode(pair[1])
		err = compose.CheckInput(schema, value, "input")
		if err != nil && !strings.HasPrefix(err.Error(), "input") && !strings.HasPrefix(err.Error(), "memory value ") {
			t.Errorf("%q does not say what was refused", err)
		}
		o, isObject := schema.(*jsonvalue.Object)
		if err != nil || !isObject {
			return
		}
		kind, _ := o.Text("type")
		got, isRecord := value.(*jsonvalue.Object)
		if kind == "object" && !isRecord {
			if f, ok := value.(jsonvalue.Foreign); !ok || f.Kind != jsonvalue.Exotic {
				t.Errorf("%s accepted as an object", jsonvalue.Format(value))
			}
		}
		if closed, ok := o.Truth("additionalProperties"); ok && !closed && kind == "object" {
			properties, _ := o.Map("properties")
			for key := range got.All() {
				if !properties.Has(key) && !slices.Contains(inherited, key) {
					t.Errorf("%q accepted and not declared", key)
				}
			}
		}
		if n, ok := value.(float64); ok && kind == "integer" && math.Trunc(n) != n {
			t.Errorf("%v accepted as an integer", n)
		}
	})
}

// TestInputCorners (MN23) are what section 9.2 and its corrections say beyond the
// recorded values.
func TestInputCorners(t *testing.T) {
	object := func(pairs ...any) *jsonvalue.Object { return jsonvalue.Of("type", "object").With(pairs...) }
	text := jsonvalue.Of("type", "string")
	bare := jsonvalue.Of("a", 1.0)
	bare.SetBare()
	negativeZero := math.Copysign(0, -1)
	for _, c := range []struct {
		name          string
		schema, value any
		want          string
	}{
		{"a schema that is no object", "string", 5.0, ""},
		{"a schema that is a list", []any{}, 5.0, ""},
		{"nothing is checked", jsonvalue.Of("pattern", "^a$", "type", []any{"string"}), 5.0, ""},
		{"type null is ignored", jsonvalue.Of("type", "null"), 5.0, ""},
		{"required without type object", jsonvalue.Of("required", []any{"a"}), jsonvalue.Of(), ""},
		{"required that is no list", object("required", "a"), jsonvalue.Of(), ""},
		{"required with what is no text", object("required", []any{1.0, nil, "b"}), jsonvalue.Of(), "input is missing required property: b"},
		{"required in declared order", object("required", []any{"z", "a"}), jsonvalue.Of(), "input is missing required property: z"},
		{"required before unsupported", object("required", []any{"z"}, "additionalProperties", false), jsonvalue.Of("a", 1.0), "input is missing required property: z"},
		{"unsupported before properties", object("properties", jsonvalue.Of("a", text), "additionalProperties", false), jsonvalue.Of("a", 1.0, "q", 1.0), "input contains unsupported property: q"},
		{"properties that are no object", object("properties", []any{}, "additionalProperties", false), jsonvalue.Of("a", 1.0), "input contains unsupported property: a"},
		{"closed by null", object("additionalProperties", nil), jsonvalue.Of("a", 1.0), ""},
		{"closed by 0", object("additionalProperties", 0.0), jsonvalue.Of("a", 1.0), ""},
		{"present with a value that JSON cannot hold", object("required", []any{"a"}), jsonvalue.Of("a", foreign(jsonvalue.Undefined)), ""},
		{"an inherited name is present", object("required", []any{"toString", "constructor", "__proto__"}), jsonvalue.Of(), ""},
		{"an inherited name is declared", object("additionalProperties", false), jsonvalue.Of("valueOf", 1.0), ""},
		{"an inherited function is no text", object("properties", jsonvalue.Of("toString", text)), jsonvalue.Of(), "input.toString must be a string"},
		{"a function is no allowed value", object("properties", jsonvalue.Of("toString", jsonvalue.Of("enum", []any{1.0}))), jsonvalue.Of(), "memory value contains a non-JSON value"},
		{"the prototype is an object", object("properties", jsonvalue.Of("__proto__", object())), jsonvalue.Of(), ""},
		{"nothing is inherited without a prototype", object("required", []any{"toString"}), bare, "input is missing required property: toString"},
		{"a class instance has the type", object(), foreign(jsonvalue.Exotic), ""},
		{"a function has not", object(), foreign(jsonvalue.Function), "input must be an object"},
		{"null has not", object(), nil, "input must be an object"},
		{"a list has not", object(), []any{}, "input must be an object"},
		{"labels use dots", object("properties", jsonvalue.Of("a.b", object("properties", jsonvalue.Of("c", text)))), jsonvalue.Of("a.b", jsonvalue.Of("c", 1.0)), "input.a.b.c must be a string"},
		{"a number that is none", jsonvalue.Of("type", "number"), math.NaN(), "input must be number"},
		{"an integer without end", jsonvalue.Of("type", "integer"), math.Inf(1), "input must be integer"},
		{"a whole number is an integer", jsonvalue.Of("type", "integer"), 1e21, ""},
		{"-0 is 0", jsonvalue.Of("enum", []any{0.0}), negativeZero, ""},
		{"the order of members does not count", jsonvalue.Of("enum", []any{jsonvalue.Of("a", 1.0, "b", 2.0)}), jsonvalue.Of("b", 2.0, "a", 1.0), ""},
		{"enum after type", jsonvalue.Of("type", "string", "enum", []any{1.0}), 1.0, "input must be a string"},
		{"no candidate, nothing looked at", jsonvalue.Of("enum", []any{}), math.NaN(), "input is not an allowed value"},
		{"enum and what JSON cannot hold", jsonvalue.Of("enum", []any{1.0}), math.NaN(), "memory value contains a non-finite number"},
		{"enum that is no list", jsonvalue.Of("enum", "a"), 1.0, ""},
	} {
		if got := message(compose.CheckInput(c.schema, c.value, "input")); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
