package schema_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/cordis/schema"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// read parses JSON in which a text such as "!cycle" stands for what JavaScript
// has and JSON has not.
func read(t testing.TB, text string) any {
	t.Helper()
	v, err := jsonvalue.Parse([]byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return marked(v)
}

func marked(v any) any {
	switch v := v.(type) {
	case string:
		if kind, ok := strings.CutPrefix(v, "!"); ok {
			return jsonvalue.Foreign{Kind: jsonvalue.Kind(kind), Text: kind}
		}
	case []any:
		for i := range v {
			v[i] = marked(v[i])
		}
	case *jsonvalue.Object:
		for _, key := range v.Keys() {
			one, _ := v.Get(key)
			v.Set(key, marked(one))
		}
	}
	return v
}

// The eight forms that the reference accepts, and what it makes of them.
func TestParametersAccepted(t *testing.T) {
	for in, want := range map[string]string{
		`{}`: `{"type":"object","properties":{}}`,
		`{"a":{"type":"string","required":true},"b":{"type":"integer","enum":[1,2]},"c":{"type":"boolean","const":true},"d":{"type":"null"},"e":{"type":"json"}}`:                  `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer","enum":[1,2]},"c":{"type":"boolean","const":true},"d":{"type":"null"},"e":{}},"required":["a"]}`,
		`{"a":{"type":"array","items":{"type":"number"}},"b":{"type":"array"}}`:                                                                                                    `{"type":"object","properties":{"a":{"type":"array","items":{"type":"number"}},"b":{"type":"array"}}}`,
		`{"a":{"type":"object","additionalProperties":false,"properties":{"x":{"type":"string","required":true}}}}`:                                                                `{"type":"object","properties":{"a":{"type":"object","additionalProperties":false,"properties":{"x":{"type":"string"}},"required":["x"]}}}`,
		`{"a":{"oneOf":[{"type":"string"},{"type":"number"}]}}`:                                                                                                                    `{"type":"object","properties":{"a":{"oneOf":[{"type":"string"},{"type":"number"}]}}}`,
		`{"a":{"type":"string","description":"x","title":"t","default":"q","examples":["r"]}}`:                                                                                     `{"type":"object","properties":{"a":{"type":"string","description":"x","title":"t","default":"q","examples":["r"]}}}`,
		`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"object","properties":{"c":{"type":"number"}},"required":["c"]}},"required":["a"],"description":"root"}`: `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"object","additionalProperties":true,"properties":{"c":{"type":"number"}},"required":["c"]}},"required":["a"],"description":"root"}`,
		`{"type":"object","properties":{"a":{"description":"anything"}}}`:                                                                                                          `{"type":"object","properties":{"a":{"description":"anything"}}}`,
		`{"type":{"type":"string"}}`:                                                  `{"type":"object","properties":{"type":{"type":"string"}}}`,
		`{"a":{"type":"string","enum":["x","x"],"examples":"no array"}}`:              `{"type":"object","properties":{"a":{"type":"string","enum":["x","x"],"examples":"no array"}}}`, // CR-N10
		`{"type":"object","properties":{},"additionalProperties":true,"required":[]}`: `{"type":"object","properties":{}}`,
		`{"a":{"type":"object","additionalProperties":true}}`:                         `{"type":"object","properties":{"a":{"type":"object","additionalProperties":true}}}`,
	} {
		got, err := schema.Parameters(read(t, in))
		if err != nil {
			t.Errorf("%s: %v", in, err)
			continue
		}
		if diff := cmp.Diff(want, jsonvalue.Format(got)); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", in, diff)
		}
	}
}

// key is a refusal as path, rule and fact.
func key(err error) string {
	var p *schema.ParameterError
	if errors.As(err, &p) {
		return strings.TrimSuffix(fmt.Sprintf("%s %s %s", p.Rule, p.Path, p.Fact), " ")
	}
	var u *schema.Unsupported
	if errors.As(err, &u) {
		var keys []string
		for _, v := range u.Violations {
			keys = append(keys, v.Path+":"+string(v.Rule))
		}
		return u.Code() + " " + strings.Join(keys, " ")
	}
	return fmt.Sprint(err)
}

// The refusals of golden 08, and more of the kind.
func TestParametersRefused(t *testing.T) {
	deep := strings.Repeat(`{"type":"array","items":`, 80) + `{"type":"string"}` + strings.Repeat("}", 80)
	for in, want := range map[string]string{
		`"!undefined"`:                          `not-object parameters`,
		`[]`:                                    `not-object parameters`,
		`{"a":"string"}`:                        `not-object parameters.a`,
		`{"a":{}}`:                              `parameter-type parameters.a undefined`,
		`{"a":{"type":"text"}}`:                 `parameter-type parameters.a "text"`,
		`{"a":{"type":["string","null"]}}`:      `parameter-type parameters.a ["string","null"]`,
		`{"a":{"type":"string","minLength":1}}`: `unknown-key parameters.a.minLength`,
		`{"a":{"type":"string","required":false}}`:                                            `required-true parameters.a.required`,
		`{"a":{"type":"object","properties":{}}}`:                                             `object-openness parameters.a.additionalProperties`,
		`{"a":{"oneOf":[{"type":"string"}]}}`:                                                 `oneof-few parameters.a.oneOf`,
		`{"a":{"type":"string","enum":[]}}`:                                                   `enum-empty parameters.a.enum`,
		`{"a":{"type":"string","enum":[1]}}`:                                                  `UNSUPPORTED_SCHEMA schema.properties.a.enum:enum-values`,
		`{"a":{"type":"number","const":"x"}}`:                                                 `UNSUPPORTED_SCHEMA schema.properties.a.const:const-value`,
		`{"a":{"type":"array","items":"!cycle"}}`:                                             `circular parameters.a.items`,
		`"!hidden keys"`:                                                                      `hidden-keys parameters`,
		`{"a":"!object"}`:                                                                     `not-object parameters.a`,
		`{"type":"object","properties":{},"additionalProperties":false}`:                      `root-open parameters.additionalProperties`,
		`{"type":"object","properties":{},"required":["ghost"]}`:                              `required-undeclared parameters.required ghost`,
		`{"type":"object","properties":{},"required":"a"}`:                                    `required-array parameters.required`,
		`{"type":"object","properties":{},"required":[1]}`:                                    `required-array parameters.required`,
		`{"type":"object","properties":{"a":{"type":"string","required":true}}}`:              `raw-required parameters.a.required`,
		`{"type":"object","properties":{"a":{"type":"object","required":true}}}`:              `raw-required parameters.a.required`,
		`{"type":"object","properties":{"a":{"type":"json"}}}`:                                `parameter-type parameters.a "json"`,
		`{"type":"object"}`:                                                                   `properties parameters.properties`,
		`{"type":"object","properties":{"a":{"type":"object","additionalProperties":1}}}`:     `boolean parameters.a.additionalProperties`,
		`{"type":"object","properties":{},"minProperties":1}`:                                 `unknown-key parameters.minProperties`,
		`{"a":{"type":"string","default":"!object"}}`:                                         `lossy parameters.a.default`,
		`{"a":{"type":"json","examples":[{"x":"!function"}]}}`:                                `lossy parameters.a.examples[0].x`,
		`{"a":{"type":"number","default":-0}}`:                                                `lossy parameters.a.default`,
		`{"a":{"type":"number","default":1e400}}`:                                             `lossy parameters.a.default`,
		`{"a":{"type":"object","additionalProperties":true,"properties":[]}}`:                 `properties parameters.a.properties`,
		`{"a":{"type":"object","additionalProperties":true,"properties":{"b":{"type":"x"}}}}`: `parameter-type parameters.a.properties.b "x"`,
		`{"a":{"oneOf":[{"type":"string"},{"type":"string","required":true}]}}`:               `unknown-key parameters.a.oneOf[1].required`,
		`{"a":{"type":"string","description":1}}`:                                             `UNSUPPORTED_SCHEMA schema.properties.a.description:other`,
		`{"a":` + deep + `}`:                                                                  `deep parameters.a` + strings.Repeat(".items", 64),
	} {
		got, err := schema.Parameters(read(t, in))
		if diff := cmp.Diff(want, key(err)); diff != "" || got != nil {
			t.Errorf("%s: %v, %v (-want +got)\n%s", in, got, err, diff)
		}
	}
}

func TestOutput(t *testing.T) {
	for in, want := range map[string]string{
		`{"type":"json"}`: `<nil>`,
		`{"type":"text"}`: `UNSUPPORTED_SCHEMA schema.type:schema-type`,
		`{}`:              `UNSUPPORTED_SCHEMA schema.type:schema-type`,
		`{"type":"array","items":{"type":"array","items":{}}}`: `UNSUPPORTED_SCHEMA schema.items.items.type:schema-type`,
		`{"type":"object"}`: `UNSUPPORTED_SCHEMA schema.additionalProperties:openness`,
		`"!undefined"`:      `UNSUPPORTED_SCHEMA schema:other`,
		`{"type":"object","additionalProperties":false,"properties":{"a":{"type":"json"}},"required":["a"]}`: `<nil>`,
		`{"type":"object","additionalProperties":false,"properties":{},"required":["a"],"minProperties":1}`:  `UNSUPPORTED_SCHEMA schema.required[0]:other schema.minProperties:unknown-keyword`,
		`{"oneOf":[{"type":"string"}]}`:                       `UNSUPPORTED_SCHEMA schema.oneOf:other`,
		`{"type":"array","items":{"type":"array","enum":[]}}`: `UNSUPPORTED_SCHEMA schema.items.enum:unknown-keyword`,
	} {
		_, err := schema.Output(read(t, in))
		if diff := cmp.Diff(want, key(err)); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", in, diff)
		}
	}
}

// CR-N10
func TestValidateOrder(t *testing.T) {
	s := read(t, `{"type":"object","additionalProperties":false,"required":["r","q"],"properties":{
		"a":{"type":"string"},"b":{"type":"array","items":{"type":"integer"}},"c":{"type":"string","enum":["x","y"]},
		"d":{"oneOf":[{"type":"string"},{"type":"string"},{"type":"number"}]},"e":{"type":"number","const":5},
		"f":{"type":"object","additionalProperties":false,"required":["n"],"properties":{"n":{"type":"null"}}},
		"q":{},"r":{"type":"boolean","default":true}}}`)
	v := read(t, `{"z":1,"f":{"m":1},"e":6,"d":"s","c":"z","b":[1,1.5,"x"],"a":null,"y":2}`)
	got := schema.Validate(s, v, "")
	want := schema.Violations{
		{"r", schema.Missing, ""},
		{"q", schema.Missing, ""},
		{"a", schema.Type, "string"},
		{"b[1]", schema.Type, "integer"},
		{"b[2]", schema.Type, "integer"},
		{"c", schema.Enum, `"x", "y"`},
		{"d", schema.OneOf, "2"},
		{"e", schema.Const, "5"},
		{"f.n", schema.Missing, ""},
		{"f.m", schema.Undeclared, ""},
		{"z", schema.Undeclared, ""},
		{"y", schema.Undeclared, ""},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if text := got[:3].Text(); text != `"r" is required and missing; "q" is required and missing; "a" must be of type string` {
		t.Errorf("it says %s", text)
	}
}

func TestValidate(t *testing.T) {
	for _, row := range []struct {
		schema, value string
		want          schema.Violations
	}{
		{`{"type":"string"}`, `5`, schema.Violations{{"value", schema.Type, "string"}}},
		{`{}`, `{"a":[1]}`, nil},
		{`{"type":"integer"}`, `1e21`, nil},
		{`{"type":"integer"}`, `-0`, nil},
		{`{"type":"number"}`, `"1"`, schema.Violations{{"value", schema.Type, "number"}}},
		{`{"type":"object","properties":{"a":{"type":"null"}}}`, `{"b":1}`, nil},
		{`{"oneOf":[{"type":"string"},{"type":"null"}]}`, `null`, nil},
		{`{"oneOf":[{"type":"string"},{"type":"null"}]}`, `0`, schema.Violations{{"value", schema.OneOf, "0"}}},
		{`{"type":"object","required":["toString"],"properties":{"toString":{}}}`, `{}`, schema.Violations{{"value.toString", schema.Missing, ""}}},
	} {
		got := schema.Validate(read(t, row.schema), read(t, row.value), "value")
		if diff := cmp.Diff(row.want, got); diff != "" {
			t.Errorf("%s of %s: (-want +got)\n%s", row.schema, row.value, diff)
		}
	}
	if got := schema.Validate(read(t, `{"type":"integer"}`), math.Inf(1), ""); got.Text() != `"arguments" must be of type integer` {
		t.Errorf("infinity: %v", got)
	}
}

// What Parameters makes is of the subset, and nothing crashes.
func FuzzParameters(f *testing.F) {
	f.Add(`{"a":{"type":"string"}}`, `{"a":1}`)
	f.Add(`{"type":"object","properties":{"a":{"oneOf":[{},{}]}}}`, `{}`)
	f.Fuzz(func(t *testing.T, in, value string) {
		v, err := jsonvalue.Parse([]byte(in))
		if err != nil {
			return
		}
		before := jsonvalue.Format(v)
		out, err := schema.Parameters(marked(v))
		if (out == nil) == (err == nil) {
			t.Fatalf("%s: %v, %v", in, out, err)
		}
		if err == nil {
			if x, err := jsonvalue.Parse([]byte(value)); err == nil {
				schema.Validate(out, x, "").Text()
			}
			if again, err := schema.Parameters(out); err == nil {
				_ = again
			}
			if after := jsonvalue.Format(v); after != before && !strings.Contains(before, `"!`) {
				t.Fatalf("%s was changed to %s", before, after)
			}
		}
		_, _ = schema.Output(v)
	})
}

// The properties of an output may say themselves that they are required.
func TestOutputSpelling(t *testing.T) {
	text := `{"type":"object","additionalProperties":false,"properties":{"a":{"type":"string","required":true},"b":{"type":"json"}}}`
	v, err := jsonvalue.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	got, err := schema.Output(v)
	want := `{"type":"object","additionalProperties":false,"properties":{"a":{"type":"string"},"b":{}},"required":["a"]}`
	if err != nil || jsonvalue.Format(got) != want {
		t.Errorf("%s, %v", jsonvalue.Format(got), err)
	}
}
